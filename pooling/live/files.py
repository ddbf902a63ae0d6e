"""The files of a run from a search engine: the run, the texts, the raw answers and the record.

All files are written into a new folder next to the wanted one, which then gets its name: an interruption leaves no half
folder under it.
"""

import gzip
import hashlib
import json
import tempfile
from pathlib import Path

from pooling.live.live_run import LiveRun
from pooling.outgoing.client import now
from pooling.writing import write_run

ANSWERS, DOCUMENTS, RECORD = "answers.jsonl.gz", "documents.jsonl.gz", "record.json"


def write_live_run(live: LiveRun, folder: Path) -> list[str]:
    """Write the files of a run into a folder, and return their names. Raises IncompleteRun if a topic failed."""
    run = live.run
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as outer:
        part = Path(outer, "files")
        part.mkdir()
        name = f"{live.system.replace('/', '_')}.run.gz"
        write_run(run, part / name)
        live.write_answers(part / ANSWERS)
        if len(live.documents):
            _write_documents(live, (part / DOCUMENTS))
        files = sorted(path.name for path in part.iterdir())
        record = {
            "run": name,
            "system": live.system,
            "depth": live.depth,
            "made_at": now(),
            "topics": len(live.answers),
            "empty_topics": live.empty,
            "notes": live.notes,
            "engine": dict(live.record),
            "sha256": {file: _checksum(part / file) for file in files},
        }
        (part / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    return [*files, RECORD]


def _write_documents(live: LiveRun, path: Path) -> None:
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as stream:
        for row in live.documents.itertuples(index=False):
            line = {"doc_id": row.doc_id, "title": row.title, "text": row.text}
            stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
