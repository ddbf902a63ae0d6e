"""Chance for assignments: numbers that depend on the seed and on what they are drawn for, and on nothing else.

So neither more tasks nor more assessors change what was drawn before.
"""

import numpy as np

POSITIONS = 1 << 31  # positions are below: they fit an integer column of any database

# What is drawn, so that no two purposes share their numbers.
TURN, CLAIM, PLACE, SPREAD, START, AGAIN, PLACE_AGAIN = range(7)


def draws(seed: int, *numbers) -> np.ndarray:
    """64 random bits for each combination of numbers (integers or arrays of them), whatever else is drawn.

    The finalizer of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number
    generators, OOPSLA 2014), once for the seed and once for each number.
    """
    state = _mix(np.array([seed % 2**64], dtype=np.uint64))
    for number in numbers:
        state = _mix(state + np.asarray(number).astype(np.uint64))
    return state


def shares(seed: int, *numbers) -> np.ndarray:
    """As `draws`, but fractions in [0, 1)."""
    return (draws(seed, *numbers) >> np.uint64(11)) / 2.0**53


def positions(seed: int, tasks: np.ndarray, assessors: np.ndarray) -> np.ndarray:
    """The place of each task in the order of its assessor: int64, from 0 and below POSITIONS."""
    return (draws(seed, PLACE, assessors, tasks) % np.uint64(POSITIONS)).astype(np.int64)


def _mix(state: np.ndarray) -> np.ndarray:
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
