"""Coefficients whose chance agreement depends on the declared scale: Brennan and Prediger's kappa, and Gwet's AC.

Both compare two judges, or all judges of ratings. Because P(E) depends on the number of grades of the scale, they stay
defined if all judgements have the same grade.
"""

from __future__ import annotations  # help() shows the names of type aliases

from agreement.coefficients.measure import measure
from agreement.coefficients.pairs import Data
from agreement.estimate import Estimate
from agreement.weights import IDENTITY, WeightsLike


def brennan_prediger(
    data: Data,
    a: str | None = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
    pi_items: str = "ge2",
) -> Estimate:
    """Brennan and Prediger's kappa: by chance, each grade of the declared scale is equally likely.

    Also known as S, as PABAK (two grades) and as Randolph's free-marginal kappa. kappa = (P(A) - P(E)) / (1 - P(E))
    with P(E) = T / K^2 for K grades and the sum T of the weights, which is 1 / K without weights. The range is
    -P(E) / (1 - P(E)) to 1; 0 is chance, 1 perfect agreement. The minimum is -1 / (K - 1) without weights, and with
    weights it can be below -1: it is -3 for five grades and quadratic weights.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts of two judges: rows are the grades of the first, columns those of the
        second, in the order of the scale.
    a, b : str, optional
        Two assessors of the ratings. If they are omitted, all assessors are compared.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.
    pi_items : {"ge2", "ge1", "pooled"}, optional
        The items that an interval resamples if all judges are compared: those with two judgements or more ("ge2") or
        with one or more ("ge1", "pooled"). The value does not depend on it.

    Returns
    -------
    Estimate
        `n` counts the items with two or more judgements, `n_dropped` the others. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": two judges are named, but the ratings are anonymous counts.
        * "no_overlap": no item has two judgements, or the table contains only zeros.
        * "one_category": the table has only one grade.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or the weights or `pi_items`
        are invalid.

    References
    ----------
    R. L. Brennan and D. J. Prediger (1981). Coefficient kappa: some uses, misuses, and alternatives. Educational and
    Psychological Measurement 41(3), 687-699.

    Examples
    --------
    >>> from agreement import brennan_prediger
    >>> brennan_prediger([[300, 20], [10, 70]]).value
    0.85
    >>> brennan_prediger([[0, 0], [0, 7]]).value
    1.0
    """
    return measure("brennan_prediger", data, a, b, weights=weights, pi_items=pi_items).result()


def gwet_ac(
    data: Data,
    a: str | None = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
    pi_items: str = "ge2",
) -> Estimate:
    """Gwet's AC1, or AC2 with weights: chance agreement occurs only on items that are hard to judge.

    AC = (P(A) - P(E)) / (1 - P(E)). Without weights, P(E) = sum of s_k (1 - s_k) / (K - 1), where s_k is the share of
    grade k among K grades; with weights, P(E) is T / K times this, where T is the sum of the weights. AC1 is at least
    -1 / (K - 1), AC2 at least -T / (K^2 - T), whatever `pi_items`; 0 is chance, 1 perfect agreement. AC is less
    sensitive to the prevalence of relevant documents than kappa.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts of two judges: rows are the grades of the first, columns those of the
        second, in the order of the scale.
    a, b : str, optional
        Two assessors of the ratings. If they are omitted, all assessors are compared.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.
    pi_items : {"ge2", "ge1", "pooled"}, optional
        The items from which the shares of the grades for P(E) are computed: the mean of the shares within the items
        with two judgements or more ("ge2"), which are those of P(A); within those with one or more ("ge1", as irrCAC
        does); or the share in all judgements ("pooled"). With the last two, items that only one judge judged change
        the value; a warning says so. Not used with two named judges or a table.

    Returns
    -------
    Estimate
        `n` counts the items with two or more judgements, `n_dropped` the others. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": two judges are named, but the ratings are anonymous counts.
        * "no_overlap": no item has two judgements, or the table contains only zeros.
        * "one_category": the table has only one grade.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or the weights or `pi_items`
        are invalid.

    References
    ----------
    K. L. Gwet (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British
    Journal of Mathematical and Statistical Psychology 61(1), 29-48.

    Examples
    --------
    >>> from agreement import Ratings, gwet_ac
    >>> gwet_ac([[300, 20], [10, 70]]).shown()
    '0.887'
    >>> gwet_ac([[0, 0], [0, 7]]).value
    1.0
    >>> gwet_ac(Ratings.from_counts([[3, 0], [0, 3], [2, 1]], scale=(0, 1))).shown()
    '0.561'
    """
    return measure("gwet_ac", data, a, b, weights=weights, pi_items=pi_items).result()
