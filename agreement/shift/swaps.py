"""The pairs of systems that change places between two views, and whether either order was more than chance.

A pair is swapped where one system leads under the first and trails under the second, both by more than 1e-12. Under
each view, the difference of the two systems is tested over its topics (`agreement.significance`), with the p-values
corrected for all pairs of systems, swapped or not.
"""

import numpy as np
import pandas as pd

from agreement.rank_correlation import order_signs
from agreement.significance import compare_systems

COLUMNS = [
    *["gold_a", "gold_b", "ahead_a", "ahead_b", "difference_a", "difference_b"],
    *["p_a", "p_b", "significant_a", "significant_b"],
]


def swapped_systems(
    a: str, b: str, first: pd.DataFrame, second: pd.DataFrame, groups: dict[str, str] | None = None, **test
) -> pd.DataFrame:
    """Every pair of systems that two views put in opposite order.

    Parameters
    ----------
    a, b : str
        Names of the views.
    first, second : DataFrame, shape (n_systems, n_topics)
        Their scores, with the same systems in the same order.
    groups : dict of system to group, optional
    **test
        test, correction, alpha, seed and samples, as for `agreement.significance.compare_systems`.

    Returns
    -------
    DataFrame
        gold_a, gold_b; ahead_a and ahead_b, the systems that lead under each; difference_a and difference_b, the
        lead's size under each (both positive, in units of the measure); p_a and p_b, corrected, NA where the test
        is undefined; significant_a and significant_b; with groups also same_group. The largest product of both
        leads first.
    """
    x, y = first.mean(axis=1).to_numpy(), second.mean(axis=1).to_numpy()
    i, j = np.nonzero(np.triu(order_signs(x) * order_signs(y) < 0))
    turn = x[i] < x[j]
    up, down = np.where(turn, j, i), np.where(turn, i, j)
    rows = pd.DataFrame({"gold_a": a, "gold_b": b, "ahead_a": first.index[up], "ahead_b": first.index[down]})
    rows["difference_a"], rows["difference_b"] = x[up] - x[down], y[down] - y[up]
    for side, table in (("a", first), ("b", second)):
        tested = _tested(table, i, j, **test)
        rows[f"p_{side}"], rows[f"significant_{side}"] = tested["p_adjusted"].array, tested["significant"].array
    rows = rows[COLUMNS]
    if groups is not None:
        rows["same_group"] = rows["ahead_a"].map(groups) == rows["ahead_b"].map(groups)
    leads = rows["difference_a"] * rows["difference_b"]
    return rows.iloc[np.argsort(-leads.to_numpy(), kind="stable")].reset_index(drop=True)


def no_swaps(grouped: bool) -> pd.DataFrame:
    """The table of `swapped_systems` without a row."""
    kinds = dict.fromkeys(COLUMNS[:4], "str") | dict.fromkeys(COLUMNS[4:8], "Float64")
    kinds |= dict.fromkeys([*COLUMNS[8:], *(["same_group"] if grouped else [])], "boolean")
    return pd.DataFrame({name: pd.Series([], dtype=kind) for name, kind in kinds.items()})


def _tested(table: pd.DataFrame, i: np.ndarray, j: np.ndarray, **test) -> pd.DataFrame:
    """The tests of the pairs (i, j), i < j; `compare_systems` has every pair, in the order of the table."""
    if not len(i):
        return pd.DataFrame({"p_adjusted": pd.array([], "Float64"), "significant": pd.array([], "boolean")})
    n = len(table)
    place = i * n - i * (i + 1) // 2 + (j - i - 1)
    return compare_systems(table, **test).iloc[place]
