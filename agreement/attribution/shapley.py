"""Shapley values: the shares of several causes in a change, which sum to the change.

A game has n players and a value v(S) for each set S of players. The Shapley value of player i is the mean, over all n!
orders of the players, of the change of v when i joins those before it:

    phi(i) = sum over S without i of |S|! (n - |S| - 1)! / n! * (v(S with i) - v(S))

The values sum to v(all players) - v(no player). A player that never changes v has the value 0. Two interchangeable
players have the same value. If players are known to be interchangeable (v depends on how many of a class are in S, not
on which), a class of m players needs m + 1 states instead of 2^m, so that more players can be computed exactly.

`exact_values` goes through all states. `sampled_values` draws random orders, each with its reverse (antithetic
sampling). In every order the changes sum to the whole change, so the sampled values do too. The standard error is that
of the mean over the pairs of orders, which are independent; the members of a class are averaged first. A player with
the same value in every pair has the error 0.

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

MOST_PLAYERS = 1000  # with more, a binomial coefficient overflows float64
BLOCK = 4_000_000  # players x coalitions in memory at the same time

Value = Callable[[np.ndarray], np.ndarray]


def n_states(classes: np.ndarray) -> int:
    """Count the distinct coalitions, if players with the same number in `classes` (n_players,) are interchangeable."""
    return prod(int(size) + 1 for size in np.unique(classes, return_counts=True)[1])


def exact_values(value: Value, classes: np.ndarray) -> np.ndarray:
    """Compute Shapley values exactly, over all distinct coalitions.

    Shapes: `classes`, the result (n_players,).

    Examples
    --------
    Two players are worth 1 alone, and 3 together.

    >>> exact_values(lambda coalitions: np.array([0, 1, 1, 3])[coalitions.astype(int) @ [1, 2]], np.array([0, 1]))
    array([1.5, 1.5])
    """
    if len(classes) > MOST_PLAYERS:
        raise ValueError(f"Exact Shapley values need at most {MOST_PLAYERS} players, not {len(classes)}.")
    class_of, index, sizes = _class_members(classes)
    shape = tuple(int(size) + 1 for size in sizes)
    blocks = [value(states[:, class_of] > index) for states in _blocks_of_states(shape, len(classes))]
    values = np.concatenate(blocks).reshape(shape)
    by_class = np.array([_class_value(values, sizes, axis) for axis in range(len(sizes))])
    return np.asarray(by_class[class_of])


def sampled_values(
    value: Value, classes: np.ndarray, rng: np.random.Generator, orders: int
) -> tuple[np.ndarray, np.ndarray]:
    """Estimate Shapley values and their standard errors from random orders.

    Shapes: `classes`, `values`, `errors` (n_players,).
    """
    if orders < 4 or orders % 2:
        raise ValueError(f"The number of orders must be an even number of at least 4, not {orders!r}.")
    class_of, _, sizes = _class_members(classes)
    blocks = []
    for drawn in _blocks_of_orders(rng, orders // 2, len(classes)):
        gains = (_gains(value, drawn) + _gains(value, drawn[:, ::-1])) / 2
        by_class = np.zeros((len(drawn), len(sizes)))
        # add.at, because several players are in one class.
        np.add.at(by_class.T, class_of, gains.T)
        blocks.append(by_class / sizes)
    pairs = np.concatenate(blocks)
    return pairs.mean(axis=0)[class_of], (pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs)))[class_of]


def _class_members(classes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the class of every player (from 0), its index within the class, and the sizes of the classes."""
    _, class_of, sizes = np.unique(classes, return_inverse=True, return_counts=True)
    by_class = np.argsort(class_of, kind="stable")
    index = np.empty(len(class_of), np.int64)
    index[by_class] = np.arange(len(class_of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return class_of, index, sizes


def _blocks_of_states(shape: tuple[int, ...], n_players: int) -> Iterator[np.ndarray]:
    """Yield the number of members of each class in every state, in blocks of shape (n_states, n_classes)."""
    step = max(BLOCK // max(n_players, 1), 1)
    for start in range(0, prod(shape), step):
        states = np.arange(start, min(start + step, prod(shape)))
        yield np.stack(np.unravel_index(states, shape), axis=1) if shape else np.zeros((1, 0), np.int64)


def _class_value(values: np.ndarray, sizes: np.ndarray, axis: int) -> float:
    """Return the Shapley value of a member of a class; `values` has an axis for the number of members of each class."""
    others = [int(size) - (position == axis) for position, size in enumerate(sizes)]  # the player itself is not in S
    n_others = sum(others)
    ways = reduce(np.multiply.outer, [np.array([float(comb(size, k)) for k in range(size + 1)]) for size in others])
    n_in = reduce(np.add.outer, [np.arange(size + 1) for size in others])
    orders = np.array([float(comb(n_others, k)) for k in range(n_others + 1)]) * (n_others + 1)
    return float((np.diff(values, axis=axis) * (ways / orders[n_in])).sum())


def _blocks_of_orders(rng: np.random.Generator, n_orders: int, n_players: int) -> Iterator[np.ndarray]:
    """Yield random orders of the players, in blocks of shape (n_orders, n_players)."""
    step = max(BLOCK // max(n_players * (n_players + 1), 1), 1)
    for start in range(0, n_orders, step):
        players = np.tile(np.arange(n_players), (min(step, n_orders - start), 1))
        yield rng.permuted(players, axis=1)


def _gains(value: Value, orders: np.ndarray) -> np.ndarray:
    """Return the change of v when each player joins; one row for each order, one column for each player."""
    n_orders, n_players = orders.shape
    position = np.argsort(orders, axis=1)
    coalitions = position[:, None, :] < np.arange(n_players + 1)[:, None]
    values = value(coalitions.reshape(-1, n_players)).reshape(n_orders, n_players + 1)
    return np.take_along_axis(np.diff(values, axis=1), position, axis=1)
