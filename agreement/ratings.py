"""Judgements as integers: who gave which item which grade.

Judgements arrive as a tidy table (`assessor, query_id, doc_id, relevance`), one row a judgement. Every
statistic of this package works on `Ratings`, an integer array of assessors x items on a declared scale. This
module is the only one that makes the one from the other.

*Item*: a (query_id, doc_id) pair. Items are in ascending order of query_id, then doc_id, as strings.

*Scale*: the grades in ascending order, declared by the caller and never inferred: a grade that nobody used
still counts. Grades are numbers or strings. -1 is no grade of a scale: it stands for "not judged".

*Not judged*: a relevance of -1, None, NaN or NA. Such a row names an assessor (who may then be idle) and an
item, and adds no judgement.

*Repeat*: where the table has a column `repeat`, rows other than repeat 0 are ignored; they serve
self-agreement.

*Refused*, with a ValueError that names assessor, item and grade: two judgements of one assessor on one item,
and a grade off the scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from agreement.frames import checked

MISSING = -1
IDS = ["assessor", "query_id", "doc_id"]


@dataclass(frozen=True, eq=False)
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
        What the items are; one topic, and documents "1", "2", ..., where none are given.

    Raises
    ------
    ValueError
        Where shapes, names or codes do not fit each other.
    """

    codes: np.ndarray
    scale: tuple
    assessors: tuple[str, ...] | None = None
    query_ids: np.ndarray | None = None
    doc_ids: np.ndarray | None = None

    def __post_init__(self):
        codes = np.asarray(self.codes)
        if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
            raise ValueError(
                f"codes are a table of integers, assessors x items; got {codes.ndim} axes of {codes.dtype}"
            )
        scale = checked_scale(self.scale)
        if codes.size and not (codes.min() >= MISSING and codes.max() < len(scale)):
            raise ValueError(f"codes go from -1 to {len(scale) - 1}; got {codes.min()} to {codes.max()}")
        assessors = tuple(_named(self.assessors, len(codes), "assessors"))
        if len(set(assessors)) < len(assessors):
            raise ValueError(f"every assessor has one row; got {', '.join(assessors)}")
        n_items = codes.shape[1]
        topics = [""] * n_items if self.query_ids is None else self.query_ids
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "assessors", assessors)
        object.__setattr__(self, "query_ids", np.asarray(_named(topics, n_items, "query_ids")))
        object.__setattr__(self, "doc_ids", np.asarray(_named(self.doc_ids, n_items, "doc_ids")))

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
        names = _named(assessors, len(rows), "assessors")
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

    @property
    def n_judgements(self) -> int:
        """Number of judgements."""
        return int(np.count_nonzero(self.codes != MISSING))

    @property
    def idle(self) -> tuple[str, ...]:
        """The assessors without a judgement."""
        busy = (self.codes != MISSING).any(axis=1)
        return tuple(name for name, judged in zip(self.assessors, busy, strict=True) if not judged)

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
        if a == b:
            raise ValueError(f"a table compares two assessors; got {a!r} twice")
        first, second = self.row(a), self.row(b)
        both = (first != MISSING) & (second != MISSING)
        size = len(self.scale)
        cells = first[both].astype(np.intp) * size + second[both]
        return np.bincount(cells, minlength=size * size).reshape(size, size)

    def binary(self, rel) -> "Ratings":
        """The same ratings as 0 (below `rel`) and 1 (`rel` and above); `rel` is a grade of the scale."""
        if rel not in self.scale:
            raise ValueError(f"{rel!r} is not on the scale {', '.join(map(str, self.scale))}")
        relevant = (self.codes >= self.scale.index(rel)).astype(np.int8)
        codes = np.where(self.codes == MISSING, np.int8(MISSING), relevant)
        return Ratings(codes, (0, 1), self.assessors, self.query_ids, self.doc_ids)

    def by_topic(self) -> dict[str, "Ratings"]:
        """The ratings of each topic, by query_id ascending; every assessor stays in every topic."""
        return dict(self._topics)

    @cached_property
    def _topics(self) -> dict[str, "Ratings"]:
        topic, topics = pd.factorize(self.query_ids, sort=True)
        by_topic, counts = np.argsort(topic, kind="stable"), np.bincount(topic)
        parts = np.split(by_topic, np.cumsum(counts)[:-1]) if len(topics) else []
        return {str(name): self._items(items) for name, items in zip(topics, parts, strict=True)}

    def _items(self, items: np.ndarray) -> "Ratings":
        return Ratings(self.codes[:, items], self.scale, self.assessors, self.query_ids[items], self.doc_ids[items])


def checked_scale(scale: Sequence) -> tuple:
    """The scale as a tuple; ValueError where it is none."""
    grades = tuple(scale)
    if len(grades) < 2 or len(set(grades)) < len(grades):
        raise ValueError(f"a scale has two or more different grades, lowest first; got {grades!r}")
    if MISSING in grades:
        raise ValueError(f"-1 stands for 'not judged' and is no grade of a scale; got {grades!r}")
    return grades


def first_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of repeat 0, with the ids as strings; ValueError where an assessor judged an item twice."""
    if "repeat" in frame.columns:
        frame = frame[frame["repeat"] == 0]
    frame = checked(frame, IDS, "relevance", "a table of judgements")
    twice = frame.duplicated(IDS)
    if twice.any():
        raise ValueError(f"judged twice: {_place(frame[twice].iloc[0])}")
    return frame


def not_judged(relevance: pd.Series) -> np.ndarray:
    """True where a relevance stands for "not judged": -1, None, NaN, NA."""
    return (relevance.isna() | relevance.eq(MISSING).fillna(False)).to_numpy(dtype=bool)


def positions_on(scale: tuple, frame: pd.DataFrame) -> np.ndarray:
    """Position on the scale of every row's relevance, -1 for not judged; ValueError for a grade off it."""
    relevance = frame["relevance"]
    positions = pd.Index(scale, dtype=object).get_indexer(relevance.astype(object))
    off = (positions == MISSING) & ~not_judged(relevance)
    if off.any():
        place = _place(frame[off].iloc[0])
        raise ValueError(f"off the scale {', '.join(map(str, scale))}: {place}")
    return positions


def _place(row: pd.Series) -> str:
    return f"assessor {row.assessor}, topic {row.query_id}, document {row.doc_id}, grade {row.relevance}"


def _named(names: Sequence | None, size: int, what: str) -> Sequence:
    if names is None:
        return [str(number + 1) for number in range(size)]
    if len(names) != size:
        raise ValueError(f"{what}: {size} names are needed; got {len(names)}")
    return names
