"""Random numbers for assignments that depend only on the seed and the purpose they are drawn for.

Adding tasks or assessors does not change numbers that were drawn before.
"""

import numpy as np
from numpy.typing import ArrayLike

POSITIONS = 1 << 31  # positions are below this, so that they fit an integer column of any database

# The purposes of random numbers; different purposes draw independent numbers.
TURN, TIE, POSITION, SPREAD, START, REPEAT, REPEAT_POSITION, BALANCE = range(8)


def draws(seed: int, *numbers: ArrayLike) -> np.ndarray:
    """64 random bits for each combination of numbers.

    The finalizer of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number
    generators, OOPSLA 2014) is applied once for the seed and once for each number.
    """
    state = _mix(np.array([seed % 2**64], dtype=np.uint64))
    for number in numbers:
        state = _mix(state + np.asarray(number).astype(np.uint64))
    return state


def fractions(seed: int, *numbers: ArrayLike) -> np.ndarray:
    """A random fraction in [0, 1) for each combination of numbers."""
    return np.asarray((draws(seed, *numbers) >> np.uint64(11)) / 2.0**53)


def positions(seed: int, tasks: np.ndarray, assessors: np.ndarray) -> np.ndarray:
    """The position of each task in the order of its assessor: int64, from 0 to less than POSITIONS."""
    return (draws(seed, POSITION, assessors, tasks) % np.uint64(POSITIONS)).astype(np.int64)


def _mix(state: np.ndarray) -> np.ndarray:
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)))
