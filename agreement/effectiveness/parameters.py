"""What a measure's parameter may be: a kind of value, and a default unless it has to be given."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any

REQUIRED = object()


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure.

    Attributes
    ----------
    allowed : str
        The values that it may have, in words.
    allows : callable
        Whether a value is one of them.
    default : value
        What it is when it is not given; `REQUIRED` where it has to be; None where it then has no effect.
    real : bool
        Whether whole numbers stand for real ones.
    """

    allowed: str
    allows: Callable[[Any], bool]
    default: Any = None
    real: bool = False

    def value(self, given: Any, key: str) -> Any:
        """The value as the measure takes it; ValueError where the parameter `key` does not allow it."""
        if not self.allows(given):
            raise ValueError(f"{key} is {self.allowed}; got {given!r}")
        return float(given) if self.real else given


def whole(least: int, default: Any = None) -> Parameter:
    """A whole number from `least`."""
    return Parameter(f"a whole number from {least}", lambda value: type(value) is int and value >= least, default)


def real(allowed: str, within: Callable[[float], bool], default: Any = None) -> Parameter:
    """A finite number within bounds."""
    return Parameter(allowed, lambda value: _is_number(value) and within(value), default, real=True)


def one_of(*choices: str) -> Parameter:
    """One of several words; the first is the default."""
    words = " or ".join(map(repr, choices))
    return Parameter(words, lambda value: isinstance(value, str) and value in choices, choices[0])


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def _are_gains(value: Any) -> bool:
    return isinstance(value, dict) and all(type(one) is int and one >= 0 for pair in value.items() for one in pair)


CUTOFF = whole(1)
CUTOFF_REQUIRED = whole(1, REQUIRED)
REL = whole(0, 1)
REL_OPTIONAL = whole(0)
FLAG = Parameter("True or False", lambda value: isinstance(value, bool), False)
BETA = real("a number from 0 to 1e6", lambda value: 0 <= value <= 1e6, 1.0)
PERSISTENCE = real("a number between 0 and 1", lambda value: 0 < value < 1, 0.8)
RECALL_REQUIRED = real("a number from 0 to 1", lambda value: 0 <= value <= 1, REQUIRED)
GAINS = Parameter("a dict from grades to gains, whole numbers from 0", _are_gains)
