"""Write run and qrels files. Data that could not be read back is refused; fractions are rounded only on request."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

import numpy as np
import pandas as pd

from pooling._io.lines import RELEVANCE_RANGE
from pooling._io.order import with_ranks
from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.inputs import Input, as_gold, as_runs

Target: TypeAlias = str | PathLike[str] | BinaryIO

ROUNDINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    # numpy's rint rounds halves to even numbers
    "half_up": lambda number: np.floor(number) + (number >= np.floor(number) + 0.5),
    "up": np.ceil,
    "down": np.floor,
}
NOT_JUDGED = -1


def write_run(run: Input, target: Target) -> None:
    """Write the run of one system as a run file.

    Topics are written in byte order, and documents by score descending, ties by doc_id descending in UTF-8 bytes. The
    same run gives the same bytes.

    Parameters
    ----------
    run : table, path or dictionary
        Columns system, query_id, doc_id and score (finite), of one system. A run without a name is called "run".
    target : path or binary file
        Where to write. A path that ends with ``.gz``, ``.bz2`` or ``.xz`` is written compressed.

    Raises
    ------
    ValueError
        If there is not exactly one system, an id is one that `read_run` would refuse, or a score is not finite.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import io
    >>> import pandas as pd
    >>> from pooling import write_run
    >>> file = io.BytesIO()
    >>> run = pd.DataFrame({"system": "bm25", "query_id": "1", "doc_id": ["a", "b"], "score": [1.0, 2.5]})
    >>> write_run(run, file)
    >>> print(file.getvalue().decode())
    1 Q0 b 1 2.5 bm25
    1 Q0 a 2 1.0 bm25
    <BLANKLINE>
    """
    frames = as_runs(run)
    frame = frames if isinstance(frames, pd.DataFrame) else pd.concat(frames, ignore_index=True)
    systems = frame["system"].unique()
    if len(systems) != 1:
        raise ValueError(f"a run file contains the run of one system; the DataFrame has {len(systems)} systems")
    _refuse_unreadable(frame, "system", "query_id", "doc_id")
    if not np.isfinite(frame["score"]).all():
        raise ValueError("every score of a run file must be finite; at least one is not")
    rows = with_ranks(frame)
    lines = (
        # repr is the shortest number that is read as the same float
        f"{query_id} Q0 {doc_id} {rank} {score!r} {systems[0]}\n"
        for query_id, doc_id, rank, score in zip(
            rows["query_id"], rows["doc_id"], rows["rank"].tolist(), rows["score"].tolist(), strict=True
        )
    )
    _write_lines(lines, target)


def write_qrels(qrels: Input, target: Target, *, rounding: str | None = None) -> None:
    """Write judgements or a gold as a qrels file.

    The lines are sorted by query_id, then doc_id (as bytes); the iteration is 0. The same judgements give the same
    bytes.

    Parameters
    ----------
    qrels : table, path or dictionary
        Columns query_id, doc_id and relevance (whole numbers of 32 bits, in a column of any number type).
    target : path or binary file
        Where to write. A path that ends with ``.gz``, ``.bz2`` or ``.xz`` is written compressed.
    rounding : {"half_up", "up", "down"}, optional
        How to round fractional grades, as a gold by the mean has them: to the nearest whole number, and .5 up; up;
        or down. By default a fractional grade is refused.

    Raises
    ------
    ValueError
        If a relevance is missing, exceeds 32 bits, is fractional and `rounding` is None, or would be rounded to -1,
        which means "not judged"; if a document occurs twice in a topic, an id is one that `read_qrels` would refuse,
        or `rounding` is unknown.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import io
    >>> import pandas as pd
    >>> from pooling import write_qrels
    >>> file = io.BytesIO()
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["b", "a"], "relevance": [0.5, 2.0]})
    >>> write_qrels(gold, file, rounding="half_up")
    >>> print(file.getvalue().decode())
    1 0 a 2
    1 0 b 1
    <BLANKLINE>
    """
    if rounding is not None and rounding not in ROUNDINGS:
        raise ValueError(f"rounding {rounding!r} is unknown; choose from: {', '.join(ROUNDINGS)}")
    frame = as_gold(qrels)
    _refuse_unreadable(frame, "query_id", "doc_id")
    rows = frame.sort_values(["query_id", "doc_id"])
    repeated = rows.duplicated(["query_id", "doc_id"])
    if repeated.any():
        query_id, doc_id = rows.loc[repeated, ["query_id", "doc_id"]].iloc[0]
        raise ValueError(f"document {doc_id!r} of topic {query_id!r} occurs twice; a qrels file contains it once")
    grades = _whole_numbers(rows, rounding)
    lines = (
        f"{query_id} 0 {doc_id} {grade}\n"
        for query_id, doc_id, grade in zip(rows["query_id"], rows["doc_id"], grades, strict=True)
    )
    _write_lines(lines, target)


def _refuse_unreadable(frame: pd.DataFrame, *columns: str) -> None:
    """Raise ValueError for an id that `read_run` or `read_qrels` would refuse or read as a comment."""
    for column in columns:
        if column not in frame:
            raise ValueError(f"the table has no column {column}")
        for value in frame[column].unique():
            if problem := id_problem(value):
                raise ValueError(f"{column} {shown(value)} {problem}; {ALLOWED_ID}")
            if not value.strip("#"):
                raise ValueError(f"query_id {shown(value)} has only #, so its lines would be read as comments")


def _whole_numbers(rows: pd.DataFrame, rounding: str | None) -> list[int]:
    """The relevance of every row as an integer of 32 bits; ValueError if there is none."""
    relevance = rows["relevance"].to_numpy(np.float64, na_value=np.nan)
    rounded = relevance if rounding is None else ROUNDINGS[rounding](relevance)
    whole = rounded == np.floor(rounded)
    whole &= (rounded >= RELEVANCE_RANGE.start) & (rounded < RELEVANCE_RANGE.stop)
    _refuse_relevance(
        rows[~whole], "is not a whole number of 32 bits; to round, set rounding to 'half_up', 'up' or 'down'"
    )
    unjudged = (rounded == NOT_JUDGED) & (relevance != NOT_JUDGED)
    _refuse_relevance(rows[unjudged], 'would be rounded to -1, which means "not judged"')
    return [int(grade) for grade in rounded]


def _refuse_relevance(rows: pd.DataFrame, problem: str) -> None:
    if len(rows):
        query_id, doc_id, relevance = rows[["query_id", "doc_id", "relevance"]].iloc[0]
        raise ValueError(f"relevance {relevance} of document {doc_id!r} of topic {query_id!r} {problem}")


def _write_lines(lines: Iterable[str], target: Target) -> None:
    """Write to a path, compressed if its suffix requires it, or to an open binary file."""
    with _open_target(target) as stream:
        stream.writelines(line.encode() for line in lines)


@contextmanager
def _open_target(target: Target) -> Iterator[BinaryIO]:
    """The binary file to write to. A file that the caller opened stays open."""
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
    # The header has no file name and no time, so that the same lines give the same bytes.
    return cast(BinaryIO, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0))


COMPRESSED: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": _gzip,
    ".bz2": cast(Callable[[BinaryIO], BinaryIO], partial(bz2.BZ2File, mode="wb")),
    ".xz": cast(Callable[[BinaryIO], BinaryIO], partial(lzma.LZMAFile, mode="wb")),
}
