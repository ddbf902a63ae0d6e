"""Two judges: their table of counts, and the tables of all pairs of judges at once.

A table has a row for each grade of the first judge and a column for each grade of the second, in the order of the
scale. It counts the items that both judged, and no others: also the totals of its rows and columns are of these.
"""

from dataclasses import dataclass
from itertools import combinations
from numbers import Integral

import numpy as np

from agreement.ratings import MISSING, Ratings

BLOCK = 2048  # items whose one-hot codes stay in the cache; float32 counts them exactly
FEW_GRADES = 8  # up to here one product of matrices is faster than a count for each pair

Counts = list[list[int]]


@dataclass(frozen=True)
class Pair:
    """The table of two judges, or the reason why there is none.

    Attributes
    ----------
    table : ndarray of int as Python objects, shape (n_grades, n_grades)
    scale : tuple
        The grades; their positions where only a table is known.
    reason : str or None
        A key of `agreement.estimate.REASONS`.
    fields : dict
        What an `Estimate` says about the pair: n, n_values, n_dropped, assessors, topics.
    ratings : Ratings or None
        Where the table comes from; None where it was given.
    """

    table: np.ndarray
    scale: tuple
    reason: str | None
    fields: dict
    ratings: Ratings | None = None


def pair_of(data, a: str | None = None, b: str | None = None) -> Pair:
    """The pair meant: a table, or two assessors of Ratings, who may be left out where there are only two.

    Raises
    ------
    ValueError
        The table is no square of counts, or the assessors are not named unambiguously.
    """
    if not isinstance(data, Ratings):
        table = np.array(counts_of(data), dtype=object)
        n = int(table.sum())
        return Pair(table, tuple(range(len(table))), None if n else "no_overlap", {"n": n, "n_values": 2 * n})
    if data.anonymous:
        return Pair(_nothing(data), data.scale, "no_identities", {"n": 0, "n_dropped": data.n_items})
    a, b = _two_of(data, a, b)
    if a is None:
        reason = "one_assessor" if data.n_judgements else "empty"
        fields = {"n": 0, "n_dropped": data.n_judgements, "assessors": data.assessors}
        return Pair(_nothing(data), data.scale, reason, fields)
    return _pair(data, a, b)


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


def _nothing(ratings: Ratings) -> np.ndarray:
    return np.zeros((len(ratings.scale),) * 2, dtype=object)


def _two_of(ratings: Ratings, a: str | None, b: str | None) -> tuple[str | None, str | None]:
    """The two assessors meant; (None, None) where there are not two."""
    if a is not None and b is not None:
        return a, b
    if a is None and b is None and len(ratings.assessors) == 2:
        return ratings.assessors
    if a is None and b is None and len(ratings.assessors) < 2:
        return None, None
    raise ValueError(f"name two of the assessors: {', '.join(ratings.assessors)}")


def counts_of(table) -> Counts:
    """A square table of counts as Python integers, which never overflow; ValueError where it is none."""
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise ValueError(f"a table has as many rows as columns, one per grade; got the shape {cells.shape}")
    rows = cells.tolist()
    if not all(isinstance(cell, Integral) and cell >= 0 for row in rows for cell in row):
        raise ValueError(f"a table holds counts, whole numbers from 0; got {rows}")
    return rows


def all_tables(ratings: Ratings) -> np.ndarray:
    """The tables of all pairs of assessors, in the order of `itertools.combinations`.

    Returns
    -------
    ndarray of int64, shape (n_pairs, n_grades, n_grades)
    """
    size, n_judges = len(ratings.scale), len(ratings.codes)
    if n_judges < 2 or size > FEW_GRADES:
        pairs = [ratings.table(a, b) for a, b in combinations(ratings.assessors, 2)]
        return np.array(pairs, dtype=np.int64).reshape(-1, size, size)
    first, second = np.triu_indices(n_judges, 1)
    return _products(ratings.narrow(), size)[first, :, second, :]


def _products(codes: np.ndarray, size: int) -> np.ndarray:
    """Tables of each judge with each, shape (n_judges, n_grades, n_judges, n_grades): products of one-hot codes."""
    n_judges, n_items = codes.shape
    grades = np.arange(size, dtype=codes.dtype)[:, None]
    counted = np.zeros((n_judges * size,) * 2, np.float64)
    for start in range(0, n_items, BLOCK):
        said = codes[:, None, start : start + BLOCK] == grades
        said = said.reshape(n_judges * size, -1).astype(np.float32)
        counted += said @ said.T
    return counted.astype(np.int64).reshape(n_judges, size, n_judges, size)
