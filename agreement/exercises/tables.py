"""Tables of two judges in exercises: their exact figures, and the judgements behind them.

A table is a tuple of rows of whole numbers: rows are the grades of judge 1, columns those of judge 2, grades 0, 1,
... in ascending order. Kappas are fractions, and None where they are undefined (P(E) = 1: every judgement has the same
grade). Formulas are those of `agreement.coefficients.two_judges`.
"""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral

import numpy as np
import pandas as pd

from agreement.coefficients.chance import CHANCE
from agreement.coefficients.pairs import observed_agreement
from agreement.weights import IDENTITY, weights_of

JUDGES = ("judge 1", "judge 2")
KINDS = ("unpooled", "pooled")

Table = tuple[tuple[int, ...], ...]


def marginals(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The totals of the rows (judge 1) and of the columns (judge 2)."""
    return tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))


def expected(rows: Sequence[int], columns: Sequence[int], kind: str) -> Fraction:
    """P(E) of two judges with these totals; `kind` is one of `KINDS`."""
    first, second = np.array(rows, dtype=object), np.array(columns, dtype=object)
    return Fraction(*CHANCE[kind](first, second, sum(rows), weights_of(IDENTITY, len(rows))))


def kappa(table: Table, kind: str) -> Fraction | None:
    """Kappa of a table with at least one item, exactly; None where it is undefined."""
    return kappa_of(observed_agreement(table), expected(*marginals(table), kind))


def kappa_of(agreed: Fraction, by_chance: Fraction) -> Fraction | None:
    """(P(A) - P(E)) / (1 - P(E)), None where P(E) = 1."""
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def summed(tables: Sequence[Table]) -> Table:
    """One table over the items of all, cell by cell."""
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*tables, strict=True))


def items(table: Table, rng: np.random.Generator) -> np.ndarray:
    """The grades of both judges on every item of a table, shape (n, 2), in an order drawn by `rng`."""
    size = len(table)
    cells = np.repeat(np.arange(size * size), np.ravel(table))
    return np.stack(np.divmod(rng.permutation(cells), size), axis=1)


def judgements(topics: Sequence[np.ndarray], judges: Sequence[str]) -> pd.DataFrame:
    """Judgements of two judges on the items of each topic.

    Parameters
    ----------
    topics : sequence of ndarray of int, shape (n_items, 2)
        As `items` gives them.
    judges : sequence of two str
        Two different names.

    Returns
    -------
    DataFrame
        assessor, query_id, doc_id, relevance: everything of judge 1, then everything of judge 2. Topics are "1", "2",
        ..., and documents "d1", "d2", ... through all topics, with zeros in front so that their order as strings is
        that of the items.
    """
    if len(judges) != 2 or judges[0] == judges[1]:
        raise ValueError(f"a table compares two judges with different names; got {', '.join(judges)}")
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


def whole(value, what: str, least: int, most: int | None = None) -> int:
    """A whole number within bounds; `what` names it in the ValueError."""
    allowed = f"from {least} on" if most is None else f"from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{what} is a whole number {allowed}; got {value!r}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{what} is a whole number {allowed}; got {value}")
    return int(value)


def seeded(seed) -> int:
    """A seed, which is any whole number from 0; ValueError for anything else."""
    return whole(seed, "seed", 0)


def _padded(number: int, most: int) -> str:
    return str(number).zfill(len(str(most)))
