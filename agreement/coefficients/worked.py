"""The kappas of a table of two judges, computed step by step like in a textbook.

`worked` returns all numbers that a page shows, so that a template renders them without arithmetic: the totals of rows
and columns, and a `Step` for each number, with its formula and the inserted numbers:

    P(A)                 (300 + 70) / 400                              0.925
    pooled P(relevant)   (320 + 310) / (400 + 400)                     0.7875
    pooled P(E)          0.7875² + 0.2125²                             0.6653
    pooled kappa         (0.925 − 0.6653) / (1 − 0.6653)               0.7759
    unpooled P(E)        (320/400)(310/400) + (80/400)(90/400)         0.665
    unpooled kappa       (0.925 − 0.665) / (1 − 0.665)                 0.7761

The example is table 8.2 of Manning, Raghavan and Schuetze (2008). Values are exact fractions. Numbers within a formula
are rounded to four digits, and no value is computed from rounded numbers.
"""

from __future__ import annotations  # help() shows the names of type aliases

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy.typing as npt
import pandas as pd

from agreement.coefficients.pairs import Counts, counts_of, expected_agreement, observed_agreement, total
from agreement.coefficients.two_judges import cohen_kappa, pooled_kappa
from agreement.estimate import Estimate
from agreement.reasons import REASONS
from pooling.result import Result


@dataclass(frozen=True)
class Step:
    """A number of the computation.

    Attributes
    ----------
    group : {"observed", "pooled", "unpooled"}
        The part of the computation.
    name : str
        The name of the number, such as "P(E)".
    formula : str
        The formula with the inserted numbers.
    exact : Fraction or None
        The value; None if it is undefined.
    reason : str or None
        Why it is undefined: a key of `agreement.estimate.REASONS`.
    """

    group: str
    name: str
    formula: str
    exact: Fraction | None
    reason: str | None = None

    @property
    def value(self) -> float | None:
        """The value as the nearest float."""
        return None if self.exact is None else float(self.exact)

    @property
    def shown(self) -> str:
        """The value rounded to four digits, or "undefined (...)" with the reason."""
        return f"undefined ({REASONS[self.reason or 'one_category']})" if self.exact is None else _number(self.exact)


@dataclass(frozen=True, repr=False)
class Worked(Result):
    """The table of two judges and the steps that compute its kappas; returned by `worked`.

    Parameters
    ----------
    labels : tuple of str
        The names of the grades.
    judges : tuple of two str
        The names of the judges, that of the rows first.
    rows : tuple of (str, tuple of int, int)
        For each grade of the first judge its label, the counts, and their total.
    column_totals : tuple of int
        The totals of the columns.
    n : int
        Number of items.
    steps : tuple of Step
        The steps in the order of the computation; empty for a table of zeros.
    pooled, unpooled : Estimate
        Pooled and unpooled kappa of the table, with P(A) and P(E).

    Examples
    --------
    >>> from agreement import worked
    >>> table = worked([[300, 20], [10, 70]], labels=("relevant", "not relevant"))
    >>> for step in table.group("unpooled"):
    ...     print(step.name, "=", step.formula, "=", step.shown)
    P(E) = (320/400)(310/400) + (80/400)(90/400) = 0.665
    kappa = (0.925 − 0.665) / (1 − 0.665) = 0.7761
    """

    labels: tuple[str, ...]
    judges: tuple[str, str]
    rows: tuple[tuple[str, tuple[int, ...], int], ...]
    column_totals: tuple[int, ...]
    n: int
    steps: tuple[Step, ...]
    pooled: Estimate
    unpooled: Estimate

    def to_frame(self) -> pd.DataFrame:
        """The steps in the order of the computation.

        Returns
        -------
        DataFrame
            part ("observed", "pooled" or "unpooled"), step, formula, value (Float64, NA if it is undefined) and reason
            (NA if there is a value).
        """
        rows = [(step.group, step.name, step.formula, step.value, step.reason) for step in self.steps]
        frame = pd.DataFrame(rows, columns=["part", "step", "formula", "value", "reason"])
        return frame.astype({"value": "Float64", "reason": "string"})

    def _paper_table(self) -> pd.DataFrame:
        frame = self.to_frame()
        return frame.assign(reason=frame["reason"].map(REASONS, na_action="ignore").astype("string"))

    def _sentence(self) -> str:
        judges = " and ".join(self.judges)
        return f"{judges}, n = {self.n}: pooled kappa {self.pooled.shown()}, unpooled kappa {self.unpooled.shown()}"

    def group(self, name: str) -> tuple[Step, ...]:
        """The steps of one part of the computation.

        Parameters
        ----------
        name : {"observed", "pooled", "unpooled"}
            The part.

        Returns
        -------
        tuple of Step
            In the order of the computation.
        """
        return tuple(step for step in self.steps if step.group == name)


def worked(
    table: npt.ArrayLike,
    labels: Sequence[object] | None = None,
    judges: Sequence[str] = ("judge 1", "judge 2"),
) -> Worked:
    """Compute pooled and unpooled kappa of a table of two judges step by step.

    Parameters
    ----------
    table : array of int, shape (n_grades, n_grades)
        Counts: rows are the grades of the first judge, columns those of the second.
    labels : sequence, optional
        The names of the grades, by default 0, 1, ...
    judges : sequence of two str, optional
        The names of the judges.

    Returns
    -------
    Worked
        The table with its totals and the steps. A table of zeros has no steps, and both kappas are undefined
        ("no_overlap"). If P(E) = 1, kappa is undefined ("one_category").

    Raises
    ------
    ValueError
        The table is not a square of counts, the number of labels is not the number of grades, or there are not two
        names of judges.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.5. Cambridge
    University Press.

    Examples
    --------
    >>> from agreement import worked
    >>> table = worked([[300, 20], [10, 70]])
    >>> table.steps[0].formula, table.steps[0].shown
    ('(300 + 70) / 400', '0.925')
    >>> table.pooled.shown(), table.unpooled.shown()
    ('0.776', '0.776')
    """
    counts = counts_of(table)
    names = tuple(map(str, range(len(counts)) if labels is None else labels))
    if len(names) != len(counts):
        raise ValueError(f"A table of {len(counts)} grades must have {len(counts)} labels, not {len(names)}.")
    if len(judges) != 2:
        raise ValueError(f"A table needs the names of 2 judges, not {len(judges)}.")
    rows = [sum(row) for row in counts]
    columns = [sum(column) for column in zip(*counts, strict=True)]
    return Worked(
        labels=names,
        judges=(judges[0], judges[1]),
        rows=tuple((label, tuple(row), sum(row)) for label, row in zip(names, counts, strict=True)),
        column_totals=tuple(columns),
        n=total(counts),
        steps=_steps(counts, rows, columns, names) if total(counts) else (),
        pooled=pooled_kappa(counts),
        unpooled=cohen_kappa(counts),
    )


def _steps(counts: Counts, rows: list[int], columns: list[int], labels: tuple[str, ...]) -> tuple[Step, ...]:
    n = total(counts)
    agreed = observed_agreement(counts)
    diagonal = " + ".join(str(counts[k][k]) for k in range(len(counts)))
    steps = [Step("observed", "P(A)", f"({diagonal}) / {n}", agreed)]
    shares = [Fraction(r + c, 2 * n) for r, c in zip(rows, columns, strict=True)]
    for label, r, c, share in zip(labels, rows, columns, shares, strict=True):
        steps.append(Step("pooled", f"P({label})", f"({r} + {c}) / ({n} + {n})", share))
    squares = " + ".join(f"{_number(share)}²" for share in shares)
    steps += _chance_steps("pooled", squares, agreed, expected_agreement(counts, "pooled"))
    products = " + ".join(f"({r}/{n})({c}/{n})" for r, c in zip(rows, columns, strict=True))
    steps += _chance_steps("unpooled", products, agreed, expected_agreement(counts, "unpooled"))
    return tuple(steps)


def _chance_steps(group: str, formula: str, agreed: Fraction, expected: Fraction) -> list[Step]:
    a, e = _number(agreed), _number(expected)
    kappa = None if expected == 1 else (agreed - expected) / (1 - expected)
    return [
        Step(group, "P(E)", formula, expected),
        Step(group, "kappa", f"({a} − {e}) / (1 − {e})", kappa, "one_category" if kappa is None else None),
    ]


def _number(value: Fraction) -> str:
    """Four decimals without trailing zeros."""
    digits = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return digits.replace("-", "−")
