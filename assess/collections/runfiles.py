"""Runs on disk: one Parquet file a run, named by the checksum of its own bytes.

No name that came from outside (system, file, collection) is ever part of a path. A file is complete before it has
its name, so that a reader never meets half a run.
"""

import hashlib
import os
import tempfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from django.conf import settings

from assess.errors import Refused
from assess.models import Run

SCHEMA = pa.schema(
    [("query_id", pa.dictionary(pa.int32(), pa.string())), ("doc_id", pa.string()), ("score", pa.float64())]
)
REMEDY = "import the same run file again, or restore the data folder from a backup."


def store(run: pd.DataFrame) -> str:
    """Write a run (query_id, doc_id, score) and return its file's checksum; the same run gives the same file."""
    settings.RUNS_DIR.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pandas(run[SCHEMA.names], schema=SCHEMA, preserve_index=False)
    handle, draft = tempfile.mkstemp(dir=settings.RUNS_DIR, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as stream:
            pq.write_table(table.replace_schema_metadata(), stream, compression="zstd")
            stream.flush()
            os.fsync(stream.fileno())
        checksum = checksum_of(Path(draft))
        os.replace(draft, _place(checksum))
    finally:
        Path(draft).unlink(missing_ok=True)
    return checksum


def load(run: Run) -> pd.DataFrame:
    """The run as a DataFrame (system, query_id, doc_id, score), its checksum verified."""
    place = _place(run.file_checksum)
    if not place.exists():
        raise Refused(f"The file of run {run.system} is missing from the data folder; {REMEDY}")
    if checksum_of(place) != run.file_checksum:
        raise Refused(f"The file of run {run.system} is damaged (its checksum is another than was stored); {REMEDY}")
    frame = pq.read_table(place).to_pandas(ignore_metadata=True)
    frame["query_id"] = frame["query_id"].astype("str")
    frame.insert(0, "system", run.system)
    return frame


def same_lines(one: Run, other: Run) -> bool:
    """Whether two stored runs hold the same lines; another pyarrow may have written them as other bytes."""
    return one.file_checksum == other.file_checksum or load(one).equals(load(other))


def checksum_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _place(checksum: str) -> Path:
    return settings.RUNS_DIR / f"{checksum}.parquet"
