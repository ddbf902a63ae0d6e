"""Read run and qrels files: the fast reader first, and the strict reader if it declines.

Of several run files each must have a tag of its own. The error about a second file with the same tag names both files.
"""

from collections.abc import Iterable, Iterator

import pandas as pd

from pooling._io.columns import run_by_columns
from pooling._io.lines import run_by_lines
from pooling._io.rank_check import rank_sentence
from pooling._io.rank_runs import is_rank_run, name_without_endings, rank_run, system_of
from pooling._io.streams import Progress, Source, open_input, without_marks
from pooling.errors import Problems, TrecFormatError, raise_or_keep, shown
from pooling.formats.comments import comment_lines, comment_sentence
from pooling.formats.irds import irds_qrels
from pooling.formats.tables import refuse_other_run
from pooling.paths import irds_id
from pooling.run_warnings import CommentLinesWarning, RankOrderWarning, RunWarning, ScoresFromRanksWarning

COLUMNS = ["system", "query_id", "doc_id", "score"]


def run_frame(
    source: Source,
    name: str,
    problems: Problems,
    system: str | None,
    score_precision: str,
    extra_columns: str,
    max_bytes: int,
    progress: Progress | None,
    notes: list[RunWarning] | None = None,
) -> pd.DataFrame:
    """Read one run file with columns system, query_id, doc_id and score; `pooling.trec.read_run` has the parameters.

    `notes` collects what should be known about the file; by default that is not looked for.
    """
    data = file_content(source, max_bytes, name, progress, problems)
    if refuse_other_run(data, name, problems):
        data = b""
    if notes is not None and (sentence := comment_sentence(comment_lines(data))):
        notes.append(CommentLinesWarning(name, f"{sentence}."))
    if is_rank_run(data):
        return _run_of_ranks(data, name, problems, system, score_precision, notes)
    one_tag, ignore_extra = system is None, extra_columns == "ignore"
    run = run_by_columns(data, one_tag, score_precision, ignore_extra=ignore_extra)
    if run is None:
        run = run_by_lines(data, name, one_tag, score_precision, ignore_extra=ignore_extra, problems=problems)
    if notes is not None and (sentence := rank_sentence(data, score_precision)):
        notes.append(RankOrderWarning(name, sentence))
    if system is not None:
        run["tag"] = pd.array([system], dtype="str").repeat(len(run))
    run.columns = COLUMNS
    return run


def _run_of_ranks(
    data: bytes,
    name: str,
    problems: Problems,
    system: str | None,
    score_precision: str,
    notes: list[RunWarning] | None,
) -> pd.DataFrame:
    """A run with ranks and no scores."""
    if notes is not None:
        notes.append(_scores_from_ranks(name, system))
    try:
        system = system or system_of(name)
    except TrecFormatError as error:
        raise_or_keep(error, problems)
        system = ""  # the lines are checked nevertheless
    run = rank_run(data, name, system, problems)
    if score_precision == "float32":
        run["score"] = run["score"].astype("float32").astype("float64")
    run.columns = COLUMNS
    return run


def _scores_from_ranks(name: str, system: str | None) -> ScoresFromRanksWarning:
    named = "" if system else f", and the system is named {shown(name_without_endings(name))} after the file"
    return ScoresFromRanksWarning(name, f"the file has ranks and no scores, so the score is 1/rank{named}.")


def file_content(source: Source, max_bytes: int, name: str, progress: Progress | None, problems: Problems) -> bytes:
    """The decompressed content; if the file is corrupt or too large, an error or (when reporting) no content.

    The content of an id of ir-datasets is its qrels.
    """
    if dataset_id := irds_id(source):
        return irds_qrels(dataset_id)
    try:
        with open_input(source, max_bytes=max_bytes, name=name, progress=progress, error=TrecFormatError) as stream:
            return without_marks(stream.read())
    except TrecFormatError as error:
        raise_or_keep(error, problems)
        return b""


def each_system_once(runs: list[pd.DataFrame], names: list[str], problems: list[Problems]) -> list[pd.DataFrame]:
    """The runs, without the lines of those that have the tag of an earlier run."""
    kept: list[pd.DataFrame] = []
    first_files: dict[str, tuple[int, str]] = {}
    for number, (run, name, file_problems) in enumerate(zip(runs, names, problems, strict=True), 1):
        if error := _same_tag(run, number, name, first_files):
            raise_or_keep(error, file_problems)
            run = run.iloc[:0]
        kept.append(run)
    return kept


def one_system_per_file(runs: Iterable[pd.DataFrame], names: Iterable[str]) -> Iterator[pd.DataFrame]:
    """The runs of files that are read one at a time; TrecFormatError if a file has the tag of an earlier file."""
    first_files: dict[str, tuple[int, str]] = {}
    for number, (run, name) in enumerate(zip(runs, names, strict=True), 1):
        if error := _same_tag(run, number, name, first_files):
            raise error
        yield run


def _same_tag(
    run: pd.DataFrame, number: int, name: str, first_files: dict[str, tuple[int, str]]
) -> TrecFormatError | None:
    """The error if the file has the tag of an earlier file; otherwise the file is added to `first_files`."""
    if not len(run):
        return None
    system: str = run["system"].iloc[0]
    if system not in first_files:
        first_files[system] = number, name
        return None
    first_number, first_name = first_files[system]
    # Two files without a name, or one file that is listed twice, are known by their places in the list.
    places = (f" of file {number}", f", file {first_number}") if name == first_name else ("", "")
    what = f"tag {shown(system)}{places[0]} is also the tag of {first_name}{places[1]}"
    return TrecFormatError(what, "each file must contain the run of another system", name, column="tag", value=system)
