"""The table behind a report on agreement: every pair of judges, over all topics and in each, with intervals."""

import pandas as pd

from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import ACROSS, KAPPAS, overall
from agreement.ratings import Ratings

LIMITS = ("low", "high", "method", "warnings")


def agreement_frame(
    ratings: Ratings, per_topic: bool = False, interval: str | None = None, seed: int | None = None
) -> pd.DataFrame:
    """Every pair of assessors over all topics, both ways, and in every topic.

    Parameters
    ----------
    ratings : Ratings
    per_topic : bool
        Also a row for every pair in every topic.
    interval : {None, "analytic", "bootstrap", "jackknife", "topics"}
        As in `agreement.intervals.measurement`. A single topic has none by "topics", which resamples topics.
    seed : int, optional
        For the intervals that draw.

    Returns
    -------
    DataFrame
        The columns of `agreement.pairwise`, unrounded; before them `across` ("pooled", "topics", or "topic"
        for a single one) and `query_id` (empty but for a single topic). With an interval, after them for each kappa,
        with its name before them, _low, _high (NA where undefined), _method and _warnings.

    Raises
    ------
    ValueError
        An unknown interval, or one that draws without a seed.
    """
    frames = [_frame(ratings, across, across, "", interval, seed) for across in ACROSS]
    if per_topic:
        within = None if interval == "topics" else interval
        topics = ratings.by_topic().items()
        frames += [_frame(part, "pooled", "topic", query_id, within, seed) for query_id, part in topics]
    return pd.concat(frames, ignore_index=True)


def _frame(
    ratings: Ratings, across: str, said: str, query_id: str, interval: str | None, seed: int | None
) -> pd.DataFrame:
    frame = pairwise(ratings, across=across)
    if interval is not None:
        frame = pd.concat([frame, *(_limits(ratings, frame, name, across, interval, seed) for name in KAPPAS)], axis=1)
    frame.insert(0, "across", said)
    frame.insert(1, "query_id", query_id)
    return frame


def _limits(ratings: Ratings, pairs: pd.DataFrame, name: str, across: str, interval: str, seed) -> pd.DataFrame:
    """The intervals of one coefficient, a row for each pair."""
    found = [
        overall(ratings, name, across, a, b, interval=interval, seed=seed)
        for a, b in zip(pairs["assessor_a"], pairs["assessor_b"], strict=True)
    ]
    rows = [(one.low, one.high, one.method, "; ".join(one.warnings)) for one in found]
    frame = pd.DataFrame(rows, columns=[f"{name}_{limit}" for limit in LIMITS])
    return frame.astype({f"{name}_low": "Float64", f"{name}_high": "Float64"})
