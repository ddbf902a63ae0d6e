"""Judgements as integers: who gave which item which grade.

Judgements arrive as a tidy table (`assessor, query_id, doc_id, relevance`), one row a judgement. Every
statistic of this package works on `Ratings`, an integer array of assessors x items on a declared scale. This
module is the only one that makes the one from the other; `agreement.judgements` checks what comes in.

*Item*: a (query_id, doc_id) pair. Items are in ascending order of query_id, then doc_id, as strings.

*Scale*: the grades in ascending order, declared by the caller and never inferred: a grade that nobody used
still counts. Grades are numbers or strings. -1 is no grade of a scale: it stands for "not judged".

*Not judged*: a relevance of -1, None, NaN or NA. Such a row names an assessor (who may then be idle) and an
item, and adds no judgement.

*Repeat*: where the table has a column `repeat`, rows other than repeat 0 are ignored; they serve
self-agreement.

*Counts*: where only the number of judgements is known that gave each item each grade, nobody is known by name,
and what compares persons is undefined (reason `no_identities`).
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from agreement.judgements import IDS, MISSING, checked_scale, first_judgements, named, not_judged, positions_on

__all__ = ["IDS", "MISSING", "Ratings", "checked_scale", "first_judgements", "not_judged", "positions_on"]


class Ratings:
    """Grades of several assessors on the same items, as positions on a declared scale.

    Parameters
    ----------
    codes : ndarray of int, shape (n_assessors, n_items)
        Position of the grade on `scale`, from 0; -1 where the assessor did not judge the item. Taken without
        copying.
    scale : tuple
        The grades, lowest first; at least two.
    assessors : tuple of str, optional
        Their names; "1", "2", ... where none are given.
    query_ids, doc_ids : ndarray of str, shape (n_items,), optional
        What the items are; one topic "", and documents "1", "2", ..., where none are given.
    counts : ndarray of int, shape (n_items, n_grades), optional
        How many judgements gave each item each grade, where nobody is known by name; `codes` has no rows then.

    Raises
    ------
    ValueError
        Where shapes, names or codes do not fit each other.
    """

    def __init__(self, codes, scale, assessors=None, query_ids=None, doc_ids=None, counts=None):
        self.codes = _checked_codes(np.asarray(codes), checked_scale(scale))
        self.scale = tuple(scale)
        self.assessors = tuple(named(assessors, len(self.codes), "assessors"))
        if len(set(self.assessors)) < len(self.assessors):
            raise ValueError(f"every assessor has one row; got {', '.join(self.assessors)}")
        self.anonymous = counts is not None
        if self.anonymous:
            self.counts = _checked_counts(np.asarray(counts), self.codes.shape, len(self.scale))
        if query_ids is not None:
            self.query_ids = np.asarray(named(query_ids, self.n_items, "query_ids"))
        if doc_ids is not None:
            self.doc_ids = np.asarray(named(doc_ids, self.n_items, "doc_ids"))
        self._one_topic = query_ids is None

    @classmethod
    def from_judgements(cls, frame: pd.DataFrame, scale: Sequence) -> "Ratings":
        """Ratings from a table of judgements.

        Parameters
        ----------
        frame : DataFrame
            Columns assessor, query_id, doc_id, relevance, and perhaps repeat; others are ignored.
        scale : sequence
            The grades, lowest first.

        Returns
        -------
        Ratings
            Assessors and items in ascending order of their names.

        Raises
        ------
        ValueError
            A column is missing; a grade is off the scale; an assessor judged an item twice.
        """
        frame = first_judgements(frame)
        positions = positions_on(checked_scale(scale), frame)
        judge, assessors = pd.factorize(frame["assessor"], sort=True)
        topic, topics = pd.factorize(frame["query_id"], sort=True)
        doc, docs = pd.factorize(frame["doc_id"], sort=True)
        items, item = np.unique(topic * len(docs) + doc, return_inverse=True)
        codes = np.full((len(assessors), len(items)), MISSING, np.min_scalar_type(-len(scale)))
        judged = positions != MISSING
        codes[judge[judged], item[judged]] = positions[judged]
        topic, doc = np.divmod(items, max(len(docs), 1))
        return cls(codes, scale, tuple(assessors), np.asarray(topics)[topic], np.asarray(docs)[doc])

    @classmethod
    def from_matrix(cls, rows: Sequence[Sequence], scale: Sequence, assessors: Sequence | None = None) -> "Ratings":
        """Ratings from one row of grades per assessor, None where an item was not judged.

        Parameters
        ----------
        rows : sequence of sequences, shape (n_assessors, n_items)
        scale : sequence
            The grades, lowest first.
        assessors : sequence of str, optional

        Raises
        ------
        ValueError
            The rows differ in length; a grade is off the scale.
        """
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"every assessor has one grade or None per item; got {[len(row) for row in rows]}")
        names = named(assessors, len(rows), "assessors")
        n_items = len(rows[0]) if len(rows) else 0
        frame = pd.DataFrame(
            {
                "assessor": np.repeat(np.asarray(names, dtype=object), n_items),
                "query_id": "",
                "doc_id": [str(item + 1) for item in range(n_items)] * len(rows),
                "relevance": pd.Series([grade for row in rows for grade in row], dtype=object),
            }
        )
        codes = positions_on(checked_scale(scale), frame).reshape(len(rows), n_items)
        return cls(codes, scale, tuple(names))

    @classmethod
    def from_counts(cls, counts, scale: Sequence) -> "Ratings":
        """Ratings of which only the numbers are known.

        Parameters
        ----------
        counts : array of int, shape (n_items, n_grades)
            How many judgements gave the item the grade.
        scale : sequence
            The grades, lowest first.

        Raises
        ------
        ValueError
            The counts are no table of whole numbers from 0, with a column for each grade.
        """
        scale, counts = checked_scale(scale), np.asarray(counts)
        if counts.shape == (0,):
            counts = np.zeros((0, len(scale)), np.int64)
        return cls(np.empty((0, len(counts) if counts.ndim else 0), np.int8), scale, counts=counts)

    @cached_property
    def query_ids(self) -> np.ndarray:
        """The topic of each item, shape (n_items,)."""
        return np.full(self.n_items, "")

    @cached_property
    def doc_ids(self) -> np.ndarray:
        """The document of each item, shape (n_items,)."""
        return np.asarray(named(None, self.n_items, "doc_ids"))

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.codes.shape[1]

    @property
    def n_judgements(self) -> int:
        """Number of judgements."""
        return int(self.counts.sum()) if self.anonymous else int(np.count_nonzero(self.codes != MISSING))

    @property
    def idle(self) -> tuple[str, ...]:
        """The assessors without a judgement."""
        busy = (self.codes != MISSING).any(axis=1)
        return tuple(name for name, judged in zip(self.assessors, busy, strict=True) if not judged)

    @cached_property
    def counts(self) -> np.ndarray:
        """How many assessors gave each item each grade, shape (n_items, n_grades)."""
        codes, kind = self.narrow(), np.uint8 if len(self.codes) < 256 else np.int32
        counts = np.empty((len(self.scale), self.n_items), kind)
        for grade, count in enumerate(counts):
            np.add.reduce((codes == grade).view(np.uint8), axis=0, dtype=kind, out=count)
        return counts.T

    def narrow(self) -> np.ndarray:
        """The codes in as few bytes as the scale needs; the array itself where it is as narrow."""
        return self.codes.astype(np.min_scalar_type(-len(self.scale) - 1), copy=False)

    def row(self, assessor: str) -> np.ndarray:
        """The codes of one assessor, shape (n_items,); ValueError where there is no such assessor."""
        if assessor not in self.assessors:
            raise ValueError(f"there is no assessor {assessor!r}; there are {', '.join(self.assessors)}")
        return self.codes[self.assessors.index(assessor)]

    def table(self, a: str, b: str) -> np.ndarray:
        """How often `a` gave one grade and `b` the other, over the items that both judged.

        Returns
        -------
        ndarray of int, shape (n_grades, n_grades)
            Rows are the grades of `a`, columns those of `b`, both in the order of the scale.

        Raises
        ------
        ValueError
            There is no such assessor, or both are the same.
        """
        return self.crossed(a, b)[1:, 1:]

    def crossed(self, a: str, b: str) -> np.ndarray:
        """As `table`, with "not judged" as the first row and column; shape (n_grades + 1, n_grades + 1)."""
        if a == b:
            raise ValueError(f"a table compares two assessors; got {a!r} twice")
        size = len(self.scale) + 1
        kind = np.min_scalar_type(-size * size)
        cells = np.multiply(self.row(a), size, dtype=kind, casting="unsafe")
        np.add(cells, self.row(b), out=cells, casting="unsafe")
        cells += size + 1
        return np.bincount(cells, minlength=size * size).reshape(size, size)

    def binary(self, rel) -> "Ratings":
        """The same ratings as 0 (below `rel`) and 1 (`rel` and above); `rel` is a grade of the scale."""
        if rel not in self.scale:
            raise ValueError(f"{rel!r} is not on the scale {', '.join(map(str, self.scale))}")
        return self._cut(np.arange(len(self.scale)) >= self.scale.index(rel))

    def against_rest(self, grade) -> "Ratings":
        """The same ratings as 1 (the grade) and 0 (any other); `grade` is one of the scale."""
        return self._cut(np.arange(len(self.scale)) == self.scale.index(grade))

    def _cut(self, high: np.ndarray) -> "Ratings":
        """The same ratings as 1 where the mask over the grades is True, and 0."""
        codes = np.array([*high, MISSING], np.int8)[self.codes]  # code -1 finds the last
        counts = None
        if self.anonymous:
            counts = np.stack([self.counts[:, ~high].sum(axis=1), self.counts[:, high].sum(axis=1)], axis=1)
        return Ratings(codes, (0, 1), self.assessors, *self._ids(), counts=counts)

    def topics_of(self, items: np.ndarray) -> tuple[str, ...]:
        """The query_ids of the items where the mask, shape (n_items,), is True; ascending."""
        if self._one_topic:
            return ("",) if items.any() else ()
        topic, names = self.topic_codes
        return tuple(str(name) for name in names[np.flatnonzero(np.bincount(topic[items], minlength=len(names)))])

    @cached_property
    def topic_codes(self) -> tuple[np.ndarray, np.ndarray]:
        """For each item the position of its topic among the query_ids, ascending; and these."""
        if self._one_topic:
            return np.zeros(self.n_items, np.intp), np.full(min(self.n_items, 1), "")
        topic, topics = pd.factorize(self.query_ids, sort=True)
        return topic, np.asarray(topics)

    def by_topic(self) -> dict[str, "Ratings"]:
        """The ratings of each topic, by query_id ascending; every assessor stays in every topic."""
        return dict(self._topics)

    @cached_property
    def _topics(self) -> dict[str, "Ratings"]:
        topic, topics = self.topic_codes
        by_topic, counts = np.argsort(topic, kind="stable"), np.bincount(topic)
        parts = np.split(by_topic, np.cumsum(counts)[:-1]) if len(topics) else []
        return {str(name): self._items(items) for name, items in zip(topics, parts, strict=True)}

    def _items(self, items: np.ndarray) -> "Ratings":
        counts = self.counts[items] if self.anonymous else None
        ids = self.query_ids[items], self.doc_ids[items]
        return Ratings(self.codes[:, items], self.scale, self.assessors, *ids, counts=counts)

    def _ids(self) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The ids as they were given."""
        return vars(self).get("query_ids"), vars(self).get("doc_ids")


def _checked_codes(codes: np.ndarray, scale: tuple) -> np.ndarray:
    if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
        raise ValueError(f"codes are a table of integers, assessors x items; got {codes.ndim} axes of {codes.dtype}")
    if codes.size and not (codes.min() >= MISSING and codes.max() < len(scale)):
        raise ValueError(f"codes go from -1 to {len(scale) - 1}; got {codes.min()} to {codes.max()}")
    return codes


def _checked_counts(counts: np.ndarray, shape: tuple[int, int], size: int) -> np.ndarray:
    if counts.shape != (shape[1], size) or shape[0]:
        raise ValueError(f"counts are a table of items x {size} grades; got the shape {counts.shape}")
    if not np.issubdtype(counts.dtype, np.integer) or (counts.size and counts.min() < 0):
        raise ValueError(f"counts are whole numbers from 0; got {counts.tolist()[:3]}")
    return counts
