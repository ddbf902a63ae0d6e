"""Sums of squares of judges x items without missing cells, for intraclass correlation and generalisability.

The grades count as numbers, and must be numbers. Only items that all judges judged are used; judges without any
judgement are left out. All sums are exact, so that a sum of squares of zero is recognised.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.judgements import Scale
from agreement.ratings import MISSING, Ratings

Whole = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Crossed:
    """The items that all judges judged.

    Attributes
    ----------
    values : ndarray of int as Python objects, shape (n_judges, n_items)
        The grades times `unit`, so that they are whole numbers.
    unit : int
        The factor.
    topic : ndarray of int, shape (n_items,)
        The position of each item's topic among the topics that are left, ascending.
    reason : str or None
        Why there is no item or no second judge; a key of `agreement.estimate.REASONS`.
    fields : dict
        Fields of an `Estimate`: n, n_values, n_dropped, assessors, topics.
    """

    values: Whole
    unit: int
    topic: npt.NDArray[np.intp]
    reason: str | None
    fields: dict[str, Any]

    @property
    def n_judges(self) -> int:
        """Number of judges with judgements."""
        return len(self.values)

    @property
    def n(self) -> int:
        """Number of items that all judges judged."""
        return int(self.values.shape[1])

    def mean_square(self, sum_of_squares: Fraction, df: int) -> Fraction:
        """The mean square in the unit of the grades."""
        return sum_of_squares / df / self.unit**2


@dataclass(frozen=True)
class Squares:
    """Sums of squares of judges x items, in the unit of `Crossed.values`.

    Attributes
    ----------
    items, judges, residual : Fraction
        Between items, between judges, and what both leave.
    """

    items: Fraction
    judges: Fraction
    residual: Fraction


def crossed(ratings: Ratings, function: str) -> Crossed:
    """The items that all judges judged; ValueError if the grades are not numbers.

    The caller names its `function` for the error.
    """
    numbers, unit = _whole_numbers(ratings.scale, function)
    judging = ratings.codes[(ratings.codes != MISSING).any(axis=1)]
    complete = (judging != MISSING).all(axis=0) if len(judging) else np.zeros(ratings.n_items, dtype=bool)
    used = ratings.counts.sum(axis=1) > 0
    n = int(complete.sum())
    topics = ratings.topic_codes[0][complete]
    fields = {
        "n": n,
        "n_values": n * len(judging),
        "n_dropped": int((used & ~complete).sum()),
        "assessors": tuple(name for name in ratings.assessors if name not in ratings.idle),
        "topics": ratings.topics_of(complete),
    }
    reason = _reason(ratings, len(judging), n)
    return Crossed(numbers[judging[:, complete]], unit, np.unique(topics, return_inverse=True)[1], reason, fields)


def two_way(data: Crossed) -> Squares:
    """Sums of squares of judges x items."""
    values, n, k = data.values, data.n, data.n_judges
    correction = Fraction(int(values.sum()) ** 2, n * k)
    items = Fraction(_squared(values.sum(axis=0)), k) - correction
    judges = Fraction(_squared(values.sum(axis=1)), n) - correction
    return Squares(items, judges, _squared(values) - correction - items - judges)


def _squared(values: Whole) -> int:
    return int((values**2).sum())


def _reason(ratings: Ratings, n_judges: int, n: int) -> str | None:
    if ratings.anonymous:
        return "no_identities"
    if n_judges < 2:
        return "one_assessor" if n_judges else "empty"
    return None if n else "no_overlap"


def _whole_numbers(scale: Scale, function: str) -> tuple[Whole, int]:
    """The grades times the smallest factor that makes all of them whole, and the factor."""
    if not all(isinstance(grade, Real) for grade in scale):
        raise ValueError(f"{function} needs numbers as grades, not {', '.join(map(str, scale))}.")
    exact = [Fraction(str(grade)) for grade in scale]  # from the text of a grade, so that 0.1 is exactly a tenth
    unit = lcm(*(grade.denominator for grade in exact))
    return np.array([int(grade * unit) for grade in exact], dtype=object), unit
