"""The table of two judges, and the tables of all pairs of judges at once.

A table has a row for each grade of the first judge and a column for each grade of the second, in the order of the
scale. It counts only the items that both judged, also in the totals of its rows and columns.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from numbers import Integral
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.formulas import terms
from agreement.judgements import Grade, Scale
from agreement.ratings import MISSING, Codes, Ratings, check_ratings, not_judged
from agreement.weights import IDENTITY, weights_of

BLOCK = 2048  # items whose one-hot codes stay in the cache; float32 counts them exactly
FEW_GRADES = 8  # up to here one matrix product is faster than a count for each pair
FEW_ITEMS = 8192  # up to here counting is as fast, and does not keep the threads of matrix products waiting

Counts = list[list[int]]
Data = Ratings | npt.ArrayLike  # of the coefficients of two judges
Judge = str | Sequence[Grade | None] | npt.NDArray[Any] | None  # a name, or the labels of the second judge


@dataclass(frozen=True)
class Pair:
    """The table of two judges, or the reason why there is none.

    Attributes
    ----------
    table : ndarray of int as Python objects, shape (n_grades, n_grades)
        Counts of the items that both judged.
    scale : tuple
        The grades; their positions if only a table is known.
    reason : str or None
        A key of `agreement.estimate.REASONS` if there is no item to compare.
    fields : dict
        Fields of an `Estimate` of the pair: n, n_values, n_dropped, assessors, topics.
    ratings : Ratings or None
        The ratings of the table; None if the caller passed a table.
    """

    table: npt.NDArray[np.object_]
    scale: Scale
    reason: str | None
    fields: dict[str, Any]
    ratings: Ratings | None = None


def check_data(value: Any, function: str) -> None:
    """TypeError if a value is a table of judgements; Ratings, tables of counts and labels pass."""
    columns = getattr(value, "columns", getattr(value, "column_names", ()))
    if "relevance" in list(columns):
        check_ratings(value, function)


def ratings_of_labels(first: Data, second: Sequence[Grade | None] | npt.NDArray[Any], *, needs_scale: bool) -> Ratings:
    """Ratings of two judges from one label for each item, as in scikit-learn.

    Shapes: `first`, `second` (n_items,).
    """
    if isinstance(first, Ratings):
        raise ValueError(f"Name two assessors of the ratings, not {second!r}.")
    if isinstance(first, pd.Series) and isinstance(second, pd.Series) and not first.index.equals(second.index):
        raise ValueError(
            "Both judges must label the same items in the same order, but the indexes of the two Series differ. "
            "Align them first, such as with first.align(second)."
        )
    rows = [pd.Series(cast("Sequence[Any]", labels), dtype=object).tolist() for labels in (first, second)]
    if needs_scale:
        raise ValueError(
            "The result depends on the scale, and two lists of labels do not declare one. "
            "Pass Ratings.from_matrix([first, second], scale=..., axis='assessors'), lowest grade first."
        )
    if len(rows[0]) != len(rows[1]):
        raise ValueError(f"Both judges must have a label for each item, not {len(rows[0])} and {len(rows[1])} labels.")
    labels = pd.Series(rows[0] + rows[1], dtype=object)
    used = labels[~not_judged(labels)].unique().tolist()
    unused = [grade for grade in (0, 1) if grade not in used][: max(0, 2 - len(used))]  # a scale has two or more
    return Ratings.from_matrix(
        rows, sorted(used + unused, key=lambda label: (isinstance(label, str), label)), axis="assessors"
    )


def pair_of(data: Data, a: str | None = None, b: str | None = None) -> Pair:
    """The pair of a table, or of two assessors of ratings.

    Shapes: `data` (n_grades, n_grades).
    """
    if not isinstance(data, Ratings):
        table = np.array(counts_of(data), dtype=object)
        n = int(table.sum())
        return Pair(table, tuple(range(len(table))), None if n else "no_overlap", {"n": n, "n_values": 2 * n})
    if data.anonymous:
        return Pair(_zeros(data), data.scale, "no_identities", {"n": 0, "n_dropped": data.n_items})
    names = _two_of(data, a, b)
    if names is None:
        reason = "one_assessor" if data.n_judgements else "empty"
        fields = {"n": 0, "n_dropped": data.n_judgements, "assessors": data.assessors}
        return Pair(_zeros(data), data.scale, reason, fields)
    return _pair(data, *names)


def _pair(ratings: Ratings, a: str, b: str) -> Pair:
    crossed = ratings.crossed(a, b)
    table = crossed[1:, 1:].astype(object)
    n = int(table.sum())
    fields = {
        "n": n,
        "n_values": 2 * n,
        "n_dropped": int(crossed[0, 1:].sum() + crossed[1:, 0].sum()),
        "assessors": (a, b),
        "topics": ratings.topics_of((ratings.row(a) != MISSING) & (ratings.row(b) != MISSING)),
    }
    reason = None if n else "no_overlap" if ratings.n_judgements else "empty"
    return Pair(table, ratings.scale, reason, fields, ratings)


def _zeros(ratings: Ratings) -> npt.NDArray[np.object_]:
    return np.zeros((len(ratings.scale),) * 2, dtype=object)


def _two_of(ratings: Ratings, a: str | None, b: str | None) -> tuple[str, str] | None:
    """The two assessors to compare; None if there are fewer than two."""
    if a is not None and b is not None:
        return a, b
    if a is None and b is None and len(ratings.assessors) == 2:
        return ratings.assessors[0], ratings.assessors[1]
    if a is None and b is None and len(ratings.assessors) < 2:
        return None
    raise ValueError(f"Name two of the assessors {', '.join(ratings.assessors)}.")


def counts_of(table: npt.ArrayLike) -> Counts:
    """A table as rows of Python integers, which never overflow; ValueError if it is not a square of counts."""
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise ValueError(f"A table must have one row and one column for each grade, not the shape {cells.shape}.")
    rows: list[list[Any]] = cells.tolist()
    if not all(_is_count(cell) for row in rows for cell in row):
        raise ValueError(f"A table must contain counts, whole numbers from 0, not {rows}.")
    return rows


def _is_count(cell: Any) -> bool:
    return isinstance(cell, Integral) and int(cell) >= 0


def total(counts: Counts) -> int:
    """The number of items in a table."""
    return sum(map(sum, counts))


def observed_agreement(counts: Counts) -> Fraction:
    """P(A) of a table that is not all zeros, exactly."""
    observed, _, denominator = terms(np.array(counts, dtype=object), weights_of(IDENTITY, len(counts)), None)
    return Fraction(observed, denominator)


def expected_agreement(counts: Counts, chance: str) -> Fraction:
    """P(E) of a table that is not all zeros, exactly; `chance` is "pooled", "unpooled", "uniform" or "gwet"."""
    _, expected, denominator = terms(np.array(counts, dtype=object), weights_of(IDENTITY, len(counts)), chance)
    return Fraction(expected, denominator)


def all_tables(ratings: Ratings) -> npt.NDArray[np.int64]:
    """The tables of all pairs of assessors, in the order of `itertools.combinations`.

    Shapes: the result (n_pairs, n_grades, n_grades).
    """
    size, n_judges = len(ratings.scale), len(ratings.codes)
    if n_judges < 2 or size > FEW_GRADES:
        pairs = [ratings.table(a, b) for a, b in combinations(ratings.assessors, 2)]
        return np.array(pairs, dtype=np.int64).reshape(-1, size, size)
    if ratings.n_items <= FEW_ITEMS:
        one_topic = np.zeros(ratings.n_items, np.intp)
        return np.concatenate([tables[0] for tables in _counted(ratings.codes, size, one_topic, 1)])
    first, second = np.triu_indices(n_judges, 1)
    return np.asarray(_products(ratings.narrow(), size)[first, :, second, :])


def tables_by_topic(ratings: Ratings) -> Iterator[npt.NDArray[np.int64]]:
    """The tables of all pairs of assessors in each topic, one first assessor after the other."""
    topic, topics = ratings.topic_codes
    return _counted(ratings.codes, len(ratings.scale), topic, len(topics))


def _counted(codes: Codes, size: int, topic: npt.NDArray[np.intp], n_topics: int) -> Iterator[npt.NDArray[np.int64]]:
    """Tables by counting: for each judge except the last, shape (n_topics, n_later_judges, n_grades, n_grades)."""
    size, codes = size + 1, codes.astype(np.intp) + 1  # 0 is "not judged"
    n_cells = n_topics * size * size
    for judge in range(len(codes) - 1):
        later = codes[judge + 1 :]
        cells = later + (topic * size + codes[judge]) * size
        cells += n_cells * np.arange(len(later))[:, None]
        counts = np.bincount(cells.ravel(), minlength=len(later) * n_cells)
        yield counts.reshape(len(later), n_topics, size, size)[:, :, 1:, 1:].swapaxes(0, 1)


def _products(codes: Codes, size: int) -> npt.NDArray[np.int64]:
    """Tables of each judge with each, shape (n_judges, n_grades, n_judges, n_grades): products of one-hot codes."""
    n_judges, n_items = codes.shape
    grades = np.arange(size, dtype=codes.dtype)[:, None]
    counted = np.zeros((n_judges * size,) * 2, np.float64)
    for start in range(0, n_items, BLOCK):
        one_hot = (codes[:, None, start : start + BLOCK] == grades).reshape(n_judges * size, -1).astype(np.float32)
        counted += one_hot @ one_hot.T
    return counted.astype(np.int64).reshape(n_judges, size, n_judges, size)
