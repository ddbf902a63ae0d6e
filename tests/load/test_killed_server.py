"""`assay serve` is killed ten times with its worker while files are uploaded and imported: each is imported once.

One client uploads files in chunks and continues each from the offset that the server states. Another checks and imports
whatever has arrived, and opens the import page again after a kill, as a user does.
"""

import json
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.factories import run_text
from tests.load.researcher import Researcher, create_owner
from tests.load.server import AssayServe, Server, serving

pytestmark = pytest.mark.alone

KILLS = 10
LONGEST = 2.0  # seconds from the server's first answer, or from the start of an import, to the kill
PATIENCE = 60  # seconds until an import begins, and until everything is imported at the end
CHUNK, PAUSE = 10_000, 0.03  # bytes, and seconds between two chunks
RETRIEVED, DOCUMENTS, JUDGED = 2_000, 100, 500
SLUG = "killed"
AGE = """
import django; django.setup()
from datetime import timedelta
from django.utils import timezone
from assess.models import Job
Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2))
"""
LOOK = """
import django; django.setup()
import json
from pathlib import Path
from django.conf import settings
from assess.models import Document, ImportRecord, Job, Judgement, Run, Topic, Upload
print(json.dumps({
    "topics": Topic.objects.count(),
    "runs": Run.objects.count(),
    "documents": Document.objects.exclude(content=None).count(),
    "judgements": Judgement.objects.count(),
    "files": sorted(file["name"] for record in ImportRecord.objects.all() for file in record.files),
    "unfinished": Job.objects.filter(state__in=["waiting", "running"]).count(),
    "uploads": Upload.objects.count(),
}))
"""


@pytest.mark.slow
def test_files_are_uploaded_and_imported_once_when_the_server_is_killed_ten_times(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        create_owner(server, "ada")
        server.run("manage.py", "create_collection", SLUG, "--owner", "ada")
        clients = Clients(server.port, files(tmp_path))
        with ThreadPoolExecutor(2) as threads:
            ends = [threads.submit(clients.upload_all), threads.submit(clients.import_all)]
            try:
                kill_repeatedly(server, clients, random.Random(10))
            finally:
                clients.killed_enough.set()
            for end in ends:
                end.result()
        saved = server.run_json("-c", LOOK)
    names = [path.name for path in clients.sent]
    parts = sum(name.endswith(".run") for name in names)
    assert saved == {
        "topics": 2,
        "runs": parts,
        "documents": parts * DOCUMENTS,
        "judgements": parts * JUDGED,
        "files": sorted(names),
        "unfinished": 0,
        "uploads": 0,
    }


def files(folder: Path) -> Iterator[Path]:
    """Yield topics, and then without an end a run, documents and the judgements of one judge."""
    yield _written(folder / "topics.tsv", "1\tthe first need\n2\tthe second need\n")
    retrieved = [f"d{number}" for number in range(RETRIEVED)]
    page = "<p>The brook that gave the <b>mill</b> its name had run dry by then.</p>" * 10
    part = 0
    while True:
        rows = ({"doc_id": f"{part}-{number}", "text": page} for number in range(DOCUMENTS))
        yield _written(folder / f"{part}.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
        yield _written(folder / f"judge{part}.qrels", "".join(f"1 0 d{n} {n % 2}\n" for n in range(JUDGED)))
        yield _written(folder / f"s{part}.run", run_text(f"s{part}", {"1": retrieved[part:]}))
        part += 1


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


class Clients:
    """Two browsers of one user, each in a thread: one uploads files, the other imports them."""

    def __init__(self, port: int, paths: Iterator[Path]) -> None:
        self.uploader = Researcher(port, SLUG, is_patient=True, pause=PAUSE)
        self.importer = Researcher(port, SLUG)
        for researcher in (self.uploader, self.importer):
            researcher.sign_in("ada")
        self.paths = paths
        self.sent: list[Path] = []
        self.importing, self.killed_enough, self.all_sent = threading.Event(), threading.Event(), threading.Event()

    def upload_all(self) -> None:
        """Upload files until the server was killed often enough and the last part is complete."""
        try:
            for path in self.paths:
                assert self.uploader.upload(path, CHUNK)["error"] == ""
                self.sent.append(path)
                if self.killed_enough.is_set() and path.suffix == ".run":
                    break
        finally:
            self.all_sent.set()

    def import_all(self) -> None:
        """Open the import page again and again, whatever happened to the last request, until nothing is left."""
        deadline = float("inf")
        while time.monotonic() < deadline:
            were_all_sent = self.all_sent.is_set()
            if were_all_sent and deadline == float("inf"):
                deadline = time.monotonic() + PATIENCE
            with suppress(RuntimeError):  # no answer, a refusal, or a job that was killed three times
                page = self.importer.browser.page(f"{self.importer.home}import/")
                if "Files to import" in page:
                    self._import()
                elif were_all_sent and "Running imports" not in page:
                    return
            self.importing.clear()
            time.sleep(0.1)
        raise RuntimeError("Not everything was imported.")

    def _import(self) -> None:
        checked = self.importer.check(keep_all="on", text_format="html")
        self.importing.set()
        page: str | None = self.importer.start_import(checked)
        while page:
            page = self.importer.next_import(page)


def kill_repeatedly(server: Server, clients: Clients, generator: random.Random) -> None:
    """Kill and restart server and worker, every second time during an import."""
    for kill in range(KILLS):
        if kill % 2:
            assert clients.importing.wait(PATIENCE)
        time.sleep(generator.uniform(0, LONGEST))
        server.kill_all()
        server.run("-c", AGE)
        server.start()
