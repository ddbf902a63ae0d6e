"""Contributions: the documents that each run contributes to a pool, and those that it alone contributes.

At a given depth, a document is *unique* to a run if no other run has it among its first `depth` documents of the topic.
The same definition applies to a group of runs, such as the variants of one system from one site. A pool without the run
would not contain its unique documents. So the unique relevant documents show what a run loses if it is not pooled (see
`pooling.evaluation.leave_one_out`).

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pooling.evaluation.judged_items import judged_items
from pooling.inputs import Input
from pooling.ranking import RankedRuns, Runs, check_whole, prepare


def contributions(
    runs: Runs,
    gold: Input | None,
    depth: int,
    groups: Mapping[str, str] | None = None,
    rel: int = 1,
) -> pd.DataFrame:
    """Count the documents that each run, or group of runs, contributes to a depth pool, and those it alone contributes.

    A document is unique to a run (or group) if no other run (or group) has it among its first `depth` documents of the
    topic (Zobel 1998).

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    gold : table, path or dictionary or None
        Columns query_id, doc_id and relevance; None if nothing is judged yet. A negative relevance means "not judged".
    depth : int
        The depth of the pool, at least 1.
    groups : mapping of str to str, optional
        The group of each system. A document that several systems of one group and no other system contribute is unique
        to the group.
    rel : int
        Documents with this grade or more are relevant.

    Returns
    -------
    DataFrame
        One row per system (or group), ascending, with the columns

        - system (str); with `groups`: group (str) and n_systems (int64);
        - n_contributed (int64): documents over all topics;
        - n_unique (int64): unique ones of these;
        - n_relevant, n_unique_relevant (Int64): relevant ones of these; NA without a gold;
        - n_unique_judged (Int64): judged ones among the unique; NA without a gold. If it is less than n_unique, there
          may be more unique relevant documents.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number, a system has no group, or the gold is invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import contributions
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b"], "relevance": [1, 1]})
    >>> contributions(runs, gold, depth=2)[["system", "n_contributed", "n_unique", "n_unique_relevant"]]
      system  n_contributed  n_unique  n_unique_relevant
    0      s              2         1                  1
    1      t              2         1                  0
    """
    check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    units, names = units_of(ranked, groups)
    contributed, owners = contributed_items(ranked, units, len(names), depth)
    n_unique = np.bincount(owners[owners >= 0], minlength=len(names))
    frame = pd.DataFrame({"system": names, "n_contributed": contributed.sum(axis=1), "n_unique": n_unique})
    if groups is not None:
        frame = frame.rename(columns={"system": "group"})
        frame.insert(1, "n_systems", np.bincount(units, minlength=len(names)))
    return frame.assign(**_gold_columns(ranked, gold, rel, contributed, owners))


def units_of(runs: RankedRuns, groups: Mapping[str, str] | None) -> tuple[np.ndarray, pd.Index]:
    """The number of each system's unit (the system itself, or its group), and the names of the units, ascending."""
    if groups is None:
        return np.arange(len(runs.systems)), runs.systems.astype("str")
    missing = [system for system in runs.systems if system not in groups]
    if missing:
        raise ValueError(f"system {missing[0]!r} has no group; every system of the runs needs one")
    codes, names = pd.factorize(pd.Index([str(groups[system]) for system in runs.systems]), sort=True)
    return codes, names.astype("str")


def contributed_items(runs: RankedRuns, units: np.ndarray, n_units: int, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Which unit has which item among its first `depth` documents.

    Shapes: `contributed` (n_units, n_items); `owners` (n_items,).
    """
    contributed = np.zeros((n_units, len(runs.keys) + 1), dtype=bool)
    for unit, rankings in zip(units, runs.items[..., :depth], strict=True):
        contributed[unit, rankings] = True
    contributed = contributed[:, :-1]
    return contributed, np.where(contributed.sum(axis=0) == 1, contributed.argmax(axis=0), -1)


def _gold_columns(
    runs: RankedRuns, gold: Input | None, rel: int, contributed: np.ndarray, owners: np.ndarray
) -> dict[str, Any]:
    names = ("n_relevant", "n_unique_relevant", "n_unique_judged")
    if gold is None:
        return {name: pd.array([pd.NA] * len(contributed), "Int64") for name in names}
    gold_items = judged_items(runs, gold)
    relevant, judged = gold_items.relevant(rel)[:-1], gold_items.judged[:-1]
    unique = [np.bincount(owners[(owners >= 0) & which], minlength=len(contributed)) for which in (relevant, judged)]
    counts = (contributed[:, relevant].sum(axis=1), *unique)
    return {name: pd.array(count, "Int64") for name, count in zip(names, counts, strict=True)}
