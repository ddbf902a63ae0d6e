"""The refusal of a value of another type, in one sentence that names what is allowed."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path


def refuse_unless(value: object, types: type | tuple[type, ...], name: str, expected: str) -> None:
    """Raise TypeError unless a value has one of the types.

    Parameters
    ----------
    value : object
        What the caller passed.
    types : type or tuple of type
        The allowed types.
    name : str
        Name of the parameter, for the error.
    expected : str
        What the parameter must be, for the error, such as "a table".

    Raises
    ------
    TypeError
        The value has another type.

    Examples
    --------
    >>> from pooling.value_types import refuse_unless
    >>> refuse_unless(None, str, "text", "a string")
    Traceback (most recent call last):
    ...
    TypeError: text must be a string, not None.
    """
    if not isinstance(value, types):
        kind = "None" if value is None else type(value).__name__
        raise TypeError(f"{name} must be {expected}, not {kind}.")


def path_list(name: str, paths: "Iterable[str | PathLike[str]]") -> list[Path]:
    """Return paths as a list; TypeError if one is no path, or a single path was passed."""
    if isinstance(paths, str | bytes | PathLike):
        raise TypeError(f"{name} must be several paths, not {paths!r}.")
    refuse_unless(paths, Iterable, name, "several paths")
    listed = list(paths)
    for path in listed:
        refuse_unless(path, (str, PathLike), f"each of the {name}", "the path of a file")
    return [Path(path) for path in listed]
