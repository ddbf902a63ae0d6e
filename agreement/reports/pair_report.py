"""The table of a report on agreement: each pair of judges over all topics and in each topic, with intervals."""

import pandas as pd

from agreement.checks import check_ratings
from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import ACROSS, KAPPAS, overall
from agreement.intervals.jackknife import PARTS
from agreement.intervals.requests import OVER_TOPICS
from agreement.ratings import Ratings

LIMITS = ("low", "high", "method", "warnings")


def agreement_frame(
    ratings: Ratings, per_topic: bool = False, interval: str | None = None, seed: int | None = None
) -> pd.DataFrame:
    """Each pair of assessors over all topics and, optionally, in each topic.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    per_topic : bool, optional
        Whether to add a row for each pair in each topic.
    interval : {None, "default", "analytic", "bootstrap", ...}, optional
        The kind of interval:

        * None: no interval;
        * "default": the calibrated one for the data, one of the following;
        * "analytic": from a formula for the standard error;
        * "bootstrap": percentiles of samples of items;
        * "bootstrap_t": from samples of items, each with its own standard error;
        * "bootstrap_t_topics": from samples of whole topics, each with its own standard error;
        * "topics": percentiles of samples of topics and of the items within each topic;
        * "jackknife": each item left out once;
        * "jackknife_fisher": the same with limits on Fisher's scale, atanh(value), which are inside -1 and 1;
        * "jackknife_topics": each topic left out once, which covers the variation between topics without draws.

        Single topics have no interval over topics.
    seed : int, optional
        The seed of intervals that draw at random: "default", "topics" and the three kinds of bootstrap.

    Returns
    -------
    DataFrame
        Not rounded. One row for each pair and combination of topics: across ("pooled": one table over all topics,
        "topics": mean over topics, "topic": a single topic), query_id (of the single topic, else ""), assessor_a,
        assessor_b, n, n_dropped, topics, observed (P(A)); for pooled_kappa and cohen_kappa the value (NA if undefined)
        and, with its name as prefix, _n, _n_topics and _observed (of what enters the value), _left_out (topics without
        a value that a mean leaves out), _status, _reason ("empty", "no_overlap" or "one_category") and _band; with an
        interval also _low, _high, _method and _warnings.

    Raises
    ------
    ValueError
        The interval is unknown, or it draws at random and `seed` is missing.

    Examples
    --------
    >>> from agreement import Ratings, agreement_frame
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> agreement_frame(ratings)[["across", "assessor_a", "assessor_b", "n", "cohen_kappa"]]
       across assessor_a assessor_b  n  cohen_kappa
    0  pooled        ada        bob  4          0.5
    1  topics        ada        bob  4          0.5
    """
    check_ratings(ratings, "agreement_frame")
    frames = [_frame(ratings, across, across, "", interval, seed) for across in ACROSS]
    if per_topic:
        within = None if interval in OVER_TOPICS else interval
        topics = ratings.by_topic().items()
        frames += [_frame(part, "pooled", "topic", query_id, within, seed) for query_id, part in topics]
    return pd.concat(frames, ignore_index=True)


def _frame(
    ratings: Ratings, across: str, label: str, query_id: str, interval: str | None, seed: int | None
) -> pd.DataFrame:
    frame = pairwise(ratings, across=across)
    if interval is not None:
        frame = pd.concat([frame, *(_limits(ratings, frame, name, across, interval, seed) for name in KAPPAS)], axis=1)
    frame.insert(0, "across", label)
    frame.insert(1, "query_id", query_id)
    return frame


def _limits(
    ratings: Ratings, pairs: pd.DataFrame, name: str, across: str, interval: str, seed: int | None
) -> pd.DataFrame:
    """The intervals of one coefficient, one row for each pair."""
    columns = [f"{name}_{limit}" for limit in LIMITS]
    if interval in PARTS:
        return pairwise(ratings, name, across, interval=interval)[columns]
    estimates = [
        overall(ratings, name, across, a, b).interval(interval, seed=seed)
        for a, b in zip(pairs["assessor_a"], pairs["assessor_b"], strict=True)
    ]
    rows = [(one.low, one.high, one.method, "; ".join(one.warnings)) for one in estimates]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({f"{name}_low": "Float64", f"{name}_high": "Float64"})
