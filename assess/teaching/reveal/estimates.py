"""Rows of the tables that `agreement` makes of many pairs, as single estimates."""

import pandas as pd

from agreement import Estimate


def estimate_of(row: dict, name: str) -> Estimate:
    """One coefficient of a row of `agreement.pairwise`, or of a table like it."""
    return Estimate(
        _known(row[name]),
        name,
        status=row[f"{name}_status"],
        reason=row[f"{name}_reason"],
        observed=_known(row["observed"]),
        n=int(row["n"]),
        n_values=2 * int(row["n"]),
        n_dropped=int(row["n_dropped"]),
        band=row[f"{name}_band"],
    )


def _known(value) -> float | None:
    return None if pd.isna(value) else float(value)
