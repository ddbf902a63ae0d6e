"""What the grade of one document does to the ranking of the systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import agreement
from agreement.estimate import format_value
from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.measures import check_measure, scale_for
from assess.analysis.selection import EVERYTHING, Selection
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Task
from pooling.words import count


def cached_gold(collection: Collection, rule: str, selection: Selection = EVERYTHING) -> pd.DataFrame:
    """Return the gold of a rule from the selected judgements. It is cached until a judgement is added."""
    key = results.key_of("gold", judgements_state(collection, ()), rule, selection)
    gold: pd.DataFrame | None = results.get(key)
    if gold is None:
        gold = collection_gold(collection, rule, selection=selection)
        results.keep(key, gold)
    return gold


COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


@dataclass(frozen=True)
class GradeEffect:
    """The ranking if the gold had this grade, compared with the ranking under the gold as it is.

    `tau` is None if tau_b is undefined, for the `reason`.
    """

    grade: int
    tau: float | None
    reason: str | None
    pairs_swapped: int
    top_changed: bool
    largest_change: float

    @property
    def changes_ranking(self) -> bool:
        """Whether its order, its ties or its top change."""
        return self.top_changed or (self.tau is not None and self.tau < 1)

    @property
    def shown(self) -> str:
        """Tau as pages show it."""
        return format_value(self.tau, self.reason)


@dataclass(frozen=True)
class Effect:
    """The effect of each other grade on the ranking under a gold. `gold_grade` is None if the gold lacks the document.

    `n_systems` and `n_topics` are those of the ranking.
    """

    measure: str
    gold: str
    gold_grade: float | None
    n_systems: int
    n_topics: int
    grades: list[GradeEffect]

    @property
    def sentence(self) -> str:
        moving = [row for row in self.grades if row.changes_ranking]
        if not moving:
            return "No other grade of this document changes the ranking."
        most = max(moving, key=lambda row: (row.pairs_swapped, row.top_changed, row.largest_change))
        verb = "swap" if most.pairs_swapped > 1 else "swaps"
        pairs = f"{count(most.pairs_swapped, 'system pair', zero='no')} {verb}"
        top = ", and the best system changes" if most.top_changed else ""
        return f"With grade {most.grade}, {pairs} (tau_b {most.shown}){top}."


def document_effect(
    collection: Collection,
    task: Task,
    prepared: agreement.RankedRuns,
    measure: str,
    rule: str,
    topics: Sequence[str] = (),
) -> Effect:
    """Return what the ranking would be with each other grade of the document in the gold of a rule.

    `topics` are those of the ranking; none means all.
    """
    query_id, doc_id, scale = task.topic.query_id, task.document.doc_id, scale_of(collection)
    gold = cached_gold(collection, rule)
    if topics:
        gold = gold[gold["query_id"].isin(topics)]
    # One judge for each grade of the scale: leverage computes the effect of every grade that some judge gave.
    every_grade = pd.DataFrame([(str(grade), query_id, doc_id, grade) for grade in scale], columns=COLUMNS)
    leverage = checked_leverage(collection, prepared, every_grade, measure, gold)
    if leverage.skipped_topics:
        raise Refused(f"The gold {rule} has no grade in topic {query_id}, so no grade there changes its ranking.")
    rows = [_row(row) for _, row in leverage.documents.sort_values("grade").iterrows()]
    existing = gold.loc[(gold["query_id"] == query_id) & (gold["doc_id"] == doc_id), "relevance"]
    grade = float(existing.iloc[0]) if len(existing) else None
    return Effect(leverage.measure, rule, grade, leverage.n_systems, leverage.n_topics, rows)


def checked_leverage(
    collection: Collection, prepared: agreement.RankedRuns, judgements: pd.DataFrame, measure: str, gold: pd.DataFrame
) -> agreement.Leverage:
    """Return the leverage of disputed documents. What the library refuses is refused with its sentence."""
    check_measure(collection, measure)
    try:
        return agreement.leverage(prepared, judgements, measure, gold, scale=scale_for(collection, measure))
    except ValueError as error:
        raise Refused(str(error)) from None


def _row(row: "pd.Series[Any]") -> GradeEffect:
    reason = None if pd.isna(row["reason"]) else str(row["reason"])
    return GradeEffect(
        grade=int(row["grade"]),
        tau=None if reason else float(row["tau"]),
        reason=reason,
        pairs_swapped=int(row["pairs_swapped"]),
        top_changed=bool(row["top_changed"]),
        largest_change=float(row["largest_change"]),
    )
