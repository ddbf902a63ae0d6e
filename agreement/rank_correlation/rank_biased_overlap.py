"""Rank-biased overlap: what two rankings share at every depth, with most weight on the top.

Rankings are lists from the best to the worst item; a list inside is a group of ties. They may hold different items and
have different lengths: the short one has s items, the long one l. A reader continues from one depth to the next with
persistence p. A(d) is the agreement at depth d:

    RBO = (1 - p) / p * sum over d = 1, 2, ... of A(d) p^d                                   range 0 to 1

X(d) is the overlap at depth d: the sum over items of their contribution to one ranking times their contribution to the
other. `ties` determines the contribution of a group of k items at ranks r to r + k - 1:

=== ========================================== ================================================== ==============
    ties are                                   contribution of each item at depth d               A(d)
=== ========================================== ================================================== ==============
w   equal ranks, as in sports                  1 from d = r on                                    2 X / (|S| + |L|)
a   an unknown order; the mean of RBO over all (d - r + 1) / k within the group, then 1           X / d
    ways to break them
b   as a, corrected for the ties               as a                                               X / (|S| |L|)
=== ========================================== ================================================== ==============

|S| and |L| are the sums of the contributions at depth d (w), and the roots of the sums of their squares (b). A ranking
continues beyond its last item, without ties: there its sum is d (w) and its root that of d (b), for all three variants.
So the short ranking counts d items at depth d > s, although only s are seen. Without ties, w, a and b are the same.

Up to depth s both rankings are seen, from s + 1 to l only the long one, and beyond l neither. `variant` determines how
many of the unseen items are shared:

- `min`: none. From s + 1 to l the overlap is that of the seen items. Beyond l it stays X(l), and the sum of A(d) p^d
  over d > l is X(l) * (ln(1 / (1 - p)) - sum over d <= l of p^d / d).
- `max`: as many as possible. From s + 1 on, each unseen item of the short ranking is the next item of the
  long one that it lacks. Beyond l, every item of one is among those that the other lacks, until all are shared at depth
  f = l + s - X(l).
- `ext`: extrapolated. An unseen item of the short ranking is shared with probability A(s), and is any of the items of
  the long one that it lacks at that depth. Beyond l the agreement is constant.
- `res`: max - min, the uncertainty.

`Estimate.n` is the number of different items, and `Estimate.convention` names variant, ties and p. RBO is undefined if
a ranking has no items (reason "empty").

References
----------
W. Webber, A. Moffat and J. Zobel (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4), article 20.
M. Corsi and J. Urbano (2024). The treatment of ties in rank-biased overlap. SIGIR.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from agreement.estimate import Estimate, undefined
from pooling.errors import refuse_unless

VARIANTS = ("ext", "min", "max", "res")
TIES = ("w", "a", "b")
GROUPS = (list, tuple)

Ranking: TypeAlias = Sequence[Any]  # items, and lists or tuples of tied items
Positions: TypeAlias = dict[Hashable, tuple[int, int]]  # rank of the first item of its group, and size of the group


def rbo(S: Ranking, T: Ranking, p: float, variant: str = "ext", ties: str = "w") -> Estimate:  # noqa: N803
    """Compute the rank-biased overlap of two rankings.

    Parameters
    ----------
    S, T : sequence
        Items from the best to the worst, each hashable; a list or tuple inside is a group of ties. `ranking_of`
        converts scores into such a list.
    p : float
        Persistence, between 0 and 1. With 0.9, the first ten ranks have 86 % of the weight.
    variant : {"ext", "min", "max", "res"}
        Extrapolated value, lower bound, upper bound, or their difference.
    ties : {"w", "a", "b"}
        "w": tied items have equal ranks. "a": the mean over all ways to break the ties. "b": as "a", and corrected for
        the ties, so that a ranking with ties has RBO 1 with itself.

    Returns
    -------
    Estimate
        Value from 0 to 1; `n` is the number of different items. Undefined if a ranking has no items (reason "empty").

    Raises
    ------
    ValueError
        p is not between 0 and 1, variant or ties is unknown, an item occurs twice, a group is empty, or a
        ranking has another type, such as a Series or a dictionary of scores.

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4), article 20.
    M. Corsi and J. Urbano (2024). The treatment of ties in rank-biased overlap. SIGIR.

    Examples
    --------
    >>> from agreement.rank_correlation import rbo
    >>> round(rbo(["bm25", "lsa", "dense"], ["lsa", "bm25", "dense"], p=0.9).value, 3)
    0.9
    >>> round(rbo(["bm25", ["lsa", "dense"]], ["bm25", "lsa", "dense"], p=0.9, ties="a").value, 4)
    0.9775

    The short ranking has no third item: with "ext", half of it is assumed to be shared, because A(2) is 1/2.

    >>> short, long = ["a", "b"], ["b", "c", "a"]
    >>> [round(rbo(short, long, p=0.9, variant=variant).value, 4) for variant in ("min", "ext", "max")]
    [0.2667, 0.72, 0.855]
    """
    _check(p, variant, ties)
    positions = sorted((_positions(S, "S"), _positions(T, "T")), key=len)
    n, convention = len(positions[0].keys() | positions[1].keys()), f"{variant}, ties={ties}, p={p:g}"
    if not all(positions):
        return undefined("rbo", "empty", n=n, convention=convention)
    seen = _Seen.from_positions(positions[0], positions[1], ties)
    value = _bound(seen, p, "max") - _bound(seen, p, "min") if variant == "res" else _bound(seen, p, variant)
    return Estimate(float(min(max(value, 0.0), 1.0)), "rbo", n=n, convention=convention)


def _check(p: float, variant: str, ties: str) -> None:
    refuse_unless(p, Real, "p", "a number between 0 and 1")
    if not 0 < p < 1:
        raise ValueError(f"p must be between 0 and 1, both excluded, not {p!r}.")
    for name, value, allowed in (("variant", variant, VARIANTS), ("ties", ties, TIES)):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")


def _entries(ranking: Ranking, name: str) -> list[Any]:
    """Return the entries of a list, a tuple, an iterator or an array; ValueError for any other type."""
    if isinstance(ranking, str):
        raise ValueError(f"Ranking {name} must be a list of items, not the string {ranking!r}.")
    if isinstance(ranking, np.ndarray) and ranking.ndim == 1:
        return list(ranking.tolist())
    if isinstance(ranking, list | tuple | Iterator):
        return list(ranking)
    kind = "None" if ranking is None else type(ranking).__name__
    hint = ". `ranking_of` makes such a list of scores" if isinstance(ranking, Mapping | pd.Series) else ""
    raise ValueError(f"Ranking {name} must be a list of items from the best to the worst, not {kind}{hint}.")


def _positions(ranking: Ranking, name: str) -> Positions:
    """Return for every item the rank of the first item of its group, and the size of the group."""
    positions: Positions = {}
    for entry in _entries(ranking, name):
        group = entry if isinstance(entry, GROUPS) else [entry]
        if not group:
            raise ValueError(f"A group of ties must not be empty, but ranking {name} has an empty one.")
        if isinstance(entry, set | frozenset):  # its order differs between processes, and with it the last bit
            raise ValueError(f"A group of ties must be a list, but ranking {name} has the set {entry}.")
        rank = len(positions) + 1
        for item in group:
            if not isinstance(item, Hashable):
                raise ValueError(f"An item must be hashable, but ranking {name} has {item!r:.60}.")
            if item in positions:
                raise ValueError(f"An item must occur once in a ranking, but {item!r} occurs twice in ranking {name}.")
            positions[item] = (rank, len(group))
    return positions


@dataclass(frozen=True)
class _Seen:
    """The seen parts of a short and a long ranking, to the depth of the long one.

    Attributes
    ----------
    ties : {"w", "a", "b"}
        Treatment of ties.
    s, length : int
        Number of items of the short ranking and of the long one.
    overlap : ndarray of float, shape (length,)
        X(d), the overlap at every depth.
    short, long : ndarray of float, shape (length,)
        Sizes of the rankings at every depth.
    missing : ndarray of float, shape (n_missing, length)
        Contributions of the items that the short ranking lacks, in the order of the long one.
    shared : int
        Number of common items.
    """

    ties: str
    s: int
    length: int
    overlap: np.ndarray
    short: np.ndarray
    long: np.ndarray
    missing: np.ndarray
    shared: int

    @classmethod
    def from_positions(cls, short: Positions, long: Positions, ties: str) -> "_Seen":
        """Compute the contributions and sizes at every depth."""
        s, length = len(short), len(long)
        in_short, in_long = (_contributions(positions, length, ties) for positions in (short, long))
        rows = {item: row for row, item in enumerate(long)}
        shared = [item for item in short if item in long]
        short_rows = [row for row, item in enumerate(short) if item in long]
        long_rows = [rows[item] for item in shared]
        return cls(
            ties,
            s,
            length,
            (in_short[short_rows] * in_long[long_rows]).sum(axis=0),
            _size(in_short, ties, s),
            _size(in_long, ties, length),
            in_long[[row for item, row in rows.items() if item not in short]],
            len(shared),
        )

    def agreement(self, overlap: np.ndarray) -> np.ndarray:
        """Return A(d) for an overlap at every depth."""
        if self.ties == "w":
            return np.asarray(2 * overlap / (self.short + self.long))
        return np.asarray(overlap / (self.short * self.long))


def _contributions(positions: Positions, length: int, ties: str) -> np.ndarray:
    """Return the contribution of every item (row) at every depth (column)."""
    first, size = np.array(list(positions.values())).T[:, :, None]
    depth = np.arange(1, length + 1)
    if ties == "w":
        return np.where(depth >= first, 1.0, 0.0)
    return np.asarray(np.clip((depth - first + 1) / size, 0, 1))


def _size(contributions: np.ndarray, ties: str, seen: int) -> np.ndarray:
    """Return the size of a ranking at every depth; its unseen part has no ties."""
    depth = np.arange(1, contributions.shape[1] + 1)
    if ties == "a":
        return np.asarray(np.sqrt(depth))
    if ties == "w":
        return np.where(depth <= seen, contributions.sum(axis=0), depth)
    return np.asarray(np.sqrt(np.where(depth <= seen, (contributions**2).sum(axis=0), depth)))


def _bound(seen: _Seen, p: float, variant: str) -> float:
    depth = np.arange(1, seen.length + 1)
    agreement = seen.agreement(seen.overlap + _unseen_overlap(seen, variant))
    return (1 - p) / p * (float((agreement * p**depth).sum()) + _beyond(seen, p, variant))


def _unseen_overlap(seen: _Seen, variant: str) -> np.ndarray:
    """Return what the unseen items of the short ranking add to the overlap at every depth."""
    added = np.zeros(seen.length)
    for position in range(seen.s, seen.length):
        unseen, missing = position - seen.s + 1, seen.missing[:, position]
        if variant == "max":
            added[position] = missing[:unseen].sum()
        if variant == "ext":
            added[position] = unseen * _last_agreement(seen) * missing[missing > 0].mean()
    return added


def _last_agreement(seen: _Seen) -> float:
    """Return A(s), the agreement at the last depth at which both rankings are seen."""
    return float(seen.agreement(seen.overlap)[seen.s - 1])


def _beyond(seen: _Seen, p: float, variant: str) -> float:
    """Return the sum of A(d) p^d over all depths d > l."""
    length, s, shared = seen.length, seen.s, seen.shared
    if variant == "min":
        depth = np.arange(1, length + 1)
        return shared * (log(1 / (1 - p)) - float((p**depth / depth).sum()))
    if variant == "max":
        complete = length + s - shared
        depth = np.arange(length + 1, complete + 1)
        return float(((2 * depth - complete) / depth * p**depth).sum()) + p ** (complete + 1) / (1 - p)
    return (shared + (length - s) * _last_agreement(seen)) / length * p ** (length + 1) / (1 - p)
