"""The table of a pool, from the selection of a strategy or from two pools.

`pooling.pools.pool.Pool.frame` documents the columns and their types.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

from pooling.ranking import RankedRuns, byte_codes
from pooling.strategies.selection import Selection

COLUMNS = ["query_id", "doc_id", "systems", "best_rank", "stratum", "inclusion_probability", "priority"]


def pooled(runs: RankedRuns, selection: Selection) -> pd.DataFrame:
    """The table of the selected documents with their contributing systems."""
    n = len(selection.items)
    starts, systems, ranks = _contributions(runs, selection)
    probability = selection.inclusion_probability
    names = np.asarray(runs.systems, dtype=object)[systems].tolist()
    ends = [*starts.tolist(), len(names)]
    contributors = [tuple(names[begin:end]) for begin, end in pairwise(ends)]
    frame = pd.DataFrame(
        {
            "query_id": pd.Series(runs.query_ids[runs.topics_of_items[selection.items]], dtype="str"),
            "doc_id": pd.Series(runs.doc_ids_of_items[selection.items], dtype="str"),
            "systems": pd.Series(contributors, dtype=object),
            "best_rank": pd.array(np.minimum.reduceat(ranks, starts), "Int64"),
            "stratum": pd.Series([""] * n if selection.stratum is None else selection.stratum, dtype="str"),
            "inclusion_probability": np.ones(n) if probability is None else probability,
            "priority": np.asarray(selection.priority, dtype=np.float64),
        }
    )
    return by_bytes(frame)


def united(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The table of a union: the documents of either table; those of the first come first in priority."""
    upper, lower = _with_priority_from(first, 1), _with_priority_from(second, 0)
    both = upper.merge(lower, how="outer", on=["query_id", "doc_id"], suffixes=("", "_second"), indicator=True)
    in_both = both["_merge"].eq("both").to_numpy()
    for column in COLUMNS[2:]:
        both[column] = both[column].where(both["_merge"].ne("right_only"), both[f"{column}_second"])
    p_first, p_second = both["inclusion_probability"], both["inclusion_probability_second"]
    # At most one of the two is a sample, so a document in both is certain.
    both["inclusion_probability"] = p_first.where(~in_both, np.fmax(p_first, p_second))
    best = both[["best_rank", "best_rank_second"]].min(axis=1)
    both["best_rank"] = both["best_rank"].where(~in_both, best)
    rows = np.flatnonzero(in_both)
    pairs = zip(both["systems"].iloc[rows], both["systems_second"].iloc[rows], strict=True)
    systems = both["systems"].to_numpy(copy=True)
    systems[rows] = pd.Series([tuple(sorted({*a, *b})) for a, b in pairs], dtype=object)
    return by_bytes(both.assign(systems=systems))


def by_bytes(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns of a pool, with rows sorted by query_id, then doc_id, as bytes."""
    rows = np.lexsort((byte_codes(frame["doc_id"]), byte_codes(frame["query_id"])))
    return frame[COLUMNS].iloc[rows].reset_index(drop=True)


def _contributions(runs: RankedRuns, selection: Selection) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each selected item in turn, the systems that have it, ascending, and its ranks; and where each starts."""
    position = np.full(len(runs.keys) + 1, -1, dtype=np.int32)
    position[selection.items] = np.arange(len(selection.items))
    rankings = runs.items[..., : selection.depth]
    selected = position[rankings].reshape(-1)
    cells = np.flatnonzero(selected >= 0)
    cells = cells[np.argsort(selected[cells], kind="stable")]  # stable: systems stay ascending
    starts = np.flatnonzero(np.diff(selected[cells], prepend=-1))
    return starts, cells // (rankings.shape[1] * rankings.shape[2]), cells % rankings.shape[2] + 1


def _with_priority_from(frame: pd.DataFrame, lowest: int) -> pd.DataFrame:
    """The frame with priorities between `lowest` and `lowest` + 1, in the same order."""
    return frame.assign(priority=lowest + frame["priority"].rank(method="dense") / (len(frame) + 1))
