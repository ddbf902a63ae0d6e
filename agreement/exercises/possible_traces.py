"""Which numbers of agreements two judges with given marginals can have.

With fixed marginals P(E) is fixed, and kappa rises with the trace, the number of items on the diagonal. The nearest
kappa therefore belongs to the nearest possible trace. Not every trace is possible: with equal marginals no table has
exactly one disagreement, and on two grades the trace changes in steps of two.

Let r and c be the marginals, n their sum, d the diagonal and t the trace. The disagreements fill a table with an empty
diagonal and the marginals r - d and c - d. By Hall's condition such a table exists exactly if for every grade k

    (r_k - d_k) + (c_k - d_k) <= n - t,    t = sum of d

because the items of row k can go into all columns except k, and the items of two or more rows into all columns. So t
is possible exactly if each d_k can be chosen between max(0, (r_k + c_k - n + t) / 2), rounded up, and min(r_k, c_k)
with the sum t. These are bounds for each grade alone, so every sum between the sums of the bounds is possible.
"""

from collections.abc import Sequence
from fractions import Fraction


def diagonal_bounds(rows: Sequence[int], columns: Sequence[int], trace: int) -> tuple[list[int], list[int]]:
    """Return the smallest and the largest value of each diagonal cell for a given trace.

    Parameters
    ----------
    rows, columns : sequence of int, shape (n_grades,)
        The totals of judge 1 and of judge 2, with the same sum.
    trace : int
        Number of agreements.

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

    Parameters
    ----------
    rows, columns : sequence of int, shape (n_grades,)
        The totals of judge 1 and of judge 2, with the same sum.
    trace : int
        Number of agreements.

    Examples
    --------
    >>> is_possible((4, 6), (5, 5), 7), is_possible((4, 6), (5, 5), 8)
    (True, False)
    """
    lowest, highest = diagonal_bounds(rows, columns, trace)
    return all(map(int.__le__, lowest, highest)) and sum(lowest) <= trace <= sum(highest)


def possible_traces(rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Return every trace that some table with these marginals has, ascending; there is at least one.

    Parameters
    ----------
    rows, columns : sequence of int, shape (n_grades,)
        The totals of judge 1 and of judge 2, with the same sum.

    Examples
    --------
    >>> possible_traces((4, 6), (5, 5))
    [1, 3, 5, 7, 9]
    """
    return [trace for trace in range(sum(map(min, rows, columns)) + 1) if is_possible(rows, columns, trace)]


def nearest_trace(traces: Sequence[int], target: Fraction) -> int:
    """Return the trace nearest to the target, and the lower one of two that are equally near.

    Parameters
    ----------
    traces : sequence of int
        At least one.
    target : Fraction

    Examples
    --------
    >>> nearest_trace([1, 3, 5], Fraction(4))
    3
    """
    return min(traces, key=lambda trace: (abs(trace - target), trace))
