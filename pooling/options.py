"""Options of public functions that were renamed."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that refuses the old names of options.

    Parameters
    ----------
    **new_names : str
        The new name of each option, by its old name.

    Returns
    -------
    callable
        The decorator. The decorated function raises TypeError if an option is passed by its old name; the message
        states the new one.

    Examples
    --------
    >>> from pooling.options import renamed
    >>> @renamed(level="confidence")
    ... def interval(confidence=0.95):
    ...     return confidence
    >>> interval(level=0.9)
    Traceback (most recent call last):
        ...
    TypeError: interval() has no option 'level': it is called 'confidence'.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in new_names.keys() & kwargs.keys():
                raise TypeError(f"{function.__name__}() has no option {name!r}: it is called {new_names[name]!r}.")
            return function(*args, **kwargs)

        return call

    return decorate
