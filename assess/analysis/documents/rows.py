"""The documents of one page of the list, with the grades that the judges gave."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Substr

from agreement.estimate import format_value
from assess.documents.display import displayed_column
from assess.documents.snippet import snippet_for
from assess.models import Judgement, JudgementKind, Role, State, Task

READ = 20_000  # characters of a document that are searched for its snippet


@dataclass(frozen=True)
class ListedEffect:
    """What the most effective grade of a judge does to the ranking."""

    grade: int
    tau: str
    pairs_swapped: int
    top_changed: bool


@dataclass(frozen=True)
class ListedDocument:
    """A judged document. `grades` has the judges of each grade, the highest grade first.

    `apart` and `distance` are None if they are not defined. `adjudication` is the number of the document's
    adjudication, and `decision` the grade that the adjudicator chose, if there is one.
    """

    task: int
    query_id: str
    topic: str
    doc_id: str
    title: str
    snippet: str
    n: int
    n_cannot: int
    apart: int | None
    distance: float | None
    grades: list[tuple[int, list[str]]]
    cannot_judge: list[str]
    later: list[str]
    adjudication: int | None
    decision: int | None
    effect: ListedEffect | None


@dataclass(frozen=True)
class _Judges:
    """Who gave which grade to each task, who could not judge or postponed it (by state), and the decision."""

    by_grade: dict[int, dict[int, list[str]]]
    by_state: dict[str, dict[int, list[str]]]
    decisions: dict[int, int | None]


def listed_rows(documents: pd.DataFrame) -> list[ListedDocument]:
    """Return the rows of `listing.listed` as a page shows them. The number of queries does not depend on the rows."""
    keys = documents["task"].tolist()
    tasks = {task["pk"]: task for task in _tasks(keys)}
    judges = _judges(keys)
    return [_listed_row(row, tasks[row["task"]], judges) for row in documents.to_dict("records")]


def _listed_row(row: Mapping[Hashable, Any], task: Mapping[str, Any], judges: _Judges) -> ListedDocument:
    return ListedDocument(
        task=row["task"],
        query_id=row["query_id"],
        topic=task["title"],
        doc_id=row["doc_id"],
        title=task["document_title"] or "",
        snippet=snippet_for(task["text"], task["format"], task["title"]) if task["text"] else "",
        n=row["n"],
        n_cannot=row["n_cannot"],
        apart=None if pd.isna(row["apart"]) else int(row["apart"]),
        distance=None if pd.isna(row["distance"]) else float(row["distance"]),
        grades=sorted(judges.by_grade[row["task"]].items(), reverse=True),
        cannot_judge=judges.by_state[State.CANNOT_JUDGE][row["task"]],
        later=judges.by_state[State.LATER][row["task"]],
        adjudication=task["adjudication"],
        decision=judges.decisions.get(row["task"]),
        effect=_listed_effect(row) if "tau" in row else None,
    )


def _tasks(keys: Sequence[int]) -> QuerySet[Task, Any]:
    content = "document__content"
    return Task.objects.filter(pk__in=keys).values(
        "pk",
        title=F("topic__title"),
        document_title=F(f"{content}__title"),
        text=Substr(displayed_column(content), 1, READ),
        format=F(f"{content}__format"),
        adjudication=F("adjudicated__adjudication__number"),
    )


def _judges(keys: Sequence[int]) -> _Judges:
    judges = _Judges(defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list)), {})
    votes = Q(repeat=JudgementKind.REGULAR, member__role=Role.ASSESSOR) & ~Q(state=State.UNDONE)
    decisions = Q(repeat=JudgementKind.DECISION, state=State.JUDGED)
    judged = Judgement.objects.filter(votes | decisions, task__in=keys).order_by("member__name")
    for task, kind, state, grade, name in judged.values_list("task", "repeat", "state", "relevance", "member__name"):
        if kind == JudgementKind.DECISION:
            judges.decisions[task] = grade
        elif grade is None:
            judges.by_state[state][task].append(name)
        else:
            judges.by_grade[task][grade].append(name)
    return judges


def _listed_effect(row: Mapping[Hashable, Any]) -> ListedEffect:
    reason = None if pd.isna(row["reason"]) else row["reason"]
    tau = format_value(None if reason else row["tau"], reason)
    return ListedEffect(int(row["grade"]), tau, int(row["pairs_swapped"]), bool(row["top_changed"]))
