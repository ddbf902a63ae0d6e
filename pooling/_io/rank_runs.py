"""Read the runs of MS MARCO: three columns separated by tabs, ``query_id doc_id rank``, without scores and a tag.

A file is such a run if its first line that is neither blank nor a comment has these columns, of which the third is a
number. A rank is a whole number from 1 to `MAX_RANK`, and occurs once in a topic; ranks may be left out. The score is
1/rank, so that the order by score is the order of the ranks, in single precision as well. The system is named by the
caller, or after the file.

As for other runs, the fast reader gives up anything unusual, and the strict one writes the error messages.
"""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.columns import RunColumns, are_short, columns_of
from pooling._io.duplicates import has_duplicate_pairs
from pooling._io.lines import INTEGER, RUN_TYPES, as_frame, fields_of, lines_of, refuse_duplicate
from pooling.errors import Problems, TrecFormatError, raise_or_keep, shown
from pooling.ids import id_problem
from pooling.paths import name_of

FIELDS = ("query_id", "doc_id", "rank")
TYPES = {"query_id": pa.large_string(), "doc_id": pa.large_string(), "rank": pa.int64()}
MAX_RANK = 1_000_000  # up to here, 1/rank differs from 1/(rank + 1) in single precision as well
ALLOWED_RANK = f"a rank is a whole number from 1 to {MAX_RANK:,}"
FIRST_LINE = re.compile(
    rb"(?:[ \t]*+\r?\n|[ \t]*+#[^\n]*+\n)*+"  # blank lines and comments
    rb" *+\S++ *+\t *+\S++ *+\t *+[+-]?[0-9][0-9.]*+[ \t]*+\r?(?:\n|\Z)"
)


def is_rank_run(data: bytes) -> bool:
    """Whether the content is a run with ranks and no scores."""
    return FIRST_LINE.match(data) is not None


def name_without_endings(name: str) -> str:
    """The name of a file without its folder and its endings, also .tsv."""
    return name_of(name).removesuffix(".tsv")


def system_of(name: str) -> str:
    """The name of the system of a file without tags; TrecFormatError if it is not allowed."""
    system = name_without_endings(name)
    if problem := id_problem(system):
        what = f"the system is named after the file, but {shown(system)} {problem}"
        raise TrecFormatError(what, "rename the file, or name the system", name)
    return system


def rank_run(data: bytes, name: str, system: str, problems: Problems = None) -> pd.DataFrame:
    """The run as a DataFrame with the columns tag, query_id, doc_id and score."""
    columns = rank_run_columns(data, system)
    return rank_run_by_lines(data, name, system, problems=problems) if columns is None else columns.frame()


def rank_run_columns(data: bytes, system: str) -> RunColumns | None:
    """The run as columns; None if the strict reader must read it."""
    columns = columns_of(data, FIELDS, TYPES)
    if columns is None or not are_short(columns, "query_id", "doc_id"):
        return None
    query_id, doc_id, rank = (columns[name] for name in FIELDS)
    limits = pc.min_max(rank)
    if limits["min"].as_py() < 1 or limits["max"].as_py() > MAX_RANK:
        return None
    if has_duplicate_pairs(query_id, doc_id) or has_duplicate_pairs(query_id, rank.cast(pa.large_string())):
        return None
    tag = pa.array([system], pa.large_string()).take(pa.array(np.zeros(len(rank), np.int8)))
    return RunColumns(query_id, doc_id, tag, 1 / rank.to_numpy())


def rank_run_by_lines(data: bytes, file: str, system: str, *, problems: Problems = None) -> pd.DataFrame:
    """Read the run line by line."""
    rows: list[tuple[str, str, str, float]] = []
    seen: dict[tuple[str, str], int] = {}
    ranked: dict[tuple[str, int], int] = {}
    for number, content in lines_of(data):
        try:
            query_id, doc_id, text = fields_of(content, FIELDS, "an MS MARCO run", file, number)
            rank = int(text) if INTEGER.fullmatch(text) and len(text) <= len(str(MAX_RANK)) + 1 else 0
            if not 1 <= rank <= MAX_RANK:
                raise TrecFormatError(f"rank {shown(text)} is not allowed", ALLOWED_RANK, file, number, "rank", text)
            refuse_duplicate(seen, query_id, doc_id, file, number)
            first = ranked.setdefault((query_id, rank), number)
            if first != number:
                what = f"rank {rank} of topic {shown(query_id)} is already on line {first}"
                raise TrecFormatError(what, "a rank occurs once in a topic", file, number, "rank", text)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((system, query_id, doc_id, 1 / rank))
    if not rows and not problems:
        raise_or_keep(TrecFormatError("the file has no run lines", "a run has at least one line", file), problems)
    return as_frame(rows, RUN_TYPES)
