"""Coefficients of two judges by name: of one pair with the data for an interval, and of many tables at once.

The alpha of a table is ordinal on more than two grades and nominal on two.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coefficients.formulas import describe_chance, estimated, fits, terms
from agreement.coefficients.many_judges import measure_many
from agreement.coefficients.pairs import Data, Judge, Pair, check_data, pair_of, ratings_of_labels
from agreement.coefficients.tally import PI_ITEMS
from agreement.estimate import ALPHA, undefined
from agreement.intervals.measurement import GWET, Measurement
from agreement.intervals.null_errors import cohen_null, fleiss_null
from agreement.intervals.samples import sample_of_pair
from agreement.intervals.score_interval import score_interval
from agreement.ratings import Ratings
from agreement.weights import IDENTITY, Weights, WeightsLike, weights_of

CHANCE_OF = {
    "percent_agreement": None,
    "pooled_kappa": "pooled",
    "cohen_kappa": "unpooled",
    "brennan_prediger": "uniform",
    "gwet_ac": "gwet",
}
OF_ALL = ("percent_agreement", "brennan_prediger", "gwet_ac")  # these also compare any number of judges


def measure(
    name: str,
    data: Data,
    a: Judge = None,
    b: str | None = None,
    *,
    weights: WeightsLike = IDENTITY,
    pi_items: str = "ge2",
) -> Measurement:
    """A coefficient of two judges, or of all judges if it is in `OF_ALL`, with the data for an interval.

    Shapes: `data`, `weights` (n_grades, n_grades).
    """
    check_data(data, name)
    if pi_items not in PI_ITEMS:
        raise ValueError(f"pi_items must be one of {', '.join(PI_ITEMS)}, not {pi_items!r}.")
    if not (a is None or isinstance(a, str)):
        data, a = ratings_of_labels(data, a, needs_scale=_needs_scale(name, weights)), None
    if name in OF_ALL and isinstance(data, Ratings) and a is None and b is None:
        return measure_many(name, CHANCE_OF[name], data, weights, pi_items)
    return _measure_pair(name, CHANCE_OF[name], pair_of(data, a, b), weights)


def values_of(
    tables: npt.NDArray[np.int64], name: str, weights: Weights
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """A coefficient of many tables, each the float64 nearest to the exact fraction.

    Alpha takes no weights, and is not exact.

    Shapes: `tables` (n_tables, n_grades, n_grades); `values`, `defined` (n_tables,).
    """
    if name == ALPHA:
        alphas = alphas_of(tables)
        return np.nan_to_num(alphas), np.isfinite(alphas)
    largest = int(tables.sum(axis=(1, 2)).max(initial=0))
    # Python integers are slower, and exact beyond the limits of int64 and float64.
    counts = tables if fits(largest, tables.shape[1], weights) else tables.astype(object)
    observed, expected, denominator = terms(counts, weights, CHANCE_OF[name])
    defined = expected != denominator
    values = (observed - expected) / np.where(defined, denominator - expected, 1)
    return np.where(defined, values, 0).astype(np.float64), defined


def alphas_of(tables: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Krippendorff's alpha of two judges; nan if there is no item, or all judgements have the same grade.

    Shapes: `tables` (..., n_grades, n_grades); the result (...).
    """
    pairs = (tables + np.swapaxes(tables, -1, -2)).astype(np.float64)
    uses = pairs.sum(axis=-1)
    middle = uses.cumsum(axis=-1) - uses / 2
    size = tables.shape[-1]
    distances = (middle[..., None] - middle[..., None, :]) ** 2 if size > 2 else 1 - np.eye(size)
    total = uses.sum(axis=-1)
    observed = (pairs * distances).sum(axis=(-2, -1)) * (total - 1)
    expected = (uses[..., None] * uses[..., None, :] * distances).sum(axis=(-2, -1))
    defined = (uses > 0).sum(axis=-1) > 1
    return np.where(defined, 1 - observed / np.where(defined, expected, 1), np.nan)


def values_or_nan(tables: npt.NDArray[np.int64], name: str, weights: Weights) -> npt.NDArray[np.float64]:
    """A coefficient of tables of shape (n_tables, n_grades, n_grades); nan if it is undefined."""
    values, defined = values_of(tables, name, weights)
    return np.where(defined, values, np.nan)


def _needs_scale(name: str, weights: WeightsLike) -> bool:
    """Whether unused grades or the order of the grades change the coefficient."""
    return CHANCE_OF[name] in ("uniform", "gwet") or not (isinstance(weights, str) and weights == IDENTITY)


def _measure_pair(name: str, chance: str | None, pair: Pair, weights: WeightsLike) -> Measurement:
    size = len(pair.scale)
    exact = weights_of(weights, size)
    convention = ", ".join(filter(None, (describe_chance(chance, size), exact.describe())))
    if pair.reason:
        estimate = undefined(name, pair.reason, convention=convention, **pair.fields)
    else:
        observed, expected, denominator = terms(pair.table, exact, chance)
        p_a, p_e = Fraction(observed, denominator), Fraction(expected, denominator)
        estimate = estimated(name, p_a, p_e, convention, pair.fields)
    method, correction = _method(name, pair)
    return Measurement(
        estimate,
        lambda topics: sample_of_pair(pair, exact, chance, topics),
        method,
        correction,
        lambda: _null(name, pair.table, exact),
        lambda: score_interval(estimate, pair.table, exact.name != IDENTITY),
        two_judgements=True,
    )


def _method(name: str, pair: Pair) -> tuple[str, int]:
    """The source of the analytic standard error, and the correction of n."""
    if name == "cohen_kappa":
        return "Fleiss, Cohen and Everitt (1969)", 0
    return ("delta method", 0) if pair.ratings is None else (GWET, 1)


def _null(name: str, table: npt.NDArray[Any], weights: Weights) -> float | None:
    if name == "cohen_kappa":
        return cohen_null(table, weights)
    if name == "pooled_kappa" and weights.name == IDENTITY:
        n = int(table.sum())
        uses = (table.sum(axis=0) + table.sum(axis=1)).astype(np.float64)
        return fleiss_null(n, 2, uses / (2 * n))
    return None
