"""Shapley values: how much of a change each of several causes is given, and they sum to it.

A game has n players and a value v(S) for each set S of them. Player i is given the mean, over all n! orders in
which the players may come, of what the value rises by when i comes:

    phi(i) = sum over S without i of |S|! (n - |S| - 1)! / n! * (v(S with i) - v(S))

The values sum to v(everybody) - v(nobody); a player that never changes v has 0; two that can stand for each
other have the same. Where players are known to be interchangeable (v depends on how many of a class are in S,
not on which) a class of m players counts as m + 1 states instead of 2^m, and the values stay exact for more.

`exact_values` goes through all states. `sampled_values` draws orders, each with its reverse (antithetic: who
comes early in the one comes late in the other); in every order the rises telescope, so that the values sum as
the exact ones do. Its standard error is that of the mean over the pairs of orders, which are independent; the
members of a class are averaged first. A player who has the same value in every pair drawn has error 0.

References
----------
L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317, equation 12.
J. Castro, D. Gomez, J. Tejada (2009). Polynomial calculation of the Shapley value based on sampling. Computers
and Operations Research 36(5), 1726-1730 (sampling by orders).
"""

from collections.abc import Callable, Iterator
from functools import reduce
from math import comb, prod

import numpy as np

MOST_PLAYERS = 1000  # up to here every binomial coefficient is a finite float64
BLOCK = 4_000_000  # players x coalitions that are held at once

Value = Callable[[np.ndarray], np.ndarray]


def n_states(classes: np.ndarray) -> int:
    """How many coalitions differ, where `classes` (n_players,) tells who is interchangeable with whom."""
    return prod(int(size) + 1 for size in np.unique(classes, return_counts=True)[1])


def exact_values(value: Value, classes: np.ndarray) -> np.ndarray:
    """Shapley values by going through all coalitions that differ.

    Parameters
    ----------
    value : callable
        Gets coalitions, bool of shape (n_coalitions, n_players), and gives v of each, shape (n_coalitions,).
    classes : ndarray of int, shape (n_players,)
        Players of one class are interchangeable; all different where nobody is.

    Returns
    -------
    ndarray of float, shape (n_players,)

    Raises
    ------
    ValueError
        There are more than 1000 players.
    """
    if len(classes) > MOST_PLAYERS:
        raise ValueError(f"exact Shapley values are for up to {MOST_PLAYERS} players; got {len(classes)}")
    member_of, seat, sizes = _seats(classes)
    shape = tuple(int(size) + 1 for size in sizes)
    found = [value(states[:, member_of] > seat) for states in _blocks_of_states(shape, len(classes))]
    values = np.concatenate(found).reshape(shape)
    return np.array([_of_class(values, sizes, axis) for axis in range(len(sizes))])[member_of]


def sampled_values(
    value: Value, classes: np.ndarray, rng: np.random.Generator, orders: int
) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values estimated from orders drawn at random, and their standard errors.

    Parameters
    ----------
    value, classes
        As for `exact_values`.
    rng : Generator
    orders : int
        How many orders, each second one the reverse of the first: an even number from 4.

    Returns
    -------
    values, errors : ndarray of float, shape (n_players,)

    Raises
    ------
    ValueError
        The number of orders is odd, or less than 4.
    """
    if orders < 4 or orders % 2:
        raise ValueError(f"orders come in pairs, and an error needs two pairs: an even number from 4; got {orders}")
    member_of, _, sizes = _seats(classes)
    pairs = []
    for drawn in _blocks_of_orders(rng, orders // 2, len(classes)):
        rises = (_rises(value, drawn) + _rises(value, drawn[:, ::-1])) / 2
        by_class = np.zeros((len(drawn), len(sizes)))
        np.add.at(by_class, (slice(None), member_of), rises)
        pairs.append(by_class / sizes)
    drawn = np.concatenate(pairs)
    return drawn.mean(axis=0)[member_of], (drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn)))[member_of]


def _seats(classes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every player the class, from 0, and how many of it come before; and the sizes of the classes."""
    _, member_of, sizes = np.unique(classes, return_inverse=True, return_counts=True)
    by_class = np.argsort(member_of, kind="stable")
    seat = np.empty(len(member_of), np.int64)
    seat[by_class] = np.arange(len(member_of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return member_of, seat, sizes


def _blocks_of_states(shape: tuple[int, ...], n_players: int) -> Iterator[np.ndarray]:
    """How many of each class are in, for all states in turn; blocks of shape (n_states, n_classes)."""
    step = max(BLOCK // max(n_players, 1), 1)
    for start in range(0, prod(shape), step):
        states = np.arange(start, min(start + step, prod(shape)))
        yield np.stack(np.unravel_index(states, shape), axis=1) if shape else np.zeros((1, 0), np.int64)


def _of_class(values: np.ndarray, sizes: np.ndarray, axis: int) -> float:
    """The value of each member of a class; `values` has an axis for each class, how many of it are in."""
    others = [int(size) - (place == axis) for place, size in enumerate(sizes)]  # the player itself is not in S
    n_others = sum(others)
    ways = reduce(np.multiply.outer, [[float(comb(size, k)) for k in range(size + 1)] for size in others])
    n_in = reduce(np.add.outer, [np.arange(size + 1) for size in others])
    orders = np.array([float(comb(n_others, k)) for k in range(n_others + 1)]) * (n_others + 1)
    return float((np.diff(values, axis=axis) * (ways / orders[n_in])).sum())


def _blocks_of_orders(rng: np.random.Generator, n_orders: int, n_players: int) -> Iterator[np.ndarray]:
    """Random orders of the players, in blocks of shape (n_orders, n_players)."""
    step = max(BLOCK // max(n_players * (n_players + 1), 1), 1)
    for start in range(0, n_orders, step):
        players = np.tile(np.arange(n_players), (min(step, n_orders - start), 1))
        yield rng.permuted(players, axis=1)


def _rises(value: Value, orders: np.ndarray) -> np.ndarray:
    """What each player adds when it comes, shape of `orders`; a row for each order, a column for each player."""
    n_orders, n_players = orders.shape
    turn = np.argsort(orders, axis=1)
    coalitions = turn[:, None, :] < np.arange(n_players + 1)[:, None]
    values = value(coalitions.reshape(-1, n_players)).reshape(n_orders, n_players + 1)
    return np.take_along_axis(np.diff(values, axis=1), turn, axis=1)
