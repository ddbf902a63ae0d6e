"""Contributions: what each run brings to a pool, and what it alone brings.

At a depth, a document is *unique* to a run (or to a group of runs: one site hands in variants of one system) that alone
has it among its first `depth` of a topic. What only one run found, a pool without that run would have missed: unique
relevant documents are what a run loses that comes too late to be pooled (see `pooling.evaluation.leave_one_out`).

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pooling.evaluation.judged_items import Runs, judged_items
from pooling.ranking import RankedRuns, check_whole, prepare


def contributions(
    runs: Runs,
    gold: pd.DataFrame | None,
    depth: int,
    groups: Mapping[str, str] | None = None,
    rel: int = 1,
) -> pd.DataFrame:
    """What each run, or each group of runs, brings to the pool of a depth, and what it alone brings.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
    gold : DataFrame or None
        query_id, doc_id, relevance; None before anything is judged.
    depth : int
    groups : mapping of str to str, optional
        The group of each system. What several systems of a group bring, and no other, is unique to the group.
    rel : int
        A document is relevant from this grade.

    Returns
    -------
    DataFrame
        A row for each system (or group), ascending: system (or group, n_systems); n_brought, n_unique (documents of
        all topics of the runs); n_relevant, n_unique_relevant (Int64, NA without a gold); n_unique_judged (Int64, of
        the unique ones those with a judgement: where that is less than n_unique, more of them may be relevant).

    Raises
    ------
    ValueError
        `depth` is no positive whole number, or a system has no group.
    """
    check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    units, names = units_of(ranked, groups)
    brought, owners = brought_by(ranked, units, len(names), depth)
    columns = {"n_brought": brought.sum(axis=1), "n_unique": np.bincount(owners[owners >= 0], minlength=len(names))}
    frame = pd.DataFrame({"system": names, **columns})
    if groups is not None:
        frame = frame.rename(columns={"system": "group"})
        frame.insert(1, "n_systems", np.bincount(units, minlength=len(names)))
    return frame.assign(**_of_gold(ranked, gold, rel, brought, owners))


def units_of(runs: RankedRuns, groups: Mapping[str, str] | None) -> tuple[np.ndarray, pd.Index]:
    """The number of each system's unit (itself, or its group), and the units' names, ascending."""
    if groups is None:
        return np.arange(len(runs.systems)), runs.systems.astype("str")
    alone = [system for system in runs.systems if system not in groups]
    if alone:
        raise ValueError(f"system {alone[0]!r} has no group; every system of the runs needs one")
    codes, names = pd.factorize(pd.Index([str(groups[system]) for system in runs.systems]), sort=True)
    return codes, names.astype("str")


def brought_by(runs: RankedRuns, units: np.ndarray, n_units: int, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Who has what among the first `depth`.

    Returns
    -------
    brought : ndarray of bool, shape (n_units, n_items)
    owners : ndarray of int, shape (n_items,)
        The unit that alone brings the item; -1 where none does, or several do.
    """
    brought = np.zeros((n_units, len(runs.keys) + 1), dtype=bool)
    for unit, rankings in zip(units, runs.items[..., :depth], strict=True):
        brought[unit, rankings] = True
    brought = brought[:, :-1]
    return brought, np.where(brought.sum(axis=0) == 1, brought.argmax(axis=0), -1)


def _of_gold(
    runs: RankedRuns, gold: pd.DataFrame | None, rel: int, brought: np.ndarray, owners: np.ndarray
) -> dict[str, pd.array]:
    names = ("n_relevant", "n_unique_relevant", "n_unique_judged")
    if gold is None:
        return {name: pd.array([pd.NA] * len(brought), "Int64") for name in names}
    gold_items = judged_items(runs, gold)
    relevant, judged = gold_items.relevant(rel)[:-1], gold_items.judged[:-1]
    unique = [np.bincount(owners[(owners >= 0) & which], minlength=len(brought)) for which in (relevant, judged)]
    counts = (brought[:, relevant].sum(axis=1), *unique)
    return {name: pd.array(count, "Int64") for name, count in zip(names, counts, strict=True)}
