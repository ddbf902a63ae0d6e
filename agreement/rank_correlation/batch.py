"""Shared parts of the batched rank correlations: input handling, references in order, and the result.

`correlate` is the one entry point of `kendall_batched` and `ap_correlation_batched`. It validates the references and
the rankings, refuses ties where a coefficient does not allow them, and assembles the `Batch`. The two modules only
supply the arithmetic for one reference.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import TIE, Scores, one_list
from agreement.rank_correlation.rank_levels import Levels, levels, score_array

# Number of rankings that are compared together. Long rows are fast, and their levels still fit into the cache.
BLOCK = 8192


@dataclass(frozen=True)
class Batch:
    """One coefficient for many rankings; returned by the functions whose names end with `_batch`.

    Attributes
    ----------
    coefficient : str
        Name of the coefficient, such as "tau_b".
    values : ndarray of float, shape (n_rankings,) or (n_references, n_rankings)
        The coefficients, not rounded. A value is 0 and has no meaning where `defined` is False.
    defined : ndarray of bool, same shape as `values`
        Whether the coefficient is defined.
    n : int
        Number of systems.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_b_batch
    >>> batch = tau_b_batch([3, 2, 1], [[3, 2, 1], [1, 1, 1]])
    >>> batch.defined.tolist()
    [True, False]
    >>> batch[0].value
    1.0
    >>> batch[1].reason
    'all_tied'
    """

    coefficient: str
    values: np.ndarray
    defined: np.ndarray
    n: int

    @property
    def reason(self) -> str | None:
        """Reason of the undefined values: "one_system" or "all_tied"; None if all values are defined."""
        if self.defined.all():
            return None
        return self._undefined_reason

    @property
    def _undefined_reason(self) -> str:
        return "one_system" if self.n < 2 else "all_tied"

    def __getitem__(self, position: int | tuple[int, int]) -> Estimate:
        """Return the estimate of one ranking: `batch[ranking]`, or `batch[reference, ranking]`."""
        if self.defined[position]:
            return Estimate(float(self.values[position]), self.coefficient, n=self.n)
        return undefined(self.coefficient, self._undefined_reason, n=self.n)


@dataclass(frozen=True)
class Reference:
    """One reference ranking, sorted.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems,)
        The scores in the caller's order of systems.
    order : ndarray of int, shape (n_systems,)
        Positions of the systems, best first.
    starts, ends : list of int, length n_systems
        For every position in that order: the number of better systems, and the position of the first worse system.
        The system itself and those tied with it are between the two.
    """

    scores: np.ndarray
    order: np.ndarray
    starts: list[int]
    ends: list[int]

    @classmethod
    def from_scores(cls, scores: np.ndarray) -> "Reference":
        """Sort the systems, and record where the ties of each begin and end."""
        scores = one_list(scores)
        order = np.argsort(-scores, kind="stable")
        falling = scores[order]
        gaps = falling[:, None] - falling[None, :]
        return cls(scores, order, (gaps <= -TIE).sum(axis=1).tolist(), (gaps < TIE).sum(axis=1).tolist())

    @property
    def tied(self) -> int:
        """Number of tied pairs."""
        return sum(end - position - 1 for position, end in enumerate(self.ends))


# The coefficients of one reference with all rankings, and which of them are defined; each of shape (n_rankings,).
Values = tuple[np.ndarray, np.ndarray]
Compute = Callable[[Reference, Levels], Values]
Single = Callable[[Scores, Scores], Estimate]


def correlate(
    name: str,
    reference: ArrayLike,
    rankings: ArrayLike | Levels,
    compute: Compute,
    single: Single,
    instead: str | None = None,
) -> Batch:
    """Compute one coefficient for every reference and every ranking.

    Shapes: `reference` (n_systems,); `rankings` (n_rankings, n_systems).
    """
    compact = levels(rankings)
    references = score_array(reference, "References")
    if instead is not None:
        _refuse_ties(name, instead, references, compact)
    if references.ndim not in (1, 2) or references.shape[-1] != compact.n_systems:
        raise ValueError(
            f"A reference must have one score for each of the {compact.n_systems} systems of the rankings, "
            f"not the shape {references.shape}."
        )
    rows = [_one_reference(compute, single, row, compact) for row in np.atleast_2d(references)]
    values = np.array([row[0] for row in rows], dtype=np.float64).reshape(len(rows), compact.n_rankings)
    defined = np.array([row[1] for row in rows], dtype=bool).reshape(values.shape)
    if references.ndim == 1:
        values, defined = values[0], defined[0]
    return Batch(name, values, defined, compact.n_systems)


def blocks_in_order(reference: Reference, compact: Levels) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield blocks of rankings with their levels, the systems in the order of the reference."""
    for start in range(0, compact.n_rankings, BLOCK):
        block = slice(start, start + BLOCK)
        yield block, compact.better[reference.order, block]


def count_systems(comparisons: np.ndarray) -> np.ndarray:
    """Count the systems (rows) for which a comparison is true, in every ranking (column).

    One byte can count up to 255 systems, and numpy adds many bytes at a time.
    """
    small = np.uint8 if len(comparisons) < 256 else np.int64
    counts: np.ndarray = np.add.reduce(comparisons.view(np.uint8), axis=0, dtype=small)
    return counts


def _one_reference(compute: Compute, single: Single, scores: np.ndarray, compact: Levels) -> Values:
    reference = Reference.from_scores(scores)
    values, defined = compute(reference, compact)
    # No level can express these rankings, so they are compared pair by pair.
    for position, chained in zip(compact.chained, compact.chained_scores, strict=True):
        estimate = single(reference.scores, chained)
        values[position], defined[position] = estimate.value or 0.0, estimate.defined
    return np.where(defined, values, 0.0), defined


def _refuse_ties(name: str, instead: str, references: np.ndarray, compact: Levels) -> None:
    for what, tied in (("reference", levels(np.atleast_2d(references)).tied), ("ranking", compact.tied)):
        if tied.any():
            first = int(np.flatnonzero(tied)[0])
            raise ValueError(
                f"{name} does not allow ties, but {what} {first} has {tied[first]} tied pairs. Use {instead}."
            )
