"""Coefficients of any number of judges, from Ratings; what they count is in `agreement.coefficients.tally`.

References
----------
J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
A. J. Conger (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88(2),
322-328.
K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.
"""

from dataclasses import replace

import numpy as np

from agreement.coefficients.chance import said
from agreement.coefficients.tally import (
    PI_ITEMS,
    Tally,
    expected_agreement_of,
    observed_agreement_of,
    tally,
    why_undefined,
)
from agreement.coefficients.values import estimated
from agreement.estimate import Estimate, undefined
from agreement.intervals.measurement import Measured, requested
from agreement.intervals.null_errors import fleiss_null_of
from agreement.intervals.samples import sample_of_counts, sample_of_judges
from agreement.ratings import Ratings
from agreement.weights import IDENTITY, Weights, weights_of


def fleiss_kappa(
    ratings: Ratings, *, weights=IDENTITY, pi_items: str = "ge1", interval: str | None = None, **options
) -> Estimate:
    """Fleiss' kappa: one distribution of grades for all judges. Range up to 1; 0 is chance.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements, or counts.
    weights : str or array of shape (n_grades, n_grades)
        As in `agreement.weights`.
    pi_items : {"ge1", "ge2", "pooled"}
        Which items tell how often grades are given (`agreement.coefficients.tally`).
    interval, **options
        An interval, its `level`, `draws`, `seed` and `rng`: see `agreement.intervals.measurement`.

    Returns
    -------
    Estimate
        `n` counts the items with two or more judgements, `n_dropped` those with one.

    Raises
    ------
    ValueError
        An option is bad.
    """
    return measure_fleiss(ratings, weights, pi_items).with_interval(requested(interval, **options))


def fleiss_kappa_by_grade(
    ratings: Ratings, *, pi_items: str = "ge1", interval: str | None = None, **options
) -> dict[object, Estimate]:
    """Fleiss' kappa of each grade against all others: which grades are judged alike?

    Parameters and errors are those of `fleiss_kappa`.

    Returns
    -------
    dict of grade to Estimate
        In the order of the scale; undefined where nobody, or everybody always, gave the grade.
    """
    found = {}
    for grade in ratings.scale:
        estimate = fleiss_kappa(ratings.against_rest(grade), pi_items=pi_items, interval=interval, **options)
        found[grade] = replace(estimate, convention=_listed(estimate.convention, f"grade {grade} against the others"))
    return found


def conger_kappa(ratings: Ratings, *, weights=IDENTITY, interval: str | None = None, **options) -> Estimate:
    """Conger's kappa: each judge has a distribution of grades, of all items that they judged. Range up to 1.

    P(E) is the mean over pairs of different judges of the sum of w_kl p_k q_l. Idle assessors are none.
    Parameters, result and errors are those of `fleiss_kappa`. Conger (1980); with missing judgements Gwet (2014).
    """
    return measure_conger(ratings, weights).with_interval(requested(interval, **options))


def measure_fleiss(ratings: Ratings, weights=IDENTITY, pi_items: str = "ge1") -> Measured:
    """Fleiss' kappa, and what an interval of it needs."""
    return measure_many("fleiss_kappa", "pooled", ratings, weights, pi_items)


def measure_conger(ratings: Ratings, weights=IDENTITY) -> Measured:
    """Conger's kappa, and what an interval of it needs."""
    weights, counted = weights_of(weights, len(ratings.scale)), tally(ratings)
    convention = _listed("unpooled", weights.said())
    fields = _fields(ratings, counted, int(counted.marginals.sum()))
    reason = why_undefined(ratings, counted) or ("no_identities" if ratings.anonymous else None)
    if reason:
        estimate = undefined("conger_kappa", reason, convention=convention, **fields)
    else:
        observed, expected = float(observed_agreement_of(counted, weights)), _expected_of_judges(ratings, weights)
        estimate = estimated("conger_kappa", observed, expected, convention, fields)
    return Measured(estimate, lambda topics: sample_of_judges(ratings, weights, topics))


def measure_many(name: str, chance: str | None, ratings: Ratings, weights, pi_items: str) -> Measured:
    """A coefficient with one distribution for all judges, and what an interval of it needs.

    Parameters
    ----------
    name : str
    chance : str or None
        As in `agreement.coefficients.chance.terms`, but "unpooled".
    ratings, weights, pi_items
        As for `fleiss_kappa`.
    """
    if pi_items not in PI_ITEMS:
        raise ValueError(f"pi_items is one of {', '.join(PI_ITEMS)}; got {pi_items!r}")
    size = len(ratings.scale)
    weights, counted = weights_of(weights, size), tally(ratings)
    used = counted.paired() if pi_items == "ge2" else counted
    how = f"pi_items {pi_items}" if chance in ("pooled", "gwet") else ""
    convention = _listed(said(chance, size), weights.said(), how)
    fields = _fields(ratings, counted, int(used.marginals.sum()))
    if reason := why_undefined(ratings, counted):
        estimate = undefined(name, reason, convention=convention, **fields)
    else:
        observed = observed_agreement_of(counted, weights)
        expected = expected_agreement_of(counted, weights, chance, pi_items)
        estimate = estimated(name, observed, expected, convention, fields)
    null = (lambda: fleiss_null_of(counted, weights)) if name == "fleiss_kappa" else None
    return Measured(estimate, lambda topics: sample_of_counts(ratings, weights, chance, pi_items, topics), se_null=null)


def _expected_of_judges(ratings: Ratings, weights: Weights) -> float:
    """P(E) of judges with a distribution each; 1 only where it is, which whole numbers tell."""
    codes = ratings.narrow()
    given = np.stack([np.count_nonzero(codes == grade, axis=1) for grade in range(len(ratings.scale))], axis=1)
    given = given[given.any(axis=1)]
    if _all_agree(given.astype(object), weights):
        return 1.0
    p, w = given / given.sum(axis=1, keepdims=True), weights.floats()
    whole = p.sum(axis=0)
    return float((whole @ w @ whole - (p @ w * p).sum()) / (len(p) * (len(p) - 1)))


def _all_agree(given: np.ndarray, weights: Weights) -> bool:
    """Whether any two judgements of different judges agree; `given` are counts, shape (n_judges, n_grades)."""
    apart = weights.denominator - weights.integers(object)
    whole = given.sum(axis=0)
    return not whole @ apart @ whole - (given @ apart * given).sum()


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _fields(ratings: Ratings, counted: Tally, n_values: int) -> dict:
    return {
        "n": counted.n,
        "n_values": n_values,
        "n_dropped": counted.n_single,
        "assessors": ratings.assessors,
        "topics": ratings.topics_of(ratings.counts.sum(axis=1) > 1),
    }
