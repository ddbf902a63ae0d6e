"""The influence of the judges' totals on kappa: prevalence, bias, and the highest possible kappa.

With the counts of `agreement.relevance.two_by_two` and n items judged by both:

    prevalence index   (both - neither) / n      range -1 to 1; 0 if relevant is as frequent as nonrelevant
    bias index         (only_a - only_b) / n     range -1 to 1; above 0 if a finds more items relevant than b

They explain a low kappa despite high agreement. On two grades, with P(A) the observed agreement, PI the prevalence
index and BI the bias index:

    unpooled kappa = (2 P(A) - 1 - PI^2 + BI^2) / (1 - PI^2 + BI^2)
    pooled kappa   = (2 P(A) - 1 - PI^2) / (1 - PI^2)

Maximum kappa is the kappa that the same judges would reach if they agreed as often as their totals permit. With r_k and
c_k the totals of row and column k, it replaces the observed agreement by

    P(A) = sum over k of min(r_k, c_k) / n

and keeps P(E). It is 1 if the totals are equal, and never below kappa itself. Unpooled it is never below 0; pooled it
may be. It compares all grades, or relevant and nonrelevant if `rel` is passed.

References
----------
T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5), 423-429:
both indices, and kappa as a function of them.
J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), 37-46:
maximum kappa.
"""

from __future__ import annotations  # help() shows the names of type aliases

from fractions import Fraction

import numpy as np

from agreement.coefficients.formulas import terms
from agreement.coefficients.pairs import Data, check_data, pair_of
from agreement.estimate import Estimate, undefined
from agreement.judgements import Grade
from agreement.relevance.two_by_two import two_by_two
from agreement.weights import IDENTITY, weights_of

KAPPAS = ("unpooled", "pooled")


def prevalence_index(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> Estimate:
    """Prevalence index of two judges: how much more frequent relevant is than nonrelevant.

    (both - neither) / n, where both and neither are the numbers of items that both or no judge found relevant, and n is
    the number of items that both judged. The range is -1 to 1. Byrt, Bishop and Carlin (1993) use its square; here the
    sign is kept.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the
        reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5),
    423-429.

    Examples
    --------
    >>> from agreement import prevalence_index
    >>> prevalence_index([[80, 10], [0, 10]]).value
    -0.7
    """
    check_data(data, "prevalence_index")
    table = two_by_two(data, a, b, rel)
    return table.share("prevalence_index", table.both - table.neither, table.n)


def bias_index(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> Estimate:
    """Bias index of two judges: how many more items a found relevant than b, as a share of all items.

    (only_a - only_b) / n, where only_a and only_b are the numbers of items that only a or only b found relevant, and n
    is the number of items that both judged. The range is -1 to 1.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the
        reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5),
    423-429.

    Examples
    --------
    >>> from agreement import bias_index
    >>> bias_index([[80, 10], [0, 10]]).value
    -0.1
    """
    check_data(data, "bias_index")
    table = two_by_two(data, a, b, rel)
    return table.share("bias_index", table.only_a - table.only_b, table.n)


def kappa_maximum(
    data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None, chance: str = "unpooled"
) -> Estimate:
    """Maximum kappa: the highest kappa that the totals of two judges permit.

    The range is 0 to 1 unpooled, -1 to 1 pooled.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    chance : {"unpooled", "pooled"}, optional
        The maximum of Cohen's kappa, or of pooled kappa (Scott's pi).

    Returns
    -------
    Estimate
        `observed` is the highest agreement that the totals permit, `expected` is P(E). Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "one_category": P(E) = 1, because both judges gave only one and the same grade.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `chance` is unknown.

    References
    ----------
    J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1),
    37-46.

    Examples
    --------
    >>> from agreement import cohen_kappa, kappa_maximum
    >>> table = [[70, 20], [5, 5]]
    >>> cohen_kappa(table).shown(), kappa_maximum(table).shown()
    ('0.167', '0.500')
    """
    check_data(data, "kappa_maximum")
    if chance not in KAPPAS:
        raise ValueError(f"chance must be one of {', '.join(KAPPAS)}, not {chance!r}.")
    pair = pair_of(data, a, b)
    table, fields = pair.table, dict(pair.fields, convention=chance)
    if rel is not None:
        cut = two_by_two(data, a, b, rel)
        table = np.array([[cut.neither, cut.only_b], [cut.only_a, cut.both]], dtype=object)
        fields["convention"] = f"{chance}, {cut.convention}"
    if pair.reason:
        return undefined("kappa_maximum", pair.reason, **fields)
    _, expected, denominator = terms(table, weights_of(IDENTITY, len(table)), chance)
    highest = Fraction(int(np.minimum(table.sum(axis=0), table.sum(axis=1)).sum()), fields["n"])
    fields |= {"observed": float(highest), "expected": float(Fraction(expected, denominator))}
    if expected == denominator:
        return undefined("kappa_maximum", "one_category", **fields)
    return Estimate(float((highest * denominator - expected) / (denominator - expected)), "kappa_maximum", **fields)
