"""Checks of the options that callers pass: each error names the option, what is allowed, and the value."""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

import numpy as np

from agreement.frames import plain
from agreement.ratings import Ratings


def whole_number(name: str, value: Any, least: int) -> int:
    """Return a whole number of at least `least`; ValueError for anything else, also for a text, True or nan.

    Examples
    --------
    >>> from agreement.checks import whole_number
    >>> whole_number("draws", 1e4, 1)
    10000
    """
    if not _is_number(value) or not isfinite(value) or int(value) != value or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {plain(value)!r}.")
    return int(value)


def number(name: str, value: Any, allowed: str, within: Callable[[float], bool]) -> float:
    """Return a number within bounds as a float; ValueError for anything else.

    Examples
    --------
    >>> from agreement.checks import number
    >>> number("width", 1, "a number above 0", lambda value: value > 0)
    1.0
    """
    if not _is_number(value) or not within(value):
        raise ValueError(f"{name} must be {allowed}, not {plain(value)!r}.")
    return float(value)


def level(name: str, value: Any, example: float) -> float:
    """Return a number between 0 and 1; ValueError for anything else, with an example of what is allowed."""
    return number(name, value, f"between 0 and 1, such as {example}", lambda number: 0 < number < 1)


def choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return one of several words; ValueError for anything else."""
    words = list(choices)
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, not {value!r}.")
    return value


def flag(name: str, value: Any) -> bool:
    """Return True or False; ValueError for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {plain(value)!r}.")
    return bool(value)


def optional_seed(seed: Any) -> int | None:
    """Return None or a whole number of at least 0; ValueError for anything else."""
    return None if seed is None else whole_number("seed", seed, 0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def check_ratings(value: Any, function: str) -> None:
    """TypeError if a value is not Ratings, such as the table of judgements from which Ratings are built.

    Examples
    --------
    >>> from agreement.checks import check_ratings
    >>> check_ratings([0, 1], "fleiss_kappa")
    Traceback (most recent call last):
        ...
    TypeError: fleiss_kappa takes Ratings; build them with Ratings.from_judgements(judgements, scale=...).
    """
    if not isinstance(value, Ratings):
        raise TypeError(f"{function} takes Ratings; build them with Ratings.from_judgements(judgements, scale=...).")
