"""Coefficients of two judges; percent agreement, S and AC also of any number.

    kappa = (P(A) - P(E)) / (1 - P(E))               at most 1, perfect agreement; 0 is chance

P(A) is how often two judgements of one item agree. The coefficients differ in P(E), how often they agree by chance
(`agreement.coefficients.formulas`); `weights` state how much two different grades agree (`agreement.weights`):

==================== =========== ======================================================================
coefficient          chance      also known as
==================== =========== ======================================================================
`percent_agreement`  none        observed agreement, P(A)
`pooled_kappa`       pooled      Scott's pi; the kappa of Manning, Raghavan and Schuetze (2008), section 8.5
`cohen_kappa`        unpooled    Cohen's kappa, weighted kappa
`brennan_prediger`   uniform     S, PABAK (two grades), Randolph's free-marginal kappa
`gwet_ac`            gwet        AC1; AC2 with weights
`fleiss_kappa`       pooled      any number of judges; equals pooled kappa for two
`conger_kappa`       unpooled    any number of judges; equals Cohen's kappa for two
==================== =========== ======================================================================

Brennan and Prediger's kappa and Gwet's AC also compare all judges of ratings. Their P(E) depends on the declared scale,
so that they stay defined if all judgements have the same grade.

Two judges are compared on the items that both judged; these items also determine P(E). All numbers are exact up to the
last division, so a coefficient is the float64 nearest to the exact fraction (except for rounding in Conger's kappa of
three judges or more). If both judges gave only one and the same grade, P(E) = 1 and kappa is 0/0: undefined, with the
reason "one_category".
"""

from __future__ import annotations  # help() shows the names of type aliases

from agreement.coefficients.by_name import measure
from agreement.coefficients.pairs import Data, Judge
from agreement.estimate import Estimate
from agreement.weights import IDENTITY, WeightsLike


def percent_agreement(
    data: Data,
    a: Judge = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
) -> Estimate:
    """Percent agreement P(A): the share of pairs of judgements of one item that agree.

    Not corrected for chance. The range is 0 to 1. For more than two judges it is the mean over the items with two or
    more judgements of the share of agreeing pairs within the item.

    Parameters
    ----------
    data : Ratings, array of int of shape (n_grades, n_grades), or array of shape (n_items,)
        The judgements, or a table of counts of two judges: rows are the grades of the first, columns those of the
        second, in the order of the scale. Or the labels of the first judge, one for each item; None, NaN and
        negative numbers mean "not judged".
    a, b : str, or array of shape (n_items,), optional
        Two assessors of the ratings. If they are omitted, all assessors are compared. With labels, `a`
        contains the second judge's labels, in the same order of items.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.

    Returns
    -------
    Estimate
        `observed` equals `value`, and `expected` is None. `n` counts the items with two or more judgements,
        `n_dropped` the others. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": two judges are named, but the ratings are anonymous counts.
        * "no_overlap": no item has two judgements, or the table contains only zeros.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or the weights are invalid.

    References
    ----------
    K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.

    Examples
    --------
    >>> from agreement import percent_agreement
    >>> percent_agreement([[300, 20], [10, 70]]).value
    0.925
    >>> percent_agreement([[2, 1, 0], [0, 2, 1], [0, 0, 2]], weights="linear").value
    0.875
    """
    return measure("percent_agreement", data, a, b, weights=weights).result()


def pooled_kappa(
    data: Data,
    a: Judge = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
) -> Estimate:
    """Kappa of two judges with a common distribution of grades (Scott's pi).

    kappa = (P(A) - P(E)) / (1 - P(E)), where P(E) is computed from the mean of both judges' distributions of grades.
    The range is -1 to 1, except with custom weights; 0 is chance, 1 perfect agreement.

    Parameters
    ----------
    data : Ratings, array of int of shape (n_grades, n_grades), or array of shape (n_items,)
        The judgements, or a table of counts of two judges: rows are the grades of the first, columns those of the
        second, in the order of the scale. Or the labels of the first judge, one for each item; None, NaN and
        negative numbers mean "not judged".
    a, b : str, or array of shape (n_items,), optional
        Two assessors of the ratings. They may be omitted if there are exactly two. With labels, `a`
        contains the second judge's labels, in the same order of items.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.

    Returns
    -------
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "one_category": P(E) = 1, because both judges gave only one and the same grade.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or the weights are invalid.

    References
    ----------
    W. A. Scott (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly
    19(3), 321-325.
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.5. Cambridge
    University Press.

    Examples
    --------
    >>> from agreement import pooled_kappa
    >>> kappa = pooled_kappa([[300, 20], [10, 70]])
    >>> kappa.value
    0.7759103641456583
    >>> print(kappa)
    pooled kappa 0.776, fair, n = 400, P(A) = 0.925, P(E) = 0.665, pooled
    """
    return measure("pooled_kappa", data, a, b, weights=weights).result()


def cohen_kappa(
    data: Data,
    a: Judge = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
) -> Estimate:
    """Cohen's kappa of two judges, each with a distribution of grades; weighted kappa with `weights`.

    kappa = (P(A) - P(E)) / (1 - P(E)), where P(E) is computed from the distribution of grades of each judge
    ("unpooled"). The range is -1 to 1, except with custom weights; 0 is chance, 1 perfect agreement.

    Parameters
    ----------
    data : Ratings, array of int of shape (n_grades, n_grades), or array of shape (n_items,)
        The judgements, or a table of counts of two judges: rows are the grades of the first, columns those of the
        second, in the order of the scale. Or the labels of the first judge, one for each item; None, NaN and
        negative numbers mean "not judged".
    a, b : str, or array of shape (n_items,), optional
        Two assessors of the ratings. They may be omitted if there are exactly two. With labels, `a`
        contains the second judge's labels, in the same order of items.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.

    Returns
    -------
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "one_category": P(E) = 1, because both judges gave only one and the same grade.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, or the weights are invalid.

    References
    ----------
    J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1),
    37-46, equation 1.
    J. Cohen (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70(4), 213-220.

    Examples
    --------
    >>> from agreement import Ratings, cohen_kappa
    >>> print(cohen_kappa([[300, 20], [10, 70]]).interval("analytic"))  # doctest: +NORMALIZE_WHITESPACE
    cohen kappa 0.776, fair, 95% interval 0.700 to 0.852 (analytic: Fleiss, Cohen and Everitt (1969)), n = 400,
    P(A) = 0.925, P(E) = 0.665, unpooled
    >>> ratings = Ratings.from_matrix([[0, 1, 2, 2], [0, 2, 2, None]], scale=(0, 1, 2), assessors=("ada", "bob"))
    >>> cohen_kappa(ratings, "ada", "bob", weights="linear").shown()
    '0.667'
    >>> cohen_kappa([[0, 0], [0, 7]]).reason
    'one_category'
    >>> cohen_kappa([0, 1, 1, 0], [0, 1, 0, 0]).value
    0.5
    """
    return measure("cohen_kappa", data, a, b, weights=weights).result()


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
