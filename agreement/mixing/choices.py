"""Which judge decides which topic: drawn at random, or every combination in turn.

A *choice* is, for each topic, the place of one of its judges: 0 for the first of those who judged it, in the order of
the judges' names. All combinations come in the order of `itertools.product`, the last topic changing fastest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

BLOCK = 2048


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices of judges, made again from the seed whenever they are asked for.

    Attributes
    ----------
    judged : ndarray of bool, shape (n_topics, n_judges)
        Who judged which topic; every topic has a judge.
    draws : int
        Number of choices.
    seed : int or None
        None where they are all the combinations.
    """

    judged: np.ndarray
    draws: int
    seed: int | None

    @classmethod
    def planned(cls, judged: np.ndarray, draws: int, seed: int | None) -> "Choices":
        """All combinations where there are no more than `draws`, else so many random choices.

        Raises
        ------
        ValueError
            No whole number of draws, or choices are random and the seed is no whole number from 0.
        """
        if not _whole(draws) or draws < 1:
            raise ValueError(f"draws is a whole number from 1; got {draws!r}")
        combinations = prod(judged.sum(axis=1).tolist())
        if combinations <= draws:
            return cls(judged, combinations, None)
        if not _whole(seed) or seed < 0:
            raise ValueError(
                f"the seed is a whole number from 0, and needed where fewer golds are drawn ({draws:,}) than there "
                f"are combinations ({combinations:,}); got {seed!r}"
            )
        return cls(judged, int(draws), int(seed))

    @cached_property
    def n_judges(self) -> np.ndarray:
        """Number of judges of each topic, shape (n_topics,)."""
        return self.judged.sum(axis=1)

    @property
    def combinations(self) -> int:
        """Number of all combinations, however large."""
        return prod(self.n_judges.tolist())

    @property
    def exhaustive(self) -> bool:
        """Whether these are all the combinations."""
        return self.seed is None

    def blocks(self, size: int = BLOCK) -> Iterator[tuple[slice, np.ndarray]]:
        """Some choices at a time: which draws they are, and places, shape (at most size, n_topics).

        They are the same choices for every size.
        """
        rng = None if self.exhaustive else np.random.default_rng(self.seed)
        for start in range(0, self.draws, size):
            block = slice(start, min(start + size, self.draws))
            yield block, self._combinations(block) if rng is None else self._drawn(rng, block)

    def counts(self) -> np.ndarray:
        """How often each topic fell to each of its judges, by place; shape (n_topics, most judges of a topic)."""
        n_topics, most = len(self.n_judges), int(self.n_judges.max())
        counts = np.zeros(n_topics * most, dtype=np.int64)
        for _, places in self.blocks():
            counts += np.bincount((places + most * np.arange(n_topics)).ravel(), minlength=len(counts))
        return counts.reshape(n_topics, most)

    def judges(self) -> np.ndarray:
        """Position of the judge of each topic in each draw, shape (draws, n_topics); 2 bytes each."""
        by_place = np.argsort(~self.judged, axis=1, kind="stable").astype(np.int16)
        chosen = np.empty((self.draws, len(self.judged)), dtype=np.int16)
        for block, places in self.blocks():
            chosen[block] = by_place[np.arange(len(self.judged)), places]
        return chosen

    def _drawn(self, rng: np.random.Generator, block: slice) -> np.ndarray:
        return rng.integers(self.n_judges, size=(block.stop - block.start, len(self.n_judges)))

    def _combinations(self, block: slice) -> np.ndarray:
        later = self.draws // np.cumprod(self.n_judges)  # combinations of the topics after each
        return np.arange(block.start, block.stop)[:, None] // later % self.n_judges


def _whole(number) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
