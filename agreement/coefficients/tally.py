"""Any number of judges, possibly different ones for each item: how often two judgements of one item agree.

Let r_ik be the number of judgements of item i with grade k, r_i their sum, and w the weights (`agreement.weights`).

    P(A) = mean over the items with r_i >= 2 of   sum of w_kl r_ik (r_il - [k = l]) / (r_i (r_i - 1))

Chance (`agreement.coefficients.formulas`) is computed from s_k, the share of grade k. `pi_items` selects the items for
it, which makes no difference if all items have the same number of judgements:

    ge2      mean of r_ik / r_i over the items with two or more, those of P(A); the default
    ge1      mean of r_ik / r_i over the items with a judgement               K. L. Gwet (2008, 2014), irrCAC
    pooled   the share of grade k in all judgements, where each judgement counts equally

With "ge1" and "pooled", P(E) describes other items than P(A) if some items have one judgement. A judge who judges many
documents that nobody else judges, such as a model, then decides P(E), and kappa can be far below -1.

With the pooled model of chance this is J. L. Fleiss (1971), Measuring nominal scale agreement among many raters,
Psychological Bulletin 76(5), 378-382. All numbers are exact up to the last division.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coefficients.formulas import CHANCE, LARGEST
from agreement.ratings import Ratings
from agreement.weights import Weights

PI_ITEMS = {  # the items from which the shares of the grades are computed, in words
    "ge2": "grade shares of items with two or more judgements",
    "ge1": "grade shares of items with a judgement",
    "pooled": "grade shares of all judgements",
}

Exact = npt.NDArray[np.object_]  # Python integers, which never overflow


@dataclass(frozen=True)
class Tally:
    """Items grouped by their number of judgements, the basis of the coefficients of many judges.

    Attributes
    ----------
    sizes : tuple of int, shape (n_sizes,)
        The numbers of judgements that items have, from 1, ascending.
    items : tuple of int, shape (n_sizes,)
        The number of items with each of these numbers of judgements.
    marginals : ndarray of int as Python objects, shape (n_sizes, n_grades)
        How often each grade was given to these items.
    pairs : ndarray of int as Python objects, shape (n_sizes, n_grades, n_grades)
        How often two different judgements of one item have two grades, in either order.
    """

    sizes: tuple[int, ...]
    items: tuple[int, ...]
    marginals: Exact
    pairs: Exact

    @property
    def n(self) -> int:
        """Number of items with two or more judgements."""
        return sum(number for size, number in zip(self.sizes, self.items, strict=True) if size > 1)

    @property
    def n_single(self) -> int:
        """Number of items with one judgement."""
        return sum(self.items) - self.n

    @property
    def two_judgements(self) -> bool:
        """Whether each item has at most two judgements."""
        return max(self.sizes, default=0) <= 2

    def table_of_two(self) -> npt.NDArray[np.float64] | None:
        """How often the two judgements of an item have two grades, half in each order; None unless all have two.

        Shape (n_grades, n_grades); the sum is the number of items.
        """
        return np.asarray(self.pairs[0] / 2, np.float64) if self.sizes == (2,) else None

    def paired(self) -> "Tally":
        """The tally of the items with two or more judgements."""
        return self.only([size > 1 for size in self.sizes])

    def only(self, wanted: Sequence[bool]) -> "Tally":
        """The tally of the sizes for which the mask is True."""
        kept = [index for index, want in enumerate(wanted) if want]
        sizes, items = (tuple(values[index] for index in kept) for values in (self.sizes, self.items))
        return Tally(sizes, items, self.marginals[kept], self.pairs[kept])


def tally(ratings: Ratings) -> Tally:
    """The tally of ratings."""
    counts = ratings.counts.T
    totals = counts.sum(axis=0, dtype=np.min_scalar_type(int(counts.max(initial=0)) * len(counts)))
    order = np.argsort(totals, kind="stable")
    sizes, starts = np.unique(totals[order], return_index=True)
    exact = float(sizes.max(initial=0)) ** 2 * max(len(order), 1) < LARGEST
    dtype = np.dtype(np.float64 if exact else object)
    counts = np.take(counts, order, axis=1)  # unlike counts[:, order] it keeps rows together
    blocks = [block.astype(dtype) for block in np.split(counts, starts[1:], axis=1)] if len(sizes) else []
    chosen = [(int(size), block) for size, block in zip(sizes, blocks, strict=True) if size]
    n_grades = len(ratings.scale)
    # The product with ones is faster than a sum over columns.
    rows = [_whole(block @ np.ones(block.shape[1], dtype)) for _, block in chosen]
    marginals = np.array(rows, dtype=object).reshape(-1, n_grades)
    products = [_whole(block @ block.T) for _, block in chosen]
    pairs = np.array(products, dtype=object).reshape(-1, n_grades, n_grades)
    pairs[:, range(n_grades), range(n_grades)] -= marginals
    return Tally(tuple(size for size, _ in chosen), tuple(block.shape[1] for _, block in chosen), marginals, pairs)


def why_undefined(ratings: Ratings, counted: Tally) -> str | None:
    """The reason why no two judgements can be compared; None if some can."""
    if not counted.sizes:
        return "empty"
    if not ratings.anonymous and len(ratings.assessors) < 2:
        return "one_assessor"
    return None if counted.n else "no_overlap"


def observed_agreement_of(counted: Tally, weights: Weights) -> Fraction:
    """P(A) of a tally with at least one item of two judgements, exactly."""
    agreed = (counted.pairs * weights.integers(object)).sum(axis=(1, 2))
    sizes = zip(counted.sizes, agreed, strict=True)
    total = sum((Fraction(agreed, size * (size - 1)) for size, agreed in sizes if size > 1), Fraction(0))
    return total / (weights.denominator * counted.n)


def expected_agreement_of(counted: Tally, weights: Weights, chance: str | None, pi_items: str) -> Fraction:
    """P(E) of a tally with at least one item of two judgements, exactly; 0 for the model of chance None."""
    if chance is None:
        return Fraction(0)
    uses = shares(counted, pi_items)
    return Fraction(*CHANCE[chance](uses, uses, uses.sum(), weights))


def shares(counted: Tally, pi_items: str) -> Exact:
    """Whole numbers in proportion to the shares of the grades, shape (n_grades,)."""
    if pi_items == "pooled":
        return np.asarray(counted.marginals.sum(axis=0))
    counted = counted.paired() if pi_items == "ge2" else counted
    common = lcm(*counted.sizes)
    factors = np.array([common // size for size in counted.sizes], dtype=object)
    return np.asarray((counted.marginals * factors[:, None]).sum(axis=0))


def _whole(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values if values.dtype == object else values.astype(np.int64).astype(object)
