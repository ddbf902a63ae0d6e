"""Runs as integers, and the ranks-by-grade matrix that every measure works on.

`prepare` turns runs into `RankedRuns` once: systems, topics and documents become integers, and the documents
of every ranking stand in the one order of `pooling.ranking`. `RankedRuns.under` then looks up what a gold
says about them, which is cheap: one gather per gold.

The result is a `GradeMatrix`, systems x topics x ranks. A place holds the grade of the document at that rank,
and `unjudged` (below every grade) where the gold says nothing about it or the ranking is shorter. The topics
are those of the gold, all of them, whether or not a run has them; topics that only runs have are left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.frames import checked
from agreement.ratings import MISSING
from pooling.ranking import order

INTEGERS = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """The grades that one gold gives to the rankings of several systems.

    Attributes
    ----------
    systems : tuple of str, length n_systems
    query_ids : tuple of str, length n_topics
        The topics of the gold, ascending.
    grades : ndarray, shape (n_systems, n_topics, n_ranks)
        Grade of the document at each rank; `unjudged` where there is none.
    retrieved : ndarray of int, shape (n_systems, n_topics)
        Length of each ranking; 0 where the run lacks the topic.
    gold : ndarray, shape (n_topics, most judged documents of a topic)
        All grades of each topic, highest first, then `unjudged`.
    unjudged : number
        Lower than every grade.
    """

    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    grades: np.ndarray
    retrieved: np.ndarray
    gold: np.ndarray
    unjudged: float

    def relevant(self, rel: int) -> np.ndarray:
        """Number of documents of each topic with a grade of `rel` or more, shape (n_topics,)."""
        return (self.gold >= rel).sum(axis=1)

    def judged(self, cutoff: int) -> np.ndarray:
        """Number of judged documents among the first `cutoff`, shape (n_systems, n_topics)."""
        top = self.grades[..., :cutoff]
        return ((top != self.unjudged) & (top != MISSING)).sum(axis=-1)


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """Runs of several systems as integers, in order; made by `prepare`.

    An *item* is a (topic, document) that some run has.

    Attributes
    ----------
    systems, query_ids : Index of str
        Ascending.
    documents : Index of str
    keys : Index of int64
        Of every item: topic * number of documents + document.
    items : ndarray of int32, shape (n_systems, n_topics + 1, n_ranks)
        Item at each rank, and the number of items where the ranking is shorter. The last topic is one that no
        run has.
    retrieved : ndarray of int, shape (n_systems, n_topics + 1)
        Length of each ranking.
    """

    systems: pd.Index
    query_ids: pd.Index
    documents: pd.Index
    keys: pd.Index
    items: np.ndarray
    retrieved: np.ndarray

    def under(self, gold: pd.DataFrame) -> GradeMatrix:
        """What a gold says about the rankings.

        Parameters
        ----------
        gold : DataFrame
            Columns query_id, doc_id, relevance, with one row per document of a topic. A relevance of -1
            stands for "not judged".

        Raises
        ------
        ValueError
            A document occurs twice in a topic, or a relevance is no number.
        """
        gold = checked(gold, ["query_id", "doc_id"], "relevance", "a gold")
        grades = _grades(gold)
        topic, query_ids = pd.factorize(gold["query_id"], sort=True)
        unjudged = grades.dtype.type(-np.inf if grades.dtype.kind == "f" else np.iinfo(grades.dtype).min)
        lookup = np.full(len(self.keys) + 1, unjudged)
        item = self._items_of(gold)
        lookup[item[item >= 0]] = grades[item >= 0]
        place = self.query_ids.get_indexer(query_ids)  # -1, so the last, where no run has the topic
        return GradeMatrix(
            systems=tuple(self.systems),
            query_ids=tuple(query_ids),
            grades=lookup[self.items[:, place]],
            retrieved=self.retrieved[:, place],
            gold=_by_topic(topic, grades, len(query_ids), unjudged),
            unjudged=unjudged,
        )

    def _items_of(self, gold: pd.DataFrame) -> np.ndarray:
        topic = self.query_ids.get_indexer(gold["query_id"])
        document = self.documents.get_indexer(gold["doc_id"])
        keys = np.where((topic < 0) | (document < 0), -1, topic * len(self.documents) + document)
        return self.keys.get_indexer(keys)


def prepare(runs: "RankedRuns | pd.DataFrame | Iterable[pd.DataFrame]") -> RankedRuns:
    """Runs as integers, ready for any number of golds.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        Columns system, query_id, doc_id, score. Of an iterable, one frame at a time is held; all rows of a
        system are in one frame. What is prepared is returned as it is.

    Raises
    ------
    ValueError
        A column is missing, a system comes in two frames, a document occurs twice in a ranking, or there is
        no run.
    """
    if isinstance(runs, RankedRuns):
        return runs
    chunks = [_Chunk.of(frame) for frame in ([runs] if isinstance(runs, pd.DataFrame) else runs)]
    if not any(len(chunk.rank) for chunk in chunks):
        raise ValueError("there is no run: nothing can be ranked")
    system, systems = _merged([chunk.system for chunk in chunks], sort=True)
    topic, query_ids = _merged([chunk.topic for chunk in chunks], sort=True)
    document, documents = _merged([chunk.document for chunk in chunks])
    item, keys = pd.factorize(topic * len(documents) + document)
    rank = np.concatenate([chunk.rank for chunk in chunks])
    ranking = system * len(query_ids) + topic
    row = _repeated(ranking * len(keys) + item, ranking * rank.max() + rank)
    if row is not None:
        place = f"system {systems[system[row]]}, topic {query_ids[topic[row]]}"
        raise ValueError(f"{place}: a document came twice, or the system in two frames")
    items = np.full((len(systems), len(query_ids) + 1, rank.max()), len(keys), dtype=np.int32)
    items[system, topic, rank - 1] = item
    retrieved = (items < len(keys)).sum(axis=-1)
    return RankedRuns(systems, query_ids, documents, pd.Index(keys), items, retrieved)


@dataclass(frozen=True)
class _Chunk:
    """The rows of one frame: for each column codes and the names they stand for, and the ranks."""

    system: tuple[np.ndarray, pd.Index]
    topic: tuple[np.ndarray, pd.Index]
    document: tuple[np.ndarray, pd.Index]
    rank: np.ndarray

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "_Chunk":
        frame = checked(frame, ["system", "query_id", "doc_id"], "score", "a run")
        scores = frame["score"].to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(scores).all():
            raise ValueError("every score of a run is a finite number; one is missing or infinite")
        system, topic = pd.factorize(frame["system"]), pd.factorize(frame["query_id"])
        groups = system[0] * len(topic[1]) + topic[0]
        rank = np.empty(len(frame), dtype=np.int64)
        rank[order(groups, scores, frame["doc_id"])] = places(groups)
        return cls(system, topic, pd.factorize(frame["doc_id"]), rank)


def _repeated(*columns: np.ndarray) -> int | None:
    """A row whose value came before in the same column; None where there is none."""
    for codes in columns:
        if len(pd.unique(codes)) < len(codes):
            return int(np.flatnonzero(pd.Series(codes).duplicated())[0])
    return None


def _merged(columns: list[tuple[np.ndarray, pd.Index]], sort: bool = False) -> tuple[np.ndarray, pd.Index]:
    """One code for each name of all frames, where every frame had codes of its own; and the names."""
    names = [part for _, part in columns]
    code, merged = pd.factorize(names[0].append(names[1:]).astype(object), sort=sort)
    begins = np.cumsum([0] + [len(part) for part in names[:-1]])
    return np.concatenate([code[begin + local] for begin, (local, _) in zip(begins, columns, strict=True)]), merged


def _grades(gold: pd.DataFrame) -> np.ndarray:
    """The relevance of every row, in the smallest type that has room below the lowest."""
    twice = gold.duplicated(["query_id", "doc_id"])
    if twice.any():
        row = gold[twice].iloc[0]
        raise ValueError(f"two grades for one document: topic {row.query_id}, document {row.doc_id}")
    grades = gold["relevance"].to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(grades).all():
        raise ValueError("every relevance of a gold is a number; one is missing or infinite")
    if (grades != np.rint(grades)).any():
        return grades
    return grades.astype(next(kind for kind in INTEGERS if _has_room(grades, np.iinfo(kind))))


def _has_room(grades: np.ndarray, limits: np.iinfo) -> bool:
    return limits.min < grades.min(initial=0) and grades.max(initial=0) <= limits.max


def _by_topic(topic: np.ndarray, grades: np.ndarray, n_topics: int, unjudged: float) -> np.ndarray:
    """The grades of every topic, highest first, then `unjudged`; shape (n_topics, most judged of a topic)."""
    by_topic = np.lexsort((-grades.astype(np.float64), topic))
    place = places(topic)
    table = np.full((n_topics, place.max(initial=0)), unjudged)
    table[topic[by_topic], place - 1] = grades[by_topic]
    return table


def places(groups: np.ndarray) -> np.ndarray:
    """1, 2, 3, ... for each group in turn, where rows are sorted by group; groups are integers from 0."""
    count = np.bincount(groups)
    return np.arange(1, len(groups) + 1) - np.repeat(np.cumsum(count) - count, count)


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """`part` / `whole`, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(part.shape), where=np.broadcast_to(whole > 0, part.shape))
