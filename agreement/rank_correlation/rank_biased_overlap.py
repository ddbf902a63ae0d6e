"""Rank-biased overlap: how much two rankings share at every depth, the top counting most.

Rankings go from the best to the worst; a list inside is a group of ties. They may hold different items, and be of
different length: the short one has s items, the long one l. A reader goes on from one depth to the next with
persistence p; A(d) is the agreement at depth d:

    RBO = (1 - p) / p * sum over d = 1, 2, ... of A(d) p^d                                   range 0 to 1

X(d) is the overlap at depth d, the sum over items of what they contribute there to the one ranking times what
they contribute to the other. `ties` says what a group of k items at ranks r to r + k - 1 contributes:

=== ========================================== ================================================== ==============
    ties are                                   contribution of each at depth d                    A(d)
=== ========================================== ================================================== ==============
w   equal ranks, as in sports                  1 from d = r on                                    2 X / (|S| + |L|)
a   an order that is not known; the mean of    (d - r + 1) / k within the group, then 1           X / d
    RBO over all ways to break them
b   the same, corrected for what ties hide     as a                                               X / (|S| |L|)
=== ========================================== ================================================== ==============

|S| and |L| are the sums of the contributions at depth d (w), and the roots of the sums of their squares (b).
Without ties all three are the same.

Depth by depth: to s both rankings are seen; from s + 1 to l the short one is not; beyond l neither. `variant` says
what is taken to be there:

- `min`: no more in common. Beyond l the overlap stays X(l): X(l) * (ln(1 / (1 - p)) - sum over d <= l of p^d / d).
- `max`: as much as can be: from s + 1 on, each unseen item of the short ranking is the next of the long one that it
  lacks; beyond l every item of one is among those that the other lacks, until at depth f = l + s - X(l) all is shared.
- `ext`: extrapolated. An unseen item of the short ranking is shared with the chance A(s), and is any of those that
  it lacks of the long one at that depth; beyond l the agreement stays where it is.
- `res`: max - min, how much is not known.

The result is an `Estimate`; its `n` is the number of different items, its `convention` names variant, ties and p.
Undefined, reason `empty`, where a ranking has no items.

References
----------
W. Webber, A. Moffat and J. Zobel (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4), article 20.
M. Corsi and J. Urbano (2024). The treatment of ties in rank-biased overlap. SIGIR.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from agreement.estimate import Estimate, undefined

VARIANTS = ("ext", "min", "max", "res")
TIES = ("w", "a", "b")
GROUPS = (list, tuple)


def rbo(S: Sequence, T: Sequence, p: float, variant: str = "ext", ties: str = "w") -> Estimate:  # noqa: N803
    """Rank-biased overlap of two rankings.

    Parameters
    ----------
    S, T : sequence
        Items from the best to the worst, each hashable; a list or tuple inside is a group of ties.
        `ranking_of` makes one out of scores.
    p : float
        Persistence, between 0 and 1, both excluded. With 0.9 the first ten ranks have 86 % of the weight.
    variant : {"ext", "min", "max", "res"}
        Extrapolated, lower bound, upper bound, or their difference.
    ties : {"w", "a", "b"}
        As in the module's table.

    Returns
    -------
    Estimate
        Range 0 to 1.

    Raises
    ------
    ValueError
        p is not between 0 and 1, variant or ties is unknown, an item comes twice, or a group is empty.
    """
    _check(p, variant, ties)
    places = sorted((_places(S, "S"), _places(T, "T")), key=len)
    n, convention = len(places[0].keys() | places[1].keys()), f"{variant}, ties={ties}, p={p:g}"
    if not all(places):
        return undefined("rbo", "empty", n=n, convention=convention)
    seen = _Seen.of(*places, ties)
    value = _bound(seen, p, "max") - _bound(seen, p, "min") if variant == "res" else _bound(seen, p, variant)
    return Estimate(float(min(max(value, 0.0), 1.0)), "rbo", n=n, convention=convention)


def _check(p: float, variant: str, ties: str) -> None:
    if not 0 < p < 1:
        raise ValueError(f"p of rbo is between 0 and 1, both excluded; got {p}")
    for name, given, allowed in (("variant", variant, VARIANTS), ("ties", ties, TIES)):
        if given not in allowed:
            raise ValueError(f"{name} of rbo is one of {', '.join(allowed)}; got {given!r}")


def _places(ranking: Sequence, name: str) -> dict:
    """Of every item, the rank of the first of its group, and the size of that."""
    if isinstance(ranking, str):
        raise ValueError(f"ranking {name} is a list of items; got the text {ranking!r}")
    places: dict = {}
    for entry in ranking:
        group = entry if isinstance(entry, GROUPS) else [entry]
        if not group:
            raise ValueError(f"a group of ties has items; ranking {name} has an empty one")
        if isinstance(entry, set | frozenset):  # their order changes from run to run, and with it the last bit
            raise ValueError(f"a group of ties is a list; ranking {name} has the set {entry}")
        rank = len(places) + 1
        for item in group:
            if item in places:
                raise ValueError(f"an item comes once in a ranking; {item!r} comes twice in ranking {name}")
            places[item] = (rank, len(group))
    return places


@dataclass(frozen=True)
class _Seen:
    """What is seen of a short and a long ranking, to the depth of the long one.

    `short`, `long` are the sizes of the rankings at every depth, of which A(d) is made, and `lacking` the
    contributions of the items that only the long one has, in its order, (n_lacking, l).
    """

    ties: str
    s: int
    length: int
    overlap: np.ndarray
    short: np.ndarray
    long: np.ndarray
    lacking: np.ndarray
    shared: int

    @classmethod
    def of(cls, short: dict, long: dict, ties: str) -> "_Seen":
        s, length = len(short), len(long)
        in_short, in_long = (_contributions(places, length, ties) for places in (short, long))
        rows = {item: row for row, item in enumerate(long)}
        shared = [item for item in short if item in long]
        here, there = [row for row, item in enumerate(short) if item in long], [rows[item] for item in shared]
        return cls(
            ties,
            s,
            length,
            (in_short[here] * in_long[there]).sum(axis=0),
            _size(in_short, ties, s),
            _size(in_long, ties, length),
            in_long[[row for item, row in rows.items() if item not in short]],
            len(shared),
        )

    def agreement(self, overlap: np.ndarray) -> np.ndarray:
        """A(d) for an overlap at every depth."""
        if self.ties == "w":
            return 2 * overlap / (self.short + self.long)
        return overlap / (self.short * self.long)


def _contributions(places: dict, length: int, ties: str) -> np.ndarray:
    """Of every item (row) at every depth (column)."""
    first, size = np.array(list(places.values())).T[:, :, None]
    depth = np.arange(1, length + 1)
    return (depth >= first) * 1.0 if ties == "w" else np.clip((depth - first + 1) / size, 0, 1)


def _size(contributions: np.ndarray, ties: str, seen: int) -> np.ndarray:
    """Size of a ranking at every depth; what is not seen of it has no ties."""
    depth = np.arange(1, contributions.shape[1] + 1)
    if ties == "a":
        return np.sqrt(depth)
    if ties == "w":
        return np.where(depth <= seen, contributions.sum(axis=0), depth)
    return np.sqrt(np.where(depth <= seen, (contributions**2).sum(axis=0), depth))


def _bound(seen: _Seen, p: float, variant: str) -> float:
    depth = np.arange(1, seen.length + 1)
    agreement = seen.agreement(seen.overlap + _unseen_overlap(seen, variant))
    return (1 - p) / p * ((agreement * p**depth).sum() + _beyond(seen, p, variant))


def _unseen_overlap(seen: _Seen, variant: str) -> np.ndarray:
    """What is added to the overlap at every depth by the unseen items of the short ranking."""
    added = np.zeros(seen.length)
    for place in range(seen.s, seen.length):
        unseen, lacking = place - seen.s + 1, seen.lacking[:, place]
        if variant == "max":
            added[place] = lacking[:unseen].sum()
        if variant == "ext":
            added[place] = unseen * _last_agreement(seen) * lacking[lacking > 0].mean()
    return added


def _last_agreement(seen: _Seen) -> float:
    """A(s), of the last depth that is seen of both."""
    return seen.agreement(seen.overlap)[seen.s - 1]


def _beyond(seen: _Seen, p: float, variant: str) -> float:
    """The sum of A(d) p^d over all depths d > l."""
    length, s, shared = seen.length, seen.s, seen.shared
    if variant == "min":
        depth = np.arange(1, length + 1)
        return shared * (log(1 / (1 - p)) - (p**depth / depth).sum())
    if variant == "max":
        complete = length + s - shared
        depth = np.arange(length + 1, complete + 1)
        return ((2 * depth - complete) / depth * p**depth).sum() + p ** (complete + 1) / (1 - p)
    return (shared + (length - s) * _last_agreement(seen)) / length * p ** (length + 1) / (1 - p)
