"""The table of a pool: made of what a strategy chose, and of two others.

Columns and types are those of `pooling.pools.pool.Pool.frame`.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

from pooling.ranking import RankedRuns, byte_codes
from pooling.strategies.selection import Selection

COLUMNS = ["query_id", "doc_id", "systems", "best_rank", "stratum", "inclusion_probability", "priority"]


def pooled(runs: RankedRuns, chosen: Selection) -> pd.DataFrame:
    """What was chosen, with who brought each document."""
    n = len(chosen.items)
    starts, systems, ranks = _brought(runs, chosen)
    names = np.asarray(runs.systems, dtype=object)[systems].tolist()
    ends = [*starts.tolist(), len(names)]
    brought = [tuple(names[begin:end]) for begin, end in pairwise(ends)]
    frame = pd.DataFrame(
        {
            "query_id": pd.Series(runs.query_ids[runs.topics_of_items[chosen.items]], dtype="str"),
            "doc_id": pd.Series(runs.doc_ids_of_items[chosen.items], dtype="str"),
            "systems": pd.Series(brought, dtype=object),
            "best_rank": pd.array(np.minimum.reduceat(ranks, starts), "Int64"),
            "stratum": pd.Series([""] * n if chosen.stratum is None else chosen.stratum, dtype="str"),
            "inclusion_probability": np.ones(n)
            if chosen.inclusion_probability is None
            else chosen.inclusion_probability,
            "priority": np.asarray(chosen.priority, dtype=np.float64),
        }
    )
    return by_bytes(frame)


def united(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """What is in either table: see `Pool.union`."""
    ours, theirs = _placed(first, 1), _placed(second, 0)
    both = ours.merge(theirs, how="outer", on=["query_id", "doc_id"], suffixes=("", "_there"), indicator=True)
    in_both = both["_merge"].eq("both").to_numpy()
    for column in COLUMNS[2:]:
        both[column] = both[column].where(both["_merge"].ne("right_only"), both[f"{column}_there"])
    here, there = both["inclusion_probability"], both["inclusion_probability_there"]
    # At most one of the two was drawn: what the other has is certain.
    both["inclusion_probability"] = here.where(~in_both, np.fmax(here, there))
    best = both[["best_rank", "best_rank_there"]].min(axis=1)
    both["best_rank"] = both["best_rank"].where(~in_both, best)
    rows = np.flatnonzero(in_both)
    pairs = zip(both["systems"].iloc[rows], both["systems_there"].iloc[rows], strict=True)
    systems = both["systems"].to_numpy(copy=True)
    systems[rows] = pd.Series([tuple(sorted({*a, *b})) for a, b in pairs], dtype=object)
    return by_bytes(both.assign(systems=systems))


def by_bytes(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns of a pool, the rows sorted by query_id, then doc_id, as bytes."""
    rows = np.lexsort((byte_codes(frame["doc_id"]), byte_codes(frame["query_id"])))
    return frame[COLUMNS].iloc[rows].reset_index(drop=True)


def _brought(runs: RankedRuns, chosen: Selection) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every chosen item in turn the systems that have it, ascending, and its ranks there; and where each begins."""
    position = np.full(len(runs.keys) + 1, -1, dtype=np.int32)
    position[chosen.items] = np.arange(len(chosen.items))
    rankings = runs.items[..., : chosen.depth]
    place = position[rankings].reshape(-1)
    cells = np.flatnonzero(place >= 0)
    cells = cells[np.argsort(place[cells], kind="stable")]  # stable: systems stay ascending
    starts = np.flatnonzero(np.diff(place[cells], prepend=-1))
    return starts, cells // (rankings.shape[1] * rankings.shape[2]), cells % rankings.shape[2] + 1


def _placed(frame: pd.DataFrame, first: int) -> pd.DataFrame:
    """The frame with priorities between 0 and 1, in the same order, `first` added."""
    return frame.assign(priority=first + frame["priority"].rank(method="dense") / (len(frame) + 1))
