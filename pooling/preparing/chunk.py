"""The rows of a DataFrame or a run file, as `pooling.ranking.prepare` takes them."""

from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.columns import RunColumns
from pooling._io.order import as_arrow, ranks_in_groups

IDS = ["system", "query_id", "doc_id"]
NO_SCORES = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Chunk:
    """The rows of one DataFrame or file.

    Systems and topics are codes with their names; documents, scores and ranks have one value for each row. Scores are
    empty unless they are kept. `path` is the file if its duplicate documents must still be looked for.
    """

    system: tuple[np.ndarray, pd.Index]
    topic: tuple[np.ndarray, pd.Index]
    documents: pa.Array
    score: np.ndarray
    rank: np.ndarray
    path: str | PathLike[str] | None = None

    @classmethod
    def from_columns(cls, columns: RunColumns, path: str | PathLike[str], keep_scores: bool) -> "Chunk":
        """All rows of a run file with one tag; it is not known whether a document occurs twice."""
        system = constant(0, len(columns.score)), pd.Index(columns.tag[:1].to_pylist(), dtype=object)
        topic = _numbered_strings(columns.query_id)
        rank = ranks_in_groups(topic[0], columns.score, columns.doc_id).astype(np.int32)
        return cls(system, topic, columns.doc_id, columns.score if keep_scores else NO_SCORES, rank, path)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        depth: int | None,
        topics: Collection[str] | None = None,
        keep_scores: bool = True,
    ) -> "Chunk":
        """The rows of a DataFrame with ranks 1 to `depth`, only in `topics` if these are passed; all its systems."""
        if missing := [column for column in [*IDS, "score"] if column not in frame.columns]:
            raise ValueError(f"runs need the columns {', '.join(IDS)}, score; missing: {', '.join(missing)}")
        system, topic = (_numbered(frame[column]) for column in IDS[:2])
        documents, score = _strings(frame["doc_id"]), _finite_scores(frame["score"])
        if topics is not None and not set(topic[1]) <= set(topics):
            rows, topic = _in_topics(topic, topics)
            system, documents, score = (system[0][rows], system[1]), documents.take(rows), score[rows]
        groups = system[0].astype(np.int64) * len(topic[1]) + topic[0]
        rank = ranks_in_groups(groups, score, documents).astype(np.int32)
        kept = score if keep_scores else NO_SCORES
        if depth is None or not (rank > depth).any():
            return cls(system, topic, documents, kept, rank)
        rows = np.flatnonzero(rank <= depth)
        kept = score[rows] if keep_scores else NO_SCORES
        return cls((system[0][rows], system[1]), (topic[0][rows], topic[1]), documents.take(rows), kept, rank[rows])


def _in_topics(
    topic: tuple[np.ndarray, pd.Index], topics: Collection[str]
) -> tuple[np.ndarray, tuple[np.ndarray, pd.Index]]:
    """The positions of the rows in some topics, and the topics of these rows as codes with their names.

    If there is none of the topics, the first topic stays, so that an error can name a topic of the runs.
    """
    codes, names = topic
    kept = names.isin(topics)
    if not kept.any():
        kept[:1] = True
    rows = np.flatnonzero(kept[codes])
    return rows, ((np.cumsum(kept) - 1)[codes[rows]], names[kept])


def _numbered(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """A code for each name in a column of ids, and the names. Adjacent equal names are looked up once."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _numbered_categories(column)
    return _numbered_strings(_strings(column))


def _numbered_strings(strings: pa.Array) -> tuple[np.ndarray, pd.Index]:
    stretches = pc.run_end_encode(strings, run_end_type=pa.int64())
    encoded = stretches.values.dictionary_encode()
    names = pd.Index(encoded.dictionary.to_pylist(), dtype=object)
    if len(names) == 1:  # the usual column of systems
        return constant(0, len(strings)), names
    return np.repeat(encoded.indices.to_numpy(), np.diff(stretches.run_ends.to_numpy(), prepend=0)), names


def _numbered_categories(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """The same for a categorical column. Its categories may be unused, or equal as strings."""
    _refuse_missing(column)
    number, names = pd.factorize(column.cat.categories.astype("str"))
    codes = number[column.cat.codes.to_numpy()]
    used = np.bincount(codes, minlength=len(names)) > 0
    return (np.cumsum(used) - 1)[codes], pd.Index(names[used], dtype=object)


def _strings(column: pd.Series) -> pa.Array:
    """A column of ids as strings."""
    if isinstance(column.dtype, pd.StringDtype):
        strings = as_arrow(column)
        if not strings.null_count:
            return strings
    _refuse_missing(column)
    return as_arrow(column.astype("str"))


def _finite_scores(column: pd.Series) -> np.ndarray:
    """The scores as float64; ValueError if one is a text, missing or infinite."""
    if not pd.api.types.is_numeric_dtype(column):
        for value in column:
            if isinstance(value, str):
                raise ValueError(f"every score of a run must be a finite number; {value!r} is a text")
    score = column.to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(score).all():
        raise ValueError("every score of a run must be a finite number; at least one is missing or infinite")
    return score


def _refuse_missing(column: pd.Series) -> None:
    if column.isna().any():
        raise ValueError(f"every row of a run needs a {column.name}; at least one is missing")


def constant(value: int, n_rows: int) -> np.ndarray:
    """The same int32 for all rows, which takes the memory of one."""
    return np.broadcast_to(np.int32(value), n_rows)
