"""Stores runs on disk, one Parquet file per run, named by the checksum of its bytes.

No name from user input (system, file, collection) is part of a path. A file is written completely before it gets its
name, so that no reader sees an incomplete run.
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
REMEDY = "Import the same run file again, or restore the data folder from a backup."


def store(run: pd.DataFrame) -> str:
    """Write a run (query_id, doc_id, score) and return the checksum of its file. The same run gives the same file."""
    settings.RUNS_DIR.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pandas(run[SCHEMA.names], schema=SCHEMA, preserve_index=False)
    handle, draft = tempfile.mkstemp(dir=settings.RUNS_DIR, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as stream:
            pq.write_table(table.replace_schema_metadata(), stream, compression="zstd")
            stream.flush()
            os.fsync(stream.fileno())
        checksum = checksum_of(Path(draft))
        os.replace(draft, path_of(checksum))
    finally:
        Path(draft).unlink(missing_ok=True)
    return checksum


def load(run: Run) -> pd.DataFrame:
    """Return the run as a DataFrame (system, query_id, doc_id, score), with scores of the run's precision.

    The checksum of the file is verified.
    """
    frame = _load_lines(run)
    if run.score_precision == Run.Precision.FLOAT32:
        frame["score"] = frame["score"].astype("float32").astype("float64")
    return frame


def _load_lines(run: Run) -> pd.DataFrame:
    """Return the run with the scores of the file."""
    path = path_of(run.file_checksum)
    if not path.exists():
        raise Refused(f"The file of run {run.system} is missing from the data folder. {REMEDY}")
    if checksum_of(path) != run.file_checksum:
        raise Refused(f"The file of run {run.system} is damaged: its checksum differs from the stored one. {REMEDY}")
    frame: pd.DataFrame = pq.read_table(path).to_pandas(ignore_metadata=True)
    frame["query_id"] = frame["query_id"].astype("str")
    frame.insert(0, "system", run.system)
    return frame


def same_lines(one: Run, other: Run) -> bool:
    """Return whether two stored runs hold the same lines. Versions of pyarrow may write the same lines differently."""
    return one.file_checksum == other.file_checksum or _load_lines(one).equals(_load_lines(other))


def checksum_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def path_of(checksum: str) -> Path:
    return settings.RUNS_DIR / f"{checksum}.parquet"
