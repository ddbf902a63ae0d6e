"""Runs as integers, and their grades under a gold.

`prepare` converts runs into `RankedRuns` once: systems, topics and documents become integers, and the documents of
every ranking are in the document order of `pooling.ranking`. `RankedRuns.under` then looks up the grades of a gold with
one indexing operation. The result is a `GradeMatrix`, the input of every measure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TypeAlias

import numpy as np
import pandas as pd

from agreement.checks import checked_frame
from agreement.effectiveness.gold_grades import (
    by_topic,
    grades_of,
    highest_of,
    lowest,
    refuse_off_scale,
    refuse_two_grades,
)
from agreement.effectiveness.grade_matrix import GradeMatrix, GradesByItem, share
from pooling import ranking
from pooling.inputs import Input
from pooling.run_cache import CachedRuns

__all__ = ["GradeMatrix", "RankedRuns", "Runs", "prepare", "share"]

IDS = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False, repr=False)
class RankedRuns(ranking.RankedRuns):
    """Runs of several systems as integers, ready to be scored; returned by `prepare`.

    Attributes
    ----------
    systems, query_ids : Index of str
        Names of the systems and of the topics, ascending.
    documents : Index of str
        Names of the documents.
    keys : Index of int
        topic * number of documents + document, for every document of a topic that some run retrieved.
    items : ndarray of int, shape (n_systems, n_topics + 1, n_ranks)
        Position in `keys` of the document at each rank; the number of keys after the end of a ranking. The last topic
        is empty.
    retrieved : ndarray of int, shape (n_systems, n_topics + 1)
        Length of each ranking.
    scores : ndarray of float, with the shape of `items`, or None
        Score at each rank; None unless they were kept.
    depth : int or None
        Number of ranks that were kept; None if all were kept.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import prepare
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("bm25", "1", "d2", 2)], columns=["system", "query_id", "doc_id", "score"]
    ... )
    >>> ranked_runs = prepare(runs)
    >>> ranked_runs.systems.tolist(), ranked_runs.query_ids.tolist()
    (['bm25', 'lsa'], ['1'])
    """

    # The lookup of the last gold. Judges mostly judge the same documents, and names are slow to look up.
    _last: list["_Judged"] = field(default_factory=list, init=False, repr=False)

    def under(
        self,
        gold: Input,
        scale: Sequence[float] | None = None,
        collection_size: int | None = None,
        known: Input | None = None,
    ) -> GradeMatrix:
        """Return the grades of the rankings under a gold.

        Parameters
        ----------
        gold : table, path or dictionary
            Columns query_id, doc_id and relevance, with one row for each document of a topic. A negative relevance
            means "not judged".
        scale : sequence of numbers, optional
            Declared grades, lowest first. Every grade of the gold must be one of them, or negative.
        collection_size : int, optional
            Number of documents in the collection, at least as many as a topic has judged or retrieved.
        known : table, optional
            Documents that the reader knew, with the columns query_id and doc_id.

        Returns
        -------
        GradeMatrix

        Raises
        ------
        ValueError
            A document occurs twice in a topic, a relevance is not a number, a grade is not on the scale, or the
            collection is too small.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement import prepare
        >>> runs = pd.DataFrame([("lsa", "1", "d1", 2)], columns=["system", "query_id", "doc_id", "score"])
        >>> gold = pd.DataFrame([("1", "d1", 1)], columns=["query_id", "doc_id", "relevance"])
        >>> prepare(runs).under(gold).grades.tolist()
        [[[1]]]
        """
        by_item = self.grades_by_item(gold, scale, collection_size, known)
        return by_item.matrix(tuple(self.systems), self.items, self.retrieved)

    def grades_by_item(
        self,
        gold: Input,
        scale: Sequence[float] | None = None,
        collection_size: int | None = None,
        known: Input | None = None,
    ) -> GradesByItem:
        """Return the grades of a gold by item, which can be used for several blocks of rankings.

        Parameters
        ----------
        gold : table, path or dictionary
            Columns query_id, doc_id and relevance, with one row for each document of a topic. A negative relevance
            means "not judged".
        scale : sequence of numbers, optional
            Declared grades, lowest first.
        collection_size : int, optional
            Number of documents in the collection.
        known : table, optional
            Documents that the reader knew, with the columns query_id and doc_id.

        Returns
        -------
        GradesByItem

        Raises
        ------
        ValueError
            A document occurs twice in a topic, a relevance is not a number, or a grade is not on the scale.
        """
        rows = checked_frame(gold, IDS, "relevance", "a gold")
        highest, grades = highest_of(scale), grades_of(rows)
        if scale is not None:
            refuse_off_scale(rows, grades, scale)
        judged, unjudged = self._judged(rows), lowest(grades.dtype)
        by_item = GradesByItem(
            query_ids=judged.query_ids,
            positions=judged.positions,
            grades=self._by_item(judged.item, grades, unjudged),
            gold=by_topic(judged.topic, grades, grades, len(judged.query_ids), unjudged),
            unjudged=unjudged,
            highest=highest,
            collection_size=collection_size,
        )
        return by_item if known is None else self._with_known(by_item, rows, grades, known)

    def regraded(
        self, query_id: str, doc_ids: Iterable[str], grades: np.ndarray, judged: np.ndarray, systems: Sequence[str] = ()
    ) -> GradeMatrix:
        """Return the grades of the rankings of one topic under many golds; each gold becomes a topic of the result.

        Parameters
        ----------
        query_id : str
            The topic. If no run has it, every ranking is empty.
        doc_ids : sequence of str, length n_docs
            The documents of the golds.
        grades : ndarray, shape (n_golds, n_docs)
            Grade of each document in each gold.
        judged : ndarray of bool, shape (n_golds, n_docs)
            Whether the document is in the gold; otherwise its grade is ignored.
        systems : sequence of str
            The systems to score, in this order; all systems if empty.

        Returns
        -------
        GradeMatrix
            The golds are its topics, with the query_ids "0", "1", ...

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> from agreement import prepare
        >>> runs = pd.DataFrame([("lsa", "1", "d1", 2)], columns=["system", "query_id", "doc_id", "score"])
        >>> grades = np.array([[0], [1]])
        >>> prepare(runs).regraded("1", ["d1"], grades, np.ones((2, 1), dtype=bool)).grades.tolist()
        [[[0], [1]]]
        """
        doc_ids = list(doc_ids)
        positions = self.systems.get_indexer(pd.Index(list(systems))) if len(systems) else np.arange(len(self.systems))
        topic = self.query_ids.get_indexer(pd.Index([query_id]))[0]  # -1, the last topic, if no run has it
        unjudged = lowest(grades.dtype)
        padded = np.full((len(grades), len(doc_ids) + 1), unjudged, dtype=grades.dtype)
        np.copyto(padded[:, :-1], grades, where=judged)
        items = self._items_of(pd.DataFrame({"query_id": query_id, "doc_id": doc_ids}))
        column = self._by_item(items, np.arange(len(doc_ids)), len(doc_ids))
        return GradeMatrix(
            systems=tuple(self.systems[positions]),
            query_ids=tuple(map(str, range(len(grades)))),
            grades=padded[:, column[self.items[positions, topic]]].swapaxes(0, 1),
            retrieved=np.repeat(self.retrieved[positions, topic, None], len(grades), axis=1),
            gold=-np.sort(-padded[:, :-1].astype(np.float64), axis=1),
            unjudged=unjudged,
        )

    def _judged(self, gold: pd.DataFrame) -> "_Judged":
        """Return the documents of a gold; raise ValueError if one occurs twice in a topic."""
        for last in self._last:
            if len(last.ids) == len(gold) and last.ids.equals(gold[IDS]):
                return last
        item = self._items_of(gold)
        once = (item >= 0) & (
            np.bincount(item + 1, minlength=1)[item + 1] == 1
        )  # integers are faster to compare than names
        refuse_two_grades(gold[~once])
        topic, query_ids = pd.factorize(gold["query_id"], sort=True)
        position = self.query_ids.get_indexer(query_ids)  # -1, the last topic, if no run has it
        judged = _Judged(gold[IDS], topic, tuple(query_ids), _as_slice(position), item)
        self._last[:] = [judged]
        return judged

    def _items_of(self, rows: pd.DataFrame) -> np.ndarray:
        """Return the position in `keys` of each row, -1 if no run has it."""
        topic = self.query_ids.get_indexer(pd.Index(rows["query_id"]))
        document = self.documents.get_indexer(pd.Index(rows["doc_id"]))
        keys = np.where((topic < 0) | (document < 0), -1, topic * len(self.documents) + document)
        return self.keys.get_indexer(pd.Index(keys))

    def _by_item(self, item: np.ndarray, values: np.ndarray, fill: float) -> np.ndarray:
        """Return a value for each key, and one more for "no document"; `fill` if there is no value."""
        lookup = np.full(len(self.keys) + 1, fill, dtype=values.dtype)
        lookup[item[item >= 0]] = values[item >= 0]
        return lookup

    def _with_known(self, by_item: GradesByItem, gold: pd.DataFrame, grades: np.ndarray, known: Input) -> GradesByItem:
        what = "a table of known documents"
        pairs = checked_frame(known, ["query_id"], "doc_id", what)
        pairs = checked_frame(pairs, ["doc_id"], "query_id", what).drop_duplicates()
        judged = self._judged(gold)
        item = self._items_of(pairs)
        in_gold = gold[IDS].merge(pairs, how="left", on=IDS, indicator="found")["found"].eq("both").to_numpy()
        return replace(
            by_item,
            known=self._by_item(item, np.ones(len(item), dtype=bool), False),
            known_gold=by_topic(judged.topic, grades, in_gold, len(judged.query_ids), False),
        )


@dataclass(frozen=True, eq=False)
class _Judged:
    """The documents of a gold, one for each row.

    Attributes
    ----------
    ids : DataFrame
        query_id and doc_id.
    topic : ndarray of int, shape (n_rows,)
        Position of the topic in `query_ids`.
    query_ids : tuple of str
        Topics of the gold, ascending.
    positions : slice or ndarray of int
        Position of each of these topics in the runs.
    item : ndarray of int, shape (n_rows,)
        Position in the keys of the runs; -1 if no run has the document.
    """

    ids: pd.DataFrame
    topic: np.ndarray
    query_ids: tuple[str, ...]
    positions: slice | np.ndarray
    item: np.ndarray


# What every function of this library accepts as runs.
Runs: TypeAlias = ranking.Runs | CachedRuns


def prepare(runs: Runs) -> RankedRuns:
    """Convert runs into integers once, to score them under any number of golds.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, RankedRuns, or CachedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Documents are ranked by score, highest first; ties are ranked by doc_id, descending. `RankedRuns` are returned
        unchanged; those of `pooling.ranking` are converted, and `CachedRuns` are loaded into memory.

    Returns
    -------
    RankedRuns

    Raises
    ------
    ValueError
        A column or an id is missing, a score is not a finite number, or a document occurs twice in a ranking.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import prepare
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1)], columns=["system", "query_id", "doc_id", "score"]
    ... )
    >>> prepare(runs).query_ids.tolist()
    ['1']
    """
    if isinstance(runs, RankedRuns):
        return runs
    return converted(runs.ranked_runs() if isinstance(runs, CachedRuns) else ranking.prepare(runs))


def prepare_for(runs: Runs, golds: Iterable[pd.DataFrame]) -> RankedRuns:
    """Prepare runs to be scored under some golds only: in frames, other topics than those of the golds are not ranked.

    In these other topics, missing ids and scores are refused, but a document that occurs twice is not noticed.
    """
    if isinstance(runs, ranking.RankedRuns | CachedRuns):
        return prepare(runs)
    columns = [gold.get("query_id") for gold in golds]
    topics = {str(topic) for column in columns if column is not None for topic in column.unique()}
    return converted(ranking.prepare_topics(runs, topics))


def converted(ranked: ranking.RankedRuns) -> RankedRuns:
    """The prepared runs of `pooling.ranking`, ready to be scored."""
    return RankedRuns(**{field.name: getattr(ranked, field.name) for field in fields(ranked)})


def _as_slice(position: np.ndarray) -> slice | np.ndarray:
    """Return successive positions as a slice, which needs no copy."""
    if len(position) and position[0] >= 0 and (np.diff(position) == 1).all():
        return slice(int(position[0]), int(position[-1]) + 1)
    return position
