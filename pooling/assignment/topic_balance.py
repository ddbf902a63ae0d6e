"""A random order of tasks whose every beginning is spread evenly over the topics."""

import numpy as np

from pooling.assignment.seeded_draws import SPREAD, START, draws, shares


def spread_order(
    topics: np.ndarray, seed: int, favoured: np.ndarray | None = None, numbers: np.ndarray | None = None
) -> np.ndarray:
    """Systematic sampling in every topic at once: a beginning of n_tasks * f tasks has f of each topic, within one.

    Parameters
    ----------
    topics : ndarray of int64, shape (n_tasks,)
    seed : int
    favoured : ndarray, optional
        What is favoured more comes first, whatever its topic.
    numbers : ndarray of int64, optional
        The tasks' numbers, for which chance is drawn; left out, they are counted from 0.

    Returns
    -------
    ndarray of int64, shape (n_tasks,)
        The tasks in that order, as positions in `topics`.
    """
    favoured = np.zeros(len(topics)) if favoured is None else favoured
    turns = draws(seed, SPREAD, np.arange(len(topics)) if numbers is None else numbers)
    by_topic = np.lexsort((turns, -favoured, topics))
    _, first, number, sizes = np.unique(topics[by_topic], return_index=True, return_inverse=True, return_counts=True)
    within = np.empty(len(topics))
    start = shares(seed, START, topics[by_topic])
    within[by_topic] = (np.arange(len(topics)) - first[number] + start) / sizes[number]
    return np.lexsort((turns, within, -favoured))
