"""Any number of judges, of whom each item may have others: how often two judgements of one item agree.

Let r_ik be the number of judgements that gave item i the grade k, r_i their sum, and w the weights
(`agreement.weights`).

    P(A) = mean over the items with r_i >= 2 of   sum of w_kl r_ik (r_il - [k = l]) / (r_i (r_i - 1))

Chance (`agreement.coefficients.chance`) is taken from s_k, how often grade k is given. `pi_items` says by which items, for
where each has the same number of judgements it makes no difference:

    ge1      mean of r_ik / r_i over the items with a judgement               K. L. Gwet (2008, 2014)
    ge2      mean of r_ik / r_i over the items with two or more
    pooled   the share of grade k in all judgements, every judgement counting the same

With the pooled model of chance this is J. L. Fleiss (1971), Measuring nominal scale agreement among many raters,
Psychological Bulletin 76(5), 378-382. Everything is exact up to the last division.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from agreement.coefficients.chance import CHANCE, LARGEST
from agreement.ratings import Ratings
from agreement.weights import Weights

PI_ITEMS = ("ge1", "ge2", "pooled")


@dataclass(frozen=True)
class Tally:
    """Items put together by their number of judgements: all that coefficients of many judges rest on.

    Attributes
    ----------
    sizes : tuple of int, shape (n_sizes,)
        Numbers of judgements an item has, from 1, ascending.
    items : tuple of int, shape (n_sizes,)
        How many items have so many.
    marginals : ndarray of int as Python objects, shape (n_sizes, n_grades)
        How often each grade was given to them.
    pairs : ndarray of int as Python objects, shape (n_sizes, n_grades, n_grades)
        How often two different judgements of one item gave two grades, in either order.
    """

    sizes: tuple[int, ...]
    items: tuple[int, ...]
    marginals: np.ndarray
    pairs: np.ndarray

    @property
    def n(self) -> int:
        """Number of items with two or more judgements."""
        return sum(number for size, number in zip(self.sizes, self.items, strict=True) if size > 1)

    @property
    def n_single(self) -> int:
        """Number of items with one judgement."""
        return sum(self.items) - self.n

    def paired(self) -> "Tally":
        """The items with two or more judgements only."""
        return self.only([size > 1 for size in self.sizes])

    def only(self, wanted: list[bool]) -> "Tally":
        """Some of the sizes only."""
        kept = [place for place, want in enumerate(wanted) if want]
        sizes, items = ([values[place] for place in kept] for values in (self.sizes, self.items))
        return Tally(tuple(sizes), tuple(items), self.marginals[kept], self.pairs[kept])


def tally(ratings: Ratings) -> Tally:
    """The tally of the ratings."""
    given = ratings.counts.T
    totals = given.sum(axis=0, dtype=np.min_scalar_type(int(given.max(initial=0)) * len(given)))
    order = np.argsort(totals, kind="stable")
    sizes, starts = np.unique(totals[order], return_index=True)
    kind = np.float64 if float(sizes.max(initial=0)) ** 2 * max(len(order), 1) < LARGEST else object
    given = np.take(given, order, axis=1)  # unlike given[:, order] it keeps rows together
    blocks = [block.astype(kind) for block in np.split(given, starts[1:], axis=1)] if len(sizes) else []
    chosen = [(int(size), block) for size, block in zip(sizes, blocks, strict=True) if size]
    n_grades = len(ratings.scale)
    marginals = [_whole(block @ np.ones(block.shape[1], kind)) for _, block in chosen]  # faster than a sum over columns
    pairs = [_whole(block @ block.T) for _, block in chosen]
    marginals = np.array(marginals, dtype=object).reshape(-1, n_grades)
    pairs = np.array(pairs, dtype=object).reshape(-1, n_grades, n_grades)
    pairs[:, range(n_grades), range(n_grades)] -= marginals
    return Tally(tuple(size for size, _ in chosen), tuple(block.shape[1] for _, block in chosen), marginals, pairs)


def why_undefined(ratings: Ratings, counted: Tally) -> str | None:
    """The reason why judgements cannot be compared with each other, if there is one."""
    if not counted.sizes:
        return "empty"
    if not ratings.anonymous and len(ratings.assessors) < 2:
        return "one_assessor"
    return None if counted.n else "no_overlap"


def observed_agreement_of(counted: Tally, weights: Weights) -> Fraction:
    """P(A) of a tally with an item of two judgements, exactly."""
    agreed = (counted.pairs * weights.integers(object)).sum(axis=(1, 2))
    of_sizes = zip(counted.sizes, agreed, strict=True)
    shares = (Fraction(agreed, size * (size - 1)) for size, agreed in of_sizes if size > 1)
    return sum(shares) / (weights.denominator * counted.n)


def expected_agreement_of(counted: Tally, weights: Weights, chance: str | None, pi_items: str) -> Fraction:
    """P(E) of such a tally, exactly; `chance` as in `agreement.coefficients.chance.terms`."""
    if chance is None:
        return Fraction(0)
    given = shares(counted, pi_items)
    return Fraction(*CHANCE[chance](given, given, given.sum(), weights))


def shares(counted: Tally, pi_items: str) -> np.ndarray:
    """How often each grade is given, as whole numbers in proportion; shape (n_grades,)."""
    if pi_items == "pooled":
        return counted.marginals.sum(axis=0)
    counted = counted.paired() if pi_items == "ge2" else counted
    common = lcm(*counted.sizes)
    factors = np.array([common // size for size in counted.sizes], dtype=object)
    return (counted.marginals * factors[:, None]).sum(axis=0)


def _whole(values: np.ndarray) -> np.ndarray:
    return values if values.dtype == object else values.astype(np.int64).astype(object)
