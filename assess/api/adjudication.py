"""Adjudications: which documents are disputed, who decides them, and what waits.

Adjudicators decide with the endpoints of judging: their documents are among their tasks.
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import RESEARCHERS
from assess.adjudication.adjudicate import (
    AdjudicationSummary,
    adjudicate_or_start,
    adjudications_of,
    undo_adjudication,
)
from assess.adjudication.choose import MOST_TASKS
from assess.adjudication.overview import adjudication_rows
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import member_of, user_of
from assess.models import Job, Scope

router = Router(tags=["adjudication"])


class AdjudicationOut(Schema):
    """An adjudication: `decided` of `documents` have a decision."""

    number: int
    selection: str
    shows_grades: bool
    created_at: datetime
    documents: int
    decided: int


class NewAdjudication(Body):
    """How disputed documents are chosen, and who decides them: the names of members.

    `by` is leverage (with `number`, `measure` and `gold`), distance, topic (with `query_id`), or documents (`tasks`).
    """

    adjudicators: list[str] = Field(min_length=1, max_length=1_000)
    by: str = Field("leverage", max_length=20)
    number: int = Field(20, ge=-(2**31), lt=2**31)
    distance: int = Field(2, ge=-(2**31), lt=2**31)
    query_id: str = Field("", max_length=1_000)
    measure: str = Field("AP", max_length=200)
    gold: str = Field("", max_length=200)
    tasks: list[int] = Field([], max_length=MOST_TASKS)
    shows_grades: bool = False


class DecisionOut(Schema):
    """A document of an adjudication. `decision` is empty while it waits; `is_blind` is then null."""

    task: int
    query_id: str
    topic: str
    doc_id: str
    adjudicator: str
    decision: str
    is_blind: bool | None


class DecisionChoices(Schema):
    """Which documents: all, or only those that wait for a decision."""

    waiting: bool = False


class TakenBack(Schema):
    """How many documents are no longer to be decided."""

    documents: int


@router.get("/collections/{slug}/adjudications", response=list[AdjudicationOut])
def adjudications(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The adjudications, in order."""
    return [_shown(each) for each in adjudications_of(member_of(request, slug, RESEARCHERS).collection)]


@router.post("/collections/{slug}/adjudications", response={201: AdjudicationOut, 202: JobOut})
def create(request: HttpRequest, slug: str, new: NewAdjudication) -> Status[dict[str, Any]]:
    """Choose disputed documents and assign each to an adjudicator who did not judge it; by leverage, in a job."""
    collection = member_of(request, slug, RESEARCHERS, Scope.MANAGE).collection
    done = adjudicate_or_start(collection, user_of(request), **new.dict())
    return Status(202, shown_job(done)) if isinstance(done, Job) else Status(201, _shown(done))


@router.get("/collections/{slug}/adjudications/{number}", response=list[DecisionOut])
def decisions(request: HttpRequest, slug: str, number: int, choices: Query[DecisionChoices]) -> list[dict[str, Any]]:
    """The documents of an adjudication with their decisions, or with `waiting` those without one."""
    collection = member_of(request, slug, RESEARCHERS).collection
    found = get_object_or_404(collection.adjudications, number=number)
    rows = adjudication_rows(collection, found.number)
    return [asdict(row) for row in rows if not (choices.waiting and row.decision)]


@router.delete("/collections/{slug}/adjudications/{number}", response=TakenBack)
def undo(request: HttpRequest, slug: str, number: int) -> dict[str, int]:
    """Take back the documents that are not decided."""
    collection = member_of(request, slug, RESEARCHERS, Scope.MANAGE).collection
    found = get_object_or_404(collection.adjudications, number=number)
    return {"documents": undo_adjudication(collection, found.number, user_of(request))}


def _shown(summary: AdjudicationSummary) -> dict[str, Any]:
    return asdict(summary)
