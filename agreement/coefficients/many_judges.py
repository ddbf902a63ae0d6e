"""Coefficients of any number of judges; `agreement.coefficients.tally` defines P(A) and the shares of the grades.

References
----------
J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
A. J. Conger (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88(2),
322-328.
K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.
"""

from __future__ import annotations  # help() shows the names of type aliases

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coefficients.formulas import describe_chance, estimated
from agreement.coefficients.tally import (
    PI_ITEMS,
    Tally,
    expected_agreement_of,
    observed_agreement_of,
    tally,
    why_undefined,
)
from agreement.estimate import Estimate, undefined
from agreement.intervals.defaults import different_documents, single_judgements
from agreement.intervals.measurement import Measurement
from agreement.intervals.null_errors import fleiss_null_of
from agreement.intervals.samples import sample_of_counts, sample_of_judges
from agreement.intervals.score_interval import OF_SHARES, score_interval
from agreement.judgements import Grade
from agreement.ratings import Ratings, check_ratings
from agreement.weights import IDENTITY, Weights, WeightsLike, weights_of

JUDGE_ITEMS = {  # the items from which the distribution of a judge is computed, in words
    "ge2": "each judge's grades of items with two or more judgements",
    "ge1": "each judge's grades of all their items",
}


def fleiss_kappa(
    ratings: Ratings,
    *,
    weights: WeightsLike = IDENTITY,
    pi_items: str = "ge2",
) -> Estimate:
    """Fleiss' kappa of any number of judges with a common distribution of grades.

    kappa = (P(A) - P(E)) / (1 - P(E)), where P(A) is the mean over items of the share of agreeing pairs of judgements,
    and P(E) is computed from the shares of the grades of all judges. From -1 to 1, except with custom weights or
    another `pi_items` than "ge2"; 0 is chance. With two judges it equals pooled kappa (Scott's pi) of the items that
    both judged.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors with or without missing judgements, or anonymous counts.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.
    pi_items : {"ge2", "ge1", "pooled"}, optional
        The items from which the shares of the grades for P(E) are computed: the mean of the shares within the items
        with two judgements or more ("ge2"), which are those of P(A); within those with one or more ("ge1", as irrCAC
        does); or the share in all judgements ("pooled"). With the last two, items that only one judge judged change
        the value, which can then be below its minimum; a warning says so.

    Returns
    -------
    Estimate
        `n` counts the items with two or more judgements, `n_dropped` those with one. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_overlap": no item has two judgements.
        * "one_category": P(E) = 1, because all judgements have the same grade.

    Raises
    ------
    ValueError
        The weights are invalid, or `pi_items` is unknown.

    References
    ----------
    J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
    K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics. (Missing judgements.)

    Examples
    --------
    >>> from agreement import Ratings, fleiss_kappa
    >>> ratings = Ratings.from_counts([[3, 0], [0, 3], [2, 1], [3, 0]], scale=(0, 1))
    >>> fleiss_kappa(ratings).value
    0.625
    """
    return measure_fleiss(ratings, weights, pi_items).result()


def fleiss_kappa_by_grade(
    ratings: Ratings,
    *,
    pi_items: str = "ge2",
) -> dict[Grade, Estimate]:
    """Fleiss' kappa of each grade against all other grades: on which grades the judges agree.

    For each grade, judgements with this grade are compared with all others. From -1 to 1, except with another
    `pi_items` than "ge2"; 0 is chance.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors with or without missing judgements, or anonymous counts.
    pi_items : {"ge2", "ge1", "pooled"}, optional
        The items from which the shares of the grades for P(E) are computed: the mean of the shares within the items
        with two judgements or more ("ge2"), which are those of P(A); within those with one or more ("ge1", as irrCAC
        does); or the share in all judgements ("pooled"). With the last two, items that only one judge judged change
        the value, which can then be below its minimum; a warning says so.

    Returns
    -------
    dict of grade to Estimate
        In the order of the scale. An estimate is undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_overlap": no item has two judgements.
        * "one_category": no judgement, or each judgement, has the grade.

    Raises
    ------
    ValueError
        `pi_items` is unknown.

    References
    ----------
    J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.

    Examples
    --------
    >>> from agreement import Ratings, fleiss_kappa_by_grade
    >>> ratings = Ratings.from_counts([[3, 0, 0], [0, 2, 1], [0, 1, 2]], scale=(0, 1, 2))
    >>> {grade: kappa.shown() for grade, kappa in fleiss_kappa_by_grade(ratings).items()}
    {0: '1.000', 1: '0.000', 2: '0.000'}
    """
    check_ratings(ratings, "fleiss_kappa_by_grade")
    estimates = {}
    for grade in ratings.scale:
        measured = measure_fleiss(ratings.against_rest(grade), IDENTITY, pi_items)
        convention = _joined(measured.estimate.convention, f"grade {grade} against the others")
        estimates[grade] = measured.with_convention(convention).result()
    return estimates


def conger_kappa(
    ratings: Ratings,
    *,
    weights: WeightsLike = IDENTITY,
    pi_items: str = "ge2",
) -> Estimate:
    """Conger's kappa of any number of judges, each with a distribution of grades.

    kappa = (P(A) - P(E)) / (1 - P(E)), where P(E) is the mean over pairs of different judges of the sum of
    w_kl p_k q_l, with p and q their distributions over the items with two judgements or more that they judged. At most
    1; 0 is chance. Assessors without such items are left out.

    Items that only one judge judged do not count, so that P(E) describes the same items as P(A). Therefore it equals
    Cohen's kappa with two judges, whatever else one of them judged. If everyone judged the same items it is at least
    -1, except with custom weights. If the judges judged different items it has no minimum, because P(A) is a mean over
    items and P(E) one over pairs of judges.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors with or without missing judgements.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.
    pi_items : {"ge2", "ge1"}, optional
        The items from which the distribution of each judge is computed: those with two judgements or more ("ge2"), or
        all that the judge judged ("ge1", as irrCAC does). With "ge1", items that only one judge judged change the
        value; a warning says so.

    Returns
    -------
    Estimate
        `n` counts the items with two or more judgements, `n_dropped` those with one. A warning says if the value is
        below -1, which is possible if the judges judged different items. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_overlap": no item has two judgements.
        * "no_identities": the ratings are anonymous counts.
        * "one_category": P(E) = 1, because all judgements have the same grade.

    Raises
    ------
    ValueError
        The weights are invalid, or `pi_items` is unknown.

    References
    ----------
    A. J. Conger (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88(2),
    322-328.
    K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics. (Missing judgements.)

    Examples
    --------
    >>> from agreement import Ratings, conger_kappa
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, None]], scale=(0, 1), axis="assessors")
    >>> print(conger_kappa(ratings).shown())
    0.684
    """
    return measure_conger(ratings, weights, pi_items).result()


def measure_fleiss(ratings: Ratings, weights: WeightsLike = IDENTITY, pi_items: str = "ge2") -> Measurement:
    """Fleiss' kappa with the data for an interval."""
    check_ratings(ratings, "fleiss_kappa")
    return measure_many("fleiss_kappa", "pooled", ratings, weights, pi_items)


def measure_conger(ratings: Ratings, weights: WeightsLike = IDENTITY, pi_items: str = "ge2") -> Measurement:
    """Conger's kappa with the data for an interval."""
    check_ratings(ratings, "conger_kappa")
    if pi_items not in JUDGE_ITEMS:
        raise ValueError(f"pi_items must be one of {', '.join(JUDGE_ITEMS)}, not {pi_items!r}.")
    exact, counted = weights_of(weights, len(ratings.scale)), tally(ratings)
    used = ratings.shared if pi_items == "ge2" else ratings
    convention = _joined("unpooled", exact.describe(), JUDGE_ITEMS[pi_items])
    fields = _fields("conger_kappa", ratings, counted, used.n_judgements, pi_items)
    reason = why_undefined(ratings, counted) or ("no_identities" if ratings.anonymous else None)
    if reason:
        estimate = undefined("conger_kappa", reason, convention=convention, **fields)
    else:
        observed, expected = float(observed_agreement_of(counted, exact)), _expected_of_judges(used, exact)
        estimate = estimated("conger_kappa", observed, expected, convention, fields)
    if _missing(used):
        estimate = replace(estimate, warnings=estimate.warnings + different_documents(estimate.value))
    two_judges = len(used.assessors) - len(used.idle) == 2
    table = tally(used).table_of_two() if two_judges else None
    return Measurement(
        estimate,
        lambda topics: sample_of_judges(used, exact, topics),
        score=lambda: score_interval(estimate, table, exact.name != IDENTITY),
        two_judgements=counted.two_judgements,
    )


def measure_many(name: str, chance: str | None, ratings: Ratings, weights: WeightsLike, pi_items: str) -> Measurement:
    """A coefficient with one distribution of grades for all judges, with the data for an interval.

    Shapes: `weights` (n_grades, n_grades).
    """
    if pi_items not in PI_ITEMS:
        raise ValueError(f"pi_items must be one of {', '.join(PI_ITEMS)}, not {pi_items!r}.")
    size = len(ratings.scale)
    exact, counted = weights_of(weights, size), tally(ratings)
    used = counted.paired() if pi_items == "ge2" else counted
    items = PI_ITEMS[pi_items] if chance in ("pooled", "gwet") else ""
    convention = _joined(describe_chance(chance, size), exact.describe(), items)
    fields = _fields(name, ratings, counted, int(used.marginals.sum()), pi_items if items else "ge2")
    if reason := why_undefined(ratings, counted):
        estimate = undefined(name, reason, convention=convention, **fields)
    else:
        observed = observed_agreement_of(counted, exact)
        expected = expected_agreement_of(counted, exact, chance, pi_items)
        estimate = estimated(name, observed, expected, convention, fields)
    compared = counted.paired() if name in OF_SHARES else used  # single judgements change P(E) of the others
    return Measurement(
        estimate,
        lambda topics: sample_of_counts(ratings, exact, chance, pi_items, topics),
        se_null=(lambda: fleiss_null_of(used, exact)) if name == "fleiss_kappa" else None,
        score=lambda: score_interval(estimate, compared.table_of_two(), exact.name != IDENTITY),
        two_judgements=counted.two_judgements,
    )


def _expected_of_judges(ratings: Ratings, weights: Weights) -> float:
    """P(E) if each judge has a distribution; 1 only if it is exactly 1, which integers decide."""
    codes = ratings.narrow()
    uses = np.stack([np.count_nonzero(codes == grade, axis=1) for grade in range(len(ratings.scale))], axis=1)
    uses = uses[uses.any(axis=1)]
    if _all_agree(uses.astype(object), weights):
        return 1.0
    p, w = uses / uses.sum(axis=1, keepdims=True), weights.floats()
    summed = p.sum(axis=0)
    return float((summed @ w @ summed - (p @ w * p).sum()) / (len(p) * (len(p) - 1)))


def _all_agree(uses: npt.NDArray[np.object_], weights: Weights) -> bool:
    """Whether any two judgements of different judges agree; `uses` are counts, shape (n_judges, n_grades)."""
    disagreement = weights.denominator - weights.integers(object)
    summed = uses.sum(axis=0)
    return not summed @ disagreement @ summed - (uses @ disagreement * uses).sum()


def _missing(ratings: Ratings) -> bool:
    """Whether a judge of some of the items did not judge all of them."""
    return ratings.n_judgements < (len(ratings.assessors) - len(ratings.idle)) * ratings.n_items


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _fields(name: str, ratings: Ratings, counted: Tally, n_values: int, pi_items: str) -> dict[str, Any]:
    """The fields of an estimate whose P(E) is computed from these items."""
    return {
        "warnings": single_judgements(counted.n_single, name) if pi_items != "ge2" else (),
        "n": counted.n,
        "n_values": n_values,
        "n_dropped": counted.n_single,
        "assessors": ratings.assessors,
        "topics": ratings.topics_of(ratings.counts.sum(axis=1) > 1),
    }
