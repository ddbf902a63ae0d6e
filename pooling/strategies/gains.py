"""Priority sampling in proportion to gains: what `ask_people` and `ask_people_order` share.

The gain of a document says how much a grade of it is expected to teach about the ranking of the systems. Without other
gains, the runs decide: with w(s) = 1 / log2(rank + 1) at the rank of the document in system s, and 0 if s does not have
it, the gain is the sum over all pairs of systems of |w(s) - w(t)|. A document that all systems have at the same rank
moves no difference, so its gain is 0.

In a topic of N documents, the share of a document with gain g is

    q = (1 - tau) g / (sum of all g) + tau / N        (1 / N if all gains are 0)

Every document has a random number u in [0, 1), which depends on seed, topic and document only. The documents are in the
order of u / q, ascending, and the sample of size n has the first n of them. With t, the u / q of the document that
comes next, the probability of a drawn document is

    p = min(1, q t)        (1 if the topic has at most n documents)

This is priority sampling. Given the random numbers of all other documents, p is the probability that a document is in
the sample. So the sum of x / p over the sample is an unbiased estimate of the sum of x over all documents, whatever x
is. From two documents a topic on, any two errors are uncorrelated, and the sum of (1 - p) / p^2 x^2 over the sample is
an unbiased estimate of the variance, as for documents that are drawn one by one (Poisson sampling). The size is fixed,
and the sample of a larger size contains the smaller one.

N. Duffield, C. Lund and M. Thorup, Priority sampling for estimation of arbitrary subset sums, Journal of the ACM 54(6),
2007, article 32. T. Zrnic and E. J. Candès, Active statistical inference, ICML 2024, arXiv 2403.03208 (the share tau
that all documents have alike).
"""

import math
from collections.abc import Mapping

import numpy as np

from pooling.strategies.selection import is_number

TAU = 0.1
Gains = Mapping[str, Mapping[str, float]]


def rank_gains(positions: np.ndarray, n_documents: int) -> np.ndarray:
    """The gain of each document of a topic, from its ranks in the runs.

    `positions` are the documents at the ranks of each run; `n_documents` stands for none.

    Shapes: `positions` (n_runs, n_ranks); the result (n_documents,).
    """
    weights = np.zeros((len(positions), n_documents + 1))
    rows = np.arange(len(positions))[:, None]
    weights[rows, positions] = 1 / np.log2(np.arange(positions.shape[1]) + 2)
    return sum_of_differences(weights[:, :-1])


def sum_of_differences(weights: np.ndarray) -> np.ndarray:
    """The sum over all pairs of rows of their absolute difference, for each column.

    Shapes: `weights` (n_rows, n_columns); the result (n_columns,).
    """
    n_rows = len(weights)
    # Of the sorted weights, the i-th (from 0) is the larger one of i pairs and the smaller one of n - 1 - i.
    times = 2.0 * np.arange(n_rows) - n_rows + 1
    sums = times @ np.sort(weights, axis=0)
    return np.asarray(np.maximum(sums, 0.0))


def shares(gains: np.ndarray, tau: float) -> np.ndarray:
    """The share q of each document of a topic; the shares sum to 1.

    Shapes: `gains`, the result (n_documents,).
    """
    total = math.fsum(gains.tolist())  # exact, so that the order of the documents does not matter
    same = np.full(len(gains), 1 / max(len(gains), 1))
    return (1 - tau) * gains / total + tau * same if total > 0 else same


def sample_probabilities(keys: np.ndarray, share: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Which documents of a topic are the first `size` by their keys u / q, and the probability of each document.

    The probability of a document that is not drawn is the one with which it could have been drawn, given the others.

    Shapes: all arrays (n_documents,).
    """
    if len(keys) <= size:
        return np.ones(len(keys), dtype=bool), np.ones(len(keys))
    order = np.argsort(keys, kind="stable")
    drawn = np.zeros(len(keys), dtype=bool)
    drawn[order[:size]] = True
    last, following = keys[order[size - 1]], keys[order[size]]
    return drawn, np.minimum(share * np.where(drawn, following, last), 1.0)


def check_tau(tau: float) -> None:
    """Raise ValueError unless tau is above 0 and at most 1."""
    if not is_number(tau) or not 0 < tau <= 1:
        raise ValueError(f"tau must be a number above 0 and at most 1, not {tau!r}")


def check_gain(gain: Gains | None) -> None:
    """Raise ValueError unless gains are numbers from 0 by query_id and doc_id."""
    if gain is None:
        return
    if not isinstance(gain, Mapping) or not all(isinstance(documents, Mapping) for documents in gain.values()):
        raise ValueError(f"gain must be a dictionary of gains by query_id and doc_id, not {gain!r:.60}")
    for query_id, documents in gain.items():
        for doc_id, number in documents.items():
            if not is_number(number) or not 0 <= number < math.inf:
                raise ValueError(
                    f"the gain of document {doc_id!r} of topic {query_id!r} must be a number from 0, not {number!r}"
                )
