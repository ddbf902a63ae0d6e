"""Every judge against one reference: a judge whose grades count as right, such as an expert or a gold.

The judges are compared with the reference one after the other, over the items that both judged, all topics in one
table. On this table, with both, only_judge and only_reference the numbers of items that both found relevant, only the
judge, and only the reference:

    bias       (only_judge - only_reference) / n; above 0 if the judge is more lenient than the reference
    precision  both / (both + only_judge)
    recall     both / (both + only_reference)

The alpha of a pair is ordinal on more than two grades and nominal on two. The intervals leave out each topic once,
and contain those that ignore topics (`agreement.intervals.item_limits`). As the table without a topic is the table
minus that of the topic, all judges and topics are computed together.

References
----------
K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.
T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5), 423-429.
B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 11. Chapman and Hall.
"""

from __future__ import annotations  # help() shows the names of type aliases

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.by_name import alphas_of, values_or_nan
from agreement.estimate import ALPHA
from agreement.intervals.item_limits import ItemLimits, extended, item_limits
from agreement.intervals.kernel import jackknife, t_quantile
from agreement.intervals.pair_scores import scores_of_tables
from agreement.intervals.score_interval import wilson_of
from agreement.judgements import Grade
from agreement.ratings import MISSING, Ratings, check_ratings
from agreement.relevance.two_by_two import relevant_from
from agreement.weights import IDENTITY, Weights, WeightsLike, weights_of

FIGURES = (
    *("percent_agreement", "pooled_kappa", "cohen_kappa", "weighted_kappa", "krippendorff_alpha"),
    *("bias", "precision", "recall"),
)
SHARES = ("percent_agreement", "precision", "recall")  # from 0 to 1; the others from -1
REASONS = {"precision": "no_relevant", "recall": "no_relevant"}  # of items that both judged; others: one_category

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def against_reference(
    ratings: Ratings,
    reference: str,
    rel: Grade | None = None,
    weights: WeightsLike = "linear",
    relevant: Grade | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Compare every judge with one judge of the ratings.

    Shapes: `weights` (n_grades, n_grades).

    Examples
    --------
    >>> from agreement import Ratings
    >>> from agreement.diagnostics.against_reference import against_reference
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0]], (0, 1), ("gold", "ada", "bob"))
    >>> against_reference(ratings, "gold")[["assessor", "n", "cohen_kappa", "bias", "precision", "recall"]].round(3)
      assessor  n  cohen_kappa  bias  precision  recall
    0      ada  4          0.5 -0.25        1.0     0.5
    1      bob  4          0.5  0.25      0.667     1.0
    """
    check_ratings(ratings, "against_reference")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95, not {confidence!r}.")
    ratings.row(reference)  # ValueError if there is no such assessor
    scale = ratings.scale
    cut = scale.index(relevant_from(scale, relevant if relevant is not None else rel))
    kappa_cut = None if rel is None else scale.index(relevant_from(scale, rel))
    others = [name for name in ratings.assessors if name != reference]
    tables = _tables_by_topic(ratings, reference, others)
    whole = tables.sum(axis=1)
    values = _figures(whole, kappa_cut, cut, weights)
    without = _figures(whole[:, None] - tables, kappa_cut, cut, weights)
    shared = np.asarray(tables.any(axis=(2, 3)))
    n = whole.sum(axis=(1, 2))
    judged = {name: int((ratings.row(name) != MISSING).sum()) for name in ratings.assessors}
    dropped = [judged[name] + judged[reference] - 2 * int(both) for name, both in zip(others, n, strict=True)]
    columns = {"assessor": np.array(others, object), "n": n, "n_dropped": dropped, "topics": shared.sum(axis=1)}
    items = _items(whole, values, kappa_cut, cut, weights, confidence)
    for name in FIGURES:
        columns |= _columns(name, values[name], without[name], shared, n, (items[name], confidence))
    return pd.DataFrame(columns)


def _tables_by_topic(ratings: Ratings, reference: str, others: list[str]) -> Integers:
    """The tables of judge and reference in each topic, shape (n_judges, n_topics, n_grades, n_grades)."""
    topic, topics = ratings.topic_codes
    size, right = len(ratings.scale), ratings.row(reference).astype(np.int64)
    tables = np.zeros((len(others), len(topics), size, size), np.int64)
    for number, name in enumerate(others):
        codes = ratings.row(name).astype(np.int64)
        both = (codes != MISSING) & (right != MISSING)
        cells = (topic[both] * size + codes[both]) * size + right[both]
        tables[number] = np.bincount(cells, minlength=tables[number].size).reshape(tables.shape[1:])
    return tables


def _figures(tables: Integers, kappa_cut: int | None, cut: int, weights: WeightsLike) -> dict[str, Floats]:
    """Each figure of tables of shape (..., n_grades, n_grades); nan if undefined."""
    compared = tables if kappa_cut is None else _binary(tables, kappa_cut)
    flat, named = compared.reshape(-1, *compared.shape[-2:]), _named(compared.shape[-1], weights)
    values = {
        name: values_or_nan(flat, coefficient, exact).reshape(tables.shape[:-2])
        for name, (coefficient, exact) in named.items()
    }
    binary = _binary(tables, cut)
    both, only_judge, only_reference = binary[..., 1, 1], binary[..., 1, 0], binary[..., 0, 1]
    return values | {
        "krippendorff_alpha": alphas_of(compared),
        "bias": _share(only_judge - only_reference, binary.sum(axis=(-2, -1))),
        "precision": _share(both, both + only_judge),
        "recall": _share(both, both + only_reference),
    }


def _named(size: int, weights: WeightsLike) -> dict[str, tuple[str, Weights]]:
    """The coefficient and the weights of each figure that is a coefficient with weights."""
    identity = weights_of(IDENTITY, size)
    named = {name: (name, identity) for name in FIGURES[:3]}
    return named | {"weighted_kappa": ("cohen_kappa", weights_of(weights, size))}


def _items(
    whole: Integers, values: dict[str, Floats], kappa_cut: int | None, cut: int, weights: WeightsLike, confidence: float
) -> dict[str, ItemLimits]:
    """The limits of each figure over items, which the interval over topics extends.

    Shapes: `whole` (n_judges, n_grades, n_grades); `values` (n_judges,).
    """
    size = whole.shape[1]
    # All items of a cell leave the same table, so each cell is left out once and counted as often.
    times = whole.reshape(len(whole), size * size).T
    left = whole - np.eye(size * size, dtype=np.int64).reshape(-1, 1, size, size) * (whole > 0)
    without = _figures(left, kappa_cut, cut, weights)
    scores = _scores(
        whole if kappa_cut is None else _binary(whole, kappa_cut), _binary(whole, cut), weights, confidence
    )
    limits = {}
    for name in FIGURES:
        result = jackknife(without[name], times)
        limits[name] = item_limits(np.nan_to_num(values[name]), result.se, result.used, scores[name], confidence)
    return limits


def _scores(
    compared: Integers, binary: Integers, weights: WeightsLike, confidence: float
) -> dict[str, tuple[Floats, Floats]]:
    """The limits of the score-type intervals, and Wilson's for shares; nan if there are none."""
    named = _named(compared.shape[-1], weights) | {ALPHA: (ALPHA, weights_of(IDENTITY, compared.shape[-1]))}
    both, none = binary[:, 1, 1], np.full(len(binary), np.nan)
    totals = {"precision": binary[:, 1].sum(axis=-1), "recall": binary[:, :, 1].sum(axis=-1)}
    shares = {
        name: wilson_of(both / np.maximum(total, 1), np.maximum(total, 1).astype(np.float64), confidence)
        for name, total in totals.items()
    }
    scores = {name: scores_of_tables(compared, *choice, confidence) for name, choice in named.items()}
    return scores | shares | {"bias": (none, none)}


def _binary(tables: Integers, cut: int) -> Integers:
    """The tables of nonrelevant and relevant, which is the grade at position `cut` and above."""
    starts = [0, cut]
    return np.add.reduceat(np.add.reduceat(tables, starts, axis=-1), starts, axis=-2)


def _share(part: Integers, total: Integers) -> Floats:
    return np.where(total > 0, part / np.maximum(total, 1), np.nan)


def _columns(
    name: str,
    values: Floats,
    without: Floats,
    shared: npt.NDArray[np.bool_],
    n: Integers,
    interval: tuple[ItemLimits, float],
) -> dict[str, object]:
    items, confidence = interval
    undefined = np.isnan(values)
    result = jackknife(without.T, shared.T.astype(np.int64))
    unknown = undefined | np.isnan(result.se)
    reach = t_quantile(confidence, result.used) * np.where(unknown, 0, result.se)
    centre = np.where(undefined, 0, values)
    low, high = extended(centre, items, reach)
    low = np.maximum(low, np.minimum(0 if name in SHARES else -1, centre))
    reasons = np.where(n > 0, REASONS.get(name, "one_category"), "no_overlap").astype(object)
    return {
        name: pd.arrays.FloatingArray(centre, undefined),
        f"{name}_low": pd.arrays.FloatingArray(low, unknown),
        f"{name}_high": pd.arrays.FloatingArray(np.minimum(high, 1), unknown),
        f"{name}_reason": np.where(undefined, reasons, np.full(len(n), None, object)),
    }
