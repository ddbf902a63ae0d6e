"""Judgements as integers: which assessor gave which item which grade.

Judgements arrive as a table with the columns `assessor, query_id, doc_id, relevance`, one row for each judgement. The
statistics of this package use `Ratings`, an integer array of assessors x items on a declared scale. Only this module
converts the table to the array; `agreement.judgements` validates it.

*Item*: a (query_id, doc_id) pair. Items are in ascending order of query_id, then doc_id, as strings.

*Scale*: the grades in ascending order, declared by the caller and never inferred; unused grades count. Grades are
numbers or strings. Numbers are 0 or more and must ascend.

*Not judged*: a negative relevance, None, NaN or NA. Such a row names an assessor (who may be idle) and an item, and
adds no judgement.

*Repeat*: if the table has a column `repeat`, only rows with repeat 0 are used. The other rows serve self-agreement.

*Counts*: if only the number of judgements of each grade is known for each item, no assessor is identified, and
coefficients that compare identified assessors are undefined (reason `no_identities`).
"""

from __future__ import annotations  # help() shows the names of type aliases

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.judgements import (
    IDS,
    MISSING,
    Grade,
    Names,
    Scale,
    checked_scale,
    first_judgements,
    named,
    not_judged,
    padded_numbers,
    positions_on,
)
from agreement.matrices import Matrix, matrix_of
from pooling.inputs import Input, Table, as_judgements
from pooling.result import Result

__all__ = [
    "IDS",
    "MISSING",
    "Grade",
    "Ratings",
    "Scale",
    "checked_scale",
    "first_judgements",
    "not_judged",
    "positions_on",
]

Codes = npt.NDArray[np.integer[Any]]


class Ratings(Result):
    """Grades of several assessors on the same items, as positions on a declared scale.

    `from_table`, `from_judgements`, `from_matrix` and `from_counts` are the usual ways to create ratings. An
    assessor is a person or a model.

    Parameters
    ----------
    codes : array of int, shape (n_assessors, n_items)
        The position of each grade on `scale`, from 0; -1 if the assessor did not judge the item. The array is not
        copied.
    scale : sequence of int, float or str
        The grades, lowest first; two or more.
    assessors : sequence of str, optional
        The names of the assessors. By default "1", "2", ...
    query_ids, doc_ids : sequence of str, length n_items, optional
        The topic and the document of each item. By default one topic "", and the documents "1", "2", ..., with leading
        zeros if there are ten or more, so that they sort.
    counts : array of int, shape (n_items, n_grades), optional
        The number of judgements of each item with each grade, for anonymous judgements; `codes` has no rows then.

    Attributes
    ----------
    codes : ndarray of int, shape (n_assessors, n_items)
        The positions on the scale, -1 for "not judged".
    scale : tuple
        The grades, lowest first.
    assessors : tuple of str
        The names of the assessors, in the order of the rows.
    anonymous : bool
        Whether only counts are known.
    notes : tuple of str
        A sentence for each judge with unusual rows in the table or the files that the ratings were read from.

    Raises
    ------
    ValueError
        The shapes, names or codes do not fit each other or the scale.

    Examples
    --------
    >>> from agreement import Ratings
    >>> ratings = Ratings.from_matrix([[0, 1, 2], [0, 2, None]], scale=(0, 1, 2), assessors=("ada", "bob"))
    >>> ratings.n_items, ratings.n_judgements
    (3, 5)
    >>> ratings.table("ada", "bob")
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 0, 0]])
    >>> ratings.binary(rel=1).codes
    array([[ 0,  1,  1],
           [ 0,  1, -1]], dtype=int8)
    """

    def __init__(
        self,
        codes: npt.ArrayLike,
        scale: Sequence[Grade],
        assessors: Sequence[str] | None = None,
        query_ids: Names | None = None,
        doc_ids: Names | None = None,
        counts: npt.ArrayLike | None = None,
    ) -> None:
        self.codes = _checked_codes(np.asarray(codes), checked_scale(scale))
        self.scale = tuple(scale)
        self.assessors = tuple(named(assessors, len(self.codes), "assessors"))
        if len(set(self.assessors)) < len(self.assessors):
            raise ValueError(f"Each assessor must have one row, not {', '.join(self.assessors)}.")
        self.anonymous = counts is not None
        if self.anonymous:
            self.counts = _checked_counts(np.asarray(counts), self.codes.shape, len(self.scale))
        if query_ids is not None:
            self.query_ids = np.asarray(named(query_ids, self.n_items, "query_ids"))
        if doc_ids is not None:
            self.doc_ids = np.asarray(named(doc_ids, self.n_items, "doc_ids"))
        self._one_topic = query_ids is None
        self.notes: tuple[str, ...] = ()

    @classmethod
    def from_judgements(cls, judgements: Input | Result, scale: Sequence[Grade] | None = None) -> Ratings:
        """Ratings from a table of judgements.

        Parameters
        ----------
        judgements : table, path, dictionary, iterable of these, or result of `read_judgements`
            Columns assessor, query_id, doc_id, relevance, and optionally repeat (only repeat 0 is used) and
            adjudicated (rows marked true are not used). Other columns are ignored. A relevance of -1, None, NaN or NA
            means "not judged".
        scale : sequence of int, float or str, optional
            The grades, lowest first. By default those with which `read_judgements` read the files; other judgements
            need a scale.

        Returns
        -------
        Ratings
            Assessors and items in ascending order. `notes` has the notes of `read_judgements`.

        Raises
        ------
        ValueError
            A column or an id is missing, a grade is not on the scale, or an assessor judged an item twice.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement import Ratings
        >>> rows = [("ada", "1", "d1", 2), ("bob", "1", "d1", 0), ("bob", "1", "d2", 1)]
        >>> frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
        >>> Ratings.from_judgements(frame, scale=(0, 1, 2)).codes
        array([[ 2, -1],
               [ 0,  1]], dtype=int8)
        """
        notes: list[str] = []
        if isinstance(judgements, Result):
            from agreement.judge_files.reading import JudgementFiles  # loads the readers of files

            if isinstance(judgements, JudgementFiles):
                notes, scale = judgements.notes(), judgements.declared_scale() if scale is None else scale
            judgements = judgements.to_frame()
        scale = checked_scale(scale)  # type: ignore[arg-type]  # None is refused
        frame = first_judgements(as_judgements(judgements))
        positions = positions_on(scale, frame)
        judge, assessors = pd.factorize(frame["assessor"], sort=True)
        topic, topics = pd.factorize(frame["query_id"], sort=True)
        doc, docs = pd.factorize(frame["doc_id"], sort=True)
        items, item = np.unique(topic * len(docs) + doc, return_inverse=True)
        codes = np.full((len(assessors), len(items)), MISSING, np.min_scalar_type(-len(scale)))
        judged = positions != MISSING
        codes[judge[judged], item[judged]] = positions[judged]
        topic, doc = np.divmod(items, max(len(docs), 1))
        ratings = cls(codes, scale, tuple(assessors), np.asarray(topics)[topic], np.asarray(docs)[doc])
        ratings.notes = tuple(notes)
        return ratings

    @classmethod
    def from_table(
        cls, table: Table, scale: Sequence[Grade], *, columns: Mapping[str, str | Sequence[str]] | None = None
    ) -> Ratings:
        """Ratings from a DataFrame whose columns may have the names of other programs.

        A row is a judgement, with a column for the judge (assessor, judge, rater, annotator, user, coder, model), the
        topic (query_id, topic, qid, query), the document (doc_id, document, docid, docno, pid) and the grade
        (relevance, grade, label, rating, rel, score), in any order; or a row is a document, with a column for each
        judge. A missing value, ``NA``, ``None``, ``-``, an empty text or a negative number is no judgement. Ids that
        are numbers become whole numbers.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or table with the Arrow interface
            The judgements. Named levels of an index are columns, too.
        scale : sequence of int, float or str
            The grades, lowest first.
        columns : mapping of str to str, optional
            The columns with other names: ``{"assessor": "who", "relevance": "mark"}``. The keys are those of
            `read_judgements`; judges lists the columns that hold the grades of one judge each.

        Returns
        -------
        Ratings
            Assessors and items in ascending order. `notes` says what was counted.

        Raises
        ------
        TrecFormatError
            A column is missing or two may be meant, an id or a grade is not allowed, or a judge has two grades for a
            document of a topic. A line is a row of the table, from 1.
        TypeError
            `table` is no table.
        ValueError
            `columns` has an unknown key.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement import Ratings
        >>> frame = pd.DataFrame({"topic": [7, 7], "docno": ["d1", "d2"], "ada": [1, 0], "bob": [0, None]})
        >>> ratings = Ratings.from_table(frame, scale=(0, 1))
        >>> ratings.codes
        array([[ 1,  0],
               [ 0, -1]], dtype=int8)
        >>> print(*ratings.notes, sep="\\n")
        ada: 2 rows with ids that are numbers, read as whole numbers.
        bob: 1 empty cell read as no judgement, 2 rows with ids that are numbers, read as whole numbers.
        """
        from agreement.judge_files.frames import table_judgements  # loads the readers of files

        judgements, notes = table_judgements(table, checked_scale(scale), columns or {})
        ratings = cls.from_judgements(judgements, scale)
        ratings.notes = tuple(notes)
        return ratings

    @classmethod
    def from_matrix(
        cls,
        rows: Matrix,
        scale: Sequence[Grade],
        assessors: Sequence[str] | None = None,
        *,
        axis: str | None = None,
        items: Sequence[str] | None = None,
    ) -> Ratings:
        """Ratings from a table of grades, assessors x items or items x assessors.

        Parameters
        ----------
        rows : sequence of sequences, array or DataFrame, shape (n_assessors, n_items) or (n_items, n_assessors)
            The grades; a missing or negative one if the assessor did not judge the item. Labels of a DataFrame are the
            names of assessors and items, unless they are the default numbers.
        scale : sequence of int, float or str
            The grades, lowest first.
        assessors : sequence of str, optional
            The names of the assessors. By default "1", "2", ...
        axis : {"assessors", "items"}, optional
            What a row is. It may be left out if the names of the assessors or of the items fit only one axis, or if the
            index or the columns of a DataFrame have a name that says what they are, such as assessor or doc_id.
        items : sequence of str, optional
            The documents. By default "1", "2", ..., with leading zeros if there are ten or more, so that they sort.

        Returns
        -------
        Ratings
            The items have the topic "", or those of an index with the levels query_id and doc_id.

        Raises
        ------
        ValueError
            The rows differ in length, a grade is not on the scale, the names fit no axis, or the axis is not known.

        Examples
        --------
        >>> from agreement import Ratings
        >>> Ratings.from_matrix([["no", "yes"], ["yes", None]], scale=("no", "yes"), axis="assessors").codes
        array([[ 0,  1],
               [ 1, -1]])
        >>> by_item = [[0, 1], [1, 1], [0, 0]]
        >>> Ratings.from_matrix(by_item, scale=(0, 1), assessors=("ada", "bob")).row("ada")
        array([0, 1, 0])
        """
        matrix = matrix_of(rows, axis, assessors, items)
        grades = checked_scale(scale)
        codes = positions_on(grades, matrix.judgements()).reshape(matrix.shape)
        return cls(codes, scale, matrix.assessors, matrix.query_ids, matrix.doc_ids)

    @classmethod
    def from_counts(cls, counts: npt.ArrayLike, scale: Sequence[Grade]) -> Ratings:
        """Ratings of anonymous judges, of which only numbers are known.

        Parameters
        ----------
        counts : array of int, shape (n_items, n_grades)
            The number of judgements of each item with each grade, in the order of the scale.
        scale : sequence of int, float or str
            The grades, lowest first.

        Returns
        -------
        Ratings

        Raises
        ------
        ValueError
            The counts are not a table of whole numbers from 0 with a column for each grade.

        Examples
        --------
        >>> from agreement import Ratings, fleiss_kappa
        >>> ratings = Ratings.from_counts([[3, 0], [0, 3], [2, 1]], scale=(0, 1))
        >>> print(fleiss_kappa(ratings).shown())
        0.550
        """
        grades, table = checked_scale(scale), np.asarray(counts)
        if table.shape == (0,):
            table = np.zeros((0, len(grades)), np.int64)
        return cls(np.empty((0, len(table) if table.ndim else 0), np.int8), grades, counts=table)

    def to_frame(self) -> pd.DataFrame:
        """The judgements as a table.

        Returns
        -------
        DataFrame of shape (n_judgements, 4)
            assessor, query_id, doc_id and relevance, by assessor and in the order of the items; without rows if only
            counts are known.
        """
        assessor, item = np.nonzero(self.codes != MISSING)
        grades = np.asarray(self.scale, dtype=object)[self.codes[assessor, item]]
        names = np.asarray(self.assessors, dtype=object)[assessor]
        ids = {"query_id": self.query_ids[item], "doc_id": self.doc_ids[item]}
        return pd.DataFrame({"assessor": names, **ids, "relevance": grades}).infer_objects()

    def _sentence(self) -> str:
        who = "anonymous judges" if self.anonymous else f"{len(self.assessors)} assessors"
        scale = ", ".join(map(str, self.scale))
        sentence = f"{who}, {self.n_items:,} items, {self.n_judgements:,} judgements, scale {scale}"
        return "\n".join([sentence, *self.notes])

    def _paper_table(self) -> pd.DataFrame:
        """How often each assessor gave each grade."""
        codes = np.arange(len(self.scale))[:, None]
        counts = {name: (row == codes).sum(axis=1) for name, row in zip(self.assessors, self.codes, strict=True)}
        if self.anonymous:
            counts = {"all": self.counts.sum(axis=0)}
        rows = [(name, count.sum(), *count) for name, count in counts.items()]
        return pd.DataFrame(rows, columns=["assessor", "judged", *map(str, self.scale)]).astype("str")

    @cached_property
    def query_ids(self) -> npt.NDArray[Any]:
        """The topic of each item, shape (n_items,)."""
        return np.full(self.n_items, "")

    @cached_property
    def doc_ids(self) -> npt.NDArray[Any]:
        """The document of each item, shape (n_items,)."""
        return np.asarray(padded_numbers(self.n_items), dtype="str")

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.codes.shape[1])

    @property
    def n_judgements(self) -> int:
        """Number of judgements."""
        return int(self.counts.sum()) if self.anonymous else int(np.count_nonzero(self.codes != MISSING))

    @property
    def idle(self) -> tuple[str, ...]:
        """The assessors without a judgement."""
        active = (self.codes != MISSING).any(axis=1)
        return tuple(name for name, judged in zip(self.assessors, active, strict=True) if not judged)

    @cached_property
    def counts(self) -> Codes:
        """The number of judgements of each item with each grade, shape (n_items, n_grades)."""
        codes, dtype = self.narrow(), np.dtype(np.uint8 if len(self.codes) < 256 else np.int32)
        counts = np.empty((len(self.scale), self.n_items), dtype)
        for grade, count in enumerate(counts):
            np.add.reduce((codes == grade).view(np.uint8), axis=0, dtype=dtype, out=count)
        return counts.T

    def narrow(self) -> Codes:
        """The codes in the smallest integer type for the scale.

        Returns
        -------
        ndarray of int, shape (n_assessors, n_items)
            `codes` itself if it has this type already.
        """
        return self.codes.astype(np.min_scalar_type(-len(self.scale) - 1), copy=False)

    def row(self, assessor: str) -> Codes:
        """The codes of one assessor.

        Parameters
        ----------
        assessor : str
            The name of the assessor.

        Returns
        -------
        ndarray of int, shape (n_items,)
            Positions on the scale; -1 if the assessor did not judge the item.

        Raises
        ------
        ValueError
            There is no such assessor.
        """
        if assessor not in self.assessors:
            raise ValueError(
                f"There is no assessor {assessor!r}. The assessors are {', '.join(self.assessors) or 'none'}."
            )
        return np.asarray(self.codes[self.assessors.index(assessor)])

    def table(self, a: str, b: str) -> npt.NDArray[np.int64]:
        """The table of two assessors: how often `a` gave one grade and `b` the other.

        Parameters
        ----------
        a, b : str
            The names of two different assessors.

        Returns
        -------
        ndarray of int, shape (n_grades, n_grades)
            Counts of the items that both judged. Rows are the grades of `a`, columns those of `b`, in the order of the
            scale.

        Raises
        ------
        ValueError
            There is no such assessor, or both are the same.
        """
        return self.crossed(a, b)[1:, 1:]

    def crossed(self, a: str, b: str) -> npt.NDArray[np.int64]:
        """The table of two assessors with "not judged" as the first row and column.

        Parameters
        ----------
        a, b : str
            The names of two different assessors.

        Returns
        -------
        ndarray of int, shape (n_grades + 1, n_grades + 1)

        Raises
        ------
        ValueError
            There is no such assessor, or both are the same.
        """
        if a == b:
            raise ValueError(f"A table compares two different assessors, not {a!r} twice.")
        size = len(self.scale) + 1
        dtype = np.min_scalar_type(-size * size)
        cells = np.multiply(self.row(a), size, dtype=dtype, casting="unsafe")
        np.add(cells, self.row(b), out=cells, casting="unsafe")
        cells += size + 1
        return np.bincount(cells, minlength=size * size).reshape(size, size)

    def binary(self, rel: Grade) -> Ratings:
        """The same ratings as relevant (1) and not relevant (0).

        Parameters
        ----------
        rel : int, float or str
            The lowest relevant grade, one of the scale.

        Returns
        -------
        Ratings
            On the scale (0, 1).

        Raises
        ------
        ValueError
            `rel` is not on the scale.
        """
        if rel not in self.scale:
            raise ValueError(f"rel must be a grade of the scale {', '.join(map(repr, self.scale))}, not {rel!r}.")
        return self._cut(np.arange(len(self.scale)) >= self.scale.index(rel))

    def against_rest(self, grade: Grade) -> Ratings:
        """The same ratings as 1 (this grade) and 0 (any other grade).

        Parameters
        ----------
        grade : int, float or str
            A grade of the scale.

        Returns
        -------
        Ratings
            On the scale (0, 1).
        """
        return self._cut(np.arange(len(self.scale)) == self.scale.index(grade))

    def _cut(self, high: npt.NDArray[np.bool_]) -> Ratings:
        """The same ratings as 1 for the grades of the mask, and 0 for the others."""
        codes = np.array([*high, MISSING], np.int8)[self.codes]  # code -1 indexes the last element, MISSING
        counts = None
        if self.anonymous:
            counts = np.stack([self.counts[:, ~high].sum(axis=1), self.counts[:, high].sum(axis=1)], axis=1)
        return Ratings(codes, (0, 1), self.assessors, *self._ids(), counts=counts)

    def topics_of(self, items: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        """The topics of some of the items.

        Parameters
        ----------
        items : ndarray of bool, shape (n_items,)
            A mask of items.

        Returns
        -------
        tuple of str
            The query_ids, ascending.
        """
        if self._one_topic:
            return ("",) if items.any() else ()
        topic, names = self.topic_codes
        return tuple(str(name) for name in names[np.flatnonzero(np.bincount(topic[items], minlength=len(names)))])

    @cached_property
    def topic_codes(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
        """The position of each item's topic among the topics, shape (n_items,); and the topics, ascending."""
        if self._one_topic:
            return np.zeros(self.n_items, np.intp), np.full(min(self.n_items, 1), "")
        topic, topics = pd.factorize(self.query_ids, sort=True)
        return topic, np.asarray(topics)

    def by_topic(self) -> dict[str, Ratings]:
        """The ratings of each topic.

        Returns
        -------
        dict of str to Ratings
            By query_id, ascending. Each has all assessors.
        """
        return dict(self._topics)

    @cached_property
    def _topics(self) -> dict[str, Ratings]:
        topic, topics = self.topic_codes
        by_topic, counts = np.argsort(topic, kind="stable"), np.bincount(topic)
        parts = np.split(by_topic, np.cumsum(counts)[:-1]) if len(topics) else []
        return {str(name): self._items(items) for name, items in zip(topics, parts, strict=True)}

    @cached_property
    def shared(self) -> Ratings:
        """The items with two or more judgements, with all assessors; the ratings themselves if these are all items."""
        items = np.flatnonzero(self.counts.sum(axis=1) > 1)
        return self if len(items) == self.n_items else self._items(items)

    def _items(self, items: npt.NDArray[np.intp]) -> Ratings:
        counts = self.counts[items] if self.anonymous else None
        ids = self.query_ids[items], self.doc_ids[items]
        return Ratings(self.codes[:, items], self.scale, self.assessors, *ids, counts=counts)

    def _ids(self) -> tuple[npt.NDArray[Any] | None, npt.NDArray[Any] | None]:
        """The ids if they were passed or computed before, else None."""
        return vars(self).get("query_ids"), vars(self).get("doc_ids")


def _checked_codes(codes: npt.NDArray[Any], scale: Scale) -> Codes:
    if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
        raise ValueError(
            f"codes must be a table of integers, assessors x items, not {codes.ndim} axes of {codes.dtype}."
        )
    if codes.size and not (codes.min() >= MISSING and codes.max() < len(scale)):
        raise ValueError(f"codes must be from -1 to {len(scale) - 1}, not {codes.min()} to {codes.max()}.")
    return codes


def _checked_counts(counts: npt.NDArray[Any], shape: tuple[int, ...], size: int) -> Codes:
    if counts.shape != (shape[1], size) or shape[0]:
        raise ValueError(f"counts must be a table of items x {size} grades, not of shape {counts.shape}.")
    if not np.issubdtype(counts.dtype, np.integer) or (counts.size and counts.min() < 0):
        raise ValueError(f"counts must be whole numbers from 0, not {counts.tolist()[:3]}.")
    return counts


def check_ratings(value: Any, function: str) -> None:
    """TypeError if a value is not Ratings, such as the table of judgements from which Ratings are built.

    Examples
    --------
    >>> from agreement.ratings import check_ratings
    >>> check_ratings([0, 1], "fleiss_kappa")
    Traceback (most recent call last):
        ...
    TypeError: fleiss_kappa takes Ratings; build them with Ratings.from_judgements(judgements, scale=...).
    """
    if not isinstance(value, Ratings):
        raise TypeError(f"{function} takes Ratings; build them with Ratings.from_judgements(judgements, scale=...).")
