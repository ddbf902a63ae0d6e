"""The reader's copies of the runs of a release, recognised by their checksum, or else by their system."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pandas as pd

from assay.verify.result import Report
from assess.releases.compare import Difference
from pooling._io.zip_entries import open_path
from pooling.errors import shown
from pooling.paths import matching_paths
from pooling.trec import MAX_BYTES, read_run, run_files
from pooling.words import count

COPY = "in your copy"


class UnreadableCopy(Exception):  # noqa: N818 - the reader named a wrong file; nothing in the release differs
    """A copy of a run that cannot be read. The message is one sentence."""


def read_copies(patterns: Sequence[str], rows: Sequence[Mapping[str, Any]], report: Report) -> dict[str, pd.DataFrame]:
    """Return the runs by system. What differs from `runs.jsonl` is added to the report.

    The warnings of `read_run` are left out, because the import of the run made them already.
    """
    by_checksum = {row["source_sha256"]: row for row in rows if row.get("source_sha256")}
    by_system = {row["system"]: row for row in rows}
    copies: dict[str, pd.DataFrame] = {}
    same, others = 0, []
    for path in [file for pattern in matching_paths(list(patterns)) for file in run_files(pattern, MAX_BYTES)]:
        checksum = checksum_of(path)
        row = by_checksum.get(checksum)
        same += row is not None
        run = _read(path, row["system"] if row else None)
        row = row or by_system.get(str(run["system"].iloc[0]))
        if row is None:
            others.append(str(run["system"].iloc[0]))
            continue
        if row["score_precision"] == "float32":
            run["score"] = run["score"].astype("float32").astype("float64")
        copies[row["system"]] = run
        _compare_size(report, path, row, run)
    if others:
        report.unchecked.append(
            f"{count(len(others), 'run')} of other systems than those of the release, such as {shown(others[0])}, were "
            "left out."
        )
    if same:
        report.checked.append(f"{count(same, 'run')} are, byte for byte, those that were imported.")
    if len(copies) > same:
        report.unchecked.append(
            f"{count(len(copies) - same, 'run')} have another checksum than the imported files, such as after "
            "compressing them again; they were recognised by their system, and their lines and topics counted."
        )
    return copies


def _read(path: str, system: str | None) -> pd.DataFrame:
    try:
        run = read_run(path, system, notes=[])
    except ValueError as error:
        raise UnreadableCopy(str(error)) from None
    if run.empty:
        raise UnreadableCopy(f"{path}: the run has no lines.")
    return run


def _compare_size(report: Report, path: str, row: Mapping[str, Any], run: pd.DataFrame) -> None:
    for what, found in (("lines", len(run)), ("topics", run["query_id"].nunique())):
        if row.get(what) != found:
            report.differences.append(Difference(path, "the run", what, str(row.get(what)), str(found), source=COPY))


def checksum_of(path: str) -> str:
    """Return the SHA-256 of a file, which may be in a ZIP archive."""
    with open_path(path) as stream:
        return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()
