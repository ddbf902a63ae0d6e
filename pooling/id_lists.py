"""Lists and sets of ids as callers pass them: their ids become strings, and other types are refused in one sentence.

A Series, an Index and an array mean their values, not their index. A dictionary is refused, because its keys may have
grades that say otherwise. A set is no list, because it has no order.
"""

from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any

import numpy as np
import pandas as pd

from pooling.ids import id_text

COLUMNS = (np.ndarray, pd.Series, pd.Index, pd.api.extensions.ExtensionArray)


def id_list(name: str, ids: Iterable[Any]) -> list[str]:
    """Return ids in their order as strings.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error.
    ids : iterable of str or int
        A list, a tuple, a generator, an array of one dimension, or a Series, of which the values are the ids.

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        `ids` has another type, or an id is neither a string nor a whole number.

    Examples
    --------
    >>> from pooling.id_lists import id_list
    >>> id_list("review", (301, "d7"))
    ['301', 'd7']
    """
    if isinstance(ids, Set):
        raise ValueError(f"{name} must be a list of ids, in their order, not {type(ids).__name__}")
    return _texts(name, ids, "a list of ids")


def id_set(name: str, ids: Collection[Any]) -> frozenset[str]:
    """Return a set of ids as strings.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error.
    ids : collection of str or int
        A set, or anything that `id_list` takes.

    Returns
    -------
    frozenset of str

    Raises
    ------
    ValueError
        `ids` has another type, or an id is neither a string nor a whole number.

    Examples
    --------
    >>> from pooling.id_lists import id_set
    >>> sorted(id_set("relevant", {301, "301", "d7"}))
    ['301', 'd7']
    """
    return frozenset(_texts(name, ids, "a collection of ids"))


def id_keys(name: str, values: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a mapping with its ids as strings.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error.
    values : mapping of str or int
        A dictionary, or a Series with ids as its index.

    Returns
    -------
    dict of str

    Raises
    ------
    ValueError
        `values` has another type, an id is neither a string nor a whole number, or an id occurs twice.

    Examples
    --------
    >>> from pooling.id_lists import id_keys
    >>> id_keys("texts", {7: "a text"})
    {'7': 'a text'}
    """
    if not isinstance(values, Mapping | pd.Series):
        raise ValueError(f"{name} must be a dictionary with ids as its keys, not {_kind(values)}")
    pairs = [(id_text(f"key of {name}", each), value) for each, value in values.items()]
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"{name} must have each id once; ids are compared as strings")
    return found


def _texts(name: str, ids: Any, expected: str) -> list[str]:
    if isinstance(ids, str | bytes | Mapping | pd.DataFrame) or not isinstance(ids, Iterable):
        raise ValueError(f"{name} must be {expected}, not {_kind(ids)}")
    if isinstance(ids, COLUMNS) and ids.ndim != 1:
        raise ValueError(f"{name} must be {expected}, not an array of {ids.ndim} dimensions")
    return [id_text(f"document of {name}", each) for each in ids]


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__
