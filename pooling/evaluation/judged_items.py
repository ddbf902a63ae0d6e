"""The judgements of a gold for the documents of runs, as positions. All evaluations of pools use it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling.inputs import Input, as_gold
from pooling.pools.pairs import check_grades
from pooling.ranking import RankedRuns, check_common_topic

IDS = ["query_id", "doc_id"]
NOT_JUDGED = -1


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The rows of a gold as positions in the runs.

    Attributes
    ----------
    query_ids : Index of str, shape (n_topics,)
        The topics of the gold, ascending.
    topics : ndarray of int, shape (n_topics,)
        The position of each topic in the runs; the position of their empty topic if no run has it.
    items : ndarray of int, shape (n_rows,)
        The position of each row's document in `RankedRuns.keys`; -1 if no run has it.
    relevance : ndarray of int or float, shape (n_rows,)
        The relevance; negative if the document is not judged.
    n_items : int
        The number of items of the runs.
    """

    query_ids: pd.Index
    topics: np.ndarray
    items: np.ndarray
    relevance: np.ndarray
    n_items: int

    @property
    def judged(self) -> np.ndarray:
        """Whether each item is judged; bool, shape (n_items + 1,). The last entry belongs to no document."""
        return self._at_least(0)

    def relevant(self, rel: int) -> np.ndarray:
        """Whether each item has grade `rel` or more; bool, shape (n_items + 1,). The last entry is no document."""
        return self._at_least(rel)

    def _at_least(self, grade: int) -> np.ndarray:
        result = np.zeros(self.n_items + 1, dtype=bool)
        result[self.items[(self.items >= 0) & (self.relevance >= grade)]] = True
        return result


def judged_items(runs: RankedRuns, gold: Input) -> JudgedItems:
    """Convert a gold to positions in the runs."""
    gold = with_text_ids(gold)
    relevance = checked_relevance(gold)
    query_ids = pd.Index(gold["query_id"].unique()).sort_values()
    check_common_topic(runs, query_ids)
    positions = runs.query_ids.get_indexer(query_ids)
    topic = runs.query_ids.get_indexer(pd.Index(gold["query_id"]))
    document = runs.documents.get_indexer(pd.Index(gold["doc_id"]))
    keys = np.where((topic < 0) | (document < 0), -1, topic * len(runs.documents) + document)
    items = runs.keys.get_indexer(pd.Index(keys))
    topics = np.where(positions < 0, len(runs.query_ids), positions)
    return JudgedItems(query_ids, topics, items, relevance, len(runs.keys))


def with_text_ids(gold: Input) -> pd.DataFrame:
    """The gold as a DataFrame with strings as ids; ValueError if one is missing."""
    frame = as_gold(gold)
    for column in frame.columns.intersection(IDS):
        if frame[column].isna().any():
            raise ValueError(f"every row of a gold needs a {column}; at least one is missing")
    return frame


def checked_relevance(gold: pd.DataFrame) -> np.ndarray:
    """The relevance of a gold in a signed type; ValueError if a column is missing or a document occurs twice."""
    missing = [column for column in [*IDS, "relevance"] if column not in gold.columns]
    if missing:
        raise ValueError(f"a gold needs the columns query_id, doc_id, relevance; missing: {', '.join(missing)}")
    check_grades(gold, "a gold")
    twice = gold.duplicated(IDS).to_numpy()
    if twice.any():
        query_id, doc_id = gold.iloc[int(np.flatnonzero(twice)[0])][IDS]
        raise ValueError(f"the gold has document {doc_id!r} of topic {query_id!r} twice; once is allowed")
    relevance = gold["relevance"].to_numpy() if len(gold) else np.zeros(0, dtype=np.int64)
    return relevance.astype(np.int64) if relevance.dtype.kind in "bu" else relevance
