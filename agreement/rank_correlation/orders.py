"""The order of systems by their scores, higher better, and which of them are tied.

Two systems are tied where their scores are closer than 1e-12 (`TIE`), and never put in order by name. The rule
is for pairs: of three scores 0.9e-12 apart from one another, the outer two are in order and both tied with the
middle one. Everything here, and everything built on it, goes by the pairs.
"""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

TIE = 1e-12


def order_signs(scores: Sequence[float]) -> np.ndarray:
    """For every two systems 1 (the first is better), -1 (worse) or 0 (tied); shape (n_systems, n_systems)."""
    scores = one_list(scores)
    gaps = scores[:, None] - scores[None, :]
    return np.where(np.abs(gaps) < TIE, 0, np.sign(gaps)).astype(np.int8)


def both_orders(x: Sequence[float], y: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """The `order_signs` of two lists of scores of the same systems.

    Raises
    ------
    ValueError
        The lists differ in length, a score is not finite, or two tables name their systems in another order.
    """
    if isinstance(x, pd.Series) and isinstance(y, pd.Series) and not x.index.equals(y.index):
        raise ValueError("both lists score the same systems in the same order; the names of the two are in another")
    if len(x) != len(y):
        raise ValueError(f"both lists score the same systems; got {len(x)} and {len(y)} scores")
    return order_signs(x), order_signs(y)


def one_list(scores: Sequence[float]) -> np.ndarray:
    """Scores of systems as float64, shape (n_systems,); a ValueError where they are no list of finite numbers."""
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim != 1 or not np.isfinite(scores).all():
        raise ValueError(f"scores are one list of finite numbers; got {scores}")
    return scores


def competition_ranks(scores: Sequence[float]) -> np.ndarray:
    """Rank of every system, 1 for the best; tied systems share the best of their ranks (1, 2, 2, 4)."""
    return 1 + (order_signs(scores) < 0).sum(axis=1)


def swapped_pairs(x: Sequence[float], y: Sequence[float]) -> int:
    """Number of pairs of systems that the two lists put in opposite order (discordant pairs)."""
    first, second = both_orders(x, y)
    return int(np.count_nonzero(first * second < 0)) // 2


def tied_pairs(scores: Sequence[float]) -> int:
    """Number of pairs of systems that are tied."""
    return count_ties(order_signs(scores))


def count_pairs(signs: np.ndarray) -> int:
    """Number of pairs of systems, of their `order_signs`."""
    return len(signs) * (len(signs) - 1) // 2


def count_ties(signs: np.ndarray) -> int:
    """Number of tied pairs of systems, of their `order_signs`."""
    return count_pairs(signs) - int(np.count_nonzero(signs)) // 2


def refuse_ties(name: str, x: Sequence[float], y: Sequence[float], instead: str, names: Sequence | None = None) -> None:
    """Raise a ValueError where two systems are tied, which names them and what to use `instead`.

    `names` are the names of the systems; without them they are told by position, counted from 0.
    """
    if names is not None and len(names) != len(x):
        raise ValueError(f"every system has one score and one name; got {len(x)} scores, {len(names)} names")
    for side, scores in (("first", x), ("second", y)):
        signs = order_signs(scores)
        if count_ties(signs):
            one, other = np.argwhere(np.triu(signs == 0, k=1))[0].tolist()
            pair = f"systems {one} and {other}" if names is None else f"{names[one]!r} and {names[other]!r}"
            raise ValueError(
                f"{name} is for rankings without ties; the {side} list ties {pair}, "
                f"and {count_ties(signs)} pairs are tied: use {instead}"
            )


def ranking_of(scores: Sequence[float], names: Sequence[Hashable]) -> list:
    """A ranking as `rbo` takes it: names from the best to the worst, a list inside for tied systems.

    Neighbours closer than 1e-12 go into one group, and so do chains of such neighbours: a list of groups
    cannot hold a tie that is not transitive. Within a group, names are in the order given.

    Parameters
    ----------
    scores : sequence of float, shape (n_systems,)
        Higher is better.
    names : sequence of hashable, shape (n_systems,)

    Returns
    -------
    list
        Of names, and of lists of names.
    """
    scores = one_list(scores)
    if len(scores) != len(names):
        raise ValueError(f"every system has one score and one name; got {len(scores)} scores, {len(names)} names")
    order = np.argsort(-scores, kind="stable")
    starts = np.flatnonzero(-np.diff(scores[order]) >= TIE) + 1
    groups = [[names[i] for i in sorted(group.tolist())] for group in np.split(order, starts)]
    return [group if len(group) > 1 else group[0] for group in groups if group]
