"""Which numbers of agreements two judges with given marginals can have.

Given the marginals, P(E) is fixed and kappa rises with the trace, the number of items on the diagonal. So the nearest
kappa is that of the nearest trace that some table reaches, and not every trace is reached: with equal marginals no
table has exactly one disagreement, and on two grades the trace goes in steps of two.

With r and c the marginals, n their sum and d the diagonal, the disagreements fill a table with an empty diagonal and
the marginals r - d and c - d. By Hall's condition there is one exactly where for every grade k

    (r_k - d_k) + (c_k - d_k) <= n - t,    t = sum of d

because the columns open to the items of row k are all but k, and those open to two rows or more are all. So t is
reached exactly where d_k can be chosen between max(0, (r_k + c_k - n + t) / 2), rounded up, and min(r_k, c_k), with
the sum t: bounds for each grade by itself, which leave every sum between the sums of the bounds.
"""

from collections.abc import Sequence
from fractions import Fraction


def diagonal_bounds(rows: Sequence[int], columns: Sequence[int], trace: int) -> tuple[list[int], list[int]]:
    """The least and the most that each cell of the diagonal can be where the trace is given (see the module).

    Parameters
    ----------
    rows, columns : sequence of int, shape (grades,)
        The totals of judge 1 and of judge 2, with the same sum.
    trace : int
    """
    apart = sum(rows) - trace
    least = [max(0, -((apart - row - column) // 2)) for row, column in zip(rows, columns, strict=True)]
    return least, list(map(min, rows, columns))


def reached(rows: Sequence[int], columns: Sequence[int], trace: int) -> bool:
    """Whether some table with these marginals has this trace."""
    least, most = diagonal_bounds(rows, columns, trace)
    return all(map(int.__le__, least, most)) and sum(least) <= trace <= sum(most)


def traces(rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Every trace that some table with these marginals has, ascending; there is at least one."""
    return [trace for trace in range(sum(map(min, rows, columns)) + 1) if reached(rows, columns, trace)]


def nearest(reachable: Sequence[int], wished: Fraction) -> int:
    """The trace nearest to the one wished; the lower of two that are equally near."""
    return min(reachable, key=lambda trace: (abs(trace - wished), trace))
