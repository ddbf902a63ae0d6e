"""What batched correlations share: references in their order, blocks of rankings, and the result for many."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import TIE, one_list
from agreement.rank_correlation.rank_levels import Levels, levels

# Rankings that are compared together: long rows, and their levels still stay in the cache.
BLOCK = 8192


@dataclass(frozen=True)
class Batch:
    """One coefficient for many rankings.

    Attributes
    ----------
    coefficient : str
        Its name, such as "tau_b".
    values : ndarray of float, shape (n_rankings,) or (n_references, n_rankings)
        Not rounded. Where `defined` is False there is no value, and the 0 that stands there means nothing.
    defined : ndarray of bool, of the same shape
    n : int
        Number of systems.
    """

    coefficient: str
    values: np.ndarray
    defined: np.ndarray
    n: int

    @property
    def reason(self) -> str | None:
        """Why those without a value have none: a key of `agreement.estimate.REASONS`; None where all are defined."""
        if self.defined.all():
            return None
        return "one_system" if self.n < 2 else "all_tied"

    def __getitem__(self, position) -> Estimate:
        """The estimate for one ranking: `batch[ranking]`, or `batch[reference, ranking]`."""
        if self.defined[position]:
            return Estimate(float(self.values[position]), self.coefficient, n=self.n)
        return undefined(self.coefficient, self.reason, n=self.n)


@dataclass(frozen=True)
class Reference:
    """A reference, in its own order.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems,)
        As given.
    order : ndarray of int, shape (n_systems,)
        Systems from the best to the worst.
    starts, ends : list of int
        For every place in that order, how many systems are better, and the place of the first that is worse;
        between the two are the system and those tied with it.
    """

    scores: np.ndarray
    order: np.ndarray
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, scores: np.ndarray) -> "Reference":
        """Sort the systems, and find where the ties of each begin and end."""
        scores = one_list(scores)
        order = np.argsort(-scores, kind="stable")
        falling = scores[order]
        gaps = falling[:, None] - falling[None, :]
        return cls(scores, order, (gaps <= -TIE).sum(axis=1).tolist(), (gaps < TIE).sum(axis=1).tolist())

    @property
    def tied(self) -> int:
        """Number of tied pairs."""
        return sum(end - place - 1 for place, end in enumerate(self.ends))


def in_order(reference: Reference, compact: Levels) -> Iterator[tuple[slice, np.ndarray]]:
    """Blocks of rankings, and their levels with the systems in the order of the reference."""
    for start in range(0, compact.n_rankings, BLOCK):
        block = slice(start, start + BLOCK)
        yield block, compact.better[reference.order, block]


def count(comparisons: np.ndarray) -> np.ndarray:
    """How many of the systems (rows) it is true for, in every ranking (column).

    A byte can count up to 255 of them, and bytes are added many at a time.
    """
    small = np.uint8 if len(comparisons) < 256 else np.int64
    return np.add.reduce(comparisons.view(np.uint8), axis=0, dtype=small)


def over_references(name: str, each: Callable, single: Callable, reference: np.ndarray, compact: Levels) -> Batch:
    """Apply `each`, which gives values and which are defined, to every reference; chained rankings one by one."""
    references = np.asarray(reference, dtype=np.float64)
    if references.ndim not in (1, 2) or references.shape[-1] != compact.n_systems:
        raise ValueError(
            f"a reference scores the {compact.n_systems} systems of the rankings; got shape {references.shape}"
        )
    rows = [_one_reference(each, single, Reference.of(scores), compact) for scores in np.atleast_2d(references)]
    values = np.array([row[0] for row in rows], dtype=np.float64).reshape(len(rows), compact.n_rankings)
    defined = np.array([row[1] for row in rows], dtype=bool).reshape(values.shape)
    if references.ndim == 1:
        values, defined = values[0], defined[0]
    return Batch(name, values, defined, compact.n_systems)


def _one_reference(each: Callable, single: Callable, reference: Reference, compact: Levels):
    values, defined = each(reference)
    for position, scores in zip(compact.chained, compact.chained_scores, strict=True):
        estimate = single(reference.scores, scores)
        values[position], defined[position] = estimate.value or 0.0, estimate.defined
    return np.where(defined, values, 0.0), defined


def no_ties(name: str, instead: str, reference: np.ndarray, compact: Levels) -> None:
    """Raise a ValueError where a reference or a ranking has ties, which names it and what to use `instead`."""
    for what, tied in (("reference", levels(np.atleast_2d(reference)).tied), ("ranking", compact.tied)):
        if tied.any():
            first = int(np.flatnonzero(tied)[0])
            raise ValueError(
                f"{name} is for rankings without ties, and {what} {first} has {tied[first]} tied pairs: use {instead}"
            )
