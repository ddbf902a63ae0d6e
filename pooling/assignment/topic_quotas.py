"""How many tasks each assessor gets, in all and in each topic.

The numbers in all are whole, and fill all loads to one level. Each topic then gets its part of what is left: of its S
judgements an assessor with r of the R that are left gets S r / R, rounded down or up. Those with the most left are
rounded up first, then those with the fewest tasks of the topic. So if all assessors have equal loads, their numbers
differ by at most one, in all and in each topic.
"""

import numpy as np

from pooling.assignment.seeded_draws import TIE, draws


def whole_shares(loads: np.ndarray, capacity: np.ndarray, number: int, seed: int) -> np.ndarray:
    """The number of tasks that each assessor gets, shape (n_assessors,), of `number` in all; int64."""
    shares = _fair_shares(loads, capacity, number)
    whole = np.floor(shares).astype(np.int64)
    tie_draws = draws(seed, TIE, np.arange(len(loads)))
    order = np.lexsort((tie_draws, np.round(whole - shares, 9), whole >= capacity))
    whole[order[: number - int(whole.sum())]] += 1
    return np.asarray(whole)


def quotas_of_topic(left: np.ndarray, number: int, in_topic: np.ndarray, tie_draws: np.ndarray) -> np.ndarray:
    """Divide the judgements of a topic over the assessors.

    Parameters
    ----------
    left : ndarray of int64, shape (n_assessors,)
        The number of tasks that each assessor still gets, in this topic and in the following ones.
    number : int
        The number of judgements of the topic, at most the sum of `left`.
    in_topic : ndarray of int64, shape (n_assessors,)
        The number of tasks of the topic that each assessor has already.
    tie_draws : ndarray of uint64, shape (n_assessors,)
        Random numbers to resolve ties.

    Returns
    -------
    ndarray of int64, shape (n_assessors,)
        The numbers of judgements; their sum is `number`.
    """
    quotas, remainder = np.divmod(number * left, max(int(left.sum()), 1))
    order = np.lexsort((tie_draws, in_topic + quotas, quotas - left, remainder == 0))
    quotas[order[: number - int(quotas.sum())]] += 1
    return np.asarray(quotas)


def _fair_shares(loads: np.ndarray, capacity: np.ndarray, number: int) -> np.ndarray:
    """The share of each assessor of `number` tasks, shape (n_assessors,): all loads are filled to one level."""
    levels = np.unique(np.concatenate([loads, loads + np.minimum(capacity, number)]))
    filled = np.clip(levels[:, None] - loads, 0, capacity).sum(axis=1)
    below = np.searchsorted(filled, number, side="right") - 1  # the last level that needs at most `number` tasks
    level = float(levels[below])
    if filled[below] < number:
        level += (number - filled[below]) * (levels[below + 1] - levels[below]) / (filled[below + 1] - filled[below])
    return np.asarray(np.clip(level - loads, 0, capacity))
