"""Jackknife intervals of all pairs of judges at once, and of their mean.

They equal those that `agreement.intervals.measurement` computes one by one.

The table of a pair with a part of the data left out is the table of the pair minus that of the part. So a few
operations on arrays compute many pairs and parts together; only the tables of one judge's pairs, or of one part, are in
memory.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.by_name import values_or_nan
from agreement.coefficients.pairs import all_tables, tables_by_topic
from agreement.estimate import Estimate
from agreement.intervals.defaults import (
    FEW_USES,
    chance_by_scale,
    few_items,
    few_topics,
    lowest_value,
    most_variance,
    rare_grades,
    undefined_draws,
    width,
)
from agreement.intervals.item_limits import ItemLimits, extended, item_limits, limits_of_mean, low_of_agreed_topics
from agreement.intervals.kernel import PARTS, Floats, Jackknife, describe_jackknife, jackknife, t_quantile
from agreement.intervals.measurement import width_of
from agreement.intervals.pair_scores import scores_of_tables
from agreement.intervals.score_interval import ScoreInterval
from agreement.intervals.topic_means import OF_MEAN
from agreement.ratings import MISSING, Ratings
from agreement.weights import Weights

Integers = npt.NDArray[np.int64]
Warnings = list[tuple[str, ...]]


@dataclass(frozen=True)
class PairErrors:
    """The standard errors of a coefficient of all pairs.

    Attributes
    ----------
    se : ndarray of float, shape (n_pairs,)
        nan if there are too few items or topics.
    parts : ndarray of int, shape (n_pairs,)
        The number of parts that were left out; the quantile of t has one degree of freedom less.
    method : str
        How they were computed.
    warnings : list of tuple of str, length n_pairs
        Reasons for caution.
    lowest : float
        The lowest value of the coefficient.
    items : ItemLimits or None
        The limits that an interval over topics extends; None if the parts are items.
    """

    se: Floats
    parts: Integers
    method: str
    warnings: Warnings
    lowest: float
    items: ItemLimits | None = None


def check_jackknife(interval: str | None, confidence: float) -> None:
    """ValueError unless the options of an interval of all pairs are valid."""
    if interval is not None and interval not in PARTS:
        allowed = ", ".join(PARTS)
        raise ValueError(
            f"interval must be None or one of {allowed}, not {interval!r}; functions of one pair, such as "
            "cohen_kappa, have the others."
        )
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95, not {confidence!r}.")


def errors_of_tables(
    ratings: Ratings, tables: Integers, names: Sequence[str], weights: Weights, interval: str, confidence: float
) -> dict[str, PairErrors]:
    """The standard errors of coefficients of one table for each pair.

    Shapes: `tables` (n_pairs, n_grades, n_grades).
    """
    items = _items(ratings, tables, names, weights, confidence) if interval == "jackknife_topics" else {}
    left_out = _left_out(ratings, tables, names, weights, interval)
    method, general = describe_jackknife(interval), _general_warnings(ratings, tables)
    errors = {}
    for name in names:
        result = jackknife(left_out.values[name], left_out.times)
        warnings = [first + last for first, last in zip(_of_parts(result, interval), general, strict=True)]
        lowest = lowest_value(name, chance_by_scale(weights))
        errors[name] = PairErrors(result.se, result.used, method, warnings, lowest, items.get(name))
    return errors


def _items(
    ratings: Ratings, tables: Integers, names: Sequence[str], weights: Weights, confidence: float
) -> dict[str, ItemLimits]:
    """For each coefficient, the limits of all pairs over items."""
    left_out, limits = _left_out(ratings, tables, names, weights, "jackknife"), {}
    for name in names:
        result, values = jackknife(left_out.values[name], left_out.times), values_or_nan(tables, name, weights)
        scores = scores_of_tables(tables, name, weights, confidence)
        limits[name] = item_limits(np.nan_to_num(values), result.se, result.used, scores, confidence)
    return limits


def mean_without_topics(
    mean: Estimate,
    ratings: Ratings,
    name: str,
    weights: Weights,
    weighted: bool,
    confidence: float,
    score: ScoreInterval | None,
) -> Estimate:
    """The mean of a coefficient over pairs with its jackknife interval over topics; `score` is that of items."""
    if not mean.defined:
        return mean
    tables = all_tables(ratings)
    used = np.isfinite(values_or_nan(tables, name, weights))
    left_out = _left_out(ratings, tables, [name], weights, "jackknife_topics")
    values, times, items = left_out.values[name][:, used], left_out.times[:, used], left_out.items[:, used]
    shares = np.where(np.isfinite(values), items if weighted else 1, 0)
    summed, total = (np.where(shares > 0, values, 0) * shares).sum(axis=1), shares.sum(axis=1)
    means = np.where(total > 0, summed / np.maximum(total, 1), np.nan)
    result = jackknife(means, np.asarray(times.any(axis=1), np.int64))
    parts, undefined = int(result.parts), int(result.undefined)
    warnings = few_topics(parts) or most_variance(float(result.largest))
    warnings += undefined_draws(undefined, parts, "samples") + few_items(mean.n)
    warnings += rare_grades([bool(rare.any()) for rare in _rare(tables[used]).T], ratings.scale)
    se = float(result.se) if np.isfinite(result.se) else None
    method = describe_jackknife("jackknife_topics")
    mean = replace(mean, se=se, confidence=confidence, method=method, warnings=mean.warnings + warnings)
    if se is not None and mean.value is not None:
        limits = score.limits(confidence) if score else (np.nan, np.nan)
        value, *scores = (np.asarray(number, np.float64) for number in (mean.value, *limits))
        error, n = _error_of_mean(ratings, tables, used, name, weights, weighted)
        over_items = item_limits(value, error, n, (scores[0], scores[1]), confidence)
        low, high = extended(value, over_items, t_quantile(confidence, result.used) * se)
        mean = replace(mean, low=float(low), high=float(high))
    return replace(mean, warnings=mean.warnings + width_of(mean))


def _error_of_mean(
    ratings: Ratings, tables: Integers, used: npt.NDArray[np.bool_], name: str, weights: Weights, weighted: bool
) -> tuple[Floats, int]:
    """The standard error of the mean over pairs with each item left out, and the number of items.

    An item changes the mean by the mean of its changes of the pairs; the products of changes are left out.

    Shapes: `tables` (n_pairs, n_grades, n_grades); `used` (n_pairs,).
    """
    values = values_or_nan(tables, name, weights)
    changes = np.nan_to_num(_left_out(ratings, tables, [name], weights, "jackknife").values[name] - values)
    n = tables.sum(axis=(1, 2))
    shares = np.where(used, n if weighted else 1, 0) / max((n if weighted else used)[used].sum(), 1)
    changes = changes * shares
    if weighted:
        mean = (np.nan_to_num(values) * shares).sum()
        changes -= (np.nan_to_num(values) - mean) * shares / np.maximum(n, 1)
    compared, size = (ratings.codes != MISSING).sum(axis=0) > 1, len(ratings.scale)
    codes, total = ratings.codes[:, compared].astype(np.intp), np.zeros(int(compared.sum()))
    for pair, (a, b) in enumerate(combinations(range(len(codes)), 2)):
        if used[pair]:
            both = (codes[a] != MISSING) & (codes[b] != MISSING)
            total += np.where(both, changes[np.where(both, codes[a] * size + codes[b], 0), pair], 0)
    return jackknife(total, np.ones(len(total))).se, len(total)


def errors_of_means(
    values: Floats, tables: Sequence[Integers], name: str, weights: Weights, interval: str, confidence: float
) -> PairErrors:
    """The standard errors of means over topics, which equal their jackknife over topics.

    Shapes: `values` (n_topics, n_pairs); `tables`, for each topic (n_pairs, n_grades, n_grades).
    """
    n = sum(
        (np.where(np.isfinite(row), one.sum(axis=(1, 2)), 0) for row, one in zip(values, tables, strict=True)),
        np.zeros(values.shape[1], np.int64),
    )
    used = np.isfinite(values)
    count = used.sum(axis=0)
    highest = np.where(used, values, -np.inf).max(axis=0, initial=-np.inf)
    below = np.where(used, values - highest, 0)  # exactly 0 if all values are equal
    apart = np.where(used, below - below.sum(axis=0) / np.maximum(count, 1), 0)
    variance = (apart**2).sum(axis=0) / (np.maximum(count - 1, 1) * np.maximum(count, 1))
    warnings = [few_topics(topics) + few_items(items) for topics, items in zip(count.tolist(), n.tolist(), strict=True)]
    se = np.where(count > 1, np.sqrt(variance), np.nan)
    method, lowest = f"{interval}: {OF_MEAN}", lowest_value(name, chance_by_scale(weights))
    if interval != "jackknife_topics":
        return PairErrors(se, count, method, warnings, lowest)
    means = np.where(used, values, 0).sum(axis=0) / np.maximum(count, 1)
    agreed = np.where(
        (below.min(axis=0, initial=0) == 0) & (highest == 1),
        _low_of_agreed(values, tables, name, weights, confidence),
        np.nan,
    )
    low, high = limits_of_mean(means, se, count, agreed, confidence)
    return PairErrors(se, count, method, warnings, lowest, ItemLimits(low, high, np.zeros_like(means)))


def _low_of_agreed(
    values: Floats, tables: Sequence[Integers], name: str, weights: Weights, confidence: float
) -> Floats:
    """The lower limit of the mean of each pair if it agrees on all items of all topics."""
    lows = [scores_of_tables(one, name, weights, confidence)[0] for one in tables]
    n = np.array([one.sum(axis=(1, 2)) for one in tables], np.float64).reshape(values.shape)
    return low_of_agreed_topics(np.where(np.isfinite(values), np.reshape(lows, values.shape), np.nan), n, confidence)


def limit_columns(values: pd.arrays.FloatingArray, errors: PairErrors, confidence: float) -> dict[str, Any]:
    """The columns of the intervals of a coefficient by the suffix of their names.

    Shapes: `values`, the result (n_pairs,).
    """
    undefined = np.asarray(values.isna())
    missing = undefined | np.isnan(errors.se)
    se = np.where(missing, 0, errors.se)
    center, reach = values.to_numpy(np.float64, na_value=0), t_quantile(confidence, errors.parts) * se
    low, high = (center - reach, center + reach) if errors.items is None else extended(center, errors.items, reach)
    low, high = np.maximum(low, np.minimum(errors.lowest, center)), np.minimum(high, 1)
    widths = [width(None if gap else span) for gap, span in zip(missing, (high - low).tolist(), strict=True)]
    warnings = ["; ".join(others + last) for others, last in zip(errors.warnings, widths, strict=True)]
    return {
        "_se": pd.arrays.FloatingArray(se, missing),
        "_low": pd.arrays.FloatingArray(low, missing),
        "_high": pd.arrays.FloatingArray(high, missing),
        "_method": np.where(undefined, np.array(None), np.array(errors.method, dtype=object)),
        "_warnings": np.where(undefined, "", np.array(warnings, dtype=object)),
    }


@dataclass(frozen=True)
class _LeftOut:
    """Coefficients of all pairs with each part of the data left out; arrays of shape (n_parts, n_pairs).

    Attributes
    ----------
    values : dict of str to ndarray of float
        By coefficient; nan if undefined.
    times : ndarray of int
        How many parts of the pair have this value.
    items : ndarray of int
        The number of items that are left.
    """

    values: dict[str, Floats]
    times: Integers
    items: Integers


def _left_out(ratings: Ratings, tables: Integers, names: Sequence[str], weights: Weights, interval: str) -> _LeftOut:
    """Each coefficient with each item or topic left out."""
    if interval == "jackknife_topics":
        blocks = [_without_topics(parts, names, weights) for parts in tables_by_topic(ratings)]
        return _joined(blocks, names, axis=1) if blocks else _without_topics(tables[None], names, weights)
    # All items of a cell leave the same table, so each cell is left out once and counted as often.
    return _joined(
        [_without_item(tables, cell, names, weights) for cell in np.ndindex(tables.shape[1:])], names, axis=0
    )


def _without_topics(parts: Integers, names: Sequence[str], weights: Weights) -> _LeftOut:
    """The coefficients of some pairs with each topic left out, from the tables of the topics."""
    left = parts.sum(axis=0) - parts
    shape, tables = left.shape[:2], left.reshape(-1, *left.shape[2:])
    values = {name: values_or_nan(tables, name, weights).reshape(shape) for name in names}
    return _LeftOut(values, np.asarray(parts.any(axis=(2, 3)), np.int64), left.sum(axis=(2, 3)))


def _without_item(tables: Integers, cell: tuple[int, ...], names: Sequence[str], weights: Weights) -> _LeftOut:
    """The coefficients of all pairs without one of the items in a cell, for the pairs that have one."""
    left, (first, second) = tables.copy(), cell
    times = tables[:, first, second]
    left[:, first, second] -= times > 0
    values = {name: values_or_nan(left, name, weights)[None] for name in names}
    return _LeftOut(values, times[None], left.sum(axis=(1, 2))[None])


def _joined(blocks: Sequence[_LeftOut], names: Sequence[str], axis: int) -> _LeftOut:
    values = {name: np.concatenate([block.values[name] for block in blocks], axis=axis) for name in names}
    times, items = ([getattr(block, name) for block in blocks] for name in ("times", "items"))
    return _LeftOut(values, np.concatenate(times, axis=axis), np.concatenate(items, axis=axis))


def _of_parts(result: Jackknife, interval: str) -> Iterable[tuple[str, ...]]:
    """For each pair, the warnings about the parts that were left out."""
    topics = interval == "jackknife_topics"
    columns = (result.parts.tolist(), result.undefined.tolist(), result.largest.tolist())
    for parts, undefined, largest in zip(*columns, strict=True):
        about_topics = (few_topics(parts) or most_variance(largest)) if topics else ()
        yield about_topics + undefined_draws(undefined, parts, "samples")


def _general_warnings(ratings: Ratings, tables: Integers) -> Warnings:
    """For each pair, the warnings about its number of items and its rare grades."""
    numbers = tables.sum(axis=(1, 2)).tolist()
    return [few_items(n) + rare_grades(rare, ratings.scale) for n, rare in zip(numbers, _rare(tables), strict=True)]


def _rare(tables: Integers) -> npt.NDArray[np.bool_]:
    """Whether the judge of each pair who used a grade least used it rarely; shape (n_pairs, n_grades)."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    return np.asarray((rows + columns > 0) & (np.minimum(rows, columns) < FEW_USES))
