"""Small pools in slots, and all their samples."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from agreement.trust.few_grades.sampled_scores import Slots


def whole(ranks: np.ndarray) -> Slots:
    """All pairs of a pool; ranks of shape (n_systems, n_topics, n_slots), 0 for a pair that was not retrieved."""
    shape = ranks.shape[1:]
    return Slots(ranks, np.ones(shape, bool), np.ones(shape), np.zeros(shape, int))


def sample(ranks: np.ndarray, chosen: np.ndarray, probability: float, stratum: np.ndarray | None = None) -> Slots:
    """The pairs at the slots `chosen`, shape (n_topics, n_drawn)."""
    at = np.arange(len(chosen))[:, None], chosen
    strata = np.zeros(chosen.shape, int) if stratum is None else stratum[at]
    return Slots(ranks[:, at[0], at[1]], np.ones(chosen.shape, bool), np.full(chosen.shape, probability), strata)


def samples_of_one_topic(n: int, n_drawn: int) -> Iterator[np.ndarray]:
    """The slots of every sample of a topic with n pairs, shape (1, n_drawn)."""
    for chosen in combinations(range(n), n_drawn):
        yield np.array([chosen])


def stratified_samples(sizes: tuple[int, ...], n_drawn: int) -> Iterator[np.ndarray]:
    """The slots of every sample of `n_drawn` pairs of each stratum of one topic; strata are successive slots."""
    starts = np.cumsum((0, *sizes[:-1]))
    of_strata = [list(combinations(range(at, at + size), n_drawn)) for at, size in zip(starts, sizes, strict=True)]
    for chosen in product(*of_strata):
        yield np.array([[slot for part in chosen for slot in part]])
