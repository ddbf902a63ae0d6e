"""A table with given marginals and trace, its disagreements spread by chance as judges would spread them.

Judges who differ mostly differ by one grade, so a disagreement by one grade is four times as likely as one by two,
and so on; and a grade in the middle, which has two neighbours, loses more agreements than the lowest and the highest.
On two grades there is one table only, and chance has no say.
"""

from collections.abc import Sequence
from itertools import accumulate, permutations

import numpy as np

from agreement.exercises.possible_traces import diagonal_bounds
from agreement.exercises.tables import Table

FURTHER = 4  # how much rarer a disagreement is with every grade more between the two


def spread(rows: Sequence[int], columns: Sequence[int], trace: int, rng: np.random.Generator) -> Table:
    """A table with these marginals and this trace, which `agreement.exercises.possible_traces.reached` must allow.

    Parameters
    ----------
    rows, columns : sequence of int, shape (grades,)
    trace : int
    rng : numpy.random.Generator
    """
    diagonal = _diagonal(rows, columns, trace, rng)
    table = [[0] * len(rows) for _ in rows]
    for grade, times in enumerate(diagonal):
        table[grade][grade] = times
    first, second = ([total - times for total, times in zip(side, diagonal, strict=True)] for side in (rows, columns))
    cells = [(i, j, float(FURTHER) ** -abs(i - j)) for i, j in permutations(range(len(rows)), 2)]
    for left in range(sum(rows) - trace, 0, -1):
        i, j = _disagreement(cells, first, second, left, rng)
        table[i][j] += 1
        first[i] -= 1
        second[j] -= 1
    return tuple(map(tuple, table))


def _diagonal(rows: Sequence[int], columns: Sequence[int], trace: int, rng: np.random.Generator) -> list[int]:
    """The agreements on each grade: from the most that there can be, one after the other is taken away."""
    least, diagonal = diagonal_bounds(rows, columns, trace)
    last = len(rows) - 1
    neighbours = [1 if grade in (0, last) else 2 for grade in range(len(rows))]
    for _ in range(sum(diagonal) - trace):
        likely = [w * (d - low) for w, d, low in zip(neighbours, diagonal, least, strict=True)]
        diagonal[_drawn(likely, rng)] -= 1
    return diagonal


def _disagreement(
    cells: list[tuple[int, int, float]], first: list[int], second: list[int], left: int, rng: np.random.Generator
) -> tuple[int, int]:
    """The cell of the next disagreement, such that those that remain still find a cell (`agreement.exercises.possible_traces`).

    A grade that has as much in its row and column as there are disagreements left must take part in every one.
    """
    tight = {grade for grade, (a, b) in enumerate(zip(first, second, strict=True)) if a + b == left}
    likely = [weight * first[i] * second[j] * (tight <= {i, j}) for i, j, weight in cells]
    return cells[_drawn(likely, rng)][:2]


def _drawn(likely: list, rng: np.random.Generator) -> int:
    """A position, each as likely as its number says; never one with 0."""
    sums = list(accumulate(likely))
    mark = rng.random() * sums[-1]
    return next((place for place, so_far in enumerate(sums) if mark < so_far), sums.index(sums[-1]))
