"""A matrix of grades, and which of its axes are the assessors.

The shape alone cannot tell whether a row is an assessor or an item. In this order, the axis is what the caller passes;
what the name of an index or of the columns of a DataFrame says (assessor, doc_id and their other names); the only axis
whose labels, or else whose length, fit the names of the assessors or of the items. Otherwise the matrix is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.judgements import Grade, Names, named
from pooling.formats.fields import OTHER_NAMES, plain_name
from pooling.inputs import Table, as_frame, is_table

Matrix: TypeAlias = Sequence[Sequence[Grade | None]] | npt.NDArray[Any] | Table

AXES = ("assessors", "items")
NAMES = {
    "assessors": {"assessors", "assessor", *OTHER_NAMES["assessor"]},
    "items": {"items", "item", "query_id", "doc_id", *OTHER_NAMES["query_id"], *OTHER_NAMES["doc_id"]},
}


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """The grades, one row for each assessor, and the names; None for default names of topics and documents."""

    grades: npt.NDArray[Any]
    assessors: tuple[str, ...]
    query_ids: Names | None
    doc_ids: Names | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of assessors and of items."""
        return self.grades.shape

    def judgements(self) -> pd.DataFrame:
        """A row for each assessor and item: assessor, query_id, doc_id and relevance."""
        n_assessors, n_items = self.shape
        docs = named(self.doc_ids, n_items, "items")
        return pd.DataFrame(
            {
                "assessor": np.repeat(np.asarray(self.assessors, dtype=object), n_items),
                "query_id": "" if self.query_ids is None else [*self.query_ids] * n_assessors,
                "doc_id": [*docs] * n_assessors,
                "relevance": pd.Series(self.grades.ravel(), dtype=object),
            }
        )


def matrix_of(
    rows: Matrix, axis: str | None, assessors: Sequence[str] | None, items: Sequence[str] | None
) -> GradeMatrix:
    """The matrix with a row for each assessor; ValueError if its axes are not known or the names do not fit."""
    if axis is not None and axis not in AXES:
        raise ValueError(f"axis must be 'assessors' or 'items', which says what a row is, not {axis!r}.")
    frame = _frame(rows)
    axis = axis or _named_axis(frame) or _fitting_axis(frame, assessors, items)
    by_assessor = frame if axis == "assessors" else frame.T
    by_assessor = _ordered(by_assessor, assessors, "assessors")
    by_assessor = _ordered(by_assessor.T, items, "items").T
    judges = assessors if assessors is not None else _labels(by_assessor.index)
    names = tuple(named(judges, len(by_assessor), "assessors"))
    query_ids, doc_ids = (None, items) if items is not None else _ids(by_assessor.columns)
    if items is not None:
        named(items, by_assessor.shape[1], "items")
    return GradeMatrix(by_assessor.to_numpy(dtype=object), names, query_ids, doc_ids)


def _frame(rows: Matrix) -> pd.DataFrame:
    """The matrix as a DataFrame of objects; the labels of lists and arrays are numbers."""
    if is_table(rows):
        frame = as_frame(rows).astype(object)
        return frame.where(frame.notna(), None)
    if isinstance(rows, np.ndarray) and rows.ndim != 2:
        raise ValueError(f"A matrix of grades must have two axes, assessors and items, not {rows.ndim}.")
    listed: list[list[Any]] = [list(row) for row in cast("Sequence[Sequence[Any]]", rows)]
    if len({len(row) for row in listed}) > 1:
        lengths = [len(row) for row in listed]
        raise ValueError(f"Each row must have one grade or None for each column, not rows of {lengths}.")
    cells = np.empty((len(listed), len(listed[0]) if listed else 0), dtype=object)
    for number, row in enumerate(listed):
        cells[number, :] = row
    return pd.DataFrame(cells)


def _named_axis(frame: pd.DataFrame) -> str | None:
    """What a row is by the name of the index or of the columns; None if they have none of the known names."""
    rows, columns = (_meanings(index) for index in (frame.index, frame.columns))
    if rows & columns or len(rows) > 1 or len(columns) > 1:
        return None
    return next(iter(rows), None) or next((axis for axis in AXES if columns and axis not in columns), None)


def _meanings(index: pd.Index) -> set[str]:
    names = {plain_name(str(name)) for name in index.names if name is not None}
    return {axis for axis in AXES if names & NAMES[axis]}


def _fitting_axis(frame: pd.DataFrame, assessors: Sequence[str] | None, items: Sequence[str] | None) -> str:
    """What a row is by the names; ValueError if they do not tell."""
    fits = {axis for axis in AXES if _fits(frame if axis == "assessors" else frame.T, assessors, items)}
    by_label = {axis for axis in fits if _has_labels(frame if axis == "assessors" else frame.T, assessors, items)}
    fits = by_label if len(by_label) == 1 else fits
    n_rows, n_columns = frame.shape
    if not n_rows and not n_columns:
        return "assessors"
    if not fits:
        sizes = [f"{len(names)} {what}" for names, what in ((assessors, "assessors"), (items, "items")) if names]
        raise ValueError(f"A matrix of {n_rows:,} x {n_columns:,} grades does not fit {' and '.join(sizes)}.")
    if len(fits) > 1:
        raise ValueError(
            f"A matrix of {n_rows:,} x {n_columns:,} grades may be {n_rows:,} assessors of {n_columns:,} items "
            f"(axis='assessors') or {n_rows:,} items of {n_columns:,} assessors (axis='items'); pass axis."
        )
    return fits.pop()


def _fits(by_assessor: pd.DataFrame, assessors: Sequence[str] | None, items: Sequence[str] | None) -> bool:
    sizes = zip(by_assessor.shape, (assessors, items), strict=True)
    return all(names is None or len(names) == size for size, names in sizes)


def _has_labels(by_assessor: pd.DataFrame, assessors: Sequence[str] | None, items: Sequence[str] | None) -> bool:
    """Whether all names that are given are labels of their axis."""
    given = [(index, names) for index, names in zip(by_assessor.axes, (assessors, items), strict=True) if names]
    return bool(given) and all(set(names) == set(_labels(index) or ()) for index, names in given)


def _labels(index: pd.Index) -> list[str] | None:
    """The labels as texts; None for the numbers that a table has by default."""
    if isinstance(index, pd.RangeIndex) or (index == pd.RangeIndex(len(index))).all():
        return None
    return [str(label) for label in index]


def _ordered(frame: pd.DataFrame, names: Sequence[str] | None, what: str) -> pd.DataFrame:
    """The rows in the order of the names, if the rows have labels; ValueError if these are others."""
    labels = _labels(frame.index)
    if names is None or labels is None:
        return frame
    if sorted(names) != sorted(labels):
        raise ValueError(f"{what} must be the labels of the table, {', '.join(labels[:5])}, not {', '.join(names)}.")
    return frame.iloc[[labels.index(name) for name in names]]


def _ids(index: pd.Index) -> tuple[Names | None, Names | None]:
    """The topics and the documents of the labels of items; None for default names."""
    if isinstance(index, pd.MultiIndex):
        if index.nlevels != 2:
            raise ValueError(f"Items must have one label, or a topic and a document, not {index.nlevels} labels.")
        topics, docs = ([str(value) for value in index.get_level_values(level)] for level in (0, 1))
        return topics, docs
    return None, _labels(index)
