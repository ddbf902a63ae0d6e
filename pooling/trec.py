r"""Run and qrels files, read and written. This docstring is the formats' specification.

Both
    Lines of UTF-8 text that end with LF or CRLF (the last one may end with the file); a byte-order mark at
    the start is dropped. Fields are separated by one or more spaces or tabs, and by nothing else: a no-break
    space is part of its field. Blank lines are skipped, and so are comments: lines whose first character that
    is not blank is ``#``. Other control characters (U+0000 to U+001F, U+007F to U+009F) and bytes that are
    not UTF-8 are refused, as is a line of more than 4,096 bytes. Ids keep to `pooling.ids`. Topics and
    documents come in any order; a document occurs once in a topic, and its second occurrence is refused, with
    the same value too. A file without a single line of data is refused. Plain or gzip: see
    `pooling.streams`.

Run
    ``query_id iteration doc_id rank score tag``, six fields exactly. `iteration` and `rank` are ignored:
    documents are ranked by `pooling.ranking`. `score` is a finite decimal number, with or without an exponent
    (``-1``, ``.5``, ``+2e-3``); NaN, infinity, hexadecimal and grouped digits are refused. `tag` names the
    system, and is the same on all lines unless the caller names the system.

Qrels
    ``query_id iteration doc_id relevance``, four fields exactly. `iteration` is ignored. `relevance` is a
    decimal integer of 32 bits (``2``, ``+1``, ``-1``).

Every line is checked. The frames keep the order of the lines.
"""

import gzip
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd

from pooling._columns import qrels_by_columns, run_by_columns
from pooling._lines import RELEVANCE_RANGE, qrels_by_lines, run_by_lines
from pooling.errors import TrecFormatError, shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.ranking import ranked
from pooling.streams import BYTE_ORDER_MARK, Progress, Source, display_name, open_input

MAX_BYTES = 1 << 30  # a file is held in memory while it is read
SCORE_PRECISIONS = ("float64", "float32")


def read_run(
    source: Source,
    system: str | None = None,
    *,
    score_precision: str = "float64",
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Read a run file.

    Parameters
    ----------
    source : path, bytes or binary file
        Plain or gzip.
    system : str, optional
        Name of the system. By default the tag, which then must be the same on every line.
    score_precision : {"float64", "float32"}
        "float32" rounds each score to single precision, as trec_eval before version 10 did; more scores
        are then tied.
    max_bytes : int
        Limit on the expanded size, in bytes.
    name : str, optional
        What errors call the file.
    progress : callable, optional
        Called with the number of bytes just taken from the file.

    Returns
    -------
    DataFrame of shape (lines, 4)
        system, query_id, doc_id (str) and score (float64, finite), in the order of the lines.

    Raises
    ------
    TrecFormatError
        At the first line that breaks the format, see the module.
    ValueError
        `system` is no id, or `score_precision` is unknown.
    """
    _check_options(system, score_precision)
    name = name or display_name(source)
    data = _content(source, max_bytes, name, progress)
    one_tag = system is None
    run = run_by_columns(data, one_tag, score_precision)
    if run is None:
        run = run_by_lines(data, name, one_tag, score_precision)
    if system is None:
        run = run.rename(columns={"tag": "system"})
    else:
        run["system"] = pd.array([system], dtype="str").repeat(len(run))
    return run[["system", "query_id", "doc_id", "score"]]


def read_runs(
    sources: Iterable[Source],
    *,
    workers: int | None = None,
    score_precision: str = "float64",
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Read run files, each of another system.

    Parameters
    ----------
    sources : iterable of path, bytes or binary file
        The files; each names its system by its tag.
    workers : int, optional
        Files read at the same time; by default as many as there are processors.
    score_precision, max_bytes, progress
        As for `read_run`; `max_bytes` is for each file. `progress` is called from several threads.

    Returns
    -------
    DataFrame of shape (lines of all files, 4)
        The runs one below the other, in the order of `sources`: system, query_id, doc_id, score.

    Raises
    ------
    TrecFormatError
        A file breaks the format, or has the tag of an earlier one.
    ValueError
        There is no file.
    """
    sources = list(sources)
    if not sources:
        raise ValueError("no run files were given; read_runs needs at least one")
    read = partial(read_run, score_precision=score_precision, max_bytes=max_bytes, progress=progress)
    with ThreadPoolExecutor(workers or os.cpu_count()) as executor:
        runs = list(executor.map(read, sources))
    _refuse_same_system(runs, [display_name(source) for source in sources])
    return pd.concat(runs, ignore_index=True)


def read_qrels(
    source: Source,
    *,
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Read a qrels file.

    Parameters
    ----------
    source, max_bytes, name, progress
        As for `read_run`.

    Returns
    -------
    DataFrame of shape (lines, 3)
        query_id, doc_id (str) and relevance (int64), in the order of the lines.

    Raises
    ------
    TrecFormatError
        At the first line that breaks the format, see the module.
    """
    name = name or display_name(source)
    data = _content(source, max_bytes, name, progress)
    qrels = qrels_by_columns(data)
    return qrels_by_lines(data, name) if qrels is None else qrels


def write_run(run: pd.DataFrame, target: str | PathLike[str] | BinaryIO) -> None:
    """Write the run of one system, topics in byte order, documents as `pooling.ranking` ranks them.

    Parameters
    ----------
    run : DataFrame
        system, query_id, doc_id, score.
    target : path or binary file
        A path that ends with ``.gz`` is written compressed. The same run gives the same bytes.

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
    _write(lines, target)


def write_qrels(qrels: pd.DataFrame, target: str | PathLike[str] | BinaryIO) -> None:
    """Write a qrels file: iteration 0, sorted by query_id, then doc_id, as bytes.

    Parameters
    ----------
    qrels : DataFrame
        query_id, doc_id, relevance; relevance is whole, in a column of any number type.
    target : path or binary file
        A path that ends with ``.gz`` is written compressed. The same judgements give the same bytes.

    Raises
    ------
    ValueError
        A relevance is missing, a fraction or beyond 32 bits, a document occurs twice in a topic, or
        an id would not be read back.
    """
    _refuse_unreadable(qrels, "query_id", "doc_id")
    rows = qrels.sort_values(["query_id", "doc_id"])
    repeated = rows.duplicated(["query_id", "doc_id"])
    if repeated.any():
        query_id, doc_id = rows.loc[repeated, ["query_id", "doc_id"]].iloc[0]
        raise ValueError(f"document {doc_id!r} of topic {query_id!r} occurs twice; qrels hold it once")
    grades = _whole_numbers(rows)
    lines = (
        f"{query_id} 0 {doc_id} {grade}\n"
        for query_id, doc_id, grade in zip(rows["query_id"], rows["doc_id"], grades, strict=True)
    )
    _write(lines, target)


def _check_options(system: str | None, score_precision: str) -> None:
    if score_precision not in SCORE_PRECISIONS:
        raise ValueError(f"score_precision {score_precision!r} is unknown; there are: {SCORE_PRECISIONS}")
    if system is not None and (problem := id_problem(system)):
        raise ValueError(f"system {shown(system)} {problem}; {ALLOWED_ID}")


def _content(source: Source, max_bytes: int, name: str, progress: Progress | None) -> bytes:
    with open_input(source, max_bytes=max_bytes, name=name, progress=progress, error=TrecFormatError) as stream:
        return stream.read().removeprefix(BYTE_ORDER_MARK)


def _refuse_same_system(runs: list[pd.DataFrame], names: list[str]) -> None:
    first = {}
    for run, name in zip(runs, names, strict=True):
        system = run["system"].iloc[0]
        if system in first:
            what = f"tag {shown(system)} is the tag of {first[system]} too"
            allowed = "each file holds the run of another system"
            raise TrecFormatError(what, allowed, name, column="tag", value=system)
        first[system] = name


def _refuse_unreadable(frame: pd.DataFrame, *columns: str) -> None:
    """An id that `read_run` or `read_qrels` would refuse or take for a comment is not written."""
    for column in columns:
        for value in frame[column].unique():
            if problem := id_problem(value):
                raise ValueError(f"{column} {shown(value)} {problem}; {ALLOWED_ID}")
            if column == "query_id" and value.startswith("#"):
                raise ValueError(f"query_id {shown(value)} begins with #; its lines would be comments")


def _whole_numbers(rows: pd.DataFrame) -> list[int]:
    relevance = rows["relevance"].to_numpy(np.float64, na_value=np.nan)
    whole = relevance == np.floor(relevance)
    whole &= (relevance >= RELEVANCE_RANGE.start) & (relevance < RELEVANCE_RANGE.stop)
    if not whole.all():
        query_id, doc_id, found = rows.loc[~whole, ["query_id", "doc_id", "relevance"]].iloc[0]
        raise ValueError(
            f"relevance {found} of document {doc_id!r} of topic {query_id!r} is no whole number of 32 bits;"
            " round the gold first, by a rule that is named"
        )
    return relevance.astype(np.int64).tolist()


def _write(lines: Iterable[str], target: str | PathLike[str] | BinaryIO) -> None:
    with _open_target(target) as stream:
        stream.writelines(line.encode() for line in lines)


@contextmanager
def _open_target(target: str | PathLike[str] | BinaryIO):
    """The binary file to write to; one that the caller opened stays open."""
    if not isinstance(target, (str, PathLike)):
        yield target
        return
    with open(target, "wb") as file:
        if Path(target).suffix != ".gz":
            yield file
            return
        # No file name and no time in the header: the same lines give the same bytes.
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
            yield zipped
