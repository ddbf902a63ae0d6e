"""A random order of tasks in which every prefix is balanced over the topics."""

import numpy as np

from pooling.assignment.seeded_draws import SPREAD, START, draws, fractions


def topic_balanced_order(
    topics: np.ndarray, seed: int, favoured: np.ndarray | None = None, numbers: np.ndarray | None = None
) -> np.ndarray:
    """Systematic sampling in all topics at once: the first f * n_tasks tasks have f of each topic, within one.

    Parameters
    ----------
    topics : ndarray of int64, shape (n_tasks,)
        The topic of each task.
    seed : int
        The seed.
    favoured : ndarray, shape (n_tasks,), optional
        Tasks with a higher value come first, whatever their topic.
    numbers : ndarray of int64, shape (n_tasks,), optional
        The numbers of the tasks, for which random numbers are drawn. By default they are 0, 1, 2, ...

    Returns
    -------
    ndarray of int64, shape (n_tasks,)
        Positions in `topics`, in the new order.
    """
    favoured = np.zeros(len(topics)) if favoured is None else favoured
    turns = draws(seed, SPREAD, np.arange(len(topics)) if numbers is None else numbers)
    by_topic = np.lexsort((turns, -favoured, topics))
    _, first, number, sizes = np.unique(topics[by_topic], return_index=True, return_inverse=True, return_counts=True)
    within = np.empty(len(topics))
    start = fractions(seed, START, topics[by_topic])
    within[by_topic] = (np.arange(len(topics)) - first[number] + start) / sizes[number]
    return np.lexsort((turns, within, -favoured))
