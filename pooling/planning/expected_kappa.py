"""The expected table of two assessors with a given Cohen's kappa, and the variance of kappa.

Two assessors judge n documents relevant or not. Let p be the share of relevant documents (prevalence) and b the bias,
so that the first assessor finds the share pa = p + b/2 relevant and the second pb = p - b/2. With Cohen's kappa k, the
expected table of shares is

    P(E) = pa pb + (1 - pa)(1 - pb),   P(A) = k (1 - P(E)) + P(E),   both relevant: (P(A) - 1 + pa + pb) / 2,

and the margins determine the rest. For large n the variance of kappa is q / n (J. L. Fleiss, J. Cohen and B. S.
Everitt, Large sample standard errors of kappa and weighted kappa, Psychological Bulletin 72, 1969), where

    q (1 - P(E))^4 = sum_i  p_ii ((1 - P(E)) - (p_i. + p_.i)(1 - P(A)))^2
                   + (1 - P(A))^2 sum_{i != j}  p_ij (p_.i + p_j.)^2
                   - (P(A) P(E) - 2 P(E) + P(A))^2.

Not every combination is possible: for a given prevalence and bias, kappa has a smallest and a largest value.
"""

import numpy as np

from pooling.words import percent

TIE = 1e-12  # shares and variances closer to 0 than this are 0
FEWEST = 10  # expected documents of each kind from which the interval holds


def expected_table(kappa: float, prevalence: float, bias: float = 0.0) -> np.ndarray:
    """The expected table of two assessors with this kappa.

    Shapes: the result (2, 2).
    """
    a, b = prevalence + bias / 2, prevalence - bias / 2
    expected = a * b + (1 - a) * (1 - b)
    observed = kappa * (1 - expected) + expected
    both = (observed - 1 + a + b) / 2
    table = np.array([[both, a - both], [b - both, 1 - a - b + both]])
    return np.where(np.abs(table) < TIE, 0.0, table)


def kappa_variance(table: np.ndarray) -> float:
    """Compute n times the variance of Cohen's kappa for large n (Fleiss, Cohen and Everitt 1969).

    Shapes: `table` (K, K).
    """
    table = np.asarray(table, dtype=np.float64)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, expected = np.trace(table), rows @ columns
    agreeing = np.diag(table) @ ((1 - expected) - (rows + columns) * (1 - observed)) ** 2
    weighted = table * (columns[:, None] + rows[None, :]) ** 2
    differing = (1 - observed) ** 2 * (weighted.sum() - np.trace(weighted))
    total = agreeing + differing - (observed * expected - 2 * expected + observed) ** 2
    return max(float(total / (1 - expected) ** 4), 0.0)


def interval_warning(table: np.ndarray, pairs: int, confidence: float) -> str | None:
    """Say why an interval from this number of documents is not reliable.

    The interval assumes that kappa is normally distributed. It is not if few documents decide: those on which the
    assessors differ, those that both find relevant, and those that both do not.

    Shapes: `table` (2, 2).
    """
    expected = {
        "documents on which the assessors differ": pairs * float(table[0, 1] + table[1, 0]),
        "documents that both find relevant": pairs * float(table[0, 0]),
        "documents that both find not relevant": pairs * float(table[1, 1]),
    }
    few = [f"{number:.1f} {what}" for what, number in expected.items() if number < FEWEST * (1 - TIE)]
    if not few:
        return None
    return (
        f"the interval may not hold: only {' and '.join(few)} are expected, and with fewer than {FEWEST} a"
        f" {percent(confidence)} interval often contains kappa less often than that"
    )


def check_ranges(kappa: float, prevalence: float, bias: float) -> None:
    """Raise ValueError if kappa, prevalence or bias is out of its range."""
    if not -1 <= kappa <= 1:
        raise ValueError(f"kappa must be between -1 and 1, not {kappa!r}")
    if not 0 <= prevalence <= 1:
        raise ValueError(f"prevalence must be between 0 and 1, not {prevalence!r}")
    most = 2 * min(prevalence, 1 - prevalence)
    if not abs(bias) <= most + TIE:
        raise ValueError(f"with prevalence {prevalence:g}, bias must be between {-most:g} and {most:g}, not {bias!r}")


def possible_kappas(prevalence: float, bias: float = 0.0) -> tuple[float, float]:
    """The smallest and the largest possible kappa of two assessors. The prevalence must not be 0 or 1."""
    a, b = prevalence + bias / 2, prevalence - bias / 2
    expected = a * b + (1 - a) * (1 - b)
    least, greatest = abs(a + b - 1), 1 - abs(a - b)
    return (least - expected) / (1 - expected), (greatest - expected) / (1 - expected)


def undefined_reason(kappa: float, prevalence: float, bias: float = 0.0) -> str | None:
    """Why nothing can be planned for such assessors; None if it can."""
    if prevalence in (0, 1):
        return "kappa is undefined if all judgements are the same"
    table = expected_table(kappa, prevalence, bias)
    if (table < 0).any():
        least, greatest = possible_kappas(prevalence, bias)
        condition = f"prevalence {prevalence:g}" + (f" and bias {bias:g}" if bias else "")
        return f"with {condition}, kappa must be between {least:.3f} and {greatest:.3f}, not {kappa:g}"
    if kappa_variance(table) < TIE:
        return f"with kappa {kappa:g} the variance is 0, so an interval has no width"
    return None
