"""The parameters of measures: allowed values, and a default unless the parameter is required."""

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
        Description of the allowed values.
    allows : callable
        Returns whether a value is allowed.
    default : value
        Default value; `REQUIRED` if there is none; None if the parameter then has no effect.
    real : bool
        Whether whole numbers are converted to floats.
    """

    allowed: str
    allows: Callable[[Any], bool]
    default: Any = None
    real: bool = False

    def value(self, value: Any, key: str) -> Any:
        """Return the value for the measure; raise ValueError if the parameter `key` does not allow it."""
        if not self.allows(value):
            raise ValueError(f"{key} must be {self.allowed}, not {value!r}")
        return float(value) if self.real else value


def whole(least: int, default: Any = None) -> Parameter:
    """Return a parameter for whole numbers of at least `least`."""
    return Parameter(
        f"a whole number of at least {least}", lambda value: type(value) is int and value >= least, default
    )


def real(allowed: str, within: Callable[[float], bool], default: Any = None) -> Parameter:
    """Return a parameter for finite numbers within bounds."""
    return Parameter(allowed, lambda value: _is_number(value) and within(value), default, real=True)


def one_of(*choices: str) -> Parameter:
    """Return a parameter for one of several words; the first is the default."""
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
GAINS = Parameter("a dict from grades to gains, whole numbers of at least 0", _are_gains)
