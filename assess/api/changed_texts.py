"""Judgements of former texts: the list, and what happens to them."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import MOST, PAGE, member_of, user_of
from assess.jobs import queue
from assess.living.changed_texts import Change, changed_texts
from assess.living.judge_again import keep_changes
from assess.models import JudgementKind, Scope

router = Router(tags=["documents"])


class AfterKey(Schema):
    """Which rows of the list: at most `limit` of them, after the one with this position."""

    after: int = Field(0, ge=0, lt=2**31)
    limit: int = Field(PAGE, ge=1, le=MOST)


class ChosenChanges(Body):
    """The keys of changes; all without one."""

    changes: list[str] = Field([], max_length=MOST)


class StaleJudgementOut(Schema):
    """A judgement of a former text."""

    query_id: str
    judge: str
    kind: str
    state: str
    relevance: int | None
    judged_at: datetime


class ChangeOut(Schema):
    """A document whose text changed after it was judged, with the SHA-256 of both texts."""

    key: str
    doc_id: str
    seen: str
    present: str
    judgements: list[StaleJudgementOut]


class ChangedTextsOut(Schema):
    """A page of the changes, and the number of judgements of replaced texts of which nobody knows the text."""

    results: list[ChangeOut]
    next: int | None
    judgements: int
    unknown: int


class KeptOut(Schema):
    """How many judgements stay valid."""

    judgements: int


@router.get("/collections/{slug}/changed-texts", response=ChangedTextsOut)
def changes(request: HttpRequest, slug: str, paging: Query[AfterKey]) -> dict[str, Any]:
    """The documents whose texts were replaced after they were judged, with the judgements of their former texts."""
    found = changed_texts(member_of(request, slug, RESEARCHERS).collection)
    end = paging.after + paging.limit
    return {
        "results": [_shown(change) for change in found.changes[paging.after : end]],
        "next": end if len(found.changes) > end else None,
        "judgements": found.judgements,
        "unknown": found.unknown,
    }


@router.post("/collections/{slug}/changed-texts/judge-again", response={202: JobOut})
def judge_again(request: HttpRequest, slug: str, chosen: ChosenChanges) -> Status[dict[str, Any]]:
    """Put the documents into the queues of those who judged them, in a job."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    changed_texts(member.collection).chosen(chosen.changes)  # refused now, and not in the job
    values = {"changes": chosen.changes, "user": user_of(request).pk}
    return Status(202, shown_job(queue.start("judge_again", member.collection, user_of(request), values)))


@router.post("/collections/{slug}/changed-texts/keep", response=KeptOut)
def keep(request: HttpRequest, slug: str, chosen: ChosenChanges) -> dict[str, Any]:
    """Record that the changes do not matter: the judgements stay valid."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return {"judgements": keep_changes(member.collection, chosen.changes, user_of(request))}


def _shown(change: Change) -> dict[str, Any]:
    judgements = [
        {
            "query_id": judgement.query_id,
            "judge": judgement.judge,
            "kind": JudgementKind(judgement.kind).label,
            "state": judgement.state,
            "relevance": judgement.relevance,
            "judged_at": judgement.judged_at,
        }
        for judgement in change.judgements
    ]
    return {
        "key": change.key,
        "doc_id": change.doc_id,
        "seen": change.seen,
        "present": change.present,
        "judgements": judgements,
    }
