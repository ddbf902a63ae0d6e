"""The check that a coefficient gets `Ratings`, and not the table of judgements from which they are built."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from agreement.ratings import Ratings

P = ParamSpec("P")
R = TypeVar("R")


def takes_ratings(function: Callable[P, R]) -> Callable[P, R]:
    """A decorator that refuses judgements that are not `Ratings`.

    Parameters
    ----------
    function : callable
        With a parameter `ratings`, which must be Ratings, or a parameter `data`, which may also be a table of counts or
        a list of labels, but not a table of judgements.

    Returns
    -------
    callable
        It raises TypeError with the name of the function for other values.

    Examples
    --------
    >>> from agreement.takes_ratings import takes_ratings
    >>> @takes_ratings
    ... def n_items(ratings):
    ...     return ratings.n_items
    >>> n_items([0, 1])
    Traceback (most recent call last):
        ...
    TypeError: n_items takes Ratings; build them with Ratings.from_judgements(judgements, scale=...).
    """
    names = list(signature(function).parameters)
    name = "ratings" if "ratings" in names else "data"
    place = names.index(name)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        value = args[place] if place < len(args) else kwargs.get(name)
        passed = place < len(args) or name in kwargs
        if passed and not _is_allowed(value, name):
            raise TypeError(
                f"{getattr(function, '__name__', 'The function')} takes Ratings; "
                "build them with Ratings.from_judgements(judgements, scale=...)."
            )
        return function(*args, **kwargs)

    return call


def _is_allowed(value: object, name: str) -> bool:
    """Whether a value is Ratings or, as `data`, anything but a table of judgements."""
    if isinstance(value, Ratings):
        return True
    columns = getattr(value, "columns", getattr(value, "column_names", ()))
    return name == "data" and "relevance" not in list(columns)
