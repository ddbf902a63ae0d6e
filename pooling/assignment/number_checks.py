"""Check the type and range of numbers. True, False and strings are not numbers."""

from numbers import Real
from typing import Any, TypeGuard

import numpy as np

MAX_EXACT = 1 << 53  # floats cannot represent all whole numbers from here on


def is_whole(number: Any) -> TypeGuard[int]:
    """Whether a value is an integer of Python or numpy; 2.0 and True are not."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, (bool, np.bool_))


def is_number(number: Any) -> TypeGuard[float]:
    """Whether a value is a real number; True is not."""
    return isinstance(number, (Real, np.integer, np.floating)) and not isinstance(number, (bool, np.bool_))


def is_whole_within(number: Any, least: int, below: int) -> TypeGuard[int]:
    """Whether a value is an integer from `least` to less than `below`."""
    return is_whole(number) and least <= number < below
