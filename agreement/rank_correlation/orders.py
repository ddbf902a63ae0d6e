"""The order of systems by their scores, higher is better, and which systems are tied.

Two systems are tied if their scores are closer than 1e-12 (`TIE`). Ties are never broken by name. The rule is for
pairs: of three scores with gaps of 0.9e-12, the outer two are in order, and both are tied with the middle one. All
functions here, and all that use them, compare pairs.
"""

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pooling.errors import refuse_unless

TIE = 1e-12
LISTS = (list, tuple, range, np.ndarray, pd.Series, pd.Index, pd.api.extensions.ExtensionArray)

# One score for each system.
Scores: TypeAlias = Sequence[float] | np.ndarray | pd.Series


def order_signs(scores: Scores) -> np.ndarray:
    """Return the order of every two systems.

    Parameters
    ----------
    scores : sequence of float, shape (n_systems,)
        Higher is better.

    Returns
    -------
    ndarray of int8, shape (n_systems, n_systems)
        1 if the first system is better, -1 if it is worse, 0 if the two are tied (closer than 1e-12).

    Raises
    ------
    ValueError
        The scores are not one list of finite numbers.

    Examples
    --------
    >>> from agreement.rank_correlation import order_signs
    >>> order_signs([0.9, 0.5]).tolist()
    [[0, 1], [-1, 0]]
    """
    values = one_list(scores)
    gaps = values[:, None] - values[None, :]
    return np.where(np.abs(gaps) < TIE, 0, np.sign(gaps)).astype(np.int8)


def both_orders(x: Scores, y: Scores) -> tuple[np.ndarray, np.ndarray]:
    """Return the `order_signs` of two lists of scores of the same systems."""
    refuse_other_types(x)
    refuse_other_types(y)
    if isinstance(x, pd.Series) and isinstance(y, pd.Series) and not x.index.equals(y.index):
        raise ValueError("Both lists must score the same systems in the same order, but their names differ.")
    if len(x) != len(y):
        raise ValueError(f"Both lists must score the same systems, not {len(x)} and {len(y)} scores.")
    return order_signs(x), order_signs(y)


def refuse_other_types(scores: object) -> None:
    """Raise ValueError unless this is a list, a tuple, an array or a Series: it has an order and can be read twice."""
    if not isinstance(scores, LISTS):
        kind = "None" if scores is None else type(scores).__name__
        raise ValueError(f"Scores must be a list, an array or a Series with one number for each system, not {kind}.")


def one_list(scores: Scores) -> np.ndarray:
    """Return scores as float64, shape (n_systems,); raise ValueError if they are not one list of finite numbers."""
    refuse_other_types(scores)
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"Scores must be one list of finite numbers, not {scores!r:.60}.") from None
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"Scores must be one list of finite numbers, not {values}.")
    return values


def competition_ranks(scores: Scores) -> np.ndarray:
    """Return the rank of every system, 1 for the best; tied systems share the best of their ranks.

    Parameters
    ----------
    scores : sequence of float, shape (n_systems,)
        Higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    ndarray of int, shape (n_systems,)

    Raises
    ------
    ValueError
        The scores are not one list of finite numbers.

    Examples
    --------
    >>> from agreement.rank_correlation import competition_ranks
    >>> competition_ranks([0.9, 0.5, 0.5, 0.1]).tolist()
    [1, 2, 2, 4]
    """
    ranks: np.ndarray = 1 + (order_signs(scores) < 0).sum(axis=1)
    return ranks


def swapped_pairs(x: Scores, y: Scores) -> int:
    """Return the number of pairs of systems that two lists put in opposite order (discordant pairs).

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    Examples
    --------
    >>> from agreement.rank_correlation import swapped_pairs
    >>> swapped_pairs([3, 2, 1], [2, 3, 1])
    1
    """
    first, second = both_orders(x, y)
    return int(np.count_nonzero(first * second < 0)) // 2


def tied_pairs(scores: Scores) -> int:
    """Return the number of pairs of systems that are tied.

    Parameters
    ----------
    scores : sequence of float, shape (n_systems,)
        Scores closer than 1e-12 are tied.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        The scores are not one list of finite numbers.

    Examples
    --------
    >>> from agreement.rank_correlation import tied_pairs
    >>> tied_pairs([0.9, 0.5, 0.5])
    1
    """
    return count_ties(order_signs(scores))


def count_pairs(signs: np.ndarray) -> int:
    """Return the number of pairs of systems, from their `order_signs`."""
    return len(signs) * (len(signs) - 1) // 2


def count_ties(signs: np.ndarray) -> int:
    """Return the number of tied pairs of systems, from their `order_signs`."""
    return count_pairs(signs) - int(np.count_nonzero(signs)) // 2


def refuse_ties(name: str, x: Scores, y: Scores, instead: str, names: Sequence[object] | None = None) -> None:
    """Raise ValueError if two systems are tied; the error names them and the functions to use instead.

    Without `names`, the error names the systems by position, counted from 0.
    """
    if names is not None and len(names) != len(x):
        raise ValueError(f"Every system needs one score and one name, not {len(x)} scores, {len(names)} names.")
    for side, scores in (("first", x), ("second", y)):
        signs = order_signs(scores)
        if count_ties(signs):
            one, other = np.argwhere(np.triu(signs == 0, k=1))[0].tolist()
            pair = f"systems {one} and {other}" if names is None else f"{names[one]!r} and {names[other]!r}"
            raise ValueError(
                f"{name} does not allow ties, but the {side} list ties {pair} ({count_ties(signs)} tied pairs). "
                f"Use {instead}."
            )


def ranking_of(scores: Scores, names: Sequence[Hashable]) -> list[Any]:
    """Return the ranking that `rbo` takes: names from the best to the worst, with a list for tied systems.

    Neighbours closer than 1e-12 are in one group, and so are chains of such neighbours, because a list of groups
    cannot hold a tie that is not transitive. Within a group, names keep their order.

    Parameters
    ----------
    scores : sequence of float, shape (n_systems,)
        Higher is better.
    names : sequence of hashable, shape (n_systems,)
        Names of the systems.

    Returns
    -------
    list
        Names, and lists of the names of tied systems.

    Raises
    ------
    ValueError
        The scores are not one list of finite numbers, or there are more or fewer names than scores.

    Examples
    --------
    >>> from agreement.rank_correlation import ranking_of
    >>> ranking_of([0.5, 0.9, 0.5], ["bm25", "dense", "lsa"])
    ['dense', ['bm25', 'lsa']]
    """
    values = one_list(scores)
    refuse_unless(names, (Sequence, *LISTS), "names", "a list of names")
    names = list(names)
    if len(values) != len(names):
        raise ValueError(f"Every system needs one score and one name, not {len(values)} scores, {len(names)} names.")
    order = np.argsort(-values, kind="stable")
    starts = np.flatnonzero(-np.diff(values[order]) >= TIE) + 1
    groups = [[names[i] for i in sorted(group.tolist())] for group in np.split(order, starts)]
    return [group if len(group) > 1 else group[0] for group in groups if group]
