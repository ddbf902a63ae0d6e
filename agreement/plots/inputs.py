"""Check the input of figures, and convert its numbers."""

from collections.abc import Hashable, Iterable

import pandas as pd

from pooling.palette import SERIES


def select_columns(
    frame: pd.DataFrame, columns: tuple[str, ...], numeric: tuple[str, ...], figure: str
) -> pd.DataFrame:
    """Return the columns that a figure needs, the numeric ones as floats."""
    if missing := [name for name in columns if name not in frame.columns]:
        raise ValueError(f"{figure} needs the columns {', '.join(columns)}, but {', '.join(missing)} is missing.")
    if not len(frame):
        raise ValueError(f"{figure} needs at least one row, but the table is empty.")
    selected = frame[list(columns)].reset_index(drop=True)
    return selected.assign(**{name: to_floats(selected[name], name) for name in numeric})


def to_floats(values: pd.Series, name: str) -> pd.Series:
    """Return values as floats, NA as nan; ValueError if one is not a number."""
    try:
        return pd.to_numeric(values).astype("Float64").astype(float)
    except (TypeError, ValueError):
        examples = ", ".join(repr(value) for value in values.iloc[:3])
        raise ValueError(f"{name} must contain only numbers, not {examples}.") from None


def check_unique(names: pd.Series | pd.Index, what: str) -> None:
    """Raise ValueError if a name occurs twice."""
    if duplicates := list(names[names.duplicated()]):
        raise ValueError(f"Each {what} must occur once, but {duplicates[0]!r} occurs more than once.")


def check_highlight(names: Iterable[str], known: Iterable[Hashable], most: int = len(SERIES)) -> list[str]:
    """Return the systems to highlight."""
    highlight, systems = list(names), set(known)
    if unknown := [name for name in highlight if name not in systems]:
        raise ValueError(f"Cannot highlight {unknown[0]!r}, because it is not one of the systems.")
    if len(highlight) > most:
        raise ValueError(f"At most {most} systems can be highlighted, not {len(highlight)}.")
    return highlight
