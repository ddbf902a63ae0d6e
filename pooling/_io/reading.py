"""Read run and qrels files: the fast reader first, and the strict reader if it declines."""

import pandas as pd

from pooling._io.columns import run_by_columns
from pooling._io.error_report import Problems, raise_or_keep
from pooling._io.lines import run_by_lines
from pooling._io.streams import BYTE_ORDER_MARK, Progress, Source, open_input
from pooling.errors import TrecFormatError, shown


def run_frame(
    source: Source,
    name: str,
    problems: Problems,
    system: str | None,
    score_precision: str,
    extra_columns: str,
    max_bytes: int,
    progress: Progress | None,
) -> pd.DataFrame:
    """Read one run file with columns system, query_id, doc_id and score; `pooling.trec.read_run` has the parameters."""
    data = file_content(source, max_bytes, name, progress, problems)
    one_tag, ignore_extra = system is None, extra_columns == "ignore"
    run = run_by_columns(data, one_tag, score_precision, ignore_extra=ignore_extra)
    if run is None:
        run = run_by_lines(data, name, one_tag, score_precision, ignore_extra=ignore_extra, problems=problems)
    if system is not None:
        run["tag"] = pd.array([system], dtype="str").repeat(len(run))
    run.columns = ["system", "query_id", "doc_id", "score"]
    return run


def file_content(source: Source, max_bytes: int, name: str, progress: Progress | None, problems: Problems) -> bytes:
    """The decompressed content; if the file is corrupt or too large, an error or (when reporting) no content."""
    try:
        with open_input(source, max_bytes=max_bytes, name=name, progress=progress, error=TrecFormatError) as stream:
            return stream.read().removeprefix(BYTE_ORDER_MARK)
    except TrecFormatError as error:
        raise_or_keep(error, problems)
        return b""


def each_system_once(runs: list[pd.DataFrame], names: list[str], problems: list[Problems]) -> list[pd.DataFrame]:
    """The runs, without the lines of those that have the tag of an earlier run."""
    kept: list[pd.DataFrame] = []
    file_by_system: dict[str, str] = {}
    for run, name, file_problems in zip(runs, names, problems, strict=True):
        if len(run):
            system: str = run["system"].iloc[0]
            if system in file_by_system:
                what = f"tag {shown(system)} is also the tag of {file_by_system[system]}"
                allowed = "each file must contain the run of another system"
                raise_or_keep(TrecFormatError(what, allowed, name, column="tag", value=system), file_problems)
                run = run.iloc[:0]
            file_by_system.setdefault(system, name)
        kept.append(run)
    return kept
