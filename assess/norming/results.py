"""The votes of a norming round: agreement before and after the discussion, and who moved towards whom."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

import agreement
from assess.collections.scale import scale_of
from assess.models import Judgement, JudgementKind, NormingRound, State, Task

ITEM = ["query_id", "doc_id"]


@dataclass(frozen=True)
class Movement:
    """How often one member changed a grade, and on how many documents towards the earlier grade of each other one."""

    name: str
    changed: int
    towards: dict[str, int]


@dataclass(frozen=True)
class NormingResult:
    """The mean kappa of all pairs before and after, of the documents that all members judged, and the movements."""

    n_documents: int
    before: agreement.Estimate
    after: agreement.Estimate | None
    movements: list[Movement]


def votes(norming: NormingRound, kind: JudgementKind) -> pd.DataFrame:
    """Return the grades of one phase: assessor, query_id, doc_id, relevance and comment."""
    rows = Judgement.objects.filter(
        task__in=norming.tasks.values("pk"),
        member__in=norming.members.values("pk"),
        repeat=kind,
        state=State.JUDGED,
    ).values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance", "comment")
    frame = pd.DataFrame.from_records(list(rows), columns=["assessor", *ITEM, "relevance", "comment"])
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})


@dataclass(frozen=True)
class Vote:
    """The grades that one member gave a document before and after the discussion, and the comment before it."""

    before: int | None
    after: int | None
    comment: str


@dataclass(frozen=True)
class VoteRow:
    """The votes on one document, in the order of the members' names."""

    topic: str
    document: str
    votes: list[Vote]


def vote_rows(norming: NormingRound) -> list[VoteRow]:
    """Return the votes on each document. Only members of the group and researchers may see them."""
    tasks = norming.tasks.order_by("draw", "pk").select_related("topic", "document__content")
    people = list(norming.members.values_list("pk", flat=True))
    rows = Judgement.objects.filter(task__in=tasks, member__in=people, state=State.JUDGED)
    grades = {
        (task, member, kind): (grade, comment)
        for task, member, kind, grade, comment in rows.values_list("task", "member", "repeat", "relevance", "comment")
    }
    return [
        VoteRow(task.topic.title, _name(task, norming), [_vote(grades, task.pk, member) for member in people])
        for task in tasks
    ]


def _vote(grades: dict[tuple[int, int, int], tuple[int | None, str]], task: int, member: int) -> Vote:
    before, comment = grades.get((task, member, JudgementKind.NORMING_BEFORE), (None, ""))
    after, _ = grades.get((task, member, JudgementKind.NORMING_AFTER), (None, ""))
    return Vote(before, after, comment)


def _name(task: Task, norming: NormingRound) -> str:
    title = task.document.content.title if task.document.content else ""
    return title or ("Document" if norming.collection.hide_doc_ids else task.document.doc_id)


def norming_result(norming: NormingRound) -> NormingResult:
    """Compare the votes before the discussion with those after it; `after` is None until there are some."""
    scale = scale_of(norming.collection)
    before, after = (votes(norming, kind) for kind in (JudgementKind.NORMING_BEFORE, JudgementKind.NORMING_AFTER))
    return NormingResult(
        n_documents=norming.tasks.count(),
        before=_kappa(before, scale),
        after=None if after.empty else _kappa(after, scale),
        movements=[] if after.empty else _movements(before, after),
    )


def _kappa(frame: pd.DataFrame, scale: Any) -> agreement.Estimate:
    ratings = agreement.Ratings.from_judgements(frame[["assessor", *ITEM, "relevance"]], scale)
    return agreement.mean_pairwise(ratings, "cohen_kappa")


def _movements(before: pd.DataFrame, after: pd.DataFrame) -> list[Movement]:
    earlier = before.pivot_table(index=ITEM, columns="assessor", values="relevance")
    later = after.pivot_table(index=ITEM, columns="assessor", values="relevance").reindex(earlier.index)
    return [
        Movement(name, int((moved := _moved(earlier, later, name)).sum()), _towards(earlier, later, name, moved))
        for name in map(str, earlier.columns)
        if name in later.columns
    ]


def _moved(earlier: pd.DataFrame, later: pd.DataFrame, name: str) -> "pd.Series[bool]":
    both = earlier[name].notna() & later[name].notna()
    return both & (earlier[name] != later[name])


def _towards(earlier: pd.DataFrame, later: pd.DataFrame, name: str, moved: "pd.Series[bool]") -> dict[str, int]:
    """Count the changed grades that are closer to the earlier grade of each other member than before."""
    counts = {}
    for other in map(str, earlier.columns):
        if other != name:
            distance_before = (earlier[name] - earlier[other]).abs()
            distance_after = (later[name] - earlier[other]).abs()
            counts[other] = int((moved & (distance_after < distance_before)).sum())
    return counts
