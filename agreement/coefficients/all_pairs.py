"""Every pair of judges side by side, all computed at once."""

import numpy as np
import pandas as pd

from agreement.coefficients.chance import fits, terms
from agreement.coefficients.overall import ACROSS, COEFFICIENTS, KAPPAS, known
from agreement.coefficients.pairs import all_tables
from agreement.coefficients.two_judges import CHANCE_OF
from agreement.coefficients.values import BANDED, band
from agreement.ratings import MISSING, Ratings
from agreement.weights import IDENTITY, Weights, weights_of

MOST = 2**20  # items whose numbers float32 adds exactly


def pairwise(ratings: Ratings, coefficient=KAPPAS, across: str = "pooled", *, weights=IDENTITY) -> pd.DataFrame:
    """Every pair of assessors.

    Parameters
    ----------
    ratings : Ratings
    coefficient : str or sequence of str
        Coefficients of two judges, as in `agreement.overall`.
    across : {"pooled", "topics"}
    weights : str or array of shape (n_grades, n_grades)
        As in `agreement.weights`.

    Returns
    -------
    DataFrame
        One row a pair: assessor_a, assessor_b, n, n_dropped, topics (how many), observed (P(A), with the
        weights); and for each coefficient its value (NA where undefined), then, with its name before them, _n
        (items used; fewer than n where undefined topics were left out of a mean), _status, _reason and _band.

    Raises
    ------
    ValueError
        An unknown coefficient, `across` or weights.
    """
    names = [coefficient] if isinstance(coefficient, str) else list(coefficient)
    for name in names:
        known("coefficient", name, COEFFICIENTS)
    known("across", across, ACROSS)
    weights = weights_of(weights, len(ratings.scale))
    parts = [ratings] if across == "pooled" else ratings.by_topic().values()
    parts = [all_tables(part) for part in parts]
    columns = _pairs(ratings)
    columns["observed"] = _mean(parts, "percent_agreement", weights, len(columns["n"]))[0]
    nothing = "no_overlap" if (ratings.codes != MISSING).any() else "empty"
    for name in names:
        means, used = _mean(parts, name, weights, len(columns["n"]))
        reasons = np.where(columns["n"] > 0, "one_category", nothing)
        found = _described(name, means, columns["n"] if across == "pooled" else used, reasons)
        columns |= {f"{name}{suffix}": column for suffix, column in found.items()}
    return pd.DataFrame(columns).astype(dict.fromkeys(["observed", *names], "Float64"))


def values_of(tables: np.ndarray, name: str, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """A coefficient of many tables, each the float64 nearest to the true fraction.

    Parameters
    ----------
    tables : ndarray of int64, shape (n_tables, n_grades, n_grades)
    name : str
        A key of `agreement.coefficients.two_judges.CHANCE_OF`.
    weights : Weights

    Returns
    -------
    values : ndarray of float, shape (n_tables,)
        0 where undefined.
    defined : ndarray of bool, shape (n_tables,)
    """
    largest = int(tables.sum(axis=(1, 2)).max(initial=0))
    if not fits(largest, tables.shape[1], weights):
        tables = tables.astype(object)
    observed, expected, whole = terms(tables, weights, CHANCE_OF[name])
    defined = expected != whole
    values = (observed - expected) / np.where(defined, whole - expected, 1)
    return np.where(defined, values, 0).astype(float), defined


def _pairs(ratings: Ratings) -> dict:
    """Who is compared, and on what."""
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


def _mean(parts: list[np.ndarray], name: str, weights: Weights, n_pairs: int) -> tuple:
    """The mean of a coefficient over the tables of each pair where it is defined, NA where none is.

    Parameters
    ----------
    parts : list of ndarray of int64, shape (n_pairs, n_grades, n_grades)
    name, weights
        As for `values_of`.
    n_pairs : int

    Returns
    -------
    means : FloatingArray, shape (n_pairs,)
    n : ndarray of int, shape (n_pairs,)
        Items of the tables used.
    """
    total, count, n = np.zeros(n_pairs), np.zeros(n_pairs, np.int64), np.zeros(n_pairs, np.int64)
    for tables in parts:
        values, defined = values_of(tables, name, weights)
        total += values
        count += defined
        n += np.where(defined, tables.sum(axis=(1, 2)), 0)
    return pd.arrays.FloatingArray(total / np.maximum(count, 1), count == 0), n


def _described(name: str, means, n: np.ndarray, reasons: np.ndarray) -> dict:
    """The columns of a coefficient by what follows its name; `reasons` are for where there is no value."""
    gaps = means.isna()
    bands = [band(value) if value is not pd.NA and name in BANDED else None for value in means]
    return {
        "": means,
        "_n": n,
        "_status": np.where(gaps, "undefined", "ok"),
        "_reason": np.where(gaps, reasons, None),
        "_band": np.array(bands, dtype=object),
    }


def _shared(ratings: Ratings) -> tuple[np.ndarray, np.ndarray]:
    """How many items, and in how many topics, two judges have in common; both of shape (n_judges, n_judges)."""
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


def _products(judged: np.ndarray) -> np.ndarray:
    """In how many columns two rows are both True, in blocks that float32 counts exactly."""
    blocks = np.split(judged, range(MOST, judged.shape[1], MOST), axis=1)
    return sum((block @ block.T).astype(np.int64) for block in (part.astype(np.float32) for part in blocks))
