"""Run and qrels files, written: what would not be read back is refused, and fractions are rounded by name only."""

import bz2
import gzip
import lzma
from collections.abc import Iterable
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd

from pooling._io.lines import RELEVANCE_RANGE
from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.ranking import ranked

Target = str | PathLike[str] | BinaryIO

ROUNDINGS = {
    "half_up": lambda number: np.floor(number) + (number >= np.floor(number) + 0.5),
    "up": np.ceil,
    "down": np.floor,
}
NOT_JUDGED = -1


def write_run(run: pd.DataFrame, target: Target) -> None:
    """Write the run of one system, topics in byte order, documents as `pooling.ranking` ranks them.

    Parameters
    ----------
    run : DataFrame
        system, query_id, doc_id, score.
    target : path or binary file
        A path that ends with ``.gz``, ``.bz2`` or ``.xz`` is written compressed. The same run gives the same bytes.

    Raises
    ------
    ValueError
        There is not exactly one system, an id would not be read back, or a score is not finite.
    """
    systems = run["system"].unique()
    if len(systems) != 1:
        raise ValueError(f"a run file holds the run of one system; the frame has {len(systems)}")
    _refuse_unreadable(run, "system", "query_id", "doc_id")
    if not np.isfinite(run["score"]).all():
        raise ValueError("a score is not finite; a run file holds finite scores only")
    rows = ranked(run)
    lines = (
        f"{query_id} Q0 {doc_id} {rank} {score!r} {systems[0]}\n"
        for query_id, doc_id, rank, score in zip(
            rows["query_id"], rows["doc_id"], rows["rank"].tolist(), rows["score"].tolist(), strict=True
        )
    )
    _write_lines(lines, target)


def write_qrels(qrels: pd.DataFrame, target: Target, *, rounding: str | None = None) -> None:
    """Write a qrels file: iteration 0, sorted by query_id, then doc_id, as bytes.

    Parameters
    ----------
    qrels : DataFrame
        query_id, doc_id, relevance; relevance is whole, in a column of any number type.
    target : path or binary file
        A path that ends with ``.gz``, ``.bz2`` or ``.xz`` is written compressed. The same judgements give the
        same bytes.
    rounding : {"half_up", "up", "down"}, optional
        What becomes of a fraction, as golds by the mean have: the nearest whole number, of two that are as near
        the greater; the next greater; the next smaller. By default a fraction is refused.

    Raises
    ------
    ValueError
        A relevance is missing, beyond 32 bits, or a fraction (without `rounding`, or where it would be rounded
        to -1, which stands for "not judged"); a document occurs twice in a topic; an id would not be read back;
        `rounding` is unknown.
    """
    if rounding is not None and rounding not in ROUNDINGS:
        raise ValueError(f"rounding {rounding!r} is unknown; there are: {', '.join(ROUNDINGS)}")
    _refuse_unreadable(qrels, "query_id", "doc_id")
    rows = qrels.sort_values(["query_id", "doc_id"])
    repeated = rows.duplicated(["query_id", "doc_id"])
    if repeated.any():
        query_id, doc_id = rows.loc[repeated, ["query_id", "doc_id"]].iloc[0]
        raise ValueError(f"document {doc_id!r} of topic {query_id!r} occurs twice; qrels hold it once")
    grades = _whole_numbers(rows, rounding)
    lines = (
        f"{query_id} 0 {doc_id} {grade}\n"
        for query_id, doc_id, grade in zip(rows["query_id"], rows["doc_id"], grades, strict=True)
    )
    _write_lines(lines, target)


def _refuse_unreadable(frame: pd.DataFrame, *columns: str) -> None:
    """An id that `read_run` or `read_qrels` would refuse or take for a comment is not written."""
    for column in columns:
        for value in frame[column].unique():
            if problem := id_problem(value):
                raise ValueError(f"{column} {shown(value)} {problem}; {ALLOWED_ID}")
            if column == "query_id" and value.startswith("#"):
                raise ValueError(f"query_id {shown(value)} begins with #; its lines would be comments")


def _whole_numbers(rows: pd.DataFrame, rounding: str | None) -> list[int]:
    """The relevance of every row as an integer that a qrels file may hold; ValueError where there is none."""
    relevance = rows["relevance"].to_numpy(np.float64, na_value=np.nan)
    rounded = relevance if rounding is None else ROUNDINGS[rounding](relevance)
    whole = rounded == np.floor(rounded)
    whole &= (rounded >= RELEVANCE_RANGE.start) & (rounded < RELEVANCE_RANGE.stop)
    _refuse_relevance(
        rows[~whole], "is no whole number of 32 bits; round the gold by name: rounding='half_up', 'up' or 'down'"
    )
    unjudged = (rounded == NOT_JUDGED) & (relevance != NOT_JUDGED)
    _refuse_relevance(rows[unjudged], 'would be rounded to -1, which stands for "not judged"')
    return rounded.astype(np.int64).tolist()


def _refuse_relevance(rows: pd.DataFrame, problem: str) -> None:
    if len(rows):
        query_id, doc_id, found = rows[["query_id", "doc_id", "relevance"]].iloc[0]
        raise ValueError(f"relevance {found} of document {doc_id!r} of topic {query_id!r} {problem}")


def _write_lines(lines: Iterable[str], target: Target) -> None:
    """Write to a path, compressed where it ends so, or to an open binary file."""
    with _open_target(target) as stream:
        stream.writelines(line.encode() for line in lines)


@contextmanager
def _open_target(target: Target):
    """The binary file to write to; one that the caller opened stays open."""
    if not isinstance(target, (str, PathLike)):
        yield target
        return
    with open(target, "wb") as file:
        compressed = COMPRESSED.get(Path(target).suffix)
        if compressed is None:
            yield file
            return
        with compressed(file) as stream:
            yield stream


def _gzip(file: BinaryIO) -> BinaryIO:
    # No file name and no time in the header: the same lines give the same bytes.
    return gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0)


COMPRESSED = {
    ".gz": _gzip,
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb"),
}
