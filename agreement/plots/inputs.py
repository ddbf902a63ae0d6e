"""What a figure is given: refused with a sentence where a column or every row lacks, and put in a drawable order."""

from collections.abc import Iterable

import pandas as pd

from agreement.plots.style import SERIES


def table(frame: pd.DataFrame, columns: tuple[str, ...], numbers: tuple[str, ...], figure: str) -> pd.DataFrame:
    """The named columns, the numbers as floats; ValueError where a column lacks, a number is none, or no row is there.

    Parameters
    ----------
    frame : DataFrame
    columns : tuple of str
        All that are needed.
    numbers : tuple of str
        Those of them that are numbers; a missing one is nan within this package, and drawn as undefined.
    figure : str
        What is to be drawn, as the sentence names it.
    """
    if lacking := [name for name in columns if name not in frame.columns]:
        raise ValueError(f"{figure} needs the columns {', '.join(columns)}; {', '.join(lacking)} lacks")
    if not len(frame):
        raise ValueError(f"{figure} needs a row; the table is empty")
    kept = frame[list(columns)].reset_index(drop=True)
    return kept.assign(**{name: floats(kept[name], name) for name in numbers})


def floats(values: pd.Series, name: str) -> pd.Series:
    """As floats, NA as nan; ValueError for what is no number."""
    try:
        return pd.to_numeric(values).astype("Float64").astype(float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} holds numbers; got {values.iloc[0]!r} and others") from None


def once(names: pd.Series | pd.Index, what: str) -> None:
    """ValueError where a name is there twice."""
    if more := list(names[names.duplicated()]):
        raise ValueError(f"each {what} is there once; {more[0]!r} is not")


def highlighted(asked: Iterable[str], known: Iterable[str], most: int = len(SERIES)) -> list[str]:
    """The systems to draw in a style of their own; ValueError for an unknown one, or too many."""
    asked, known = list(asked), set(known)
    if unknown := [name for name in asked if name not in known]:
        raise ValueError(f"{unknown[0]!r} is none of the systems; it cannot be highlighted")
    if len(asked) > most:
        raise ValueError(f"at most {most} systems are highlighted; got {len(asked)}")
    return asked
