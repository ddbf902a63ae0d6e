"""The table of `agreement.csv`: each pair of judges over all topics and in each topic, with intervals.

`ListedPairs` says which pairs a report lists, and in which order.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from agreement.choices import SORTS
from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import ACROSS, KAPPAS, check_known, overall
from agreement.estimate import ALPHA
from agreement.intervals.defaults import OVER_TOPICS
from agreement.intervals.kernel import PARTS
from agreement.ratings import Ratings, check_ratings
from pooling.words import count

WEIGHTED = "weighted_kappa"
LIMITS = ("low", "high", "method", "warnings")


CLOSENESS = KAPPAS[0]


@dataclass(frozen=True)
class ListedPairs:
    """The choice of the pairs of judges that a report lists.

    Attributes
    ----------
    reference : str or None
        Only the pairs with this judge. None lists the pairs of all judges.
    sort : {"name", "value", "n"}
        The order: by the names of the judges, by pooled kappa, or by the number of documents in common. The highest
        pooled kappa and the largest number are first, and pairs without a value are last.
    top : int or None
        How many pairs are listed, 1 or more; None lists all.

    Raises
    ------
    ValueError
        The order is unknown, or `top` is not a whole number of at least 1.

    Examples
    --------
    >>> from agreement import Ratings, pairwise
    >>> from agreement.reports.agreement_csv import ListedPairs
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1]], (0, 1), ("ada", "bob", "eve"))
    >>> ListedPairs("eve", "value").rows_of(pairwise(ratings))[["assessor_a", "assessor_b", "pooled_kappa"]].round(3)
      assessor_a assessor_b  pooled_kappa
    2        bob        eve          -0.6
    1        ada        eve          -1.0
    """

    reference: str | None = None
    sort: str = SORTS[0]
    top: int | None = None

    def __post_init__(self) -> None:
        check_known("sort", self.sort, SORTS)
        if self.top is not None and (not isinstance(self.top, int) or isinstance(self.top, bool) or self.top < 1):
            raise ValueError(f"top must be a whole number of at least 1, not {self.top!r}.")

    def check_reference(self, judges: tuple[str, ...]) -> None:
        """Raise ValueError if the reference is not one of the judges."""
        if self.reference is not None and self.reference not in judges:
            raise ValueError(f"reference must be one of the judges {', '.join(judges)}, not {self.reference!r}.")

    def of_reference(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return the pairs with the reference, or all pairs without one."""
        if self.reference is None:
            return pairs
        return pairs[(pairs["assessor_a"] == self.reference) | (pairs["assessor_b"] == self.reference)]

    def rows_of(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return the listed pairs in their order; `pairs` has one row for each pair."""
        rows = self.of_reference(pairs)
        if self.sort != "name":
            by = CLOSENESS if self.sort == "value" else "n"
            rows = rows.sort_values(by, ascending=False, kind="stable", na_position="last")
        return rows if self.top is None else rows[: self.top]

    def describe(self, shown: int, total: int) -> str:
        """Return the sentence about the order, and about the pairs that are not listed."""
        what = "judge" if self.reference is not None else "pair"
        order = {"name": "by name", "value": "the highest pooled kappa first", "n": "the most documents first"}[
            self.sort
        ]
        listed = count(total, what) if shown == total else f"{shown:,} of {count(total, what)}"
        return f"{listed}, {order}."


def other_judge(pairs: pd.DataFrame, reference: str) -> "pd.Series[Any]":
    """Return the judge of each pair who is not the reference."""
    first = pairs["assessor_a"]
    return first.where(first != reference, pairs["assessor_b"])


def in_order_of(rows: pd.DataFrame, listed: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the listed pairs, in their order; `rows` has one row for each pair."""
    places = {pair: place for place, pair in enumerate(_names(listed))}
    order = [places.get(pair, -1) for pair in _names(rows)]
    chosen = [row for row, place in enumerate(order) if place >= 0]
    return rows.iloc[sorted(chosen, key=order.__getitem__)]


def _names(rows: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(rows["assessor_a"], rows["assessor_b"], strict=True))


def agreement_frame(
    ratings: Ratings,
    per_topic: bool = False,
    interval: str | None = None,
    seed: int | None = None,
    *,
    weights: str | None = None,
    reference: str | None = None,
    sort: str = "name",
    top: int | None = None,
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
    weights : {None, "linear", "quadratic", "ordinal"}, optional
        On more than two grades, add weighted kappa with these weights, and ordinal alpha. None adds neither.
    reference : str, optional
        Only the pairs with this judge.
    sort : {"name", "value", "n"}, optional
        The order of the pairs: by name, the highest pooled kappa over all topics first, or the most documents first.
    top : int, optional
        The number of pairs; by default all. Intervals that are computed one by one are those of these pairs only.

    Returns
    -------
    DataFrame
        Not rounded. One row for each pair and combination of topics: across ("pooled": one table over all topics,
        "topics": mean over topics, "topic": a single topic), query_id (of the single topic, else ""), assessor_a,
        assessor_b, n, n_dropped, topics, observed (P(A)); for pooled_kappa and cohen_kappa the value (NA if undefined)
        and, with its name as prefix, _n, _n_topics and _observed (of what enters the value), _left_out (topics without
        a value that a mean leaves out), _status, _reason ("empty", "no_overlap" or "one_category") and _band; with an
        interval also _low, _high, _method and _warnings. With `weights` also the columns of weighted_kappa
        and krippendorff_alpha, with limits if the interval is "jackknife" or "jackknife_topics".

    Raises
    ------
    ValueError
        The interval, the weights, the reference or the order is unknown, `top` is not a whole number of at least 1, or
        the interval draws at random and `seed` is missing.

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
    chosen = ListedPairs(reference, sort, top)
    chosen.check_reference(ratings.assessors)
    figures = _Figures(interval, seed, weights)
    pooled = figures.of_pairs(ratings, "pooled")
    listed = chosen.rows_of(pooled)
    frames = [_labelled(figures.complete(ratings, listed, "pooled"), "pooled", "")]
    for across in ACROSS[1:]:
        rows = in_order_of(figures.of_pairs(ratings, across), listed)
        frames.append(_labelled(figures.complete(ratings, rows, across), across, ""))
    if per_topic:
        within = _Figures(None if interval in OVER_TOPICS else interval, seed, weights)
        for query_id, part in ratings.by_topic().items():
            rows = in_order_of(within.of_pairs(part, "pooled"), listed)
            frames.append(_labelled(within.complete(part, rows, "pooled"), "topic", query_id))
    return pd.concat(frames, ignore_index=True)


def _labelled(frame: pd.DataFrame, label: str, query_id: str) -> pd.DataFrame:
    frame.insert(0, "across", label)
    frame.insert(1, "query_id", query_id)
    return frame


@dataclass(frozen=True)
class _Figures:
    """The requested figures of the pairs of judges."""

    interval: str | None
    seed: int | None
    weights: str | None

    def of_pairs(self, ratings: Ratings, across: str) -> pd.DataFrame:
        """What is computed for all pairs at once."""
        together = self.interval if self.interval in PARTS else None
        frame = pairwise(ratings, KAPPAS, across, interval=together)
        limits = frame.filter(regex=f"_({'|'.join(LIMITS)})$")
        frame = frame.drop(columns=[*limits, *(f"{name}_se" for name in KAPPAS)], errors="ignore")
        frame = pd.concat([frame, limits], axis=1)
        if self.weights is None or len(ratings.scale) == 2:
            return frame
        weighted = pairwise(ratings, "cohen_kappa", across, weights=self.weights, interval=together)
        weighted = weighted.rename(columns=lambda name: name.replace("cohen_kappa", WEIGHTED))
        more = [weighted, pairwise(ratings, ALPHA, across, interval=together)]
        columns = [part.filter(regex=f"^({WEIGHTED}|{ALPHA})").drop(columns=_unused(part)) for part in more]
        return pd.concat([frame, *columns], axis=1)

    def complete(self, ratings: Ratings, pairs: pd.DataFrame, across: str) -> pd.DataFrame:
        """The pairs with the intervals that are computed one by one."""
        pairs = pairs.reset_index(drop=True)
        if self.interval is None or self.interval in PARTS:
            return pairs
        limits = [_limits(ratings, pairs, name, across, self.interval, self.seed) for name in KAPPAS]
        return pd.concat([pairs, *limits], axis=1)


def _unused(frame: pd.DataFrame) -> list[str]:
    """The columns without a meaning for weighted kappa and alpha, such as P(A) of alpha."""
    return [
        name for name in map(str, frame) if name.startswith(ALPHA) and name.endswith(("_observed", "_band", "_se"))
    ] + [name for name in map(str, frame) if name.startswith(WEIGHTED) and name.endswith(("_band", "_se"))]


def _limits(
    ratings: Ratings, pairs: pd.DataFrame, name: str, across: str, interval: str, seed: int | None
) -> pd.DataFrame:
    """The intervals of one coefficient, one row for each pair."""
    estimates = [
        overall(ratings, name, across, a, b).interval(interval, seed=seed)
        for a, b in zip(pairs["assessor_a"], pairs["assessor_b"], strict=True)
    ]
    rows = [(one.low, one.high, one.method, "; ".join(one.warnings)) for one in estimates]
    frame = pd.DataFrame(rows, columns=[f"{name}_{limit}" for limit in LIMITS])
    return frame.astype({f"{name}_low": "Float64", f"{name}_high": "Float64"})
