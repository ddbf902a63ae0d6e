"""The pairs of systems that swap between two views, with tests of their difference under each view.

A pair is swapped if one system leads under the first view and trails under the second, both by more than 1e-12. Under
each view, the difference of the two systems is tested over the topics (`agreement.significance`). The p-values are
corrected for all pairs of systems, swapped or not.
"""

from typing import Any

import numpy as np
import pandas as pd

from agreement.rank_correlation import order_signs
from agreement.significance import compare_systems

COLUMNS = [
    *["gold_a", "gold_b", "ahead_a", "ahead_b", "difference_a", "difference_b"],
    *["p_adjusted_a", "p_adjusted_b", "significant_a", "significant_b"],
]


def swapped_systems(
    a: str,
    b: str,
    first: pd.DataFrame,
    second: pd.DataFrame,
    groups: dict[str, str] | None = None,
    **test_options: Any,
) -> pd.DataFrame:
    """Return every pair of systems that two views put in opposite order.

    Shapes: `first`, `second` (n_systems, n_topics).
    """
    x, y = first.mean(axis=1).to_numpy(), second.mean(axis=1).to_numpy()
    i, j = np.nonzero(np.triu(order_signs(x) * order_signs(y) < 0))
    reverse = x[i] < x[j]
    up, down = np.where(reverse, j, i), np.where(reverse, i, j)
    rows = pd.DataFrame({"gold_a": a, "gold_b": b, "ahead_a": first.index[up], "ahead_b": first.index[down]})
    rows["difference_a"], rows["difference_b"] = x[up] - x[down], y[down] - y[up]
    notes = []
    for side, table in (("a", first), ("b", second)):
        tested = _tested(table, i, j, **test_options)
        notes.append(tested.attrs.get("note"))
        rows[f"p_adjusted_{side}"], rows[f"significant_{side}"] = (
            tested["p_adjusted"].array,
            tested["significant"].array,
        )
    rows = rows[COLUMNS]
    if groups is not None:
        rows["same_group"] = rows["ahead_a"].map(groups) == rows["ahead_b"].map(groups)
    products = (rows["difference_a"] * rows["difference_b"]).to_numpy()
    rows = rows.iloc[np.argsort(-products, kind="stable")].reset_index(drop=True)
    rows.attrs["note"] = next(filter(None, notes), None)
    return rows


def empty_swaps(grouped: bool) -> pd.DataFrame:
    """Return the table of `swapped_systems` without rows; `grouped` adds the column same_group."""
    kinds = dict.fromkeys(COLUMNS[:4], "str") | dict.fromkeys(COLUMNS[4:8], "Float64")
    kinds |= dict.fromkeys([*COLUMNS[8:], *(["same_group"] if grouped else [])], "boolean")
    return pd.DataFrame({name: pd.Series([], dtype=kind) for name, kind in kinds.items()})


def _tested(table: pd.DataFrame, i: np.ndarray, j: np.ndarray, **test_options: Any) -> pd.DataFrame:
    """Test the pairs (i, j), i < j; `compare_systems` returns all pairs in the order of the table."""
    if not len(i):
        return pd.DataFrame({"p_adjusted": pd.array([], "Float64"), "significant": pd.array([], "boolean")})
    n = len(table)
    row = i * n - i * (i + 1) // 2 + (j - i - 1)
    return compare_systems(table, **test_options).take(row)
