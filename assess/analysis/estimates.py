"""Reads single estimates from the tables of many pairs that `agreement` makes."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from agreement import Estimate

TableRow = Mapping[Hashable, Any]


def estimate_from_row(row: TableRow, name: str) -> Estimate:
    """Return one coefficient of a row of `agreement.pairwise`, or of a table with the same columns."""
    return Estimate(
        _number_or_none(row[name]),
        name,
        status=row[f"{name}_status"],
        reason=_text_or_none(row[f"{name}_reason"]),
        observed=_number_or_none(row["observed"]),
        n=int(row["n"]),
        n_values=2 * int(row["n"]),
        n_dropped=int(row["n_dropped"]),
        band=_text_or_none(row[f"{name}_band"]),
    )


def _number_or_none(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)


def _text_or_none(value: Any) -> str | None:
    """Return a text. Pandas stores None as NaN in a column that also has texts."""
    return None if pd.isna(value) else str(value)
