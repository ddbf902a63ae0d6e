"""Tukey's honestly significant difference by randomisation: all pairs of systems at once.

Under the null hypothesis all systems are equal, and the scores of a topic belong to any of them. A sample shuffles the
scores of every topic among the systems and records the range of the system means, the highest minus the lowest. The p
of a pair is (1 + c) / (1 + draws), where c draws have a range of at least the pair's absolute difference. The range
is the largest difference of any pair, so that p holds for all pairs together and needs no correction.

Ranges that differ by less than 1e-12 of the largest absolute score are tied. p is undefined without topics.

Effect size: mean difference over the square root of the residual variance of a two-way analysis of variance of systems
and topics without replication, sum of (x - system mean - topic mean + mean)^2 / ((systems - 1) (topics - 1)) (Sakai
2014). It is undefined with one topic, and if the differences between systems are the same on every topic. Interval:
mean difference -+ the critical range, the largest range that is not significant; it excludes 0 if the pair is
significant.

References
----------
B. Carterette (2012), ACM Transactions on Information Systems 30(1), article 4.
T. Sakai (2014), SIGIR Forum 48(1), 3-12.
"""

import numpy as np

from agreement.rank_correlation import TIE
from agreement.significance.pairs import Pairs, Request, Tested

BLOCK = 4_000_000  # numbers in memory at the same time
ALIKE = 1e-12


def tukey_test(pairs: Pairs, request: Request) -> Tested:
    """Run the randomised Tukey HSD test for every pair."""
    ranges = np.sort(_ranges(pairs.scores, request.generator("tukey"), request.draws))
    least = np.abs(pairs.means) - ALIKE * np.abs(pairs.scores).max(initial=0)
    as_extreme = request.draws - np.searchsorted(ranges, least)
    low, high = _limits(pairs, ranges, _n_beyond(request))
    return Tested(
        p=(1 + as_extreme) / (1 + request.draws),
        effect=pairs.means / _residual_deviation(pairs.scores),
        low=low,
        high=high,
        effect_size="mean difference / residual standard deviation of systems and topics",
        interval="simultaneous, by the critical range",
        seed=request.seed,
        draws=request.draws,
        reason="few_draws" if _n_beyond(request) < 0 else None,
    )


def _ranges(scores: np.ndarray, rng: np.random.Generator, draws: int) -> np.ndarray:
    """Return the range of the system means in every draw, shape (draws,)."""
    by_topic = scores.T
    step = max(BLOCK // by_topic.size, 1)
    ranges = []
    for start in range(0, draws, step):
        block = np.broadcast_to(by_topic, (min(step, draws - start), *by_topic.shape))
        ranges.append(np.ptp(rng.permuted(block, axis=2).mean(axis=1), axis=1))
    return np.concatenate(ranges)


def _n_beyond(request: Request) -> int:
    """Return how many ranges may reach a significant difference; negative if none can be significant."""
    return int(np.floor(request.alpha * (1 + request.draws) - 1 + ALIKE))


def _limits(pairs: Pairs, ranges: np.ndarray, beyond: int) -> tuple[np.ndarray, np.ndarray]:
    if beyond < 0 or pairs.n_topics < 2 or ranges[-1] < TIE:
        return pairs.unknown(), pairs.unknown()
    critical = ranges[len(ranges) - 1 - beyond]
    return pairs.means - critical, pairs.means + critical


def _residual_deviation(scores: np.ndarray) -> float:
    """Return the root of the residual variance of systems x topics; nan if it is 0 or unknown."""
    n_systems, n_topics = scores.shape
    if n_systems < 2 or n_topics < 2:
        return np.nan
    residuals = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    if np.abs(residuals).max() < TIE:
        return np.nan
    return float(np.sqrt((residuals**2).sum() / ((n_systems - 1) * (n_topics - 1))))
