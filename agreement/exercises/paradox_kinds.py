"""The four kinds of paradox: the condition of each, its candidate tables, and the sentence that describes it.

A table is written as four counts: the documents that both judges, only judge 1, only judge 2, and neither of them
found relevant. The candidates of a kind are the points of a box of such counts. They are visited in a random order
that includes every point once (`random_walk`), so a search that ends without a result proves that there is none.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, prod

import numpy as np

from agreement.exercises.formatting import format_fraction
from agreement.exercises.tables import (
    KINDS,
    Table,
    expected_agreement,
    marginals,
    observed_agreement,
    sum_tables,
    table_kappa,
)

MIN_HIGH_AGREEMENT, MAX_LOW_KAPPA = Fraction(85, 100), Fraction(4, 10)
MIN_SAME_AGREEMENT, MIN_KAPPA_DIFFERENCE = Fraction(7, 10), Fraction(3, 10)
MIN_KIND_DIFFERENCE = Fraction(2, 10)
MIN_COMBINED_KAPPA = Fraction(1, 2)

Tables = tuple[Table, ...]


def high_and_low_candidates(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Yield single tables with few disagreements and few relevant documents."""
    few = n * 15 // 100
    for apart, both, first in random_walk([range(1, few + 1), range(1, few + 1), range(few + 1)], rng):
        yield from _tables((both, first, apart - first, n - both - apart))


def is_high_and_low(tables: Tables) -> bool:
    """Return whether P(A) is at least 0.85 and both kappas are from 0 to 0.4."""
    (table,) = tables
    return observed_agreement(table) >= MIN_HIGH_AGREEMENT and all(
        0 <= _exact_kappa(table, kind) <= MAX_LOW_KAPPA for kind in KINDS
    )


def describe_high_and_low(tables: Tables) -> str:
    """Describe high agreement with a low kappa."""
    (table,) = tables
    (_, first), (_, second) = marginals(table)
    unpooled, pooled = (_chance(table, kind) for kind in KINDS)
    most_frequent = max(_prevalence(table), 1 - _prevalence(table))
    return (
        f"The judges agree on {_agreed(table)} of {_n(table)} documents, P(A) = "
        f"{format_fraction(observed_agreement(table))}, but {_kappas(table)}. Judge 1 finds {first} documents relevant "
        f"and judge 2 finds {second}. {format_fraction(most_frequent)} of the judgements have the same grade, so the "
        f"judges would often agree by chance: P(E) is {unpooled} unpooled and {pooled} pooled."
    )


def same_and_different_candidates(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Yield pairs of tables with equally many disagreements, the second with few relevant documents."""
    few = n * 3 // 10
    box = [range(1, few + 1), range(1, n), range(few + 1), range(1, few + 1), range(few + 1)]
    for apart, many, first, rare, other in random_walk(box, rng):
        yield from _tables(
            (many, first, apart - first, n - many - apart), (rare, other, apart - other, n - rare - apart)
        )


def is_same_and_different(tables: Tables) -> bool:
    """Return whether P(A) is the same and at least 0.7, and both kappas are at least 0.3 lower in the second table,
    but not below 0.
    """
    one, other = tables
    if observed_agreement(one) != observed_agreement(other) or observed_agreement(one) < MIN_SAME_AGREEMENT:
        return False
    return all(0 <= _exact_kappa(other, kind) <= _exact_kappa(one, kind) - MIN_KAPPA_DIFFERENCE for kind in KINDS)


def describe_same_and_different(tables: Tables) -> str:
    """Describe the same agreement with different kappas."""
    one, other = tables
    return (
        f"In both tables the judges agree on {_agreed(one)} of {_n(one)} documents, P(A) = "
        f"{format_fraction(observed_agreement(one))}. But in the first {_kappas(one)}, and in the second "
        f"{_kappas(other)}. The share of relevant judgements is {format_fraction(_prevalence(one))} in the first and "
        f"{format_fraction(_prevalence(other))} in the second, so unpooled P(E) is {_chance(one, 'unpooled')} and "
        f"{_chance(other, 'unpooled')}."
    )


def far_apart_candidates(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Yield single tables in which one judge finds relevant almost all that the other does, and much more."""
    box = [range(1, n), range(n // 2, n), range(n // 10 + 1), range(2)]
    for both, many, few, swapped in random_walk(box, rng):
        first, second = (few, many) if swapped else (many, few)
        yield from _tables((both, first, second, n - both - many - few))


def is_far_apart(tables: Tables) -> bool:
    """Return whether pooled kappa is below 0, unpooled kappa above 0, and their difference at least 0.2."""
    (table,) = tables
    unpooled, pooled = (_exact_kappa(table, kind) for kind in KINDS)
    return pooled < 0 < unpooled and unpooled - pooled >= MIN_KIND_DIFFERENCE


def describe_far_apart(tables: Tables) -> str:
    """Describe pooled and unpooled kappa that are far apart."""
    (table,) = tables
    (_, first), (_, second) = marginals(table)
    return (
        f"The judges agree on {_agreed(table)} of {_n(table)} documents. Pooled kappa is {_kappa(table, 'pooled')}, "
        f"less than chance, and unpooled kappa is {_kappa(table, 'unpooled')}, more than chance. Judge 1 finds {first} "
        f"documents relevant and judge 2 finds {second}. Pooled kappa uses one share of relevant documents for both "
        "judges, so different shares count as disagreement. Unpooled kappa uses each judge's own share."
    )


def topics_that_pool_candidates(n: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Yield pairs of topics: in the first no document is nonrelevant for both judges, in the second none is relevant
    for both.
    """
    few = range(1, n // 8 + 1)
    for size, *apart in random_walk([range(n * 2 // 5, n - n * 2 // 5 + 1), few, few, few, few], rng):
        first, second, third, fourth = apart
        yield from _tables((size - first - second, first, second, 0), (0, third, fourth, n - size - third - fourth))


def is_topics_that_pool(tables: Tables) -> bool:
    """Return whether both kappas are below 0 in every table, and at least 0.5 in one table over all documents."""
    below = all(_exact_kappa(table, kind) < 0 for table in tables for kind in KINDS)
    return below and all(_exact_kappa(sum_tables(tables), kind) >= MIN_COMBINED_KAPPA for kind in KINDS)


def describe_topics_that_pool(tables: Tables) -> str:
    """Describe two topics that pool to agreement."""
    one, other = tables
    return (
        f"In topic 1 ({_n(one)} documents) {_kappas(one)}. In topic 2 ({_n(other)} documents) {_kappas(other)}. Within "
        f"each topic the judges agree less than by chance. In one table over both topics "
        f"{_kappas(sum_tables(tables))}. The share of relevant judgements is {format_fraction(_prevalence(one))} in "
        f"topic 1 and {format_fraction(_prevalence(other))} in topic 2, and the judges agree on this difference "
        "between the topics."
    )


def random_walk(box: Sequence[range], rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Yield every point of a box once, in random order, without storing them.

    A stride that has no common divisor with the number of points returns to the start only after all of them.
    """
    points = prod(map(len, box))
    if not points:
        return
    number, stride = _random_below(points, rng), _random_below(points, rng)
    while gcd(stride, points) > 1:
        stride = _random_below(points, rng)
    for _ in range(points):
        rest, point = number, []
        for side in box:
            rest, position = divmod(rest, len(side))
            point.append(side[position])
        yield tuple(point)
        number = (number + stride) % points


def _random_below(limit: int, rng: np.random.Generator) -> int:
    """Draw a number from 0 to `limit` - 1; `limit` may be larger than a 64-bit integer."""
    return int(rng.random() * 2**53) * limit >> 53


def _tables(*counts: tuple[int, int, int, int]) -> Iterator[Tables]:
    """Yield the tables with these counts, unless a count is negative or a judge does not use both grades."""
    tables = tuple(((neither, second), (first, both)) for both, first, second, neither in counts)
    if min(map(min, counts)) >= 0 and all(min(min(side) for side in marginals(table)) > 0 for table in tables):
        yield tables


def _exact_kappa(table: Table, kind: str) -> Fraction:
    value = table_kappa(table, kind)
    if value is None:  # impossible, because each judge uses both grades
        raise ValueError("Kappa is undefined, because every judgement has the same grade.")
    return value


def _kappas(table: Table) -> str:
    return f"kappa is {_kappa(table, 'unpooled')} unpooled and {_kappa(table, 'pooled')} pooled"


def _kappa(table: Table, kind: str) -> str:
    return format_fraction(_exact_kappa(table, kind))


def _chance(table: Table, kind: str) -> str:
    return format_fraction(expected_agreement(*marginals(table), kind))


def _prevalence(table: Table) -> Fraction:
    rows, columns = marginals(table)
    return Fraction(rows[1] + columns[1], 2 * _n(table))


def _agreed(table: Table) -> int:
    return table[0][0] + table[1][1]


def _n(table: Table) -> int:
    return sum(map(sum, table))
