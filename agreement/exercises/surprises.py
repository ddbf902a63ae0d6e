"""What each paradox claims, among which tables it is sought, and the sentence that tells it.

Tables are given by four numbers, as in `agreement.relevance.two_by_two`: the documents that both judges, only judge 1, only judge
2, and neither of them found relevant. Candidates are boxes of such numbers, walked through in an order drawn by
chance that leaves nothing out (`walk`), so that what is not found is not there.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, prod

import numpy as np

from agreement.coefficients.pairs import observed_agreement
from agreement.exercises.tables import KINDS, Table, expected, kappa, marginals, summed
from agreement.exercises.words import shown

HIGH_AGREEMENT, LOW_KAPPA = Fraction(85, 100), Fraction(4, 10)
SAME_AGREEMENT, DIFFERENT = Fraction(7, 10), Fraction(3, 10)
FAR_APART = Fraction(2, 10)
POOLED_TO = Fraction(1, 2)

Tables = tuple[Table, ...]


def high_and_low(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """One table each with few disagreements and few relevant documents."""
    few = n * 15 // 100
    for apart, both, first in walk([range(1, few + 1), range(1, few + 1), range(few + 1)], rng):
        yield from _tables((both, first, apart - first, n - both - apart))


def is_high_and_low(tables: Tables) -> bool:
    """P(A) of at least 0.85, and both kappas from 0 to 0.4."""
    (table,) = tables
    return observed_agreement(table) >= HIGH_AGREEMENT and all(0 <= kappa(table, kind) <= LOW_KAPPA for kind in KINDS)


def tell_high_and_low(tables: Tables) -> str:
    """The figures of high agreement and low kappa in words."""
    (table,) = tables
    (_, first), (_, second) = marginals(table)
    unpooled, pooled = (_chance(table, kind) for kind in KINDS)
    commoner = max(_prevalence(table), 1 - _prevalence(table))
    return (
        f"The judges agree on {_agreed(table)} of {_n(table)} documents, P(A) = {shown(observed_agreement(table))}, "
        f"and yet {_kappas(table)}: judge 1 finds {first} relevant and judge 2 {second}, and where "
        f"{shown(commoner)} of the judgements are one grade, chance alone agrees often, P(E) = {unpooled} unpooled and "
        f"{pooled} pooled."
    )


def same_and_different(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Two tables each with the same number of disagreements, the second with few relevant documents."""
    few = n * 3 // 10
    box = [range(1, few + 1), range(1, n), range(few + 1), range(1, few + 1), range(few + 1)]
    for apart, many, first, rare, other in walk(box, rng):
        yield from _tables(
            (many, first, apart - first, n - many - apart), (rare, other, apart - other, n - rare - apart)
        )


def is_same_and_different(tables: Tables) -> bool:
    """One P(A) of at least 0.7, and kappas from 0, both at least 0.3 lower in the second table."""
    one, other = tables
    if observed_agreement(one) != observed_agreement(other) or observed_agreement(one) < SAME_AGREEMENT:
        return False
    return all(0 <= kappa(other, kind) <= kappa(one, kind) - DIFFERENT for kind in KINDS)


def tell_same_and_different(tables: Tables) -> str:
    """The figures of same agreement and different kappa in words."""
    one, other = tables
    return (
        f"In both tables the judges agree on {_agreed(one)} of {_n(one)} documents, P(A) = "
        f"{shown(observed_agreement(one))}, and yet in the first {_kappas(one)}, and in the second {_kappas(other)}: "
        f"{shown(_prevalence(one))} of the judgements are relevant in the first and {shown(_prevalence(other))} in the "
        f"second, so that P(E) unpooled is {_chance(one, 'unpooled')} and {_chance(other, 'unpooled')}."
    )


def far_apart(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """One table each in which one judge finds much that the other does not, and hardly the other way."""
    box = [range(1, n), range(n // 2, n), range(n // 10 + 1), range(2)]
    for both, many, few, swapped in walk(box, rng):
        first, second = (few, many) if swapped else (many, few)
        yield from _tables((both, first, second, n - both - many - few))


def is_far_apart(tables: Tables) -> bool:
    """Pooled kappa below 0, unpooled above, at least 0.2 apart."""
    (table,) = tables
    unpooled, pooled = (kappa(table, kind) for kind in KINDS)
    return pooled < 0 < unpooled and unpooled - pooled >= FAR_APART


def tell_far_apart(tables: Tables) -> str:
    """The figures of pooled and unpooled kappa far apart in words."""
    (table,) = tables
    (_, first), (_, second) = marginals(table)
    return (
        f"The judges agree on {_agreed(table)} of {_n(table)} documents; pooled kappa is {_kappa(table, 'pooled')}, "
        f"below chance, and unpooled kappa {_kappa(table, 'unpooled')}, above it: judge 1 finds {first} relevant and "
        f"judge 2 {second}. Pooled kappa has one share of relevant documents for both, so that different habits count "
        "as disagreement; unpooled kappa takes each judge's habit as given."
    )


def topics_that_pool(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Two tables each: a topic where no document is not relevant to both, and one where none is relevant to both."""
    few = range(1, n // 8 + 1)
    for size, *apart in walk([range(n * 2 // 5, n - n * 2 // 5 + 1), few, few, few, few], rng):
        first, second, third, fourth = apart
        yield from _tables((size - first - second, first, second, 0), (0, third, fourth, n - size - third - fourth))


def is_topics_that_pool(tables: Tables) -> bool:
    """Both kappas below 0 in every table, and at least 0.5 in one table over all."""
    below = all(kappa(table, kind) < 0 for table in tables for kind in KINDS)
    return below and all(kappa(summed(tables), kind) >= POOLED_TO for kind in KINDS)


def tell_topics_that_pool(tables: Tables) -> str:
    """The figures of topics that pool to agreement in words."""
    one, other = tables
    return (
        f"In topic 1 ({_n(one)} documents) {_kappas(one)}, in topic 2 ({_n(other)} documents) {_kappas(other)}: within "
        f"each topic the judges agree less than by chance. In one table over both topics {_kappas(summed(tables))}: "
        f"{shown(_prevalence(one))} of the judgements are relevant in topic 1 and {shown(_prevalence(other))} in topic "
        "2, and that difference between the topics is what the judges agree on."
    )


def walk(box: Sequence[range], rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Every point of a box once, in an order drawn by chance, without listing them.

    A stride that has no divisor in common with the number of points comes back to the start only after all of them.
    """
    points = prod(map(len, box))
    if not points:
        return
    place, stride = _below(points, rng), _below(points, rng)
    while gcd(stride, points) > 1:
        stride = _below(points, rng)
    for _ in range(points):
        rest, point = place, []
        for side in box:
            rest, position = divmod(rest, len(side))
            point.append(side[position])
        yield tuple(point)
        place = (place + stride) % points


def _below(most: int, rng: np.random.Generator) -> int:
    """A number from 0 to below `most`, which may be larger than an integer of the machine."""
    return int(rng.random() * 2**53) * most >> 53


def _tables(*numbers: tuple[int, int, int, int]) -> Iterator[Tables]:
    """The tables of such numbers, if none of them is below 0 and each judge uses both grades in each."""
    tables = tuple(((neither, second), (first, both)) for both, first, second, neither in numbers)
    if min(map(min, numbers)) >= 0 and all(min(min(side) for side in marginals(table)) > 0 for table in tables):
        yield tables


def _kappas(table: Table) -> str:
    return f"kappa is {_kappa(table, 'unpooled')} unpooled and {_kappa(table, 'pooled')} pooled"


def _kappa(table: Table, kind: str) -> str:
    return shown(kappa(table, kind))


def _chance(table: Table, kind: str) -> str:
    return shown(expected(*marginals(table), kind))


def _prevalence(table: Table) -> Fraction:
    rows, columns = marginals(table)
    return Fraction(rows[1] + columns[1], 2 * _n(table))


def _agreed(table: Table) -> int:
    return table[0][0] + table[1][1]


def _n(table: Table) -> int:
    return sum(map(sum, table))
