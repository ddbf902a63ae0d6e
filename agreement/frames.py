"""The door of the library: tables that come in have their columns, and ids that are strings."""

from collections.abc import Sequence

import pandas as pd


def checked(frame: pd.DataFrame, ids: Sequence[str], value: str, what: str) -> pd.DataFrame:
    """The columns that a table must have, the ids as strings.

    Parameters
    ----------
    frame : DataFrame
    ids : sequence of str
        Columns that hold ids.
    value : str
        The column that holds a score or a grade; it is left as it is.
    what : str
        What the table is, for the error.

    Raises
    ------
    ValueError
        A column or an id is missing.
    """
    columns = [*ids, value]
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise ValueError(f"{what} has the columns {', '.join(columns)}; lacking {', '.join(lacking)}")
    frame = frame[columns].astype(dict.fromkeys(ids, "str"))
    for column in ids:
        if frame[column].isna().any():
            raise ValueError(f"{what} has a {column} in every row; one is missing")
    return frame
