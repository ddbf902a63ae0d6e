"""Reads a collection's judgements as the ratings and golds that `agreement` works on.

This module, `assess.analysis.agreement` and `assess.analysis.shift` load pandas. Import them only inside the functions
that need them, so that processes that serve the judging page start fast and stay small.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import OuterRef, QuerySet, Subquery

import agreement
from agreement.golds.people import derived_gold, needs_scale
from assess.analysis.reference import Judges
from assess.analysis.selection import EVERYTHING, Selection, is_graded, judge_kinds
from assess.collections.scale import check_threshold, scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, JudgementEvent, JudgementKind, Member, Run, State, Task


def collection_judgements(
    collection: Collection, judges: Sequence[str] | None = None, selection: Selection = EVERYTHING
) -> pd.DataFrame:
    """Return the regular grades of all judges or of some; the kind of judge of a selection does not matter.

    The columns are assessor, query_id, doc_id and relevance.
    """
    graded = is_graded(selection.judgements(collection))
    if judges is not None:
        graded = graded.filter(member__name__in=judges)
    return _frame(graded)


def collection_decisions(collection: Collection) -> pd.DataFrame:
    """Return the decisions of adjudicators, with the columns of `collection_judgements`.

    `assessor` is the adjudicator. A decision is not a vote.
    """
    decided = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=JudgementKind.DECISION
    ).order_by("pk")
    return _frame(decided)


def with_times(judgements: QuerySet[Judgement]) -> pd.DataFrame:
    """Return the columns of `collection_judgements`, and repeat and judged_at (in UTC)."""
    extra = list(judgements.order_by("pk").values_list("repeat", "judged_at"))
    frame = _frame(judgements.order_by("pk"))
    times = pd.DataFrame(extra, columns=["repeat", "judged_at"])
    return frame.assign(
        repeat=times["repeat"].astype("int64"),
        judged_at=pd.to_datetime(times["judged_at"], utc=True),
    )


def _frame(judgements: QuerySet[Judgement]) -> pd.DataFrame:
    """Return the columns of `collection_judgements`. Names are read once, not with every judgement."""
    rows = np.array(list(judgements.values_list("member", "task", "relevance")), np.int64).reshape(-1, 3)
    if not len(rows):  # pandas cannot merge an empty selection of texts
        empty = pd.DataFrame(columns=["assessor", "query_id", "doc_id", "relevance"])
        return empty.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})
    existing = judgements.order_by()
    members = dict(Member.objects.filter(pk__in=existing.values("member")).values_list("pk", "name"))
    tasks = Task.objects.filter(pk__in=existing.values("task"))
    ids = {pk: pair for pk, *pair in tasks.values_list("pk", "topic__query_id", "document__doc_id")}
    member, member_row = np.unique(rows[:, 0], return_inverse=True)
    task, task_row = np.unique(rows[:, 1], return_inverse=True)
    names = pd.array([members[pk] for pk in member.tolist()], dtype="str")
    query_ids, doc_ids = (pd.array([ids[pk][part] for pk in task.tolist()], dtype="str") for part in (0, 1))
    columns = {"assessor": names[member_row], "query_id": query_ids[task_row], "doc_id": doc_ids[task_row]}
    return pd.DataFrame(columns | {"relevance": rows[:, 2]})


def with_decisions(collection: Collection, judgements: pd.DataFrame, topics: Sequence[str] = ()) -> pd.DataFrame:
    """Return the judgements and the decisions, which are marked as `adjudicated`, for `agreement.make_gold`.

    `topics` are those whose decisions count; none means all.
    """
    decisions = collection_decisions(collection)
    if topics:
        decisions = decisions[decisions["query_id"].isin(topics)]
    if decisions.empty:
        return judgements
    marked = [judgements.assign(adjudicated=False), decisions.assign(adjudicated=True)]
    return pd.concat(marked, ignore_index=True)


def collection_ratings(
    collection: Collection,
    rel: int | None = None,
    judges: Sequence[str] | None = None,
    selection: Selection = EVERYTHING,
) -> agreement.Ratings:
    """Return the judgements of all judges or of some on the declared scale, or binary with the threshold `rel`."""
    if rel is not None:
        check_threshold(collection, rel)
    judgements = collection_judgements(collection, judges, selection)
    ratings = agreement.Ratings.from_judgements(judgements, scale_of(collection))
    return ratings if rel is None else ratings.binary(rel)


def collection_gold(
    collection: Collection, rule: str, rel: int | None = None, selection: Selection = EVERYTHING
) -> pd.DataFrame:
    """Return the gold that a rule derives from the selected judgements and all decisions on the selected topics."""
    try:
        judgements = collection_judgements(collection, selection=selection)
        judgements = with_decisions(collection, judgements, selection.topics)
        return derived_gold(judgements, rule, judge_kinds(collection), rel, scale=_scale_for(collection, rule, rel))
    except ValueError as error:
        raise Refused(str(error)) from None


def _scale_for(collection: Collection, rule: str, rel: int | None) -> Sequence[int] | None:
    """Return the scale for a rule that needs it. The names of other golds do not mention it."""
    return scale_of(collection) if needs_scale(rule) and rel is None else None


def judges_in(frame: pd.DataFrame, kinds: Mapping[str, str], has_decisions: bool) -> Judges:
    """Return who judged, from a table of judgements."""
    counts = frame["assessor"].value_counts()
    return Judges.counted(dict(zip(counts.index, counts.tolist(), strict=True)), kinds, has_decisions)


def judgements_state(collection: Collection, runs: Iterable[Run]) -> tuple[Any, ...]:
    """Return a value that changes with every run, judgement and judge, as part of a cache key.

    The events of a member are numbered without gaps, so the last number of each member says how many there are.
    Counting the events themselves takes 15 ms for 150,000.
    """
    numbered = JudgementEvent.objects.filter(member=OuterRef("pk"), position__isnull=False).order_by("-position")
    members = collection.members.order_by("pk").annotate(last_event=Subquery(numbered.values("position")[:1]))
    # A judge who was withdrawn and restored has the role of before, but figures may have been computed in between.
    of_imported = ("imported_judge__kind", "imported_judge__role_changes")
    judges = list(members.values_list("pk", "name", "role", *of_imported, "last_event"))
    return collection.pk, [(run.file_checksum, run.score_precision) for run in runs], judges
