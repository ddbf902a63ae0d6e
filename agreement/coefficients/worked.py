"""A table of two assessors worked out step by step, as a textbook does it.

`worked` gives everything that a page shows, so that a template renders without arithmetic: the totals of rows
and columns, and one `Step` for every number, with its formula and the numbers filled in:

    P(A)                 (300 + 70) / 400                              0.925
    pooled P(relevant)   (320 + 310) / (400 + 400)                     0.7875
    pooled P(E)          0.7875² + 0.2125²                             0.6653
    pooled kappa         (0.925 − 0.6653) / (1 − 0.6653)               0.7759
    unpooled P(E)        (320/400)(310/400) + (80/400)(90/400)         0.665
    unpooled kappa       (0.925 − 0.665) / (1 − 0.665)                 0.7761

Values are exact fractions; numbers within a formula are shown to four digits, and nothing is computed from
what is shown. Formulas are those of `agreement.coefficients.two_judges`; the example is table 8.2 of Manning, Raghavan
and Schuetze (2008).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from agreement.coefficients.two_judges import (
    Counts,
    cohen_kappa,
    counts_of,
    expected_agreement,
    observed_agreement,
    pooled_kappa,
    total,
)
from agreement.estimate import REASONS, Estimate


@dataclass(frozen=True)
class Step:
    """One number of the working.

    Attributes
    ----------
    group : str
        "observed", "pooled" or "unpooled".
    name : str
        What the number is, such as "P(E)".
    formula : str
        How it comes about, with the numbers filled in.
    exact : Fraction or None
        Its value; None where it is undefined.
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
        """The value to four digits, or "undefined (why)"."""
        return f"undefined ({REASONS[self.reason]})" if self.exact is None else _number(self.exact)


@dataclass(frozen=True)
class Worked:
    """A table and its working.

    Attributes
    ----------
    labels, judges : tuple of str
        Names of the grades, and of the two assessors (rows first).
    rows : tuple of (str, tuple of int, int)
        For each grade of the first assessor its label, the counts, and their total.
    column_totals : tuple of int
    n : int
        Number of items.
    steps : tuple of Step
        In the order of the working; none for a table of zeros.
    pooled, unpooled : Estimate
        Pooled kappa and unpooled kappa of the table, with P(A) and P(E).
    """

    labels: tuple[str, ...]
    judges: tuple[str, str]
    rows: tuple[tuple[str, tuple[int, ...], int], ...]
    column_totals: tuple[int, ...]
    n: int
    steps: tuple[Step, ...]
    pooled: Estimate
    unpooled: Estimate

    def group(self, name: str) -> tuple[Step, ...]:
        """The steps of one group, "observed", "pooled" or "unpooled"."""
        return tuple(step for step in self.steps if step.group == name)


def worked(table, labels: Sequence | None = None, judges: Sequence[str] = ("judge 1", "judge 2")) -> Worked:
    """Work out a table of two assessors.

    Parameters
    ----------
    table : array of int, shape (n_grades, n_grades)
        Rows: grades of the first assessor; columns: grades of the second.
    labels : sequence, optional
        Names of the grades; 0, 1, ... where none are given.
    judges : sequence of two str
        Names of the assessors.

    Raises
    ------
    ValueError
        The table is no square of counts, or the labels are not as many as its rows.
    """
    counts = counts_of(table)
    labels = tuple(map(str, range(len(counts)) if labels is None else labels))
    if len(labels) != len(counts):
        raise ValueError(f"a table of {len(counts)} grades has as many labels; got {len(labels)}")
    rows = [sum(row) for row in counts]
    columns = [sum(column) for column in zip(*counts, strict=True)]
    return Worked(
        labels=labels,
        judges=tuple(judges),
        rows=tuple((label, tuple(row), sum(row)) for label, row in zip(labels, counts, strict=True)),
        column_totals=tuple(columns),
        n=total(counts),
        steps=_steps(counts, rows, columns, labels) if total(counts) else (),
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
    """Four decimals, trailing zeros left away."""
    digits = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return digits.replace("-", "−")
