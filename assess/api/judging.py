"""Judging with a token: an assessor's topics, the next documents, and recording a judgement.

An assessor sees here what the judging page shows: the topic, the document and the scale, and their own grades. Nothing
says which systems found a document, at which rank, or what others think of it. Only where an owner lets a model make
suggestions, a document has the grade of that model.
"""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from assess.access import ASSESSORS
from assess.api.bodies import Body
from assess.api.members import member_of, user_of
from assess.calibration.practice import prepare
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Member, Scope, Topic

router = Router(tags=["judging"])
MOST = 20  # documents at a time


class ProgressOut(Schema):
    """How many documents of a topic are judged."""

    total: int
    judged: int
    cannot_judge: int
    later: int
    to_claim: int


class JudgingTopic(Schema):
    """A topic in which the assessor has something to judge."""

    id: int
    query_id: str
    title: str
    description: str
    narrative: str
    progress: ProgressOut


class TaskChoices(Schema):
    """How many documents."""

    limit: int = Field(5, ge=1, le=MOST)


class SuggestionOut(Schema):
    """The grade of a model for a document. `token` names the suggestion when the document is judged."""

    token: str
    judge: str
    grade: int


class TaskOut(Schema):
    """A document to judge. `task` names it when it is judged. A hidden doc_id is empty; a text may be missing.

    `suggestion` is null unless an owner lets a model make suggestions. A judgement of a document with a suggestion is
    recorded as assisted.
    """

    task: UUID
    doc_id: str
    title: str
    metadata: dict[str, Any]
    format: str
    text: str | None
    state: str
    version: int
    relevance: int | None
    suggestion: SuggestionOut | None


class NewJudgement(Body):
    """A judgement. `client_id` is a UUID that the client makes: the same request again changes nothing.

    `suggestion` is the token of the suggestion that the assessor saw. Without it, the one that was sent last is
    recorded.
    """

    client_id: UUID
    state: str = Field("judged", max_length=12)
    relevance: int | None = Field(None, ge=-(2**31), lt=2**31)
    reason: str = Field("", max_length=12)
    comment: str = Field("", max_length=5_000)
    confidence: int | None = Field(None, ge=0, le=100)
    passages: list[list[int]] = Field([], max_length=200)
    active_ms: int = Field(0, ge=0, le=LONGEST_MS)
    seen_version: int | None = Field(None, ge=0, lt=2**31)
    suggestion: UUID | None = None


class Receipt(Schema):
    """What is recorded: the event of the ledger."""

    state: str
    relevance: int | None
    version: int
    position: int
    hash: str


@router.get("/collections/{slug}/judging/topics", response=list[JudgingTopic])
def topics(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The assessor's topics, with the progress in each."""
    member = _assessor(request, slug)
    names = ("query_id", "title", "description", "narrative")
    return [
        {"id": topic.pk, **{name: getattr(topic, name) for name in names}, "progress": asdict(progress)}
        for topic, progress in worklist.topics_with_progress(member)
    ]


@router.get("/collections/{slug}/judging/topics/{topic_id}/tasks", response=list[TaskOut])
def tasks(request: HttpRequest, slug: str, topic_id: int, choices: Query[TaskChoices]) -> list[dict[str, Any]]:
    """The next documents of a topic. With claims, asking for them claims them for a while."""
    member = _assessor(request, slug, Scope.JUDGE)
    if not prepare(member):
        raise Refused("Judge the practice documents on the site first.")
    cards = worklist.upcoming(member, _topic(member, topic_id), limit=choices.limit)
    return [_shown(member, card.task) for card in cards]


@router.post("/collections/{slug}/judging/tasks/{task}", response=Receipt)
def judge(request: HttpRequest, slug: str, task: UUID, new: NewJudgement) -> dict[str, Any]:
    """Record a judgement. It is saved when the answer arrives. 409 if the client id was used for another one."""
    member = _assessor(request, slug, Scope.JUDGE)
    values = new.dict()
    of_request = {name: values.pop(name) for name in ("client_id", "seen_version", "suggestion")}
    try:
        event = record_judgement(member, task, JudgementInput(**values), actor=user_of(request), **of_request)
    except Assignment.DoesNotExist:
        raise Http404 from None
    return {
        "state": event.state,
        "relevance": event.relevance,
        "version": event.version,
        "position": event.position,
        "hash": bytes(event.hash or b"").hex(),
    }


def _assessor(request: HttpRequest, slug: str, scope: Scope = Scope.READ) -> Member:
    return member_of(request, slug, ASSESSORS, scope, or_assigned=True)


def _topic(member: Member, topic_id: int) -> Topic:
    topic = worklist.topic_for(member, topic_id) if topic_id < 2**63 else None
    if topic is None:
        raise Http404
    return topic


def _shown(member: Member, task: str) -> dict[str, Any]:
    card = worklist.card(member, task, whole=True)
    if card is None:
        raise Http404
    return {name: getattr(card, name) for name in TaskOut.model_fields}
