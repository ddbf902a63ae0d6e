"""From the collection's judgements to what `agreement` works on: ratings and golds.

This module and the two that build on it, `agreeing` and `shifting`, load pandas; they are imported only inside the
functions that need them, so that the processes that serve the judging page start fast and stay small.
"""

import pandas as pd

import agreement
from assess.collections.scale import check_threshold, scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, State

MIXED = ("union", "intersection", "majority")


def collection_judgements(collection: Collection) -> pd.DataFrame:
    """All grades as a DataFrame (assessor, query_id, doc_id, relevance), first judgements only."""
    rows = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role="assessor"
    ).values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame.from_records(list(rows), columns=["assessor", "query_id", "doc_id", "relevance"])
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})


def collection_ratings(collection: Collection, rel: int | None = None) -> agreement.Ratings:
    """The judgements on the declared scale, or cut in two at `rel`."""
    if rel is not None:
        check_threshold(collection, rel)
    every_grade = agreement.Ratings.from_judgements(collection_judgements(collection), scale_of(collection))
    return every_grade if rel is None else every_grade.binary(rel)


def collection_gold(collection: Collection, rule: str, rel: int | None = None) -> pd.DataFrame:
    """The gold that a rule makes of the judgements."""
    try:
        return agreement.make_gold(collection_judgements(collection), rule, rel)
    except ValueError as error:
        raise Refused(str(error)) from None


def gold_rules(frame: pd.DataFrame) -> list[str]:
    """The golds that the judgements allow: each judge, the one with most judgements first, and their mixtures."""
    judges = frame["assessor"].value_counts().sort_index().sort_values(ascending=False, kind="stable").index
    return [f"judge:{name}" for name in judges] + (list(MIXED) if len(judges) > 1 else [])
