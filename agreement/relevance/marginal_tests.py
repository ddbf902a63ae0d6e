"""Tests whether two judges give the grades equally often: McNemar, Stuart and Maxwell, Bhapkar.

The tests compare the totals of the rows of a table with those of its columns. They say whether one judge is more
lenient than the other, not how much the judges agree: two judges with equal totals may disagree about every item.

With r_k and c_k the totals of row and column k, n_kl the count of a cell and n the number of items:

    d_k = r_k - c_k                      the difference of the totals
    S_kk = r_k + c_k - 2 n_kk            covariance of d if the totals have the same distribution
    S_kl = -(n_kl + n_lk)

    Stuart-Maxwell  X^2 = d' S^-1 d
    Bhapkar         W = d' (S - d d' / n)^-1 d = X^2 / (1 - X^2 / n)

d and S are those of all grades but one, because the differences sum to 0. Grades on which the judges never differ are
left out first. Both statistics are compared with the chi-squared distribution, with one degree of freedom less than
there are grades. For two grades, X^2 is McNemar's statistic without continuity correction.

The items are assumed to be independent. Judgements of one topic are not quite, so p is too small rather than too large.

References
----------
Q. McNemar (1947). Note on the sampling error of the difference between correlated proportions or percentages.
Psychometrika 12(2), 153-157.
A. Stuart (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika 42(3/4),
412-416.
A. E. Maxwell (1970). Comparing the classification of subjects by two independent judges. British Journal of Psychiatry
116(535), 651-655.
V. P. Bhapkar (1966). A note on the equivalence of two test criteria for hypotheses in categorical data. Journal of the
American Statistical Association 61(313), 228-235.
"""

from __future__ import annotations  # help() shows the names of type aliases

from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.checks import choice
from agreement.coefficients.pairs import Data, Pair, check_data, pair_of
from agreement.judgements import Grade
from agreement.relevance.marginal_test import MarginalTest
from agreement.relevance.two_by_two import two_by_two

METHODS = ("exact", "corrected", "uncorrected")
SINGULAR = 1e-9  # of 1 - X^2 / n, where no item has the same grade from both judges; else it is at least of order 1 / n


def mcnemar(
    data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None, *, method: str = "exact"
) -> MarginalTest:
    """McNemar's test: do two judges find equally many items relevant?

    With only_a and only_b the numbers of items that only a or only b found relevant, the exact test compares the
    smaller one with the binomial distribution of only_a + only_b items and probability 1/2, and doubles the
    probability, to at most 1. The other methods use chi-squared with one degree of freedom:

        uncorrected    (only_a - only_b)^2 / (only_a + only_b)
        corrected      (|only_a - only_b| - 1)^2 / (only_a + only_b), and 0 if only_a = only_b

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.
    method : {"exact", "corrected", "uncorrected"}, optional
        The binomial distribution, or chi-squared with or without continuity correction.

    Returns
    -------
    MarginalTest
        `convention` states only_a and only_b. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "no_disagreement": both judges found the same items relevant.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale or is
        missing on a scale of more than two grades, or the method is unknown.

    References
    ----------
    Q. McNemar (1947). Note on the sampling error of the difference between correlated proportions or percentages.
    Psychometrika 12(2), 153-157.
    A. L. Edwards (1948). Note on the correction for continuity in testing the significance of the difference between
    correlated proportions. Psychometrika 13(3), 185-187.

    Examples
    --------
    >>> from agreement import mcnemar
    >>> print(mcnemar([[80, 10], [2, 20]]))
    mcnemar 2, p = 0.039, n = 112, 12 disagreeing, exact, relevant from grade 1, 2 only a, 10 only b
    >>> test = mcnemar([[80, 10], [2, 20]], method="corrected")
    >>> round(test.statistic, 4), test.df
    (4.0833, 1)
    """
    check_data(data, "mcnemar")
    choice("method", method, METHODS)
    table = two_by_two(data, a, b, rel)
    differing, convention = table.only_a + table.only_b, f"{method}, {table.convention}"
    convention += f", {table.only_a} only a, {table.only_b} only b"
    fields = _fields(table.fields, differing, convention)
    if table.reason or not differing:
        return _undefined("mcnemar", table.reason or "no_disagreement", fields)
    if method == "exact":
        smaller = min(table.only_a, table.only_b)
        return MarginalTest("mcnemar", float(smaller), None, _binomial(smaller, differing), **fields)
    difference = abs(table.only_a - table.only_b)
    if method == "corrected":
        difference = max(difference - 1, 0)
    return _chi_squared("mcnemar", difference**2 / differing, 1, fields)


def stuart_maxwell(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> MarginalTest:
    """Stuart-Maxwell test: do two judges give each grade equally often?

    X^2 = d' S^-1 d, where d are the differences of the judges' totals of each grade but one, and S is their covariance
    if both have the same distribution: S_kk = r_k + c_k - 2 n_kk and S_kl = -(n_kl + n_lk), with r and c the totals of
    rows and columns and n_kl the counts. Grades on which the judges never differ are left out. The degrees of freedom
    are one less than the number of the other grades.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.

    Returns
    -------
    MarginalTest
        Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "no_disagreement": both judges gave the same grade to each item.
        * "singular": the grades fall into groups between which the judges never differ.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or `rel` is not on the scale.

    References
    ----------
    A. Stuart (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika
    42(3/4), 412-416.
    A. E. Maxwell (1970). Comparing the classification of subjects by two independent judges. British Journal of
    Psychiatry 116(535), 651-655.

    Examples
    --------
    >>> from agreement import stuart_maxwell
    >>> print(stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    stuart maxwell chi-squared 13.765, df = 2, p = 0.001, n = 128, 38 disagreeing, 3 grades
    """
    check_data(data, "stuart_maxwell")
    return _of_totals("stuart_maxwell", data, a, b, rel)


def bhapkar(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> MarginalTest:
    """Bhapkar's test: do two judges give each grade equally often?

    W = X^2 / (1 - X^2 / n), where X^2 is the statistic of Stuart and Maxwell and n the number of items. It estimates
    the covariance of the differences from the data as they are, S - d d' / n, and not under the hypothesis that both
    judges have the same distribution, so it is larger than X^2; for many items both are nearly equal. Grades on which
    the judges never differ are left out. The degrees of freedom are one less than the number of the other grades.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.

    Returns
    -------
    MarginalTest
        Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "no_disagreement": both judges gave the same grade to each item.
        * "singular": the grades fall into groups between which the judges never differ, or X^2 = n.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or `rel` is not on the scale.

    References
    ----------
    V. P. Bhapkar (1966). A note on the equivalence of two test criteria for hypotheses in categorical data. Journal of
    the American Statistical Association 61(313), 228-235.

    Examples
    --------
    >>> from agreement import bhapkar
    >>> print(bhapkar([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    bhapkar chi-squared 15.423, df = 2, p < 0.001, n = 128, 38 disagreeing, 3 grades
    """
    check_data(data, "bhapkar")
    return _of_totals("bhapkar", data, a, b, rel)


def _of_totals(test: str, data: Data, a: str | None, b: str | None, rel: Grade | None) -> MarginalTest:
    """The test of all grades, or of relevant and nonrelevant."""
    pair = pair_of(data, a, b)
    table, convention = pair.table, f"{len(pair.table)} grades"
    if rel is not None:
        cut = two_by_two(data, a, b, rel)
        table = np.array([[cut.neither, cut.only_b], [cut.only_a, cut.both]], dtype=object)
        convention = cut.convention
    differing = table - np.diag(np.diag(table))
    used = np.flatnonzero((differing.sum(axis=0) + differing.sum(axis=1)) > 0)
    if 0 < len(used) < len(table):
        convention += f", {len(table) - len(used)} without disagreement left out"
    fields = _fields(pair.fields, int(differing.sum()), convention)
    reason = _reason(pair, differing[np.ix_(used, used)])
    if reason:
        return _undefined(test, reason, fields)
    statistic = _quadratic_form(differing[np.ix_(used, used)].astype(np.float64))
    if test == "bhapkar":
        rest = 1 - statistic / fields["n"]
        if not np.trace(table) and rest < SINGULAR:
            return _undefined(test, "singular", fields)
        statistic /= rest
    return _chi_squared(test, statistic, len(used) - 1, fields)


def _reason(pair: Pair, differing: npt.NDArray[Any]) -> str | None:
    """Why the test is undefined, from the counts off the diagonal, shape (n_used, n_used)."""
    if pair.reason:
        return pair.reason
    if not len(differing):
        return "no_disagreement"
    from scipy.sparse.csgraph import connected_components  # slow to import

    # S is the Laplacian of the graph of the grades that were confused: it is regular if this graph is connected.
    groups, _ = connected_components(differing.astype(np.float64), directed=False)
    return "singular" if groups > 1 else None


def _quadratic_form(differing: npt.NDArray[np.float64]) -> float:
    """X^2 from the counts off the diagonal, shape (n_used, n_used)."""
    rows, columns = differing.sum(axis=1), differing.sum(axis=0)
    covariance = np.diag(rows + columns) - differing - differing.T
    d = (rows - columns)[:-1]
    return float(d @ np.linalg.solve(covariance[:-1, :-1], d))


def _binomial(smaller: int, differing: int) -> float:
    from scipy.special import betainc  # slow to import; bdtr is wrong for billions of items

    return min(1.0, 2 * float(betainc(differing - smaller, smaller + 1, 0.5)))


def _chi_squared(test: str, statistic: float, df: int, fields: dict[str, Any]) -> MarginalTest:
    from scipy.special import chdtrc  # slow to import

    return MarginalTest(test, statistic, df, float(chdtrc(df, statistic)), **fields)


def _undefined(test: str, reason: str, fields: dict[str, Any]) -> MarginalTest:
    return MarginalTest(test, None, None, None, **fields, status="undefined", reason=reason)


def _fields(of_pair: dict[str, Any], differing: int, convention: str) -> dict[str, Any]:
    known = {name: of_pair[name] for name in ("n_dropped", "assessors") if name in of_pair}
    return {"n": of_pair["n"], "n_disagreeing": differing, "convention": convention} | known
