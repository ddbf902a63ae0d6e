"""Runs that repeat one system, for example with several seeds: their mean, their spread, and the rank of the group.

The score of a run is its mean over the topics. For a group of n runs with the scores x_1, ..., x_n:

    mean = (x_1 + ... + x_n) / n
    sd   = sqrt(((x_1 - mean)^2 + ... + (x_n - mean)^2) / (n - 1))

The sd says how much the score of a system depends on what differs between its runs. It says nothing about the topics.
A system that belongs to no group is a group of one run, which has no sd. Groups are ranked by their means: rank 1 is
the best, and groups closer than 1e-12 share the best of their ranks (1, 2, 2, 4).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from agreement.checks import float_column
from agreement.rank_correlation import competition_ranks
from agreement.significance.pairs import checked_scores
from pooling.inputs import Input, as_scores

COLUMNS = ["group", "n_runs", "mean", "sd", "lowest", "highest", "rank", "reason"]


def group_scores(scores: Input, groups: Mapping[str, str], *, lower_is_better: bool = False) -> pd.DataFrame:
    """Compute the mean, the spread and the rank of each group of runs.

    Parameters
    ----------
    scores : table or dictionary
        One row for each run (the index) and one column for each topic, such as the result of `agreement.score_table`.
    groups : mapping of str to str
        The group of each run that repeats another one. A run that is not named is a group of its own, with its name.
    lower_is_better : bool, optional
        Whether the lowest mean has rank 1.

    Returns
    -------
    DataFrame
        One row for each group, the best first, groups with the same rank by name:

        =========  =======================================================================================
        group      name of the group, or of the run if it belongs to none
        n_runs     number of runs, 1 or more
        mean       mean of the runs' scores, each a mean over the topics, in the unit of the scores
        sd         sample standard deviation (divisor n_runs - 1) of the runs' scores, 0 or more
        lowest     lowest score of a run
        highest    highest score of a run
        rank       rank of the group among the groups by its mean, from 1
        reason     why a figure of the row is missing, else NA: "one_run" (no sd) or "no_topics" (only n_runs)
        =========  =======================================================================================

        `attrs` holds n_topics.

    Raises
    ------
    ValueError
        A group names a run without scores, a group has the name of a run that is not in it, a run or a topic occurs
        twice in the scores, or a score is missing or not finite.

    References
    ----------
    N. Reimers & I. Gurevych (2017). Reporting score distributions makes a difference: performance study of
    LSTM-networks for sequence tagging. EMNLP 2017, 338-348.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import group_scores
    >>> rows = {"bm25": [0.5, 0.7], "dense-1": [0.6, 0.8], "dense-2": [0.4, 0.8]}
    >>> scores = pd.DataFrame.from_dict(rows, orient="index", columns=["1", "2"])
    >>> frame = group_scores(scores, {"dense-1": "dense", "dense-2": "dense"})
    >>> frame[["group", "n_runs", "mean", "sd", "rank"]].round(3)
       group  n_runs  mean     sd  rank
    0  dense       2  0.65  0.071     1
    1   bm25       1   0.6   <NA>     2
    """
    table = as_scores(scores)
    values = checked_scores(table)
    members = _members([str(name) for name in table.index], groups)
    if not values.shape[1] or not members:
        return _without_figures(members, values.shape[1])
    means = values.mean(axis=1)
    parts = [means[rows] for rows in members.values()]
    centres = np.array([part.mean() for part in parts])
    sizes = [len(part) for part in parts]
    frame = pd.DataFrame(
        {
            "group": list(members),
            "n_runs": sizes,
            "mean": float_column(centres),
            "sd": float_column(np.array([(part - part[0]).std(ddof=1) if len(part) > 1 else np.nan for part in parts])),
            "lowest": float_column(np.array([part.min() for part in parts])),
            "highest": float_column(np.array([part.max() for part in parts])),
            "rank": pd.array(competition_ranks(centres if not lower_is_better else -centres), dtype="Int64"),
            "reason": pd.array([None if size > 1 else "one_run" for size in sizes], dtype="string"),
        }
    )
    return _sorted(frame, values.shape[1])


def _members(systems: list[str], groups: Mapping[str, str]) -> dict[str, list[int]]:
    """Return the rows of each group; raise ValueError if a name of a group or of a run is not clear."""
    known = set(systems)
    if unknown := [system for system in groups if system not in known]:
        raise ValueError(f"The group {groups[unknown[0]]!r} names the run {unknown[0]!r}, which has no scores.")
    if unclear := sorted({group for group in groups.values() if group in known and groups.get(group) != group}):
        raise ValueError(f"The group {unclear[0]!r} has the name of a run that is not in it; rename the group.")
    members: dict[str, list[int]] = {}
    for row, system in enumerate(systems):
        members.setdefault(groups.get(system, system), []).append(row)
    return members


def _without_figures(members: Mapping[str, list[int]], n_topics: int) -> pd.DataFrame:
    """Return the groups of scores without a topic."""
    frame = pd.DataFrame({"group": list(members), "n_runs": [len(rows) for rows in members.values()]})
    missing = float_column(np.full(len(frame), np.nan))
    frame = frame.assign(**dict.fromkeys(("mean", "sd", "lowest", "highest"), missing))
    frame["rank"] = pd.array([pd.NA] * len(frame), dtype="Int64")
    frame["reason"] = pd.array(["no_topics"] * len(frame), dtype="string")
    return _sorted(frame.astype({"group": "str", "n_runs": "int64"}), n_topics)


def _sorted(frame: pd.DataFrame, n_topics: int) -> pd.DataFrame:
    result: pd.DataFrame = frame[COLUMNS].sort_values(["rank", "group"], ignore_index=True)
    result.attrs = {"n_topics": n_topics}
    return result
