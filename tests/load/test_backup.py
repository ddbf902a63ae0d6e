"""Backups are taken while sixteen assessors judge. Each is restored into an empty database.

Every judgement that was acknowledged before a backup began is in it, and its ledger is verified. An archive whose
ledger lacks the last events is reported. DATABASE_URL decides about the database.
"""

import json
import os
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.assess.backups.archives import content_of, rewritten
from tests.load.assessors import WIDTH, AssessorProcesses, parsed
from tests.load.server import PROJECT, Server, serving, without_tables

pytestmark = pytest.mark.alone

TASKS_PER_BACKUP, K, ASSESSORS, THINK = 500, 2, 16, 0.1  # more than are judged while the backups are taken
TRUNCATE = """
import django
django.setup()
from django.db import connection
from assess.models import JudgementEvent
last = list(JudgementEvent.objects.order_by("-pk").values_list("pk", flat=True)[:100])
with connection.cursor() as cursor:
    if connection.vendor == "postgresql":
        cursor.execute("ALTER TABLE assess_judgementevent DISABLE TRIGGER USER")
    else:
        cursor.execute("DROP TRIGGER ledger_delete")
    cursor.execute(f"DELETE FROM assess_judgementevent WHERE id IN ({', '.join(map(str, last))})")
"""


@dataclass
class Taken:
    """An archive, and the client ids of the judgements that were acknowledged before the backup began."""

    path: Path
    acknowledged: set[str]
    seconds: float


@pytest.mark.slow
def test_three_backups_have_what_was_acknowledged(tmp_path):
    _back_up_and_restore(tmp_path, 3)


@pytest.mark.soak
def test_twenty_backups_have_what_was_acknowledged(tmp_path):
    _back_up_and_restore(tmp_path, 20)


def _back_up_and_restore(folder: Path, number: int) -> None:
    url = os.environ.get("DATABASE_URL")
    taken = _backups_under_load(folder, url, number)
    counts = [len(each.acknowledged) for each in taken]
    assert counts[0] > 0
    assert len(set(counts)) == number  # judging went on between them
    results = [_restored(folder / f"site-{at}", url, each) for at, each in enumerate(taken)]
    print("acknowledged before, in the archive, seconds:", list(zip(counts, *zip(*results, strict=True), strict=True)))
    _truncated_is_reported(folder, url, taken[-1].path)


def _backups_under_load(folder: Path, url: str | None, number: int) -> list[Taken]:
    data, stop = folder / "site", folder / "stop"
    data.mkdir()
    with serving(data, url) as server:
        size = {"tasks": TASKS_PER_BACKUP * number, "topics": 5, "assessors": ASSESSORS, "k": K}
        words = (word for name, value in size.items() for word in (f"--{name}", str(value)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words)
        assessors = AssessorProcesses(server, collection, folder, think=THINK, stop=str(stop))
        try:
            while assessors.acknowledged() < 100:
                assert assessors.is_running()
                time.sleep(0.05)
            taken = [_back_up(server, assessors, folder / f"{at}.zip") for at in range(number)]
            assert assessors.is_running()
            stop.touch()
            assessors.end()
        finally:
            assessors.kill()
    return taken


def _back_up(server: Server, assessors: AssessorProcesses, path: Path) -> Taken:
    acknowledged = _acknowledged(assessors)
    began = time.perf_counter()
    output = server.run("manage.py", "backup", str(path))
    assert "Checkpoint of load: " in output
    return Taken(path, acknowledged, time.perf_counter() - began)


def _acknowledged(assessors: AssessorProcesses) -> set[str]:
    """Return the client ids of the judgements that are saved so far, from the complete lines of the logs."""
    texts = (log.read_bytes() for log in assessors.logs)
    lines = [text[at : at + WIDTH] for text in texts for at in range(0, len(text) // WIDTH * WIDTH, WIDTH)]
    return {line["client_id"] for line in map(parsed, (line.decode() for line in lines)) if line["outcome"] == "kept"}


def _restored(data: Path, url: str | None, taken: Taken) -> tuple[int, float]:
    """Restore an archive into a database without tables, and compare. Returns the events and the seconds it took."""
    data.mkdir()
    with without_tables(data, url) as server:
        began = time.perf_counter()
        output = server.run("manage.py", "restore", str(taken.path))
        seconds = time.perf_counter() - began
        assert "Verified the ledger: no differences." in output
        assert "no differences" in server.run("manage.py", "verify_ledger", "--archive", str(taken.path))
        saved = server.run_json("-m", "tests.load.load_collection", "look")
    events = {event["client_id"] for event in saved["events"]}
    assert taken.acknowledged - events == set()
    assert saved["differences"] == []
    return len(events), round(seconds, 1)


def _truncated_is_reported(folder: Path, url: str | None, path: Path) -> None:
    """Restore an archive, delete the last events, back up, and give this archive the checkpoints of the first one.

    A hundred events, because those that came between the checkpoint and the copy can be deleted without notice.
    """
    data = folder / "truncated"
    data.mkdir()
    with without_tables(data, url) as server:
        server.run("manage.py", "restore", str(path))
        server.run("-c", TRUNCATE)
        server.run("manage.py", "backup", str(folder / "later.zip"))
        states = json.loads(content_of(path)["manifest.json"])["collections"]
        truncated = rewritten(folder / "later.zip", lambda _, manifest: manifest.update(collections=states))
        assert zipfile.is_zipfile(truncated)
        words = [sys.executable, "manage.py", "restore", str(truncated), "--yes"]
        done = subprocess.run(words, cwd=PROJECT, env=server.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "are missing" in done.stdout
    assert "The database was not changed, because the ledger in the archive is damaged." in done.stderr
