"""Reads a collection's judgements as the ratings and golds that `agreement` works on.

This module, `assess.analysis.agreement` and `assess.analysis.shift` load pandas. Import them only inside the functions
that need them, so that processes that serve the judging page start fast and stay small.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from django.db.models import Count, Max

import agreement
from assess.collections.scale import check_threshold, scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, JudgementEvent, Pilot, Role, Run, State

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
    rows = graded.values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame.from_records(list(rows), columns=["assessor", "query_id", "doc_id", "relevance"])
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})


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
        return agreement.make_gold(collection_judgements(collection), rule, rel)
    except ValueError as error:
        raise Refused(str(error)) from None


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
