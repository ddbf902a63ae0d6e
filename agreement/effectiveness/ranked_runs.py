"""Runs as integers, and what a gold says about them.

`prepare` turns runs into `RankedRuns` once: systems, topics and documents become integers, and the documents
of every ranking stand in the one order of `pooling.ranking`. `RankedRuns.under` then looks up what a gold
says about them, which is cheap: one gather per gold. The result is a `GradeMatrix`, on which every measure works.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TypeAlias

import numpy as np
import pandas as pd

from agreement.effectiveness.gold_grades import (
    by_topic,
    grades_of,
    highest_of,
    lowest,
    refuse_off_scale,
    refuse_two_grades,
)
from agreement.effectiveness.grade_matrix import GradeMatrix, share
from agreement.frames import checked
from pooling import ranking

__all__ = ["GradeMatrix", "RankedRuns", "Runs", "prepare", "share"]

IDS = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False)
class RankedRuns(ranking.RankedRuns):
    """Runs of several systems as integers, ready for golds; made by `prepare`.

    The attributes are those of `pooling.ranking.RankedRuns`.
    """

    # What was looked up for the last gold: judges mostly judge the same documents, and names are slow to look up.
    _last: list["_Judged"] = field(default_factory=list, init=False, repr=False)

    def under(
        self,
        gold: pd.DataFrame,
        scale: Sequence | None = None,
        collection_size: int | None = None,
        known: pd.DataFrame | None = None,
    ) -> GradeMatrix:
        """What a gold says about the rankings.

        Parameters
        ----------
        gold : DataFrame
            Columns query_id, doc_id, relevance, with one row per document of a topic. A relevance of -1
            stands for "not judged".
        scale : sequence of numbers, optional
            The declared grades, lowest first; every grade of the gold is one of them, or negative.
        collection_size : int, optional
            How many documents could have been retrieved: no fewer than a topic has judged or retrieved.
        known : DataFrame, optional
            Columns query_id, doc_id: what the reader knew before.

        Raises
        ------
        ValueError
            A document occurs twice in a topic, or a relevance is no number; a grade is off the scale; the
            collection is too small.
        """
        gold = checked(gold, IDS, "relevance", "a gold")
        highest, grades = highest_of(scale), grades_of(gold)
        if scale is not None:
            refuse_off_scale(gold, grades, scale)
        judged = self._judged(gold)
        unjudged = lowest(grades.dtype)
        items = self.items[:, judged.places]
        matrix = GradeMatrix(
            systems=tuple(self.systems),
            query_ids=judged.query_ids,
            grades=self._by_item(judged.item, grades, unjudged)[items],
            retrieved=self.retrieved[:, judged.places],
            gold=by_topic(judged.topic, grades, grades, len(judged.query_ids), unjudged),
            unjudged=unjudged,
            highest=highest,
            collection_size=collection_size,
        )
        _check_collection_size(matrix)
        return matrix if known is None else self._with_known(matrix, gold, grades, known)

    def regraded(
        self, query_id: str, doc_ids: Sequence[str], grades: np.ndarray, judged: np.ndarray, systems: Sequence[str] = ()
    ) -> GradeMatrix:
        """What many golds of one topic say about its rankings; each gold stands as a topic of its own.

        Parameters
        ----------
        query_id : str
            Of a topic that no run has, every ranking is empty.
        doc_ids : sequence of str, length n_docs
            The documents that some of the golds judge.
        grades : ndarray, shape (n_golds, n_docs)
            Grade of each document in each gold.
        judged : ndarray of bool, shape (n_golds, n_docs)
            Whether the gold judges the document; where not, its grade is ignored.
        systems : sequence of str
            The systems to score, in this order; all of them where none is named.

        Returns
        -------
        GradeMatrix
            Its topics are the golds: query_ids "0", "1", ...
        """
        places = self.systems.get_indexer(list(systems)) if len(systems) else np.arange(len(self.systems))
        topic = self.query_ids.get_indexer([query_id])[0]  # -1, so the last, where no run has the topic
        unjudged = lowest(grades.dtype)
        padded = np.full((len(grades), len(doc_ids) + 1), unjudged, dtype=grades.dtype)
        np.copyto(padded[:, :-1], grades, where=judged)
        items = self._items_of(pd.DataFrame({"query_id": query_id, "doc_id": list(doc_ids)}))
        column = self._by_item(items, np.arange(len(doc_ids)), len(doc_ids))
        return GradeMatrix(
            systems=tuple(self.systems[places]),
            query_ids=tuple(map(str, range(len(grades)))),
            grades=padded[:, column[self.items[places, topic]]].swapaxes(0, 1),
            retrieved=np.repeat(self.retrieved[places, topic, None], len(grades), axis=1),
            gold=-np.sort(-padded[:, :-1].astype(np.float64), axis=1),
            unjudged=unjudged,
        )

    def _judged(self, gold: pd.DataFrame) -> "_Judged":
        """The documents of a gold; ValueError where one occurs twice in a topic."""
        for last in self._last:
            if len(last.ids) == len(gold) and last.ids.equals(gold[IDS]):
                return last
        item = self._items_of(gold)
        once = (item >= 0) & (np.bincount(item + 1, minlength=1)[item + 1] == 1)  # integers compare quicker than names
        refuse_two_grades(gold[~once])
        topic, query_ids = pd.factorize(gold["query_id"], sort=True)
        place = self.query_ids.get_indexer(query_ids)  # -1, so the last, where no run has the topic
        judged = _Judged(gold[IDS], topic, tuple(query_ids), _as_slice(place), item)
        self._last[:] = [judged]
        return judged

    def _items_of(self, rows: pd.DataFrame) -> np.ndarray:
        """The item of each row, -1 where no run has it."""
        topic = self.query_ids.get_indexer(rows["query_id"])
        document = self.documents.get_indexer(rows["doc_id"])
        keys = np.where((topic < 0) | (document < 0), -1, topic * len(self.documents) + document)
        return self.keys.get_indexer(keys)

    def _by_item(self, item: np.ndarray, values: np.ndarray, fill) -> np.ndarray:
        """A value for each item, and the last for "no document": `fill` where there is none."""
        lookup = np.full(len(self.keys) + 1, fill, dtype=values.dtype)
        lookup[item[item >= 0]] = values[item >= 0]
        return lookup

    def _with_known(
        self, matrix: GradeMatrix, gold: pd.DataFrame, grades: np.ndarray, known: pd.DataFrame
    ) -> GradeMatrix:
        what = "a table of known documents"
        known = checked(checked(known, ["query_id"], "doc_id", what), ["doc_id"], "query_id", what).drop_duplicates()
        judged = self._judged(gold)
        item = self._items_of(known)
        in_gold = gold[IDS].merge(known, how="left", on=IDS, indicator="found")["found"].eq("both").to_numpy()
        return replace(
            matrix,
            known=self._by_item(item, np.ones(len(item), dtype=bool), False)[self.items[:, judged.places]],
            known_gold=by_topic(judged.topic, grades, in_gold, len(judged.query_ids), False),
        )


@dataclass(frozen=True, eq=False)
class _Judged:
    """The documents of a gold, one a row.

    Attributes
    ----------
    ids : DataFrame
        query_id, doc_id.
    topic : ndarray of int
        Position in `query_ids`.
    query_ids : tuple of str
        Ascending.
    places : slice or ndarray of int
        Position of each of these topics in the runs.
    item : ndarray of int
        -1 where no run has the document.
    """

    ids: pd.DataFrame
    topic: np.ndarray
    query_ids: tuple[str, ...]
    places: slice | np.ndarray
    item: np.ndarray


# What every function of this library accepts as runs.
Runs: TypeAlias = RankedRuns | pd.DataFrame | Iterable[pd.DataFrame]


def prepare(runs: Runs) -> RankedRuns:
    """Runs as integers, ready for any number of golds.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns (also that of `pooling.ranking`)
        As for `pooling.ranking.prepare`. What is prepared is returned as it is.

    Raises
    ------
    ValueError
        As for `pooling.ranking.prepare`.
    """
    if isinstance(runs, RankedRuns):
        return runs
    there = ranking.prepare(runs)
    return RankedRuns(**{field.name: getattr(there, field.name) for field in fields(there)})


def _as_slice(place: np.ndarray) -> slice | np.ndarray:
    """Successive positions as a slice, which needs no copy."""
    if len(place) and place[0] >= 0 and (np.diff(place) == 1).all():
        return slice(int(place[0]), int(place[-1]) + 1)
    return place


def _check_collection_size(matrix: GradeMatrix) -> None:
    size = matrix.collection_size
    if size is None:
        return
    least = int(max(matrix.retrieved.max(initial=0), (matrix.gold != matrix.unjudged).sum(axis=1).max(initial=0)))
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < max(least, 1):
        raise ValueError(
            f"collection_size is the number of documents, and a topic has {least} retrieved or judged; got {size!r}"
        )
