"""The views of a ranking shift: a gold and a measure each, with their scores, ranks and groups."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import pandas as pd

from agreement.effectiveness.ranked_runs import Runs
from agreement.rank_correlation import competition_ranks
from agreement.shift.gold_pairs import GoldPair, compare_views

Scores: TypeAlias = Mapping[str, pd.DataFrame]  # of every view, shape (n_systems, n_topics)


def higher_is_better(scores: Scores, lower_is_better: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the scores of every view, negated if lower is better."""
    return {view: -table if view in lower_is_better else table for view, table in scores.items()}


def named_views(golds: Mapping[str, pd.DataFrame], measures: list[str]) -> dict[str, tuple[str, str]]:
    """Return the gold and the measure of every view, by the name of the view."""
    if not measures or len(set(measures)) < len(measures):
        raise ValueError(f"Name one or more measures, each once, not {', '.join(measures) or 'none'}.")
    if len(measures) == 1:
        return {gold: (gold, measures[0]) for gold in golds}
    if len(golds) == 1:
        return {measure: (gold, measure) for gold in golds for measure in measures}
    return {f"{gold}, {measure}": (gold, measure) for gold in golds for measure in measures}


def groups_in(runs: Runs) -> dict[str, str] | None:
    """Return the groups in the column group of a single frame of runs; None if there is no such column."""
    if not isinstance(runs, pd.DataFrame) or "group" not in runs.columns:
        return None
    by_system = runs.astype({"system": "str"}).drop_duplicates("system")
    return dict(zip(by_system["system"], by_system["group"], strict=True))


def checked_groups(groups: Mapping[str, str] | None, systems: pd.Index) -> dict[str, str] | None:
    """Return the group of every system; raise ValueError if a system has none."""
    if groups is None:
        return None
    if missing := [system for system in systems if system not in groups]:
        raise ValueError(f"Every system needs a group, but {missing[0]!r} has none.")
    return {system: groups[system] for system in systems}


def on_topics(a: pd.DataFrame, b: pd.DataFrame, topics: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the scores to compare: on the common topics, or on all."""
    common = a.columns.intersection(b.columns)
    return (a[common], b[common]) if topics == "common" else (a, b)


def compared_pair(
    a: str,
    b: str,
    scores: Scores,
    topics: str,
    groups: Mapping[str, str] | None,
    lower_is_better: Sequence[str],
) -> GoldPair:
    """Compare two views on their topics."""
    first, second = on_topics(scores[a], scores[b], topics)
    return compare_views(a, b, {a: first, b: second}, groups, lower_is_better)


def ranks_of_view(
    name: str, scores: Scores, reference: str, topics: str, lower_is_better: Sequence[str]
) -> pd.DataFrame:
    """Return the rows of `RankingShift.ranks` of one view."""
    table, reference_table = on_topics(scores[name], scores[reference], topics)
    rows = pd.DataFrame({"gold": name, "system": list(table.index), "n_topics": table.shape[1]})
    for prefix, view, part in (("", name, table), ("reference_", reference, reference_table)):
        means = part.mean(axis=1).to_numpy()
        missing = [pd.NA] * len(means)
        has_topics = part.shape[1] > 0
        ranks = competition_ranks(-means if view in lower_is_better else means) if has_topics else missing
        rows[f"{prefix}score"] = pd.array(means if has_topics else missing, dtype="Float64")
        rows[f"{prefix}rank"] = pd.array(ranks, dtype="Int64")
    return rows.assign(change=rows["reference_rank"] - rows["rank"])


def checked_reference(reference: str | None, views: Collection[str]) -> str:
    """Return the reference, by default the first gold."""
    if reference is None:
        return next(iter(views))
    if reference not in views:
        raise ValueError(f"The reference must be one of the golds {', '.join(views)}, not {reference!r}.")
    return reference


def ranks_of_views(scores: Scores, reference: str, topics: str, lower_is_better: Sequence[str]) -> pd.DataFrame:
    """Return the rank of each system under each view."""
    ranks = [ranks_of_view(view, scores, reference, topics, lower_is_better) for view in scores]
    return pd.concat(ranks, ignore_index=True)


def compared_pairs(
    scores: Scores,
    reference: str,
    topics: str,
    groups: Mapping[str, str] | None,
    lower_is_better: Sequence[str],
) -> tuple[GoldPair, ...]:
    """Return the comparison of each two views, those with the reference first."""
    ascending = higher_is_better(scores, lower_is_better)
    views = combinations(reference_first(scores, reference), 2)
    return tuple(compared_pair(a, b, ascending, topics, groups, lower_is_better) for a, b in views)


def reference_first(views: Collection[str], reference: str) -> list[str]:
    """Return the names in their order, after the reference."""
    return [reference, *(view for view in views if view != reference)]
