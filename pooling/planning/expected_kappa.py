"""The table that two assessors of a given Cohen's kappa fill on average, and how far kappa varies around it.

Two assessors say of n documents relevant or not. With the share of relevant documents p (prevalence; of the first
assessor p + b/2, of the second p - b/2, with the bias b) and Cohen's kappa k the expected table of shares is

    P(E) = pa pb + (1 - pa)(1 - pb),   P(A) = k (1 - P(E)) + P(E),   both relevant: (P(A) - 1 + pa + pb) / 2,

and the rest follows from its margins. For large n the variance of kappa is q / n (J. L. Fleiss, J. Cohen and B. S.
Everitt, Large sample standard errors of kappa and weighted kappa, Psychological Bulletin 72, 1969), where

    q (1 - P(E))^4 = sum_i  p_ii ((1 - P(E)) - (p_i. + p_.i)(1 - P(A)))^2
                   + (1 - P(A))^2 sum_{i != j}  p_ij (p_.i + p_j.)^2
                   - (P(A) P(E) - 2 P(E) + P(A))^2.

Some values cannot be: two assessors of prevalence p and bias b have a greatest kappa, and a least one.
"""

import numpy as np

TIE = 1e-12  # a share or a variance that near to 0 is 0


def expected_table(kappa: float, prevalence: float, bias: float = 0.0) -> np.ndarray:
    """The shares of two assessors with that kappa, shape (2, 2): [relevant or not, relevant or not].

    The first axis is the first assessor. A share below 0 says that there is no such table.
    """
    a, b = prevalence + bias / 2, prevalence - bias / 2
    expected = a * b + (1 - a) * (1 - b)
    observed = kappa * (1 - expected) + expected
    both = (observed - 1 + a + b) / 2
    table = np.array([[both, a - both], [b - both, 1 - a - b + both]])
    return np.where(np.abs(table) < TIE, 0.0, table)


def kappa_variance(table: np.ndarray) -> float:
    """n times the variance of Cohen's kappa for large n (Fleiss, Cohen and Everitt 1969).

    Parameters
    ----------
    table : array of float, shape (K, K)
        The expected shares, of sum 1; more than one grade is used, so that P(E) is below 1.
    """
    table = np.asarray(table, dtype=np.float64)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, expected = np.trace(table), rows @ columns
    agreeing = np.diag(table) @ ((1 - expected) - (rows + columns) * (1 - observed)) ** 2
    apart = table * (columns[:, None] + rows[None, :]) ** 2
    differing = (1 - observed) ** 2 * (apart.sum() - np.trace(apart))
    whole = agreeing + differing - (observed * expected - 2 * expected + observed) ** 2
    return max(float(whole / (1 - expected) ** 4), 0.0)


def check_ranges(kappa: float, prevalence: float, bias: float) -> None:
    """ValueError where one of them is out of its range."""
    if not -1 <= kappa <= 1:
        raise ValueError(f"kappa is from -1 to 1; got {kappa}")
    if not 0 <= prevalence <= 1:
        raise ValueError(f"prevalence is a share from 0 to 1; got {prevalence}")
    most = 2 * min(prevalence, 1 - prevalence)
    if not abs(bias) <= most + TIE:
        raise ValueError(f"at prevalence {prevalence:g} a bias is from {-most:g} to {most:g}; got {bias}")


def possible_kappas(prevalence: float, bias: float = 0.0) -> tuple[float, float]:
    """The least and the greatest kappa of two assessors; the prevalence is neither 0 nor 1."""
    a, b = prevalence + bias / 2, prevalence - bias / 2
    expected = a * b + (1 - a) * (1 - b)
    least, greatest = abs(a + b - 1), 1 - abs(a - b)
    return (least - expected) / (1 - expected), (greatest - expected) / (1 - expected)


def why_none(kappa: float, prevalence: float, bias: float = 0.0) -> str | None:
    """Why nothing can be planned with such assessors, in a sentence; None where it can."""
    if prevalence in (0, 1):
        return "where every judgement is the same, kappa is undefined"
    table = expected_table(kappa, prevalence, bias)
    if (table < 0).any():
        least, greatest = possible_kappas(prevalence, bias)
        at = f"prevalence {prevalence:g}" + (f" and bias {bias:g}" if bias else "")
        return f"at {at} kappa is from {least:.3f} to {greatest:.3f}, and cannot be {kappa:g}"
    if kappa_variance(table) < TIE:
        return f"kappa {kappa:g} leaves nothing to vary: an interval has no width, however few the documents"
    return None
