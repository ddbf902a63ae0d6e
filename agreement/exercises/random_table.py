"""A random table with given marginals and trace, with disagreements as real judges have them.

Judges who disagree mostly differ by one grade. So a disagreement by one grade is four times as likely as one by two,
and so on. A middle grade has two neighbours, and loses more agreements than the lowest and the highest grade. On two
grades there is only one table, and nothing is random.

Not every number of agreements is possible. With fixed marginals P(E) is fixed, and kappa rises with the trace, the
number of items on the diagonal. The nearest kappa therefore belongs to the nearest possible trace. Not every trace is
possible: with equal marginals no table has exactly one disagreement, and on two grades the trace changes in steps of
two.

Let r and c be the marginals, n their sum, d the diagonal and t the trace. The disagreements fill a table with an empty
diagonal and the marginals r - d and c - d. By Hall's condition such a table exists exactly if for every grade k

    (r_k - d_k) + (c_k - d_k) <= n - t,    t = sum of d

because the items of row k can go into all columns except k, and the items of two or more rows into all columns. So t
is possible exactly if each d_k can be chosen between max(0, (r_k + c_k - n + t) / 2), rounded up, and min(r_k, c_k)
with the sum t. These are bounds for each grade alone, so every sum between the sums of the bounds is possible.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, permutations

import numpy as np

from agreement.exercises.tables import Table


def diagonal_bounds(rows: Sequence[int], columns: Sequence[int], trace: int) -> tuple[list[int], list[int]]:
    """Return the smallest and the largest value of each diagonal cell for a given trace.

    Shapes: `rows`, `columns` (n_grades,).

    Examples
    --------
    >>> diagonal_bounds((4, 6), (5, 5), 7)
    ([3, 4], [4, 5])
    """
    apart = sum(rows) - trace
    lowest = [max(0, -((apart - row - column) // 2)) for row, column in zip(rows, columns, strict=True)]
    return lowest, list(map(min, rows, columns))


def is_possible(rows: Sequence[int], columns: Sequence[int], trace: int) -> bool:
    """Return whether some table with these marginals has this trace.

    Shapes: `rows`, `columns` (n_grades,).

    Examples
    --------
    >>> is_possible((4, 6), (5, 5), 7), is_possible((4, 6), (5, 5), 8)
    (True, False)
    """
    lowest, highest = diagonal_bounds(rows, columns, trace)
    return all(map(int.__le__, lowest, highest)) and sum(lowest) <= trace <= sum(highest)


def possible_traces(rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Return every trace that some table with these marginals has, ascending; there is at least one.

    Shapes: `rows`, `columns` (n_grades,).

    Examples
    --------
    >>> possible_traces((4, 6), (5, 5))
    [1, 3, 5, 7, 9]
    """
    return [trace for trace in range(sum(map(min, rows, columns)) + 1) if is_possible(rows, columns, trace)]


def nearest_trace(traces: Sequence[int], target: Fraction) -> int:
    """Return the trace nearest to the target, and the lower one of two that are equally near.

    Examples
    --------
    >>> nearest_trace([1, 3, 5], Fraction(4))
    3
    """
    return min(traces, key=lambda trace: (abs(trace - target), trace))


DISTANCE_FACTOR = 4  # how many times rarer a disagreement is for each additional grade of distance


def random_table(rows: Sequence[int], columns: Sequence[int], trace: int, rng: np.random.Generator) -> Table:
    """Return a random table with these marginals and this trace.

    Shapes: `rows`, `columns` (n_grades,).

    Examples
    --------
    >>> random_table((4, 6), (5, 5), 7, np.random.default_rng(1))
    ((3, 1), (2, 4))
    """
    diagonal = _diagonal(rows, columns, trace, rng)
    table = [[0] * len(rows) for _ in rows]
    for grade, count in enumerate(diagonal):
        table[grade][grade] = count
    first, second = ([total - count for total, count in zip(side, diagonal, strict=True)] for side in (rows, columns))
    cells = [(i, j, float(DISTANCE_FACTOR) ** -abs(i - j)) for i, j in permutations(range(len(rows)), 2)]
    for remaining in range(sum(rows) - trace, 0, -1):
        i, j = _disagreement(cells, first, second, remaining, rng)
        table[i][j] += 1
        first[i] -= 1
        second[j] -= 1
    return tuple(map(tuple, table))


def _diagonal(rows: Sequence[int], columns: Sequence[int], trace: int, rng: np.random.Generator) -> list[int]:
    """Draw the agreements on each grade: start from the largest possible, and remove one after the other."""
    lowest, diagonal = diagonal_bounds(rows, columns, trace)
    last = len(rows) - 1
    neighbours = [1 if grade in (0, last) else 2 for grade in range(len(rows))]
    for _ in range(sum(diagonal) - trace):
        weights = [float(w * (d - low)) for w, d, low in zip(neighbours, diagonal, lowest, strict=True)]
        diagonal[_draw_position(weights, rng)] -= 1
    return diagonal


def _disagreement(
    cells: list[tuple[int, int, float]], first: list[int], second: list[int], remaining: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Draw the cell of the next disagreement, such that the remaining ones can still be placed.

    A grade whose row and column together still need as many items as disagreements remain must take part in every
    one of them (Hall's condition, see `agreement.exercises.random_table`).
    """
    required = {grade for grade, (a, b) in enumerate(zip(first, second, strict=True)) if a + b == remaining}
    weights = [weight * first[i] * second[j] * (required <= {i, j}) for i, j, weight in cells]
    i, j, _ = cells[_draw_position(weights, rng)]
    return i, j


def _draw_position(weights: list[float], rng: np.random.Generator) -> int:
    """Draw a position with probability proportional to its weight; never one with weight 0."""
    sums = list(accumulate(weights))
    threshold = rng.random() * sums[-1]
    return next((position for position, total in enumerate(sums) if threshold < total), sums.index(sums[-1]))
