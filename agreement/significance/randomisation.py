"""The paired randomisation test: could the two systems have swapped their scores on any topic?

Under the null hypothesis the two scores of a topic belong to either system, so that the sign of every difference is
free. p is the share of settings of the signs whose absolute mean difference is at least the observed one:

- over all 2^n settings of the n topics if there are at most `draws` of them: exact, and no seed is used;
- otherwise (1 + c) / (1 + draws), where c of `draws` random settings are at least as extreme. The observed setting
  is counted as one of them, so that p is never 0. All pairs use the same settings.

Differences of less than 1e-12 of the largest possible sum are ties. p is undefined without topics; two equal systems
have p = 1. The effect size is d_z. The interval is Student's t interval of the mean difference.

References
----------
R. A. Fisher (1935). The design of experiments, section 21.
M. D. Smucker, J. Allan & B. Carterette (2007), CIKM 2007, 623-632.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from agreement.significance.pairs import D_Z, T_INTERVAL, Pairs, Request, Tested

BLOCK = 4_000_000  # numbers in memory at the same time
ALIKE = 1e-12


def randomisation_test(pairs: Pairs, request: Request) -> Tested:
    """Run the paired randomisation test for every pair."""
    exact = 2**pairs.n_topics <= request.draws
    if exact:
        draws = 2**pairs.n_topics
        p = 2 * _at_least_as_extreme(pairs.differences, [_half_of_all_signs(pairs.n_topics)]) / draws
    else:
        draws = request.draws
        signs = _random_signs(request.generator("randomisation"), draws, pairs.n_topics)
        p = (1 + _at_least_as_extreme(pairs.differences, signs)) / (1 + draws)
    return Tested(
        p,
        pairs.standardised(),
        *pairs.t_interval(request.alpha),
        effect_size=D_Z,
        interval=T_INTERVAL,
        exact=exact,
        seed=None if exact else request.seed,
        draws=draws,
    )


def _at_least_as_extreme(differences: np.ndarray, blocks_of_signs: Iterable[np.ndarray]) -> np.ndarray:
    """Count the settings of the signs whose sum is at least as extreme as the observed one, shape (n_pairs,)."""
    least = np.abs(differences.sum(axis=1)) - ALIKE * np.abs(differences).sum(axis=1)
    count = np.zeros(len(differences), dtype=np.int64)
    for signs in blocks_of_signs:
        step = max(BLOCK // len(signs), 1)
        for start in range(0, len(differences), step):
            block = slice(start, start + step)
            sums = differences[block] @ signs.T
            count[block] += np.count_nonzero(np.abs(sums, out=sums) >= least[block, None], axis=1)
    return count


def _half_of_all_signs(n_topics: int) -> np.ndarray:
    """Return all settings in which the first sign is +; the others are their negatives, and as extreme."""
    free = n_topics - 1
    bits = np.arange(2**free)[:, None] >> np.arange(free) & 1
    return np.hstack([np.ones((2**free, 1)), 1.0 - 2 * bits])


def _random_signs(rng: np.random.Generator, draws: int, n_topics: int) -> Iterator[np.ndarray]:
    step = max(BLOCK // n_topics, 1)
    for start in range(0, draws, step):
        size = (min(step, draws - start), n_topics)
        yield 1.0 - 2 * rng.integers(2, size=size, dtype=np.int8)
