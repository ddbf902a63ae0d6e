"""Which judge decides which topic: drawn at random, or all combinations in turn.

A *choice* has one number for each topic: 0 for the first judge of the topic, 1 for the second, in the order of their
names. All combinations are in the order of `itertools.product`: the last topic changes fastest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

BLOCK = 2048


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices of judges, generated from the seed every time they are used.

    Attributes
    ----------
    judged : ndarray of bool, shape (n_topics, n_judges)
        Who judged which topic. Every topic has a judge.
    draws : int
        Number of choices.
    seed : int or None
        None if the choices are all combinations.
    """

    judged: np.ndarray
    draws: int
    seed: int | None

    @classmethod
    def planned(cls, judged: np.ndarray, draws: int, seed: int | None) -> "Choices":
        """Return all combinations if there are at most `draws`, and otherwise `draws` random choices.

        Shapes: `judged` (n_topics, n_judges).
        """
        if not _is_whole(draws) or draws < 1:
            raise ValueError(f"draws must be a whole number of at least 1, not {draws!r}.")
        # Python integers: many topics have more combinations than int64 can hold.
        combinations = prod(judged.sum(axis=1).tolist())
        if combinations <= draws:
            return cls(judged, combinations, None)
        if seed is None or not _is_whole(seed) or seed < 0:
            raise ValueError(
                f"The seed must be a whole number of at least 0, not {seed!r}. It is needed because fewer golds are "
                f"drawn ({draws:,}) than there are combinations ({combinations:,})."
            )
        return cls(judged, int(draws), int(seed))

    @cached_property
    def n_judges(self) -> np.ndarray:
        """Number of judges of each topic, shape (n_topics,)."""
        counts: np.ndarray = self.judged.sum(axis=1)
        return counts

    @property
    def combinations(self) -> int:
        """Number of all combinations; an integer of any size."""
        return prod(self.n_judges.tolist())

    @property
    def exhaustive(self) -> bool:
        """Whether the choices are all combinations."""
        return self.seed is None

    def blocks(self, size: int = BLOCK) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the choices in blocks: the slice of draws, and the choices, shape (at most size, n_topics).

        The choices do not depend on the size.
        """
        rng = None if self.exhaustive else np.random.default_rng(self.seed)
        for start in range(0, self.draws, size):
            block = slice(start, min(start + size, self.draws))
            yield block, self._combinations(block) if rng is None else self._random(rng, block)

    def counts(self) -> np.ndarray:
        """Return how often each judge of a topic was chosen, shape (n_topics, largest number of judges of a topic)."""
        n_topics, most = len(self.n_judges), int(self.n_judges.max())
        counts = np.zeros(n_topics * most, dtype=np.int64)
        for _, chosen in self.blocks():
            counts += np.bincount((chosen + most * np.arange(n_topics)).ravel(), minlength=len(counts))
        return counts.reshape(n_topics, most)

    def judges(self) -> np.ndarray:
        """Return the position of the chosen judge in each draw, shape (draws, n_topics); 2 bytes each."""
        # Judges of the topic come first, and stay in the order of their names because the sort is stable.
        judges_of_topic = np.argsort(~self.judged, axis=1, kind="stable").astype(np.int16)
        judges = np.empty((self.draws, len(self.judged)), dtype=np.int16)
        for block, chosen in self.blocks():
            judges[block] = judges_of_topic[np.arange(len(self.judged)), chosen]
        return judges

    def _random(self, rng: np.random.Generator, block: slice) -> np.ndarray:
        return rng.integers(self.n_judges, size=(block.stop - block.start, len(self.n_judges)))

    def _combinations(self, block: slice) -> np.ndarray:
        later = self.draws // np.cumprod(self.n_judges)  # number of combinations of the later topics
        chosen: np.ndarray = np.arange(block.start, block.stop)[:, None] // later % self.n_judges
        return chosen


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
