"""Agreement weights: how much two grades agree, from 0 (not at all) to 1 (like the same grade).

With i and j the positions of two grades on a declared scale of K grades, counted from 0:

    identity    1 where i = j, else 0
    linear      1 - |i - j| / (K - 1)                          A. Cicchetti and T. Allison (1971)
    quadratic   1 - ((i - j) / (K - 1))^2                      J. L. Fleiss and J. Cohen (1973)
    ordinal     1 - C(|i - j| + 1, 2) / C(K, 2)                K. L. Gwet (2014)

A custom table of weights has K rows of K numbers: symmetric, 1 on the diagonal, all between 0 and 1. Numbers are read
as written (0.4444 is 1111/2500), and a string may be a fraction ("8/9"). Weights depend on the position of a grade on
the scale, never on its value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

IDENTITY = "identity"

Number = int | float | str | Fraction
WeightsLike = str | npt.NDArray[Any] | Sequence[Sequence[Number]]


@dataclass(frozen=True)
class Weights:
    """Weights as exact fractions with one denominator.

    Attributes
    ----------
    name : str
        "identity", "linear", "quadratic", "ordinal", or "own" for a custom table.
    numerators : tuple of tuple of int, shape (n_grades, n_grades)
        The numerators of the weights, in the order of the scale.
    denominator : int
        The common denominator, 1 or more.
    """

    name: str
    numerators: tuple[tuple[int, ...], ...]
    denominator: int

    @property
    def sum(self) -> int:
        """The numerator of the sum of all weights."""
        return sum(map(sum, self.numerators))

    def integers(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """The numerators as an array; dtype object gives Python integers, which never overflow."""
        return np.array(self.numerators, dtype=dtype).reshape(len(self.numerators), -1)

    def floats(self) -> npt.NDArray[np.float64]:
        """The weights as float64, shape (n_grades, n_grades)."""
        return np.asarray(self.integers(object) / self.denominator).astype(np.float64)

    def describe(self) -> str:
        """The weights in the words of an estimate's convention; empty for identity."""
        return "" if self.name == IDENTITY else f"{self.name} weights"


def weights_of(choice: WeightsLike, size: int) -> Weights:
    """The weights for a scale.

    Shapes: `choice` (n_grades, n_grades).
    """
    if isinstance(choice, str):
        if choice not in NAMED:
            raise ValueError(f"weights must be {', '.join(NAMED)} or a table of {size} x {size}, not {choice!r}.")
        return _named(choice, size)
    rows = [[exact(value, "A weight") for value in row] for row in _rows(choice, size)]
    _check(rows)
    return _over_one_denominator("own", rows)


def exact(value: Any, what: str) -> Fraction:
    """A number as written, as a fraction from 0 to 1; `what` begins the message of the ValueError."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{what} must be a number or a fraction such as 8/9, not {value!r}.") from None
    if not 0 <= number <= 1:
        raise ValueError(f"{what} must be between 0 and 1, not {value}.")
    return number


@lru_cache(maxsize=256)
def _named(name: str, size: int) -> Weights:
    rows = [[NAMED[name](abs(i - j), size) if i != j else Fraction(1) for j in range(size)] for i in range(size)]
    return _over_one_denominator(name, rows)


def _over_one_denominator(name: str, rows: list[list[Fraction]]) -> Weights:
    denominator = lcm(*(value.denominator for row in rows for value in row))
    numerators = tuple(tuple(int(value * denominator) for value in row) for row in rows)
    return Weights(name, numerators, denominator)


def _rows(choice: WeightsLike, size: int) -> list[list[Any]]:
    table = choice.tolist() if isinstance(choice, np.ndarray) else choice
    try:
        rows = [list(row) for row in table]
    except TypeError:
        raise ValueError(f"A table of weights must have {size} rows of {size} numbers, not {choice!r}.") from None
    if {len(rows), *map(len, rows)} != {size}:
        lengths = [len(row) for row in rows]
        raise ValueError(
            f"A table of weights must have {size} rows of {size} numbers, one for each grade, not rows of {lengths}."
        )
    return rows


def _check(rows: list[list[Fraction]]) -> None:
    size = range(len(rows))
    if any(rows[i][i] != 1 for i in size):
        raise ValueError("The weights on the diagonal must be 1: a grade agrees with itself.")
    if any(rows[i][j] != rows[j][i] for i in size for j in size):
        raise ValueError("The weights must be symmetric: grades i and j agree as much as j and i.")
    if len(rows) > 1 and all(value == 1 for row in rows for value in row):
        raise ValueError("The weights must not all be 1: every disagreement would count as agreement.")


NAMED: dict[str, Callable[[int, int], Fraction]] = {
    IDENTITY: lambda distance, size: Fraction(0),  # noqa: ARG005
    "linear": lambda distance, size: 1 - Fraction(distance, size - 1),
    "quadratic": lambda distance, size: 1 - Fraction(distance, size - 1) ** 2,
    "ordinal": lambda distance, size: 1 - Fraction(comb(distance + 1, 2), comb(size, 2)),
}
