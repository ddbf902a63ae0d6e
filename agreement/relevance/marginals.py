"""What the totals of the assessors do to kappa: prevalence, bias, and the highest kappa they allow.

In the words of `agreement.relevance.two_by_two`, with n items judged by both:

    prevalence index   (both - neither) / n      range -1 to 1; 0 where relevant is as common as not relevant
    bias index         (only_a - only_b) / n     range -1 to 1; above 0 where a finds more relevant than b

They explain why kappa is low where agreement is high. On two grades, with P(A) the observed agreement, PI the
prevalence index and BI the bias index:

    unpooled kappa = (2 P(A) - 1 - PI^2 + BI^2) / (1 - PI^2 + BI^2)
    pooled kappa   = (2 P(A) - 1 - PI^2) / (1 - PI^2)

Maximum kappa is the kappa that the same two assessors would reach if they agreed as often as their totals
allow. With r_k and c_k the totals of row and column k, it puts

    P(A) = sum over k of min(r_k, c_k) / n

in the place of the observed agreement and leaves P(E) as it is. It is 1 where the totals are the same, and never
below the kappa itself; unpooled it is never below 0 either, pooled it may be. It works on every grade, or on
relevant and not relevant with `rel`.

Undefined cases are those of `agreement.coefficients.two_judges`: maximum kappa where every judgement has the same grade
(`one_category`), all of them where no item was judged by both.

References
----------
T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology
46(5), 423-429: both indices, and kappa by way of them.
J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
20(1), 37-46: maximum kappa.
"""

from fractions import Fraction

import numpy as np

from agreement.coefficients.chance import terms
from agreement.coefficients.pairs import pair_of
from agreement.estimate import Estimate, undefined
from agreement.relevance.two_by_two import fourfold
from agreement.weights import IDENTITY, weights_of

KAPPAS = ("unpooled", "pooled")


def prevalence_index(data, a: str | None = None, b: str | None = None, rel=None) -> Estimate:
    """How much commoner relevant is than not relevant. Range -1 to 1.

    Parameters and errors are those of `agreement.relevance.two_by_two.fourfold`. The sign is kept; Byrt, Bishop and Carlin
    (1993) use the square in what follows from it.
    """
    pair = fourfold(data, a, b, rel)
    return pair.share("prevalence_index", pair.both - pair.neither, pair.n)


def bias_index(data, a: str | None = None, b: str | None = None, rel=None) -> Estimate:
    """How much more a finds relevant than b, as a share of all items. Range -1 to 1.

    Parameters and errors are those of `agreement.relevance.two_by_two.fourfold`.
    """
    pair = fourfold(data, a, b, rel)
    return pair.share("bias_index", pair.only_a - pair.only_b, pair.n)


def kappa_maximum(data, a: str | None = None, b: str | None = None, rel=None, chance: str = "unpooled") -> Estimate:
    """The highest kappa that the totals of two assessors allow. Range 0 to 1 unpooled, -1 to 1 pooled.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
    a, b : str, optional
        Two assessors of the Ratings; may be left out where there are only two.
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    chance : {"unpooled", "pooled"}
        Cohen's kappa, or Scott's form.

    Returns
    -------
    Estimate
        `observed` is the highest agreement that the totals allow, `expected` P(E).

    Raises
    ------
    ValueError
        As for `agreement.relevance.two_by_two.fourfold`, or `chance` is unknown.
    """
    if chance not in KAPPAS:
        raise ValueError(f"chance is one of {', '.join(KAPPAS)}; got {chance!r}")
    pair = pair_of(data, a, b)
    table, fields = pair.table, dict(pair.fields, convention=chance)
    if rel is not None:
        found = fourfold(data, a, b, rel)
        table = np.array([[found.neither, found.only_b], [found.only_a, found.both]], dtype=object)
        fields["convention"] = f"{chance}, {found.convention}"
    if pair.reason:
        return undefined("kappa_maximum", pair.reason, **fields)
    _, expected, whole = terms(table, weights_of(IDENTITY, len(table)), chance)
    highest = Fraction(int(np.minimum(table.sum(axis=0), table.sum(axis=1)).sum()), fields["n"])
    fields |= {"observed": float(highest), "expected": float(Fraction(expected, whole))}
    if expected == whole:
        return undefined("kappa_maximum", "one_category", **fields)
    return Estimate(float((highest * whole - expected) / (whole - expected)), "kappa_maximum", **fields)
