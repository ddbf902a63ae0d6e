"""Coefficients of agreement, corrected for chance or not, of two judges or of any number.

    kappa = (P(A) - P(E)) / (1 - P(E))               range -1 to 1; 0 is chance, 1 perfect agreement

P(A) is how often two judgements of one item agree. The coefficients differ in P(E), how often they would by chance
(`agreement.coefficients.chance`), and `weights` say how much two different grades agree (`agreement.weights`):

==================== =========== ======================================================================
coefficient          chance      also known as
==================== =========== ======================================================================
`percent_agreement`  none        observed agreement, P(A)
`pooled_kappa`       pooled      Scott's pi; the kappa of Manning, Raghavan and Schuetze (2008), section 8.5
`cohen_kappa`        unpooled    Cohen's kappa, weighted kappa
`brennan_prediger`   uniform     S, PABAK (two grades), Randolph's free-marginal kappa
`gwet_ac`            gwet        AC1; AC2 with weights
`fleiss_kappa`       pooled      of any number of judges; of two it is pooled kappa
`conger_kappa`       unpooled    of any number of judges; of two it is Cohen's kappa
==================== =========== ======================================================================

Data are a K x K table of counts (rows: what the first judge said, columns: the second), or Ratings and two
assessors, who may be left out where there are only two: then items that both judged count, for P(E) too. From
Ratings without names, `percent_agreement`, `brennan_prediger` and `gwet_ac` take all judges (`agreement.coefficients.tally`).

Everything up to the last division is exact, so that a coefficient is the float64 nearest to the true fraction
(Conger's kappa of three or more but for rounding). P(E) = 1 happens where all said one and the same; kappa is then 0/0:
undefined, reason `one_category`. AC1 and Brennan-Prediger, whose chance goes by the declared scale, stay defined.
Other undefined cases are those of `agreement.estimate`. For intervals see `agreement.intervals.measurement`.

References
----------
W. A. Scott (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion
Quarterly 19(3), 321-325.
J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
20(1), 37-46, equation 1. (1968) Weighted kappa. Psychological Bulletin 70(4), 213-220.
R. L. Brennan and D. J. Prediger (1981). Coefficient kappa: some uses, misuses, and alternatives. Educational and
Psychological Measurement 41(3), 687-699.
K. L. Gwet (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British
Journal of Mathematical and Statistical Psychology 61(1), 29-48.
"""

from fractions import Fraction

import numpy as np

from agreement.coefficients.chance import CHANCE, said, terms
from agreement.coefficients.many_judges import measure_many
from agreement.coefficients.pairs import Counts, Pair, counts_of, pair_of
from agreement.coefficients.proportions import kappa_from_proportions
from agreement.coefficients.tally import PI_ITEMS
from agreement.coefficients.values import band, estimated
from agreement.estimate import Estimate, undefined
from agreement.intervals.measurement import GWET, Measured, requested
from agreement.intervals.null_errors import cohen_null, fleiss_null
from agreement.intervals.samples import sample_of_pair
from agreement.ratings import Ratings
from agreement.weights import IDENTITY, Weights, weights_of

__all__ = [
    "CHANCE",
    "Counts",
    "band",
    "brennan_prediger",
    "cohen_kappa",
    "counts_of",
    "expected_agreement",
    "gwet_ac",
    "kappa_from_proportions",
    "observed_agreement",
    "percent_agreement",
    "pooled_kappa",
    "total",
]

CHANCE_OF = {
    "percent_agreement": None,
    "pooled_kappa": "pooled",
    "cohen_kappa": "unpooled",
    "brennan_prediger": "uniform",
    "gwet_ac": "gwet",
}
OF_ALL = ("percent_agreement", "brennan_prediger", "gwet_ac")


def percent_agreement(
    data, a: str | None = None, b: str | None = None, *, weights=IDENTITY, interval: str | None = None, **options
) -> Estimate:
    """P(A), the share of pairs of judgements of one item that agree. Range 0 to 1.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
    a, b : str, optional
        Two assessors of the Ratings; left out, all.
    weights : str or array of shape (n_grades, n_grades)
        As in `agreement.weights`.
    interval, **options
        An interval, its `level`, `draws`, `seed` and `rng`: see `agreement.intervals.measurement`.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        The table is no square of counts, an assessor is unknown, or an option is bad.
    """
    return measure("percent_agreement", data, a, b, weights=weights).with_interval(requested(interval, **options))


def pooled_kappa(
    data, a: str | None = None, b: str | None = None, *, weights=IDENTITY, interval: str | None = None, **options
) -> Estimate:
    """Kappa of two judges with one distribution of grades for both (Scott's pi). Range -1 to 1.

    Parameters, result and errors are those of `percent_agreement`, but that two assessors are needed. Scott (1955);
    Manning, Raghavan and Schuetze (2008), section 8.5.
    """
    return measure("pooled_kappa", data, a, b, weights=weights).with_interval(requested(interval, **options))


def cohen_kappa(
    data, a: str | None = None, b: str | None = None, *, weights=IDENTITY, interval: str | None = None, **options
) -> Estimate:
    """Kappa of two judges with a distribution of grades for each (unpooled), weighted or not. Range -1 to 1.

    Parameters, result and errors are those of `pooled_kappa`. Cohen (1960), equation 1; Cohen (1968).
    """
    return measure("cohen_kappa", data, a, b, weights=weights).with_interval(requested(interval, **options))


def brennan_prediger(
    data,
    a: str | None = None,
    b: str | None = None,
    *,
    weights=IDENTITY,
    pi_items: str = "ge1",
    interval: str | None = None,
    **options,
) -> Estimate:
    """Kappa where chance gives each grade of the declared scale alike. Range -1 / (K - 1) to 1 without weights.

    Parameters, result and errors are those of `percent_agreement`, and

    Parameters
    ----------
    pi_items : {"ge1", "ge2", "pooled"}
        As for `fleiss_kappa`; chance does not depend on the judgements, so that it changes only which items an
        interval resamples.
    """
    found = measure("brennan_prediger", data, a, b, weights=weights, pi_items=pi_items)
    return found.with_interval(requested(interval, **options))


def gwet_ac(
    data,
    a: str | None = None,
    b: str | None = None,
    *,
    weights=IDENTITY,
    pi_items: str = "ge1",
    interval: str | None = None,
    **options,
) -> Estimate:
    """Gwet's AC1, or AC2 with weights: chance only on items that are hard to judge. Range -1 to 1 without weights.

    Parameters, result and errors are those of `percent_agreement`, and

    Parameters
    ----------
    pi_items : {"ge1", "ge2", "pooled"}
        As for `fleiss_kappa`, where the judges are not named.
    """
    found = measure("gwet_ac", data, a, b, weights=weights, pi_items=pi_items)
    return found.with_interval(requested(interval, **options))


def observed_agreement(counts: Counts) -> Fraction:
    """P(A) of a table that is not all zeros, exactly."""
    observed, _, whole = terms(np.array(counts, dtype=object), weights_of(IDENTITY, len(counts)), None)
    return Fraction(observed, whole)


def expected_agreement(counts: Counts, chance: str) -> Fraction:
    """P(E) of a table that is not all zeros, exactly; `chance` is a key of `CHANCE`."""
    _, expected, whole = terms(np.array(counts, dtype=object), weights_of(IDENTITY, len(counts)), chance)
    return Fraction(expected, whole)


def total(counts: Counts) -> int:
    """The number of items in a table."""
    return sum(map(sum, counts))


def measure(
    name: str, data, a: str | None = None, b: str | None = None, *, weights=IDENTITY, pi_items: str = "ge1"
) -> Measured:
    """A coefficient of two judges, or of all where it is in `OF_ALL`, and what an interval of it needs.

    Parameters
    ----------
    name : str
        A key of `CHANCE_OF`.
    data, a, b, weights, pi_items
        As for the coefficients.
    """
    if pi_items not in PI_ITEMS:
        raise ValueError(f"pi_items is one of {', '.join(PI_ITEMS)}; got {pi_items!r}")
    if name in OF_ALL and isinstance(data, Ratings) and a is None and b is None and not _is_pair(name, data):
        return measure_many(name, CHANCE_OF[name], data, weights, pi_items)
    return _measure_pair(name, CHANCE_OF[name], pair_of(data, a, b), weights)


def _is_pair(name: str, ratings: Ratings) -> bool:
    """Whether two judges are the same as all: always for P(A), which knows only items that both judged."""
    return name == "percent_agreement" and len(ratings.assessors) == 2


def _measure_pair(name: str, chance: str | None, pair: Pair, weights) -> Measured:
    size = len(pair.scale)
    weights = weights_of(weights, size)
    convention = ", ".join(filter(None, (said(chance, size), weights.said())))
    if pair.reason:
        estimate = undefined(name, pair.reason, convention=convention, **pair.fields)
    else:
        observed, expected, whole = terms(pair.table, weights, chance)
        estimate = estimated(name, Fraction(observed, whole), Fraction(expected, whole), convention, pair.fields)
    return Measured(
        estimate,
        lambda topics: sample_of_pair(pair, weights, chance, topics),
        *_method(name, pair),
        lambda: _null(name, pair.table, weights),
    )


def _method(name: str, pair: Pair) -> tuple[str, int]:
    """The source of the analytic standard error, and what is taken off n."""
    if name == "cohen_kappa":
        return "Fleiss, Cohen and Everitt (1969)", 0
    return ("delta method", 0) if pair.ratings is None else (GWET, 1)


def _null(name: str, table: np.ndarray, weights: Weights) -> float | None:
    if name == "cohen_kappa":
        return cohen_null(table, weights)
    if name == "pooled_kappa" and weights.name == IDENTITY:
        n = int(table.sum())
        given = (table.sum(axis=0) + table.sum(axis=1)).astype(float)
        return fleiss_null(n, 2, given / (2 * n))
    return None
