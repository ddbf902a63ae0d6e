"""What a gold says about the documents of runs, as positions; used by all that measures a pool."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling.ranking import RankedRuns

IDS = ["query_id", "doc_id"]
NOT_JUDGED = -1
Runs = RankedRuns | pd.DataFrame | Iterable[pd.DataFrame]


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The rows of a gold, seen from the runs.

    Attributes
    ----------
    query_ids : Index of str, shape (n_topics,)
        The topics of the gold, ascending.
    topics : ndarray of int, shape (n_topics,)
        Position of each in the runs; that of their empty topic where no run has it.
    items : ndarray of int, shape (n_rows,)
        Position of each row's document in `RankedRuns.keys`; -1 where no run has it.
    relevance : ndarray of int or float, shape (n_rows,)
        Negative where the document is not judged.
    n_items : int
    """

    query_ids: pd.Index
    topics: np.ndarray
    items: np.ndarray
    relevance: np.ndarray
    n_items: int

    @property
    def judged(self) -> np.ndarray:
        """Whether each item is judged; shape (n_items + 1,), the last for "no document"."""
        return self._at_least(0)

    def relevant(self, rel: int) -> np.ndarray:
        """Whether each item is relevant, as `judged`."""
        return self._at_least(rel)

    def _at_least(self, grade: int) -> np.ndarray:
        found = np.zeros(self.n_items + 1, dtype=bool)
        found[self.items[(self.items >= 0) & (self.relevance >= grade)]] = True
        return found


def judged_items(runs: RankedRuns, gold: pd.DataFrame) -> JudgedItems:
    """A gold seen from the runs.

    Parameters
    ----------
    runs : RankedRuns
    gold : DataFrame
        query_id, doc_id, relevance; a negative relevance says "not judged".

    Raises
    ------
    ValueError
        A column is missing, a document occurs twice in a topic, or a relevance is no number.
    """
    gold = with_text_ids(gold)
    relevance = checked_relevance(gold)
    query_ids = pd.Index(gold["query_id"].unique()).sort_values()
    places = runs.query_ids.get_indexer(query_ids)
    topic = runs.query_ids.get_indexer(gold["query_id"])
    document = runs.documents.get_indexer(gold["doc_id"])
    keys = np.where((topic < 0) | (document < 0), -1, topic * len(runs.documents) + document)
    items = runs.keys.get_indexer(keys)
    topics = np.where(places < 0, len(runs.query_ids), places)
    return JudgedItems(query_ids, topics, items, relevance, len(runs.keys))


def with_text_ids(gold: pd.DataFrame) -> pd.DataFrame:
    """The gold with its ids as strings, whatever they were read as; ValueError where one is missing."""
    for column in gold.columns.intersection(IDS):
        if gold[column].isna().any():
            raise ValueError(f"a gold has a {column} in every row; one is missing")
    return gold.astype(dict.fromkeys(gold.columns.intersection(IDS), "str"))


def checked_relevance(gold: pd.DataFrame) -> np.ndarray:
    """The grades of a gold, signed, where it has the columns and no document twice."""
    missing = [column for column in [*IDS, "relevance"] if column not in gold.columns]
    if missing:
        raise ValueError(f"a gold has the columns query_id, doc_id, relevance; without {', '.join(missing)}")
    if not pd.api.types.is_numeric_dtype(gold["relevance"]) or gold["relevance"].isna().any():
        raise ValueError("a relevance of the gold is no number; every one is a grade, or -1 for not judged")
    twice = gold.duplicated(IDS).to_numpy()
    if twice.any():
        query_id, doc_id = gold.iloc[int(np.flatnonzero(twice)[0])][IDS]
        raise ValueError(f"topic {query_id!r}: the gold has document {doc_id!r} twice; once is allowed")
    relevance = gold["relevance"].to_numpy()
    return relevance.astype(np.int64) if relevance.dtype.kind in "bu" else relevance
