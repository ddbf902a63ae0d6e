"""Stores runs on disk, one Parquet file per run, named by the checksum of its bytes.

No name from user input (system, file, collection) is part of a path. A file is written completely before it gets its
name, so that no reader sees an incomplete run.
"""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import IO, Any, cast

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from django.conf import settings

from assess.errors import Refused
from assess.models import Run
from pooling._io.zip_entries import open_path

SCHEMA = pa.schema(
    [("query_id", pa.dictionary(pa.int32(), pa.string())), ("doc_id", pa.string()), ("score", pa.float64())]
)
REMEDY = "Import the same run file again, or restore the data folder from a backup."


def store(run: pd.DataFrame) -> str:
    """Write a run (query_id, doc_id, score) and return the checksum of its file. The same run gives the same file."""
    settings.RUNS_DIR.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=settings.RUNS_DIR, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as stream:
            _write(run, stream)
            stream.flush()
            # On the disk before it gets its name, so that a power cut leaves no incomplete run.
            os.fsync(stream.fileno())
        checksum = checksum_of(Path(draft))
        os.replace(draft, path_of(checksum))
    finally:
        # It is missing if it has got its name.
        Path(draft).unlink(missing_ok=True)
    return checksum


def _write(run: pd.DataFrame, stream: IO[bytes]) -> None:
    # Without the metadata of pandas, which name its version: the same run must give the same bytes.
    pq.write_table(_table(run).replace_schema_metadata(), stream, compression="zstd")


def _table(run: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(run[SCHEMA.names], schema=SCHEMA, preserve_index=False)


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
    return _frame(pq.read_table(path), run.system)


def _frame(table: pa.Table, system: str) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    frame["query_id"] = frame["query_id"].astype("str")
    frame.insert(0, "system", system)
    return frame


def has_lines(run: Run, lines: pd.DataFrame) -> bool:
    """Return whether a stored run has these lines (query_id, doc_id, score).

    The checksum is compared first, because the file of the run may be missing. Versions of pyarrow may write the same
    lines differently.
    """
    with tempfile.TemporaryFile() as stream:
        _write(lines, stream)
        stream.seek(0)
        checksum = hashlib.file_digest(stream, "sha256").hexdigest()
    return run.file_checksum == checksum or _load_lines(run).equals(_frame(_table(lines), run.system))


def checksum_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal. The path may lead into a ZIP archive."""
    with open_path(path) as stream:
        return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()


def path_of(checksum: str) -> Path:
    return settings.RUNS_DIR / f"{checksum}.parquet"
