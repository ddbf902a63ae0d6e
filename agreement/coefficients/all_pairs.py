"""All pairs of judges at once, as a table."""

from __future__ import annotations  # help() shows the names of type aliases

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.by_name import values_of, values_or_nan
from agreement.coefficients.formulas import BANDED, band
from agreement.coefficients.overall import ACROSS, COEFFICIENTS, KAPPAS, check_known
from agreement.coefficients.pairs import all_tables
from agreement.estimate import ALPHA
from agreement.intervals.pair_limits import (
    PairErrors,
    check_jackknife,
    errors_of_means,
    errors_of_tables,
    limit_columns,
)
from agreement.ratings import MISSING, Ratings, check_ratings
from agreement.weights import IDENTITY, Weights, WeightsLike, weights_of

__all__ = ["pairwise", "values_of"]

BLOCK = 2**20  # items that float32 counts exactly

Integers = npt.NDArray[np.int64]


def pairwise(
    ratings: Ratings,
    coefficient: str | Sequence[str] = KAPPAS,
    across: str = "pooled",
    *,
    weights: WeightsLike = IDENTITY,
    interval: str | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Coefficients of each pair of assessors.

    All pairs are computed together, also their intervals, which is much faster than one pair after the other.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors, with or without missing judgements.
    coefficient : str or sequence of str, optional
        One or more of "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger", "gwet_ac" and
        "krippendorff_alpha", which is ordinal on more than two grades, nominal on two, and takes no weights.
    across : {"pooled", "topics"}, optional
        How topics are combined: one table over the items of all topics, or the mean of the values of the topics.
    weights : {"identity", "linear", "quadratic", "ordinal"} or array of shape (n_grades, n_grades), optional
        How much two grades agree, from 0 to 1, by their positions on the scale. "identity" counts only equal grades. A
        custom table must be symmetric with 1 on the diagonal; strings such as "8/9" are exact fractions.
    interval : {None, "jackknife", "jackknife_topics"}, optional
        The kind of interval: None computes none; "jackknife" leaves out each item once, "jackknife_topics" each topic
        in which both judged an item. A mean over topics leaves out topics in both cases. The limits of "jackknife" are
        the value minus and plus the standard error times the quantile of Student's t. Those of "jackknife_topics" also
        contain the interval that ignores topics. All are inside the range of the coefficient.
    confidence : float, optional
        The confidence level of the interval, between 0 and 1.

    Returns
    -------
    DataFrame
        One row for each pair:

        * assessor_a, assessor_b (str);
        * n (int): items that both judged;
        * n_dropped (int): items that only one of them judged;
        * topics (int): topics with an item that both judged;
        * observed (float): P(A) with the weights, of all these items;
        * for each coefficient, its value (float, NA if undefined) and columns with its name as prefix: _n, _n_topics
          and _observed, the items, the topics and P(A) of what enters the value; _left_out, the number of topics that
          a mean over topics leaves out because both judges gave only one and the same grade in them; _status ("ok" or
          "undefined"), _reason and _band; with an interval also _se, _low and _high (float, NA if the value is
          undefined or fewer than two items or topics can be left out), _method (None if the value is undefined) and
          _warnings (reasons for caution, separated by "; ").

        A value is undefined with the reason "empty" (no judgement), "no_overlap" (no common item) or "one_category"
        (both judges gave only one and the same grade; with `across="topics"` in each topic).

    Raises
    ------
    ValueError
        A coefficient, `across` or `interval` is unknown, `confidence` is not between 0 and 1, or the weights are
        invalid.

    See Also
    --------
    mean_pairwise : The mean over the pairs.

    References
    ----------
    B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 11. Chapman and Hall.

    Examples
    --------
    >>> from agreement import Ratings, pairwise
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, None], [1, 1, 1, 0]], (0, 1), ("ada", "bob", "eve"))
    >>> frame = pairwise(ratings, "cohen_kappa")
    >>> frame[["assessor_a", "assessor_b", "n", "observed", "cohen_kappa"]].round(3)
      assessor_a assessor_b  n  observed  cohen_kappa
    0        ada        bob  3     0.667          0.4
    1        ada        eve  4      0.75          0.5
    2        bob        eve  3     0.333          0.0
    """
    check_ratings(ratings, "pairwise")
    names = [coefficient] if isinstance(coefficient, str) else list(coefficient)
    for name in names:
        check_known("coefficient", name, (*COEFFICIENTS, ALPHA))
    check_known("across", across, ACROSS)
    check_jackknife(interval, confidence)
    exact = weights_of(weights, len(ratings.scale))
    parts = [ratings] if across == "pooled" else list(ratings.by_topic().values())
    tables = [all_tables(part) for part in parts]
    columns = _pairs(ratings)
    parts_observed = _mean(tables, "percent_agreement", exact, len(columns["n"]))
    columns["observed"] = parts_observed.means
    no_item = "no_overlap" if (ratings.codes != MISSING).any() else "empty"
    reasons = np.where(columns["n"] > 0, "one_category", no_item)
    results = {name: _mean(tables, name, exact, len(columns["n"])) for name in names}
    errors = _errors(ratings, tables, results, exact, across, (interval, confidence)) if interval else {}
    for name, result in results.items():
        basis = _basis(columns, result, parts_observed) if across == "topics" else _whole(columns)
        figures = _columns(name, result.means, basis, reasons)
        figures |= limit_columns(result.means, errors[name], confidence) if interval else {}
        columns |= {f"{name}{suffix}": column for suffix, column in figures.items()}
    floats = ["observed", *names, *(f"{name}_observed" for name in names)]
    return pd.DataFrame(columns).astype(dict.fromkeys(floats, "Float64"))


def _whole(columns: dict[str, Any]) -> dict[str, Any]:
    """What enters a value over one table of all topics."""
    left_out = np.zeros(len(columns["n"]), np.int64)
    return {"n": columns["n"], "n_topics": columns["topics"], "observed": columns["observed"], "left_out": left_out}


def _basis(columns: dict[str, Any], result: _Means, observed: _Means) -> dict[str, Any]:
    """What enters a mean over topics: the topics in which the coefficient has a value."""
    used = np.isfinite(result.values)
    n_topics = used.sum(axis=0)
    total = np.where(used, observed.values, 0).sum(axis=0)
    means = pd.arrays.FloatingArray(total / np.maximum(n_topics, 1), n_topics == 0)
    return {"n": result.n, "n_topics": n_topics, "observed": means, "left_out": columns["topics"] - n_topics}


def _pairs(ratings: Ratings) -> dict[str, Any]:
    """The columns that describe each pair and its items."""
    judges, first_second = np.array(ratings.assessors, dtype=object), np.triu_indices(len(ratings.assessors), 1)
    first, second = first_second
    items, topics = _shared(ratings)
    judged = np.count_nonzero(ratings.codes != MISSING, axis=1)
    n = items[first_second]
    return {
        "assessor_a": judges[first],
        "assessor_b": judges[second],
        "n": n,
        "n_dropped": judged[first] + judged[second] - 2 * n,
        "topics": topics[first_second],
    }


@dataclass(frozen=True)
class _Means:
    """A coefficient of all pairs, averaged over tables.

    Attributes
    ----------
    values : ndarray of float, shape (n_tables, n_pairs)
        The coefficient of each table; nan if undefined.
    means : FloatingArray, shape (n_pairs,)
        The mean over the tables with a value; NA if there is none.
    n : ndarray of int, shape (n_pairs,)
        Items of the tables with a value.
    """

    values: npt.NDArray[np.float64]
    means: pd.arrays.FloatingArray
    n: Integers


def _mean(parts: list[Integers], name: str, weights: Weights, n_pairs: int) -> _Means:
    """A coefficient of the tables of all pairs, for each topic or for all topics, and its mean for each pair."""
    rows, n = [values_or_nan(tables, name, weights) for tables in parts], np.zeros(n_pairs, np.int64)
    values = np.array(rows).reshape(len(rows), n_pairs)
    used = np.isfinite(values)
    for tables, defined in zip(parts, used, strict=True):
        n += np.where(defined, tables.sum(axis=(1, 2)), 0)
    total, count = np.where(used, values, 0).sum(axis=0), used.sum(axis=0)
    return _Means(values, pd.arrays.FloatingArray(total / np.maximum(count, 1), count == 0), n)


def _errors(
    ratings: Ratings,
    tables: list[Integers],
    results: dict[str, _Means],
    weights: Weights,
    across: str,
    interval: tuple[str, float],
) -> dict[str, PairErrors]:
    """The standard errors of the coefficients of all pairs; `interval` is its kind and its confidence level."""
    if across == "topics":
        return {
            name: errors_of_means(result.values, tables, name, weights, *interval) for name, result in results.items()
        }
    return errors_of_tables(ratings, tables[0], list(results), weights, *interval)


def _columns(
    name: str, means: pd.arrays.FloatingArray, basis: dict[str, Any], reasons: npt.NDArray[Any]
) -> dict[str, Any]:
    """The columns of a coefficient by the suffix of their names; `reasons` apply if there is no value."""
    missing = means.isna()
    values = zip(means, missing, strict=True)
    bands = [None if gap or name not in BANDED else band(float(value)) for value, gap in values]
    no_reason = np.full(len(missing), None, dtype=object)
    return {
        "": means,
        **{f"_{figure}": values for figure, values in basis.items()},
        "_status": np.where(missing, "undefined", "ok"),
        "_reason": np.where(missing, reasons.astype(object), no_reason),
        "_band": np.array(bands, dtype=object),
    }


def _shared(ratings: Ratings) -> tuple[Integers, Integers]:
    """The numbers of items and topics that two judges have in common, both of shape (n_judges, n_judges)."""
    topic, _ = ratings.topic_codes
    judged = ratings.codes != MISSING
    order = np.argsort(topic, kind="stable")
    starts = np.flatnonzero(np.diff(topic[order])) + 1
    parts = np.split(judged[:, order], starts, axis=1) if len(starts) else [judged]
    items, topics = np.zeros((2, len(judged), len(judged)), np.int64)
    for part in parts:
        shared = _products(part)
        items += shared
        topics += shared > 0
    return items, topics


def _products(judged: npt.NDArray[np.bool_]) -> Integers:
    """The number of columns in which two rows are both True, in blocks that float32 counts exactly."""
    result = np.zeros((len(judged), len(judged)), np.int64)
    for part in np.split(judged, range(BLOCK, judged.shape[1], BLOCK), axis=1):
        block = part.astype(np.float32)
        result += (block @ block.T).astype(np.int64)
    return result
