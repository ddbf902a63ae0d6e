"""Reads a collection's judgements as the ratings and golds that `agreement` works on.

This module, `assess.analysis.agreement` and `assess.analysis.shift` load pandas. Import them only inside the functions
that need them, so that processes that serve the judging page start fast and stay small.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from django.db.models import Count, Max, QuerySet

import agreement
from assess.collections.scale import check_threshold, scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, JudgementEvent, JudgementKind, Pilot, Role, Run, State

COMBINED_GOLDS = ("union", "intersection", "majority")


def collection_judgements(
    collection: Collection, judges: Sequence[str] | None = None, pilot: Pilot | None = None
) -> pd.DataFrame:
    """Return the grades of all judges or of some, without hidden repeats; with `pilot`, only of its tasks.

    The columns are assessor, query_id, doc_id and relevance.
    """
    graded = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role=Role.ASSESSOR
    )
    if judges is not None:
        graded = graded.filter(member__name__in=judges)
    if pilot:
        graded = graded.filter(task__pilots=pilot)
    return _frame(graded)


def collection_decisions(collection: Collection) -> pd.DataFrame:
    """Return the decisions of adjudicators, with the columns of `collection_judgements`.

    `assessor` is the adjudicator. A decision is not a vote.
    """
    decided = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=JudgementKind.DECISION
    ).order_by("pk")
    return _frame(decided)


def _frame(judgements: QuerySet[Judgement]) -> pd.DataFrame:
    rows = judgements.values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame.from_records(list(rows), columns=["assessor", "query_id", "doc_id", "relevance"])
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})


def with_decisions(collection: Collection, judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the judgements and the decisions, which are marked as `adjudicated`, for `agreement.make_gold`."""
    decisions = collection_decisions(collection)
    if decisions.empty:
        return judgements
    marked = [judgements.assign(adjudicated=False), decisions.assign(adjudicated=True)]
    return pd.concat(marked, ignore_index=True)


def collection_ratings(
    collection: Collection,
    rel: int | None = None,
    judges: Sequence[str] | None = None,
    pilot: Pilot | None = None,
) -> agreement.Ratings:
    """Return the judgements of all judges or of some on the declared scale, or binary with the threshold `rel`."""
    if rel is not None:
        check_threshold(collection, rel)
    ratings = agreement.Ratings.from_judgements(collection_judgements(collection, judges, pilot), scale_of(collection))
    return ratings if rel is None else ratings.binary(rel)


def collection_gold(collection: Collection, rule: str, rel: int | None = None) -> pd.DataFrame:
    """Return the gold that a rule derives from the judgements."""
    try:
        judgements = with_decisions(collection, collection_judgements(collection))
        return agreement.make_gold(judgements, rule, rel, scale=_scale_for(collection, rule, rel))
    except ValueError as error:
        raise Refused(str(error)) from None


def _scale_for(collection: Collection, rule: str, rel: int | None) -> Sequence[int] | None:
    """Return the scale for a rule that needs it. The names of other golds do not mention it."""
    return scale_of(collection) if rule == "dawid_skene" and rel is None else None


def gold_rules(frame: pd.DataFrame) -> list[str]:
    """Return the rules of all available golds: each judge, most judgements first, then the combined golds."""
    judges = frame["assessor"].value_counts().sort_index().sort_values(ascending=False, kind="stable").index
    return [f"judge:{name}" for name in judges] + (list(COMBINED_GOLDS) if len(judges) > 1 else [])


def judgements_state(collection: Collection, runs: Iterable[Run]) -> tuple[Any, ...]:
    """Return a value that changes with every run, judgement and judge, as part of a cache key."""
    events = JudgementEvent.objects.filter(member__collection=collection)
    # The last id alone is not enough: events may become visible in another order than that of their ids.
    latest = events.aggregate(last=Max("pk"), count=Count("pk"))
    judges = list(collection.members.order_by("pk").values_list("pk", "name", "role"))
    files = [(run.file_checksum, run.score_precision) for run in runs]
    return collection.pk, files, judges, latest["last"], latest["count"]
