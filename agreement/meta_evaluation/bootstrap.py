"""The paired bootstrap test of two systems, the test of discriminative power.

The differences d of the scores on n topics are shifted so that their mean is 0, as under the null hypothesis. A draw
takes n of them with replacement and computes its Student's t. p is (1 + c) / (1 + draws), where c draws have a t that
is at least as far from 0 as the observed one; Sakai (2006) calls c / draws the achieved significance level. All pairs
use the same draws of topics. A draw without variance has an infinite t, or none if its mean is 0.

The required difference of a pair is the (alpha * draws)-th largest absolute mean of the draws: a mean difference of
this size would be significant, with this variance and this number of topics. The interval is the mean difference -+ the
required difference. p is undefined with fewer than two topics, and if the difference is the same on every topic.

References
----------
B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, section 16.4.
T. Sakai (2006). Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.
"""

import numpy as np

from agreement.significance.pairs import D_Z, Pairs, Request, Tested

BLOCK = 4_000_000  # numbers in memory at the same time
ALIKE = 1e-12


def bootstrap_test(pairs: Pairs, request: Request) -> Tested:
    """Run the paired bootstrap test for every pair.

    Parameters
    ----------
    pairs : Pairs
        All pairs of systems with their differences, over one or more topics.
    request : Request
        Level of significance, seed and number of draws.

    Returns
    -------
    Tested
        The effect size is d_z; p is undefined with fewer than two topics or without variance.

    Raises
    ------
    ValueError
        There is no seed.
    """
    n = pairs.n_topics
    times = request.generator("bootstrap").multinomial(n, np.full(n, 1 / n), request.draws).astype(np.float64)
    p, required = pairs.unknown(), pairs.unknown()
    known = np.flatnonzero(~np.isnan(pairs.deviations))
    step = max(BLOCK // request.draws, 1)
    for start in range(0, len(known), step):
        block = known[start : start + step]
        shifted = pairs.differences[block] - pairs.means[block, None]
        p[block], required[block] = _of_block(times, shifted, pairs.standardised()[block], request)
    limits = pairs.means - required, pairs.means + required
    name = "mean difference -+ the difference that the bootstrap requires"
    reason = None if _n_beyond(request) else "few_draws"
    return Tested(
        p,
        pairs.standardised(),
        *limits,
        effect_size=D_Z,
        interval=name,
        seed=request.seed,
        draws=request.draws,
        reason=reason,
    )


def _of_block(
    times: np.ndarray, shifted: np.ndarray, observed: np.ndarray, request: Request
) -> tuple[np.ndarray, np.ndarray]:
    """Return p and the required difference of some pairs; `observed` is their mean over their standard deviation."""
    n = shifted.shape[1]
    means = times @ shifted.T / n
    squares = times @ (shifted**2).T
    variances = np.maximum(squares - n * means**2, 0) / (n - 1)
    rounding = ALIKE * squares
    extreme = (means**2 >= observed**2 * variances - rounding) & ((means**2 > rounding) | (observed == 0))
    beyond = _n_beyond(request)
    absolute = np.abs(means)
    required = np.partition(absolute, -beyond, axis=0)[-beyond] if beyond else np.full(len(shifted), np.nan)
    return (1 + extreme.sum(axis=0)) / (1 + request.draws), required


def _n_beyond(request: Request) -> int:
    """Return how many draws may have a significant mean; 0 if there are too few draws for the level."""
    return int(request.alpha * request.draws + ALIKE)
