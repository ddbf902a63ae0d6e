"""The pool and the assignments."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess import audit
from assess.access import RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import member_of, user_of
from assess.jobs import queue
from assess.models import Scope
from assess.pools.assign import assign
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.transfer.pool_export import MOST_SEED, pool_file
from pooling.formats.courses.doccano import MOST_ANNOTATORS

router = Router(tags=["pool"])
SUMS = {"documents": "size", "new": "new", "judged": "judged"}  # over topics


class NewPool(Body):
    """A strategy and its parameters, as `build_pool` has them."""

    strategy: str = Field("depth", max_length=60)
    parameters: dict[str, float | int | bool | str] = {}
    documents_per_topic: float | None = Field(None, gt=0, lt=1e9)
    seed: int | None = Field(None, ge=0, lt=2**32)


class NewAssignments(Body):
    """How many assessors judge each document."""

    judges: int = Field(1, ge=1, le=100)
    by_topic: bool = False


class PairChoices(Schema):
    """How the pairs are written: the format, an own file for each annotator, and another order."""

    format: str = Field("jsonl", max_length=20)
    annotator: list[str] = Field([], max_length=MOST_ANNOTATORS)
    seed: int | None = Field(None, ge=0, le=MOST_SEED)


class Assigned(Schema):
    """What was assigned."""

    added: int
    tasks: int
    assessors: int
    least: int
    most: int
    repeats: int
    shortfall: str


class PoolOut(Schema):
    """A pool that was not built: its size, and how much of it is judged."""

    strategy: str
    description: str
    parameters: dict[str, Any]
    topics: int
    documents: int
    new: int
    judged: int
    notes: list[str]


@router.post("/collections/{slug}/pool", response={202: JobOut})
def build(request: HttpRequest, slug: str, new: NewPool) -> Status[dict[str, Any]]:
    """Build the pool in a job. A pool only grows, so the same request again changes nothing."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return Status(202, shown_job(queue.start("build_pool", member.collection, user_of(request), _arguments(new))))


@router.post("/collections/{slug}/pool/preview", response=PoolOut)
def preview(request: HttpRequest, slug: str, new: NewPool) -> dict[str, Any]:
    """Say what a pool would be like. Nothing is changed. 202 while a job computes it: then ask again."""
    from assess.pools.building.preview import preview_or_pending  # loads pandas

    member = member_of(request, slug, RESEARCHERS)
    found, _ = preview_or_pending(member.collection, user_of(request), _arguments(new))
    return {
        "strategy": found.strategy,
        "description": found.description,
        "parameters": found.parameters,
        "topics": len(found.topics),
        **{name: sum(getattr(topic, each) for topic in found.topics) for name, each in SUMS.items()},
        "notes": found.notes,
    }


@router.get("/collections/{slug}/pool/pairs", response={200: bytes})
def pairs(request: HttpRequest, slug: str, choices: Query[PairChoices]) -> StreamingHttpResponse:
    """The pairs of the pool with their texts, as jsonl, tsv, umbrela, doccano (ZIP) or teaching_ir (ZIP).

    The order is drawn, and nothing of the runs is written. The export is recorded in the audit log.
    """
    member = member_of(request, slug, RESEARCHERS)
    file = pool_file(member.collection, choices.format, choices.annotator, choices.seed)
    audit.record_export(member.collection, audit.pool_subject(choices.format), user_of(request))
    return StreamingHttpResponse(file.pieces, content_type=file.content_type)


def _arguments(new: NewPool) -> dict[str, Any]:
    """The arguments of `build_pool`, which the library has checked."""
    given = {"seed": new.seed, "documents_per_topic": new.documents_per_topic}
    arguments = new.parameters | {name: value for name, value in given.items() if value is not None}
    if new.strategy != EVERY_DOCUMENT:
        from assess.pools.building.runs import checked_recipe  # loads pandas

        checked_recipe(new.strategy, new.seed, new.parameters, new.documents_per_topic)
    return {"strategy": new.strategy, **arguments}


@router.post("/collections/{slug}/assignments", response=Assigned)
def assignments(request: HttpRequest, slug: str, new: NewAssignments) -> dict[str, Any]:
    """Assign every pooled document to so many assessors. What is assigned already stays."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return asdict(assign(member.collection, new.judges, new.by_topic))
