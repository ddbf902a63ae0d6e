"""Tables of two judges in exercises: their exact figures, and the judgements behind them.

A table is a tuple of rows of whole numbers. Rows are the grades of judge 1, columns the grades of judge 2, both in
ascending order 0, 1, ... Kappas are exact fractions, computed from integer counts. A kappa is None if it is undefined,
which is the case if P(E) = 1: every judgement has the same grade.
"""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.formulas import CHANCE
from agreement.coefficients.pairs import observed_agreement as counts_agreement
from agreement.weights import IDENTITY, weights_of

JUDGES = ("judge 1", "judge 2")
KINDS = ("unpooled", "pooled")

Table = tuple[tuple[int, ...], ...]
Grades = npt.NDArray[np.integer[Any]]


def marginals(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the totals of the rows (judge 1) and of the columns (judge 2).

    Examples
    --------
    >>> marginals(((3, 1), (0, 6)))
    ((4, 6), (3, 7))
    """
    return tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))


def observed_agreement(table: Table) -> Fraction:
    """Return P(A), the share of items on the diagonal of a table with at least one item.

    Examples
    --------
    >>> observed_agreement(((3, 1), (0, 6)))
    Fraction(9, 10)
    """
    return counts_agreement([list(row) for row in table])


def expected_agreement(rows: Sequence[int], columns: Sequence[int], kind: str) -> Fraction:
    """Return P(E) of two judges with these totals.

    Shapes: `rows`, `columns` (n_grades,).

    Examples
    --------
    >>> expected_agreement((4, 6), (3, 7), "unpooled")
    Fraction(27, 50)
    """
    first, second = np.array(rows, dtype=object), np.array(columns, dtype=object)
    return Fraction(*CHANCE[kind](first, second, sum(rows), weights_of(IDENTITY, len(rows))))


def table_kappa(table: Table, kind: str) -> Fraction | None:
    """Return kappa of a table with at least one item; None if every judgement has the same grade.

    Examples
    --------
    >>> table_kappa(((3, 1), (0, 6)), "unpooled")
    Fraction(18, 23)
    """
    return kappa_from_agreement(observed_agreement(table), expected_agreement(*marginals(table), kind))


def kappa_from_agreement(observed: Fraction, expected: Fraction) -> Fraction | None:
    """Return (P(A) - P(E)) / (1 - P(E)), or None if P(E) = 1.

    Examples
    --------
    >>> kappa_from_agreement(Fraction(4, 5), Fraction(1, 2))
    Fraction(3, 5)
    """
    return None if expected == 1 else (observed - expected) / (1 - expected)


def sum_tables(tables: Sequence[Table]) -> Table:
    """Return one table over the items of all tables, the sum of each cell.

    Examples
    --------
    >>> sum_tables([((1, 0), (2, 3)), ((0, 4), (1, 1))])
    ((1, 4), (3, 4))
    """
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*tables, strict=True))


def graded_items(table: Table, rng: np.random.Generator) -> Grades:
    """Return the grades of both judges on every item of a table, in random order.

    Shapes: the result (n, 2).
    """
    size = len(table)
    cells = np.repeat(np.arange(size * size), np.ravel(table))
    return np.stack(np.divmod(rng.permutation(cells), size), axis=1)


def judgements_frame(topics: Sequence[Grades], judges: Sequence[str]) -> pd.DataFrame:
    """Return the judgements of two judges on the items of each topic.

    Shapes: `topics` (n_items, 2).
    """
    if len(judges) != 2 or judges[0] == judges[1]:
        raise ValueError(f"A table compares two judges with different names, not {', '.join(judges)}.")
    grades, n = np.concatenate(topics), sum(map(len, topics))
    query_ids = [_padded(topic, len(topics)) for topic, part in enumerate(topics, 1) for _ in part]
    return pd.DataFrame(
        {
            "assessor": np.repeat(np.array(judges, dtype=object), n),
            "query_id": query_ids * 2,
            "doc_id": [f"d{_padded(item, n)}" for item in range(1, n + 1)] * 2,
            "relevance": grades.T.ravel(),
        }
    )


def check_whole(value: object, name: str, lowest: int, highest: int | None = None) -> int:
    """Return a whole number within bounds."""
    allowed = f"of at least {lowest}" if highest is None else f"from {lowest} to {highest}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number {allowed}, not {value!r}.")
    number = int(value)
    if number < lowest or (highest is not None and number > highest):
        raise ValueError(f"{name} must be a whole number {allowed}, not {number!r}.")
    return number


def check_seed(seed: object) -> int:
    """Return a seed; ValueError if it is not a whole number of at least 0."""
    return check_whole(seed, "seed", 0)


def _padded(number: int, highest: int) -> str:
    return str(number).zfill(len(str(highest)))
