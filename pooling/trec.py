r"""Read and write run and qrels files. This docstring specifies the two formats.

Both formats
    The text is UTF-8. Lines end with LF or CRLF; the last line end is optional. A byte-order mark at the start of a
    line is ignored. Fields are separated by one or more spaces or tabs and by nothing else: a no-break space is part
    of its field. Blank lines are ignored, and so are comments, that is, lines that start with ``#`` and a blank, or
    have only ``#``. A line that starts with ``#topic`` is data: the topic is ``#topic``.
    Topics and documents may be in any order. Files may be plain or compressed with gzip, bzip2 or xz; the first bytes
    decide, not the name (`pooling._io.streams`).

    Refused: other control characters (U+0000 to U+001F, U+007F to U+009F); bytes that are not UTF-8; a line of
    more than 4,096 bytes; an invalid id (`pooling.ids`); an id of a topic or a document that a spreadsheet has probably
    changed (`pooling.changed_ids`); a second line for the same document and topic, even with the
    same value; a file without any data line; a file whose first line has query_id and doc_id in double quotes.

Run
    Exactly six fields: ``query_id iteration doc_id rank score tag``.

    - ``iteration`` and ``rank`` are ignored. Documents are ranked by score (`pooling.ranking`). A `RankOrderWarning`
      says where a sample of the ranks contradicts this order.
    - ``score`` is a finite decimal number, with or without an exponent (``-1``, ``.5``, ``+2e-3``). NaN, infinity,
      hexadecimal numbers and digit grouping are refused.
    - ``tag`` is the name of the system. It must be the same on all lines, unless the caller names the system.

    With ``extra_columns="ignore"``, everything after the tag is ignored, as in trec_eval. An id that contains a space
    then shifts the columns without an error.

    A run of MS MARCO has three fields, separated by tabs: ``query_id doc_id rank``. A rank is a whole number from 1 to
    1,000,000, and occurs once in a topic. The score is 1/rank, so that the order is that of the ranks, and the system
    is named after the file, or by the caller. A `ScoresFromRanksWarning` says so.

Qrels
    Exactly four fields: ``query_id iteration doc_id relevance``.

    - ``iteration`` is ignored.
    - ``relevance`` is a decimal integer of 32 bits (``2``, ``+1``, ``-1``). Negative values mean "not judged".

    A document that occurs again with another number as its iteration is refused as diversity qrels, whose second field
    is the subtopic. Additional columns are never ignored: the judgements of sampled pools have five columns in another
    order. Qrels of BEIR, with the header ``query-id<TAB>corpus-id<TAB>score`` and three columns, are read as well.

Labels of a judge
    The fields of qrels, but the fourth may be any text, and a document may occur again in a topic. `read_labels` reads
    such files; `agreement.read_judgements` turns the labels into grades.

Every line is checked. The DataFrames keep the order of the lines. By default the first invalid line raises an error.
With ``on_error="report"`` the valid lines are returned together with a report of all invalid ones: a DataFrame with one
row per invalid line, in the order of the file, and these columns:

- file (str): the name of the file;
- line (Int64): the line from 1, missing if the problem concerns the whole file;
- column (string): the field, missing if the problem does not concern one field;
- value (string): the invalid text, missing if the problem does not concern one field;
- what (str): the problem;
- allowed (str): what is allowed.

Only the first problem of a line is reported. The following lines are checked as if the invalid line did not exist, so
the first occurrence of a document is kept and later ones are reported. If a compressed file is corrupt, or a file is
too large, no line of it is returned. A file that cannot be opened always raises the OSError of the system.
"""

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Literal, cast, overload

import pandas as pd

from pooling._io.columns import labels_by_columns, qrels_by_columns
from pooling._io.lines import INTEGER, labels_by_lines, parse_score, qrels_by_lines
from pooling._io.reading import each_system_once, file_content, one_system_per_file, run_frame
from pooling._io.streams import Progress, Source, display_name
from pooling._io.zip_entries import run_files
from pooling.choices import SCORE_PRECISIONS
from pooling.errors import ON_ERROR, Problems, as_report, raise_or_keep, shown
from pooling.formats.beir_qrels import as_trec_qrels
from pooling.formats.beir_zip import qrels_file
from pooling.formats.comments import comment_lines, comment_sentence
from pooling.formats.smart.qrels import NO_ANSWERS, Answers
from pooling.formats.smart.qrels import as_trec_qrels as smart_as_trec_qrels
from pooling.formats.tables import refuse_misread_table
from pooling.ids import ALLOWED_ID, id_problem
from pooling.paths import is_pattern, matching_files
from pooling.run_warnings import RunWarning, warn_of

__all__ = [
    "ALLOWED_ID",
    "INTEGER",
    "ON_ERROR",
    "Problems",
    "RunWarning",
    "Source",
    "as_report",
    "display_name",
    "file_content",
    "id_problem",
    "one_system_per_file",
    "parse_score",
    "raise_or_keep",
    "read_labels",
    "read_qrels",
    "read_run",
    "read_runs",
    "run_files",
]

MAX_BYTES = 1 << 30  # a file is held in memory while it is read
EXTRA_COLUMNS = ("error", "ignore")

FrameOrReported = pd.DataFrame | tuple[pd.DataFrame, pd.DataFrame]


@overload
def read_run(
    source: Source,
    system: str | None = ...,
    *,
    score_precision: str = ...,
    extra_columns: str = ...,
    on_error: Literal["raise"] = ...,
    max_bytes: int = ...,
    name: str | None = ...,
    progress: Progress | None = ...,
    notes: list[RunWarning] | None = ...,
) -> pd.DataFrame: ...
@overload
def read_run(
    source: Source,
    system: str | None = ...,
    *,
    score_precision: str = ...,
    extra_columns: str = ...,
    on_error: Literal["report"],
    max_bytes: int = ...,
    name: str | None = ...,
    progress: Progress | None = ...,
    notes: list[RunWarning] | None = ...,
) -> tuple[pd.DataFrame, pd.DataFrame]: ...
def read_run(
    source: Source,
    system: str | None = None,
    *,
    score_precision: str = "float64",
    extra_columns: str = "error",
    on_error: Literal["raise", "report"] = "raise",
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
    notes: list[RunWarning] | None = None,
) -> FrameOrReported:
    """Read the run file of one system.

    Each line has six fields: ``query_id iteration doc_id rank score tag``. `pooling.trec` specifies the format.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain text, or compressed with gzip, bzip2 or xz. A pattern must match one file.
    system : str, optional
        The name of the system. By default it is the tag, which must then be the same on every line.
    score_precision : {"float64", "float32"}
        "float32" rounds each score to single precision, as trec_eval did before version 10. More scores are then
        tied.
    extra_columns : {"error", "ignore"}
        How to treat a line with more than six fields: as an error, or by using the first six.
    on_error : {"raise", "report"}
        "raise" raises an error at the first invalid line. "report" returns a report of all invalid lines as well.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    name : str, optional
        The name of the file in errors and in the report. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.
    notes : list of RunWarning, optional
        Collects what should be known about the file. By default it is issued as a warning.

    Returns
    -------
    DataFrame of shape (valid lines, 4)
        Columns system, query_id, doc_id (str) and score (float64, finite), in the order of the lines.
    DataFrame of shape (invalid lines, 6)
        Only with `on_error="report"`: columns file, line, column, value, what and allowed. Empty if all lines are
        valid.

    Raises
    ------
    TrecFormatError
        With `on_error="raise"`: a line breaks the format, the compressed data is corrupt, or the file is larger than
        `max_bytes`.
    ValueError
        If `system` is not a valid id, `score_precision`, `extra_columns` or `on_error` is unknown, or a pattern does
        not match exactly one file.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import read_run
    >>> read_run(b"301 Q0 d7 1 12.5 bm25\\n301 Q0 d2 2 11.0 bm25\\n")
      system query_id doc_id  score
    0   bm25      301     d7   12.5
    1   bm25      301     d2   11.0
    """
    _check_options(score_precision=score_precision, extra_columns=extra_columns, on_error=on_error)
    if system is not None and (problem := id_problem(system)):
        raise ValueError(f"system {shown(system)} {problem}; {ALLOWED_ID}")
    problems = _problems(on_error)
    source = _one_file(source, "a run", "use read_runs")
    name = name or display_name(source)
    found: list[RunWarning] = []
    run = run_frame(source, name, problems, system, score_precision, extra_columns, max_bytes, progress, found)
    warn_of(found, notes, stacklevel=2)
    return run if problems is None else (run, as_report(problems))


@overload
def read_runs(
    sources: Source | Iterable[Source],
    *,
    workers: int | None = ...,
    score_precision: str = ...,
    extra_columns: str = ...,
    on_error: Literal["raise"] = ...,
    max_bytes: int = ...,
    progress: Progress | None = ...,
    notes: list[RunWarning] | None = ...,
) -> pd.DataFrame: ...
@overload
def read_runs(
    sources: Source | Iterable[Source],
    *,
    workers: int | None = ...,
    score_precision: str = ...,
    extra_columns: str = ...,
    on_error: Literal["report"],
    max_bytes: int = ...,
    progress: Progress | None = ...,
    notes: list[RunWarning] | None = ...,
) -> tuple[pd.DataFrame, pd.DataFrame]: ...
def read_runs(
    sources: Source | Iterable[Source],
    *,
    workers: int | None = None,
    score_precision: str = "float64",
    extra_columns: str = "error",
    on_error: Literal["raise", "report"] = "raise",
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
    notes: list[RunWarning] | None = None,
) -> FrameOrReported:
    """Read several run files, one system per file.

    Each line has six fields: ``query_id iteration doc_id rank score tag``. `pooling.trec` specifies the format.

    Parameters
    ----------
    sources : path, bytes or binary file, or iterable of these
        The files: plain text, or compressed with gzip, bzip2 or xz; or ZIP archives of such files. The tag of a file
        names its system. A path may be a pattern such as "runs/*.gz", which means the files that match it, in
        ascending order.
    workers : int, optional
        Number of files read at the same time; by default the number of processors.
    score_precision : {"float64", "float32"}
        "float32" rounds each score to single precision, as trec_eval did before version 10. More scores are then
        tied.
    extra_columns : {"error", "ignore"}
        How to treat a line with more than six fields: as an error, or by using the first six.
    on_error : {"raise", "report"}
        "raise" raises an error at the first invalid line. "report" returns a report of all invalid lines as well.
    max_bytes : int
        Largest size of each decompressed file, and of all files of a ZIP archive together, in bytes.
    progress : callable, optional
        Called with the number of bytes read, repeatedly and from several threads. The numbers add up to the size of
        the files on disk; those of a ZIP archive count decompressed.
    notes : list of RunWarning, optional
        Collects what should be known about the files. By default it is issued as warnings.

    Returns
    -------
    DataFrame of shape (valid lines of all files, 4)
        Columns system, query_id, doc_id (str) and score (float64, finite), in the order of `sources`.
    DataFrame of shape (invalid lines of all files, 6)
        Only with `on_error="report"`: columns file, line, column, value, what and allowed, in the order of `sources`.
        If a file has the tag of an earlier file, none of its lines is returned and one problem is reported.

    Raises
    ------
    TrecFormatError
        With `on_error="raise"`: a line breaks the format, compressed data is corrupt, a file is larger than
        `max_bytes`, or a file has the tag of an earlier file.
    ValueError
        If there is no file, no file matches a pattern, or `score_precision`, `extra_columns` or `on_error` is unknown.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> from pooling import read_runs
    >>> read_runs([b"301 Q0 d7 1 12.5 bm25\\n", b"301 Q0 d2 1 0.9 lsa\\n"])
      system query_id doc_id  score
    0   bm25      301     d7   12.5
    1    lsa      301     d2    0.9
    """
    _check_options(score_precision=score_precision, extra_columns=extra_columns, on_error=on_error)
    is_one = isinstance(sources, str | bytes | os.PathLike) or hasattr(sources, "read")
    listed = cast(Iterable[Source], [sources] if is_one or not isinstance(sources, Iterable) else sources)
    files = [each for source in listed for file in _files(source, "runs") for each in run_files(file, max_bytes)]
    if not files:
        raise ValueError("read_runs needs at least one run file; sources is empty")
    names = [display_name(file) for file in files]
    problems = [_problems(on_error) for _ in files]
    found: list[list[RunWarning]] = [[] for _ in files]

    def read(file: Source, name: str, wrong: Problems, own: list[RunWarning]) -> pd.DataFrame:
        return run_frame(file, name, wrong, None, score_precision, extra_columns, max_bytes, progress, own)

    with ThreadPoolExecutor(workers or os.cpu_count()) as executor:
        runs = list(executor.map(read, files, names, problems, found))
    warn_of(chain.from_iterable(found), notes, stacklevel=2)
    together = pd.concat(each_system_once(runs, names, problems), ignore_index=True)
    if on_error == "raise":
        return together
    return together, as_report(chain.from_iterable(found or [] for found in problems))


@overload
def read_qrels(
    source: Source,
    *,
    on_error: Literal["raise"] = ...,
    max_bytes: int = ...,
    name: str | None = ...,
    progress: Progress | None = ...,
    listed_relevant: bool = ...,
    mapping: Mapping[int, int] | None = ...,
    notes: list[str] | None = ...,
) -> pd.DataFrame: ...
@overload
def read_qrels(
    source: Source,
    *,
    on_error: Literal["report"],
    max_bytes: int = ...,
    name: str | None = ...,
    progress: Progress | None = ...,
    listed_relevant: bool = ...,
    mapping: Mapping[int, int] | None = ...,
    notes: list[str] | None = ...,
) -> tuple[pd.DataFrame, pd.DataFrame]: ...
def read_qrels(
    source: Source,
    *,
    on_error: Literal["raise", "report"] = "raise",
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
    listed_relevant: bool = False,
    mapping: Mapping[int, int] | None = None,
    notes: list[str] | None = None,
) -> FrameOrReported:
    """Read a qrels file.

    Each line has four fields: ``query_id iteration doc_id relevance``. `pooling.trec` specifies the format. The
    judgements of the classic collections are read too (`pooling.formats.smart`).

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain text, or compressed with gzip, bzip2 or xz. A pattern must match one file.
    on_error : {"raise", "report"}
        "raise" raises an error at the first invalid line. "report" returns a report of all invalid lines as well.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    name : str, optional
        The name of the file in errors and in the report. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.
    listed_relevant : bool, optional
        Whether a file whose grades are all 0 lists the relevant documents. They get the grade 1 then.
    mapping : mapping of int to int, optional
        The grade that replaces a grade, as for the codes of Cranfield. Others are kept.
    notes : list of str, optional
        Collects sentences about the file: how many lines were ignored as comments, and for a classic collection, how
        the numbers of judgements and judged topics compare with those of the known files.

    Returns
    -------
    DataFrame of shape (valid lines, 3)
        Columns query_id, doc_id (str) and relevance (int64), in the order of the lines.
    DataFrame of shape (invalid lines, 6)
        Only with `on_error="report"`: columns file, line, column, value, what and allowed. Empty if all lines are
        valid.

    Raises
    ------
    TrecFormatError
        With `on_error="raise"`: a line breaks the format, the compressed data is corrupt, or the file is larger than
        `max_bytes`. It is an OpenQuestionError if the file of a classic collection lists documents with grades that
        are all 0, or has codes that `mapping` does not name.
    ValueError
        If `on_error` is unknown, or a pattern does not match exactly one file.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import read_qrels
    >>> read_qrels(b"301 0 d7 2\\n301 0 d2 0\\n")
      query_id doc_id  relevance
    0      301     d7          2
    1      301     d2          0
    """
    _check_options(on_error=on_error)
    problems = _problems(on_error)
    source = _one_file(source, "a gold", "read_qrels reads one")
    name = name or display_name(source)
    content = qrels_file(source, max_bytes, name, progress, problems)
    data = _qrels_content(content, name, problems, Answers(listed_relevant, mapping), notes)
    qrels = qrels_by_columns(data)
    if qrels is None:
        qrels = qrels_by_lines(data, name, problems=problems)
    if mapping:
        qrels["relevance"] = qrels["relevance"].replace(dict(mapping)).astype("int64")
    return qrels if problems is None else (qrels, as_report(problems))


def read_labels(
    content: bytes,
    name: str,
    problems: Problems = None,
    answers: Answers = NO_ANSWERS,
    notes: list[str] | None = None,
) -> pd.DataFrame:
    """Read the labels of a judge: a qrels file whose fourth field may be any text.

    Each line has four fields: ``query_id iteration doc_id label``. Unlike in qrels, a document may occur again in a
    topic. `pooling.trec` specifies the rest of the format. `answers` says how the file of a classic collection is read,
    and `notes` collects sentences about it.

    Shapes: the result (valid lines, 4).

    Examples
    --------
    >>> from pooling.trec import read_labels
    >>> read_labels(b"301 0 d7 0.5\\n301 0 d7 2\\n", "model.txt")
       line query_id doc_id label
    0     1      301     d7   0.5
    1     2      301     d7     2
    """
    content = _qrels_content(content, name, problems, answers, notes)
    labels = labels_by_columns(content)
    return labels_by_lines(content, name, problems=problems) if labels is None else labels


def _qrels_content(
    content: bytes, name: str, problems: Problems, answers: Answers, notes: list[str] | None = None
) -> bytes:
    """The content as qrels of TREC; without lines if it is another table, which is an error."""
    if refuse_misread_table(content, name, problems):
        return b""
    if notes is not None and (sentence := comment_sentence(comment_lines(content))):
        notes.append(f"{name}: {sentence}.")
    return as_trec_qrels(smart_as_trec_qrels(content, name, answers, problems, notes), name, problems)


def _files(source: Source, what: str) -> list[Source]:
    """The source; or, if it is a pattern and not the name of a file, the files that match it, in ascending order."""
    if isinstance(source, str | os.PathLike) and is_pattern(os.fspath(source)):
        return list(matching_files(source, what))
    return [source]


def _one_file(source: Source, what: str, advice: str) -> Source:
    files = _files(source, what)
    if len(files) > 1:
        raise ValueError(f"{str(source)!r} matches {len(files)} files; {advice}")
    return files[0]


def _check_options(**options: str) -> None:
    known = {"score_precision": SCORE_PRECISIONS, "extra_columns": EXTRA_COLUMNS, "on_error": ON_ERROR}
    for option, value in options.items():
        if value not in known[option]:
            raise ValueError(f"{option} {value!r} is unknown; choose from: {', '.join(known[option])}")


def _problems(on_error: str) -> Problems:
    return [] if on_error == "report" else None
