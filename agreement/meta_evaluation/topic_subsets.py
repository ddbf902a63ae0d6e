"""How often fewer topics lead to another conclusion: error rates, swap rates and tau by the number of topics.

A draw takes two disjoint sets of n topics at random, without replacement, so that n is at most half of the topics. The
systems are ranked by their mean scores on each set. All functions use the same draws for the same seed and n.

error rate  of Buckley and Voorhees. Two systems are tied on a set if their scores differ by less than the fuzziness
            times the larger absolute score. Over all sets, a pair of systems has A sets with the first ahead, B sets
            with the second ahead, and T ties. The error rate is the sum of min(A, B) over all pairs, over the sum of
            A + B + T; the tie rate is the sum of T over the same sum.
swap rate   of Voorhees and Buckley. The share of comparisons, one for each pair of systems and draw, in which the
            second set has the opposite order of the first, by the difference of the scores on the first set. It
            estimates the probability that another set of topics contradicts such a difference.
tau         Kendall's tau_a of the rankings on both sets, the mean over the draws, with the range of the middle 95% of
            the draws. A tied pair counts 0.

The two sets are drawn from the same topics, and the draws overlap. Therefore the ranges describe these topics, and are
no intervals for other collections. Nothing is extrapolated to more than half of the topics. Scores closer than 1e-12
are tied, and a difference within 1e-12 of a limit has reached it. With fewer than 50 topics in all, a note states which
true difference of two systems a paired t test over all topics finds at level 0.05.

References
----------
C. Buckley & E. M. Voorhees (2000). Evaluating evaluation measure stability. SIGIR 2000, 33-40.
E. M. Voorhees & C. Buckley (2002). The effect of topic set size on retrieval experiment error. SIGIR 2002, 316-323.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import float_column, number, whole_number
from agreement.rank_correlation import TIE
from agreement.significance.noted_frame import NotedFrame
from agreement.significance.pairs import checked_scores, score_rows
from agreement.significance.power import few_topics_note
from pooling.inputs import Input

ALPHA = 0.05  # of the test in the note
BLOCK = 4_000_000  # numbers in memory at the same time
MIDDLE = (0.025, 0.975)


def error_rate_by_topics(
    scores: Input,
    sizes: Sequence[int] | None = None,
    fuzziness: float = 0.05,
    seed: int | None = None,
    draws: int = 1000,
) -> NotedFrame:
    """Compute how often sets of topics disagree about the order of two systems, for each number of topics.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    sizes : sequence of int, optional
        Numbers of topics, from 1 to half of the topics. The default is all of these.
    fuzziness : float
        Two systems are tied on a set of topics if their scores differ by less than this share of the larger one, from 0
        to below 1.
    seed : int
        Seed of the draws; required.
    draws : int
        Number of draws of two sets, at least 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each size: n_topics, error_rate (from 0 to 0.5), tie_rate (from 0
        to 1), reason ("one_system" if the rates are missing, else NA). `attrs` has n_systems, n_topics, fuzziness,
        seed, draws, reason ("no_topics" or "one_topic" if there is no row, else None) and note (what so few topics
        imply if there are fewer than 50, else None).

    Raises
    ------
    ValueError
        There is no seed, an option is out of range, a system or a topic occurs twice, or a score is missing or not
        finite.

    References
    ----------
    C. Buckley & E. M. Voorhees (2000). Evaluating evaluation measure stability. SIGIR 2000, 33-40.

    Examples
    --------
    >>> from agreement.meta_evaluation import error_rate_by_topics
    >>> scores = {"bm25": {"1": 0.9, "2": 0.8, "3": 0.7, "4": 0.1}, "lsa": {"1": 0.4, "2": 0.3, "3": 0.2, "4": 0.5}}
    >>> error_rate_by_topics(scores, seed=1).round(3)[["n_topics", "error_rate", "tie_rate"]]
       n_topics  error_rate  tie_rate
    0         1       0.263       0.0
    1         2         0.0       0.0
    <BLANKLINE>
    Note: With 4 topics, fewer than 50, a true difference of 0.958 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of a paired t test
    at level 0.05 before correction, with a standard error of 0.225.
    """
    number("fuzziness", fuzziness, "at least 0 and below 1, such as 0.05", lambda value: 0 <= value < 1)
    subsets = _Subsets.checked(scores, sizes, seed, draws)
    rows = [_error_rates(subsets, size, fuzziness) for size in subsets.sizes]
    return subsets.frame(["error_rate", "tie_rate"], rows, fuzziness=fuzziness)


def swap_rate_by_topics(
    scores: Input,
    sizes: Sequence[int] | None = None,
    differences: Sequence[float] = (0.0,),
    seed: int | None = None,
    draws: int = 1000,
) -> NotedFrame:
    """Compute how often another set of topics reverses the order of two systems, by their difference.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    sizes : sequence of int, optional
        Numbers of topics, from 1 to half of the topics. The default is all of these.
    differences : sequence of float
        Lower limits of the bins of the absolute difference, ascending from 0; the last bin has no upper limit. The
        default is one bin. Voorhees and Buckley have 21 bins: 0, 0.01, ..., 0.2.
    seed : int
        Seed of the draws; required.
    draws : int
        Number of draws of two sets, at least 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each size and bin: n_topics, low and high (limits of the bin; high
        is NA for the last one), n_comparisons (pairs of systems times draws in the bin), swap_rate (from 0 to 1),
        reason ("one_system", or "empty" for a bin without comparisons, if the rate is missing, else NA). `attrs` has
        n_systems, n_topics, seed, draws, reason ("no_topics" or "one_topic" if there is no row, else None) and note
        (what so few topics imply if there are fewer than 50, else None).

    Raises
    ------
    ValueError
        There is no seed, an option is out of range, a system or a topic occurs twice, or a score is missing or not
        finite.

    References
    ----------
    E. M. Voorhees & C. Buckley (2002). The effect of topic set size on retrieval experiment error. SIGIR 2002, 316-323.

    Examples
    --------
    >>> from agreement.meta_evaluation import swap_rate_by_topics
    >>> scores = {"bm25": {"1": 0.9, "2": 0.8, "3": 0.7, "4": 0.1}, "lsa": {"1": 0.4, "2": 0.3, "3": 0.2, "4": 0.5}}
    >>> rates = swap_rate_by_topics(scores, sizes=[1], differences=(0, 0.45), seed=1)
    >>> rates[["n_topics", "low", "high", "n_comparisons", "swap_rate"]].round(3)
       n_topics   low  high  n_comparisons  swap_rate
    0         1   0.0  0.45            255        1.0
    1         1  0.45  <NA>            745      0.364
    <BLANKLINE>
    Note: With 4 topics, fewer than 50, a true difference of 0.958 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of a paired t test
    at level 0.05 before correction, with a standard error of 0.225.
    """
    limits = _limits(differences)
    subsets = _Subsets.checked(scores, sizes, seed, draws)
    frames = [_swap_rates(subsets, size, limits) for size in subsets.sizes]
    columns = ["n_topics", "low", "high", "n_comparisons", "swap_rate", "reason"]
    frame = NotedFrame(pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns))
    frame.attrs |= subsets.attrs()
    return frame


def tau_by_topics(
    scores: Input, sizes: Sequence[int] | None = None, seed: int | None = None, draws: int = 1000
) -> NotedFrame:
    """Compute the correlation of the rankings of systems on two sets of topics, for each number of topics.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    sizes : sequence of int, optional
        Numbers of topics, from 1 to half of the topics. The default is all of these.
    seed : int
        Seed of the draws; required.
    draws : int
        Number of draws of two sets, at least 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each size: n_topics, tau (mean of tau_a over the draws, -1 to 1),
        low and high (limits of the middle 95% of the draws), reason ("one_system" if the figures are missing, else NA).
        `attrs` has n_systems, n_topics, seed, draws, reason ("no_topics" or "one_topic" if there is no row, else None)
        and note (what so few topics imply if there are fewer than 50, else None).

    Raises
    ------
    ValueError
        There is no seed, an option is out of range, a system or a topic occurs twice, or a score is missing or not
        finite.

    References
    ----------
    E. M. Voorhees & C. Buckley (2002). The effect of topic set size on retrieval experiment error. SIGIR 2002, 316-323.

    Examples
    --------
    >>> from agreement.meta_evaluation import tau_by_topics
    >>> scores = {"bm25": {"1": 0.9, "2": 0.8, "3": 0.7, "4": 0.1}, "lsa": {"1": 0.4, "2": 0.3, "3": 0.2, "4": 0.5}}
    >>> tau_by_topics(scores, seed=1).round(3)[["n_topics", "tau", "low", "high"]]
       n_topics    tau  low  high
    0         1 -0.052 -1.0   1.0
    1         2    1.0  1.0   1.0
    <BLANKLINE>
    Note: With 4 topics, fewer than 50, a true difference of 0.958 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of a paired t test
    at level 0.05 before correction, with a standard error of 0.225.
    """
    subsets = _Subsets.checked(scores, sizes, seed, draws)
    return subsets.frame(["tau", "low", "high"], [_taus(subsets, size) for size in subsets.sizes])


@dataclass(frozen=True, eq=False)
class _Subsets:
    """The scores and the draws of two disjoint sets of topics.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_topics)
        Scores of every system on every topic.
    sizes : list of int
        Numbers of topics of a set.
    seed, draws : int
        Seed and number of draws.
    first, second : ndarray of int, shape (n_pairs,)
        All pairs of systems; first < second.
    """

    scores: np.ndarray
    sizes: list[int]
    seed: int
    draws: int
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def checked(cls, scores: Input, sizes: Sequence[int] | None, seed: int | None, draws: int) -> "_Subsets":
        """Return the scores and options; raise ValueError if one is invalid."""
        if seed is None:
            raise ValueError("Sets of topics are drawn at random and need a seed.")
        seed, draws = whole_number("seed", seed, 0), whole_number("draws", draws, 1)
        values = checked_scores(score_rows(scores))
        return cls(values, _sizes(sizes, values.shape[1] // 2), seed, draws, *np.triu_indices(len(values), 1))

    def means(self, size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield blocks of draws: the mean scores on both sets, each of shape (n_draws of the block, n_systems)."""
        rng = np.random.default_rng([self.seed, size])
        n_topics = self.scores.shape[1]
        step = max(BLOCK // max(n_topics, len(self.first), 1), 1)
        for start in range(0, self.draws, step):
            order = rng.random((min(step, self.draws - start), n_topics)).argsort(axis=1)
            yield self._mean(order[:, :size]), self._mean(order[:, size : 2 * size])

    def _mean(self, chosen: np.ndarray) -> np.ndarray:
        weights = np.zeros((len(chosen), self.scores.shape[1]))
        np.put_along_axis(weights, chosen, 1 / chosen.shape[1], axis=1)
        return np.asarray(weights @ self.scores.T)

    def gaps(self, means: np.ndarray) -> np.ndarray:
        """Return the difference of each pair of systems, exactly 0 if they are tied, shape (n_draws, n_pairs)."""
        gaps = means[:, self.first] - means[:, self.second]
        return np.where(np.abs(gaps) < TIE, 0, gaps)

    @property
    def reason(self) -> str | None:
        """Why no figure can be computed; None if there are two systems."""
        return None if len(self.first) else "one_system"

    def attrs(self, **more: Any) -> dict[str, Any]:
        """Return the description of the scores and draws, and why there is no row."""
        n_systems, n_topics = self.scores.shape
        described = {"n_systems": n_systems, "n_topics": n_topics, **more, "seed": self.seed, "draws": self.draws}
        described |= {"reason": {0: "no_topics", 1: "one_topic"}.get(n_topics)}
        return described | {"note": few_topics_note(self.scores, ALPHA)}

    def frame(self, names: list[str], rows: list[tuple[float, ...]], **more: Any) -> NotedFrame:
        """Return a table with a row for each size."""
        values = np.array(rows, dtype=np.float64).reshape(-1, len(names))
        columns = {name: float_column(column) for name, column in zip(names, values.T, strict=True)}
        reason = pd.array([self.reason] * len(rows), dtype="string")
        frame = NotedFrame({"n_topics": np.array(self.sizes, dtype=np.int64), **columns, "reason": reason})
        frame.attrs |= self.attrs(**more)
        return frame


def _sizes(sizes: Any, half: int) -> list[int]:
    """Return the numbers of topics of a set, by default all up to half of the topics; ValueError if one is invalid."""
    if sizes is None:
        return list(range(1, half + 1))
    allowed = f"whole numbers from 1 to half of the topics ({half})"
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise ValueError(f"sizes must be a list of {allowed}, not {sizes!r}.")
    chosen = [number("sizes", size, allowed, lambda value: 1 <= value <= half and value % 1 == 0) for size in sizes]
    return [int(size) for size in chosen]


def _limits(differences: Any) -> np.ndarray:
    """Return the lower limits of bins of differences; ValueError unless they ascend from 0."""
    try:
        limits = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError):
        limits = np.zeros(0)
    if limits.ndim != 1 or not len(limits) or limits[0] != 0 or not (np.diff(limits) > 0).all():
        raise ValueError(f"differences must ascend from 0, such as (0, 0.01, 0.02), not {differences!r}.")
    return limits


def _error_rates(subsets: _Subsets, size: int, fuzziness: float) -> tuple[float, ...]:
    ahead, behind = np.zeros(len(subsets.first)), np.zeros(len(subsets.first))
    for both in subsets.means(size):
        for means in both:
            gaps = subsets.gaps(means)
            larger = np.maximum(np.abs(means[:, subsets.first]), np.abs(means[:, subsets.second]))
            counts = np.abs(gaps) > fuzziness * larger - TIE  # 0.3 - 0.1 is less than 0.2 by rounding
            ahead += (counts & (gaps > 0)).sum(axis=0)
            behind += (counts & (gaps < 0)).sum(axis=0)
    total = 2 * subsets.draws * len(subsets.first)
    if not total:
        return np.nan, np.nan
    return np.minimum(ahead, behind).sum() / total, 1 - (ahead + behind).sum() / total


def _swap_rates(subsets: _Subsets, size: int, limits: np.ndarray) -> pd.DataFrame:
    n, swaps = np.zeros(len(limits)), np.zeros(len(limits))
    for first, second in subsets.means(size):
        gaps, others = subsets.gaps(first), subsets.gaps(second)
        bins = np.searchsorted(limits, np.abs(gaps) + TIE, side="right").ravel() - 1
        n += np.bincount(bins, minlength=len(limits))
        swaps += np.bincount(bins[(gaps * others < 0).ravel()], minlength=len(limits))
    rate = np.divide(swaps, n, out=np.full(len(n), np.nan), where=n > 0)
    high = float_column(np.append(limits[1:], np.nan))
    columns = {"n_topics": size, "low": float_column(limits), "high": high, "n_comparisons": n.astype(np.int64)}
    reason = [None if count else subsets.reason or "empty" for count in n]
    return pd.DataFrame(columns | {"swap_rate": float_column(rate), "reason": pd.array(reason, dtype="string")})


def _taus(subsets: _Subsets, size: int) -> tuple[float, ...]:
    if not len(subsets.first):
        return np.nan, np.nan, np.nan
    draws = [np.sign(subsets.gaps(a) * subsets.gaps(b)).mean(axis=1) for a, b in subsets.means(size)]
    taus = np.concatenate(draws)
    return float(taus.mean()), *np.quantile(taus, MIDDLE, method="inverted_cdf").tolist()
