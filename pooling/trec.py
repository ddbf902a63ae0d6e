r"""Run and qrels files, read and written. This docstring is the formats' specification.

Both
    Lines of UTF-8 text that end with LF or CRLF (the last one may end with the file); a byte-order mark at
    the start is dropped. Fields are separated by one or more spaces or tabs, and by nothing else: a no-break
    space is part of its field. Blank lines are skipped, and so are comments: lines whose first character that
    is not blank is ``#``. Other control characters (U+0000 to U+001F, U+007F to U+009F) and bytes that are
    not UTF-8 are refused, as is a line of more than 4,096 bytes. Ids keep to `pooling.ids`. Topics and
    documents come in any order; a document occurs once in a topic, and its second occurrence is refused, with
    the same value too. A file without a single line of data is refused. Plain, gzip, bzip2 or xz: see
    `pooling._io.streams`.

Run
    ``query_id iteration doc_id rank score tag``, six fields exactly. `iteration` and `rank` are ignored:
    documents are ranked by `pooling.ranking`. `score` is a finite decimal number, with or without an exponent
    (``-1``, ``.5``, ``+2e-3``); NaN, infinity, hexadecimal and grouped digits are refused. `tag` names the
    system, and is the same on all lines unless the caller names the system. On request
    (``extra_columns="ignore"``) whatever stands behind the tag is ignored, as trec_eval does; an id with a space
    in it is then not noticed, but shifts the columns.

Qrels
    ``query_id iteration doc_id relevance``, four fields exactly. `iteration` is ignored. `relevance` is a
    decimal integer of 32 bits (``2``, ``+1``, ``-1``). More columns are never ignored: judgements of sampled
    pools come in five, in another order.

Every line is checked. The frames keep the order of the lines. The first bad line is raised, or, on request
(``on_error="report"``), the good lines are returned together with a report of all bad ones: a DataFrame with a
row for each, in the order of the file, and the columns file, line (from 1), column, value (the offending text), what
(came) and allowed. Of a bad line its first problem is reported, and for the lines after it, it is as if it
were not there; so the first occurrence of a document stays, and later ones are reported. `line` is missing where the
whole file is meant, `column` and `value` where no one field is. Of a file that is compressed and broken, or too
large, nothing is returned. A file that cannot be opened is the system's error, always.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

import pandas as pd

from pooling._io.columns import qrels_by_columns, run_by_columns
from pooling._io.error_report import ON_ERROR, Problems, as_report, raise_or_keep
from pooling._io.lines import qrels_by_lines, run_by_lines
from pooling._io.streams import BYTE_ORDER_MARK, Progress, Source, display_name, open_input
from pooling._io.writing import write_qrels, write_run
from pooling.errors import TrecFormatError, shown
from pooling.ids import ALLOWED_ID, id_problem

__all__ = ["read_qrels", "read_run", "read_runs", "write_qrels", "write_run"]

MAX_BYTES = 1 << 30  # a file is held in memory while it is read
SCORE_PRECISIONS = ("float64", "float32")
EXTRA_COLUMNS = ("error", "ignore")

FrameOrReported = pd.DataFrame | tuple[pd.DataFrame, pd.DataFrame]


def read_run(
    source: Source,
    system: str | None = None,
    *,
    score_precision: str = "float64",
    extra_columns: str = "error",
    on_error: str = "raise",
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> FrameOrReported:
    """Read a run file.

    Parameters
    ----------
    source : path, bytes or binary file
        Plain, gzip, bzip2 or xz.
    system : str, optional
        Name of the system. By default the tag, which then must be the same on every line.
    score_precision : {"float64", "float32"}
        "float32" rounds each score to single precision, as trec_eval before version 10 did; more scores
        are then tied.
    extra_columns : {"error", "ignore"}
        What becomes of a line with more than six columns; "ignore" takes the first six.
    on_error : {"raise", "report"}
        Whether the first bad line is raised, or all are reported beside the good ones.
    max_bytes : int
        Limit on the expanded size, in bytes.
    name : str, optional
        What errors and the report call the file.
    progress : callable, optional
        Called with the number of bytes just taken from the file.

    Returns
    -------
    DataFrame of shape (good lines, 4)
        system, query_id, doc_id (str) and score (float64, finite), in the order of the lines.
    DataFrame of shape (bad lines, 6)
        With "report" only: file, line, column, value, what and allowed, see the module. Empty where the file is good.

    Raises
    ------
    TrecFormatError
        With "raise": at the first line that breaks the format, see the module.
    ValueError
        `system` is no id, or `score_precision`, `extra_columns` or `on_error` is unknown.
    """
    _check_options(score_precision=score_precision, extra_columns=extra_columns, on_error=on_error)
    if system is not None and (problem := id_problem(system)):
        raise ValueError(f"system {shown(system)} {problem}; {ALLOWED_ID}")
    problems = _problems(on_error)
    name = name or display_name(source)
    run = _run(source, name, problems, system, score_precision, extra_columns, max_bytes, progress)
    return run if problems is None else (run, as_report(problems))


def read_runs(
    sources: Iterable[Source],
    *,
    workers: int | None = None,
    score_precision: str = "float64",
    extra_columns: str = "error",
    on_error: str = "raise",
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
) -> FrameOrReported:
    """Read run files, each of another system.

    Parameters
    ----------
    sources : iterable of path, bytes or binary file
        The files; each names its system by its tag.
    workers : int, optional
        Files read at the same time; by default as many as there are processors.
    score_precision, extra_columns, on_error, max_bytes, progress
        As for `read_run`; `max_bytes` is for each file. `progress` is called from several threads.

    Returns
    -------
    DataFrame of shape (good lines of all files, 4)
        The runs one below the other, in the order of `sources`: system, query_id, doc_id, score.
    DataFrame of shape (bad lines of all files, 6)
        With "report" only, as for `read_run`, in the order of `sources`. Of a file that has the tag of an
        earlier one, nothing is returned.

    Raises
    ------
    TrecFormatError
        With "raise": a file breaks the format, or has the tag of an earlier one.
    ValueError
        There is no file, or an option is unknown.
    """
    _check_options(score_precision=score_precision, extra_columns=extra_columns, on_error=on_error)
    sources = list(sources)
    if not sources:
        raise ValueError("no run files were given; read_runs needs at least one")
    names = [display_name(source) for source in sources]
    problems = [_problems(on_error) for _ in sources]
    read = partial(
        _run,
        system=None,
        score_precision=score_precision,
        extra_columns=extra_columns,
        max_bytes=max_bytes,
        progress=progress,
    )
    with ThreadPoolExecutor(workers or os.cpu_count()) as executor:
        runs = list(executor.map(read, sources, names, problems))
    together = pd.concat(_each_system_once(runs, names, problems), ignore_index=True)
    return together if on_error == "raise" else (together, as_report(chain.from_iterable(problems)))


def read_qrels(
    source: Source,
    *,
    on_error: str = "raise",
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> FrameOrReported:
    """Read a qrels file.

    Parameters
    ----------
    source, on_error, max_bytes, name, progress
        As for `read_run`.

    Returns
    -------
    DataFrame of shape (good lines, 3)
        query_id, doc_id (str) and relevance (int64), in the order of the lines.
    DataFrame of shape (bad lines, 6)
        With "report" only, as for `read_run`.

    Raises
    ------
    TrecFormatError
        With "raise": at the first line that breaks the format, see the module.
    ValueError
        `on_error` is unknown.
    """
    _check_options(on_error=on_error)
    problems = _problems(on_error)
    name = name or display_name(source)
    data = _content(source, max_bytes, name, progress, problems)
    qrels = qrels_by_columns(data)
    if qrels is None:
        qrels = qrels_by_lines(data, name, problems=problems)
    return qrels if problems is None else (qrels, as_report(problems))


def _check_options(**options: str) -> None:
    known = {"score_precision": SCORE_PRECISIONS, "extra_columns": EXTRA_COLUMNS, "on_error": ON_ERROR}
    for option, value in options.items():
        if value not in known[option]:
            raise ValueError(f"{option} {value!r} is unknown; there are: {', '.join(known[option])}")


def _problems(on_error: str) -> Problems:
    return [] if on_error == "report" else None


def _run(source, name, problems, system, score_precision, extra_columns, max_bytes, progress) -> pd.DataFrame:
    data = _content(source, max_bytes, name, progress, problems)
    one_tag, ignore_extra = system is None, extra_columns == "ignore"
    run = run_by_columns(data, one_tag, score_precision, ignore_extra=ignore_extra)
    if run is None:
        run = run_by_lines(data, name, one_tag, score_precision, ignore_extra=ignore_extra, problems=problems)
    if system is not None:
        run["tag"] = pd.array([system], dtype="str").repeat(len(run))
    run.columns = ["system", "query_id", "doc_id", "score"]
    return run


def _content(source: Source, max_bytes: int, name: str, progress: Progress | None, problems: Problems) -> bytes:
    """The expanded text; nothing where the file is broken or too large, and that is kept among the problems."""
    try:
        with open_input(source, max_bytes=max_bytes, name=name, progress=progress, error=TrecFormatError) as stream:
            return stream.read().removeprefix(BYTE_ORDER_MARK)
    except TrecFormatError as error:
        raise_or_keep(error, problems)
        return b""


def _each_system_once(runs: list[pd.DataFrame], names: list[str], problems: list[Problems]) -> list[pd.DataFrame]:
    """The runs, without the lines of those that have the tag of an earlier one."""
    kept, first = [], {}
    for run, name, found in zip(runs, names, problems, strict=True):
        system = run["system"].iloc[0] if len(run) else None
        if system in first:
            what = f"tag {shown(system)} is the tag of {first[system]} too"
            allowed = "each file holds the run of another system"
            raise_or_keep(TrecFormatError(what, allowed, name, column="tag", value=system), found)
            run = run.iloc[:0]
        elif system is not None:
            first[system] = name
        kept.append(run)
    return kept
