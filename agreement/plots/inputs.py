"""Check the input of figures, and convert its numbers."""

from collections.abc import Hashable, Iterable

import pandas as pd

from pooling.palette import SERIES


def select_columns(
    frame: pd.DataFrame, columns: tuple[str, ...], numeric: tuple[str, ...], figure: str
) -> pd.DataFrame:
    """Return the columns that a figure needs, the numeric ones as floats.

    Parameters
    ----------
    frame : DataFrame
    columns : tuple of str
        Names of all columns needed.
    numeric : tuple of str
        Those with numbers. A missing number becomes nan, which is drawn as undefined.
    figure : str
        The figure, for error messages, such as "A chart of rank intervals".

    Raises
    ------
    ValueError
        A column is missing, a value is not a number, or there is no row.
    """
    if missing := [name for name in columns if name not in frame.columns]:
        raise ValueError(f"{figure} needs the columns {', '.join(columns)}, but {', '.join(missing)} is missing.")
    if not len(frame):
        raise ValueError(f"{figure} needs at least one row, but the table is empty.")
    selected = frame[list(columns)].reset_index(drop=True)
    return selected.assign(**{name: to_floats(selected[name], name) for name in numeric})


def to_floats(values: pd.Series, name: str) -> pd.Series:
    """Return values as floats, NA as nan; ValueError if one is not a number.

    Parameters
    ----------
    values : Series
    name : str
        What the values are, for the error message.
    """
    try:
        return pd.to_numeric(values).astype("Float64").astype(float)
    except (TypeError, ValueError):
        examples = ", ".join(repr(value) for value in values.iloc[:3])
        raise ValueError(f"{name} must contain only numbers, not {examples}.") from None


def check_unique(names: pd.Series | pd.Index, what: str) -> None:
    """Raise ValueError if a name occurs twice.

    Parameters
    ----------
    names : Series or Index
    what : str
        What is named, for the error message, such as "system".
    """
    if duplicates := list(names[names.duplicated()]):
        raise ValueError(f"Each {what} must occur once, but {duplicates[0]!r} occurs more than once.")


def check_highlight(names: Iterable[str], known: Iterable[Hashable], most: int = len(SERIES)) -> list[str]:
    """Return the systems to highlight.

    Parameters
    ----------
    names : iterable of str
    known : iterable of str
        All systems of the figure.
    most : int
        How many can be highlighted.

    Raises
    ------
    ValueError
        A system is unknown, or there are too many.
    """
    highlight, systems = list(names), set(known)
    if unknown := [name for name in highlight if name not in systems]:
        raise ValueError(f"Cannot highlight {unknown[0]!r}, because it is not one of the systems.")
    if len(highlight) > most:
        raise ValueError(f"At most {most} systems can be highlighted, not {len(highlight)}.")
    return highlight
