"""A random sample of tasks that is balanced over the topics.

Let x be the share of the sample times the number of tasks of a topic. The sample has x tasks of the topic, rounded down
or up. Which topics are rounded up is drawn by systematic sampling (W. G. Cochran, Sampling techniques, 1977, chapter
8): the numbers x are laid end to end in random order of the topics, and whole numbers are counted from a random start.
Within a topic, tasks are drawn at random.

Some tasks can be favoured: they come first, whatever their topic. The others then make up for them as far as possible.
"""

from fractions import Fraction

import numpy as np

from pooling.assignment.seeded_draws import BALANCE, SPREAD, START, draws


def balanced_sample(
    topics: np.ndarray,
    number: int,
    seed: int,
    *,
    share: Fraction | None = None,
    favoured: np.ndarray | None = None,
    numbers: np.ndarray | None = None,
) -> np.ndarray:
    """Draw a sample of tasks that is balanced over the topics.

    Shapes: `topics`, `favoured`, `numbers`, the result (n_tasks,).
    """
    favoured = np.zeros(len(topics), dtype=np.int64) if favoured is None else favoured
    sample = np.zeros(len(topics), dtype=bool)
    for level in np.unique(favoured)[::-1]:
        candidates = np.flatnonzero(favoured == level)
        if sample.sum() + len(candidates) > number:
            distinct, code = np.unique(topics, return_inverse=True)
            counts = _counts(distinct, code, sample, candidates, number, share or Fraction(number, len(topics)), seed)
            turns = draws(seed, SPREAD, candidates if numbers is None else numbers[candidates])
            sample[_first_of_topics(candidates[np.argsort(turns, kind="stable")], code, counts)] = True
            break
        sample[candidates] = True
    return sample


def _first_of_topics(tasks: np.ndarray, code: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The first tasks of each topic, as many as `counts` says."""
    tasks = tasks[np.argsort(code[tasks], kind="stable")]
    _, first, number = np.unique(code[tasks], return_index=True, return_inverse=True)
    return np.asarray(tasks[np.arange(len(tasks)) - first[number] < counts[code[tasks]]])


def _counts(
    topics: np.ndarray,
    code: np.ndarray,
    sample: np.ndarray,
    candidates: np.ndarray,
    number: int,
    share: Fraction,
    seed: int,
) -> np.ndarray:
    """How many of the candidates of each topic are drawn, in addition to those in the sample; shape (n_topics,)."""
    n_tasks, n_topics = len(code), len(topics)
    sizes, taken, most = (np.bincount(part, minlength=n_topics) for part in (code, code[sample], code[candidates]))
    remaining = number - int(sample.sum())
    parts = [int(size) * share for size in sizes]
    lower = np.clip(np.array([int(x) for x in parts]) - taken, 0, most)
    upper = np.clip(np.array([-int(-x // 1) for x in parts]) - taken, 0, most)
    # Favoured tasks can make these bounds impossible.
    lower = lower if lower.sum() <= remaining else np.zeros_like(lower)
    upper = upper if upper.sum() >= remaining else most
    in_order = np.argsort(draws(seed, START, topics), kind="stable")
    # In units of 1 / n_tasks, all numbers are whole.
    exact = (number * sizes - taken * n_tasks)[in_order]
    bounds = lower[in_order] * n_tasks, upper[in_order] * n_tasks
    ends = np.cumsum(_filled(exact, *bounds, remaining * n_tasks)) + int(draws(seed, BALANCE)[0] % np.uint64(n_tasks))
    counts = np.empty(n_topics, dtype=np.int64)
    counts[in_order] = np.diff(ends // n_tasks, prepend=0)
    return counts


def _filled(wanted: np.ndarray, lower: np.ndarray, upper: np.ndarray, total: int) -> np.ndarray:
    """Whole numbers that sum to `total`: `wanted` plus a constant, within the bounds; the first ones get one more."""
    low, high = int((lower - wanted).min()), int((upper - wanted).max())
    while low < high:  # the largest constant that is not too much
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.clip(wanted + middle, lower, upper).sum() <= total else (low, middle - 1)
    filled = np.clip(wanted + low, lower, upper)
    growing = np.flatnonzero(np.clip(wanted + low + 1, lower, upper) > filled)
    filled[growing[: total - int(filled.sum())]] += 1
    return np.asarray(filled)
