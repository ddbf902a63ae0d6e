"""A random table with given marginals and trace, with disagreements as real judges have them.

Judges who disagree mostly differ by one grade. So a disagreement by one grade is four times as likely as one by two,
and so on. A middle grade has two neighbours, and loses more agreements than the lowest and the highest grade. On two
grades there is only one table, and nothing is random.
"""

from collections.abc import Sequence
from itertools import accumulate, permutations

import numpy as np

from agreement.exercises.possible_traces import diagonal_bounds
from agreement.exercises.tables import Table

DISTANCE_FACTOR = 4  # how many times rarer a disagreement is for each additional grade of distance


def random_table(rows: Sequence[int], columns: Sequence[int], trace: int, rng: np.random.Generator) -> Table:
    """Return a random table with these marginals and this trace.

    Parameters
    ----------
    rows, columns : sequence of int, shape (n_grades,)
        The totals of judge 1 and of judge 2, with the same sum.
    trace : int
        Number of agreements; a value that these marginals allow.
    rng : numpy.random.Generator

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
    one of them (Hall's condition, see `agreement.exercises.possible_traces`).
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
