"""What counts as a number: whole where something is counted or numbered, and never True, False or a text."""

from numbers import Real

import numpy as np

MOST = 1 << 53  # whole numbers from here on are no longer told apart as fractions


def is_whole(number) -> bool:
    """Whether it is an integer of Python or numpy; 2.0 and True are none."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, (bool, np.bool_))


def is_number(number) -> bool:
    """Whether it is a number, whole or not; True is none."""
    return isinstance(number, (Real, np.integer, np.floating)) and not isinstance(number, (bool, np.bool_))


def is_whole_within(number, least: int, below: int) -> bool:
    """Whether it is a whole number from `least` and below `below`."""
    return is_whole(number) and least <= number < below
