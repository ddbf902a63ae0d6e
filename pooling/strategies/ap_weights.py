"""The AP weights of ranks: how much the document at a rank contributes to average precision (AP).

For a ranking of length n, the weight of rank r is

    W(r) = (1 + 1 / r + 1 / (r + 1) + ... + 1 / n) / (2 n)

The weights of a ranking sum to 1. With x_r = 1 for a relevant document and 0 for others, the sum of precisions at the
relevant documents is the sum of x_r x_s / max(r, s) over all pairs of ranks s <= r. If every pair is chosen in
proportion to 1 / max(r, s), W(r) is the probability that one rank of the pair is r.

J. A. Aslam, V. Pavlu and E. Yilmaz, A statistical method for system evaluation using incomplete judgments, SIGIR 2006,
541-548.
"""

import numpy as np


def ap_weights(lengths: np.ndarray, n_ranks: int) -> np.ndarray:
    """The AP weight of each rank of rankings of given lengths.

    Shapes: `lengths` (n_rankings,); the result (n_rankings, n_ranks).
    """
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, n_ranks + 1))))
    length = np.asarray(lengths)[:, None]
    weights = (1 + harmonic[length] - harmonic[None, :-1]) / (2 * np.maximum(length, 1))
    return np.where(np.arange(n_ranks) < length, weights, 0.0)
