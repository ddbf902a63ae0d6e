"""How much two different grades agree: weights from 0 (not at all) to 1 (as much as the same grade).

With i and j the positions of two grades on a declared scale of K grades, from 0:

    identity    1 where i = j, else 0
    linear      1 - |i - j| / (K - 1)                          A. Cicchetti and T. Allison (1971)
    quadratic   1 - ((i - j) / (K - 1))^2                      J. L. Fleiss and J. Cohen (1973)
    ordinal     1 - C(|i - j| + 1, 2) / C(K, 2)                K. L. Gwet (2014)

or a table of K x K numbers of one's own: symmetric, 1 on the diagonal, between 0 and 1. Numbers are taken as they
are written (0.4444 is 1111/2500), and a text may be a fraction ("8/9"). Weights go by position, never by the
value of a grade.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm

import numpy as np

IDENTITY = "identity"


@dataclass(frozen=True)
class Weights:
    """Weights as exact fractions with one denominator.

    Attributes
    ----------
    name : str
        "identity", "linear", "quadratic", "ordinal" or "own".
    numerators : tuple of tuple of int, shape (n_grades, n_grades)
    denominator : int
    """

    name: str
    numerators: tuple[tuple[int, ...], ...]
    denominator: int

    @property
    def sum(self) -> int:
        """The numerator of the sum of all weights."""
        return sum(map(sum, self.numerators))

    def integers(self, kind) -> np.ndarray:
        """The numerators as an array of the dtype `kind` (object: Python integers, which never overflow)."""
        return np.array(self.numerators, dtype=kind).reshape(len(self.numerators), -1)

    def floats(self) -> np.ndarray:
        """The weights as float64, shape (n_grades, n_grades)."""
        return (self.integers(object) / self.denominator).astype(float)

    def said(self) -> str:
        """How a convention names them; nothing for identity."""
        return "" if self.name == IDENTITY else f"{self.name} weights"


def weights_of(choice, size: int) -> Weights:
    """The weights that a caller asks for.

    Parameters
    ----------
    choice : str or array of shape (n_grades, n_grades)
        See the module.
    size : int
        Number of grades on the scale.

    Raises
    ------
    ValueError
        An unknown name, or a table that is not square of the scale's size, not symmetric, without ones on the
        diagonal, out of range, or that holds every disagreement for an agreement.
    """
    if isinstance(choice, str):
        if choice not in NAMED:
            raise ValueError(f"weights are {', '.join(NAMED)}, or a table of {size} x {size}; got {choice!r}")
        return _named(choice, size)
    rows = [[exact(value, "a weight") for value in row] for row in _rows(choice, size)]
    _check(rows)
    return _over_one_denominator("own", rows)


def exact(value, what: str) -> Fraction:
    """A number as it is written, as a fraction from 0 to 1; `what` names it in the ValueError."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{what} is a number or a fraction such as 8/9; got {value!r}") from None
    if not 0 <= number <= 1:
        raise ValueError(f"{what} lies between 0 and 1; got {value}")
    return number


@lru_cache(maxsize=256)
def _named(name: str, size: int) -> Weights:
    rows = [[NAMED[name](abs(i - j), size) if i != j else Fraction(1) for j in range(size)] for i in range(size)]
    return _over_one_denominator(name, rows)


def _over_one_denominator(name: str, rows: list[list[Fraction]]) -> Weights:
    denominator = lcm(*(value.denominator for row in rows for value in row))
    numerators = tuple(tuple(int(value * denominator) for value in row) for row in rows)
    return Weights(name, numerators, denominator)


def _rows(choice, size: int) -> list:
    rows = choice.tolist() if isinstance(choice, np.ndarray) else choice
    try:
        rows = [list(row) for row in rows]
    except TypeError:
        raise ValueError(f"a table of weights has {size} rows of {size} numbers; got {choice!r}") from None
    if {len(rows), *map(len, rows)} != {size}:
        raise ValueError(
            f"a table of weights has {size} rows of {size} numbers, as the scale; got {[len(row) for row in rows]}"
        )
    return rows


def _check(rows: list[list[Fraction]]) -> None:
    size = range(len(rows))
    if any(rows[i][i] != 1 for i in size):
        raise ValueError("a grade agrees with itself: weights on the diagonal are 1")
    if any(rows[i][j] != rows[j][i] for i in size for j in size):
        raise ValueError("weights are symmetric: grades i and j agree as much as j and i")
    if len(rows) > 1 and all(value == 1 for row in rows for value in row):
        raise ValueError("weights of 1 everywhere hold every disagreement for an agreement")


NAMED = {
    IDENTITY: lambda apart, size: Fraction(0),  # noqa: ARG005
    "linear": lambda apart, size: 1 - Fraction(apart, size - 1),
    "quadratic": lambda apart, size: 1 - Fraction(apart, size - 1) ** 2,
    "ordinal": lambda apart, size: 1 - Fraction(comb(apart + 1, 2), comb(size, 2)),
}
