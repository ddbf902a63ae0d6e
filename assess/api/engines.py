"""Search engines of a collection, and the runs that are made from them."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status
from pydantic import Field

from assess.access import RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import member_of, user_of
from assess.engines.ask import go_on, start_run
from assess.engines.engines import LONGEST_SECRET, delete_engine, save_engine
from assess.engines.forms import MAX_DEPTH
from assess.engines.preview import start_preview
from assess.models import EngineRun, Scope, SearchEngine

router = Router(tags=["engines"])
SETTING = Field("", max_length=200)


class EngineSettings(Body):
    """How an engine is asked, as `pooling.live.Engine` has it. What is missing is as usual for the kind.

    `secret` is the value of the header. It is encrypted and never shown; null keeps the former one.
    """

    kind: str = Field(max_length=40)
    address: str = Field(max_length=2_000)
    body: str = Field("", max_length=100_000)
    results: str = SETTING
    id: str = SETTING
    score: str = SETTING
    title: str = SETTING
    text: str = SETTING
    scores: str = Field("engine", max_length=20)
    escape: str = Field("", max_length=20)
    chunk_separator: str = Field("", max_length=10)
    header: str = Field("Authorization", max_length=100)
    secret: str | None = Field(None, max_length=LONGEST_SECRET)

    def settings(self) -> dict[str, str]:
        """Return what was stated."""
        return {name: value for name, value in self.dict(exclude={"secret"}).items() if value}


class EngineOut(Schema):
    """An engine without its secret."""

    name: str
    settings: dict[str, str]
    has_secret: bool


class NewEngineRun(Body):
    """A run of all topics."""

    system: str = Field(max_length=255)
    depth: int = Field(100, ge=1, le=MAX_DEPTH)
    with_texts: bool = True
    concurrency: int = Field(2, ge=1, le=8)
    per_second: float | None = Field(None, ge=0.01, le=100)


class NewPreview(Body):
    """The topic to try."""

    query_id: str = Field(max_length=255)


class EngineRunOut(Schema):
    """A run: how many topics have an answer, and why others have none."""

    id: UUID
    engine: str
    system: str
    depth: int
    version: str
    is_complete: bool
    answered: int
    failed: dict[str, str]
    notes: list[str]


@router.get("/collections/{slug}/engines", response=list[EngineOut])
def engines(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The search engines of the collection."""
    return [_shown(row) for row in member_of(request, slug, RESEARCHERS).collection.engines.all()]


@router.put("/collections/{slug}/engines/{engine}", response=EngineOut)
def save(request: HttpRequest, slug: str, engine: str, new: EngineSettings) -> dict[str, Any]:
    """Save an engine, or change the one with this name. A site owner must allow its host first."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return _shown(save_engine(member.collection, engine, new.settings(), new.secret, user_of(request)))


@router.delete("/collections/{slug}/engines/{engine}", response={204: None})
def delete(request: HttpRequest, slug: str, engine: str) -> Status[None]:
    """Delete an engine with its secret. Its runs stay."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    delete_engine(get_object_or_404(member.collection.engines, name=engine), user_of(request))
    return Status(204, None)


@router.post("/collections/{slug}/engines/{engine}/preview", response={202: JobOut})
def preview(request: HttpRequest, slug: str, engine: str, new: NewPreview) -> Status[dict[str, Any]]:
    """Ask for one topic in a job, whose result has the request and the first documents."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    found = get_object_or_404(member.collection.engines, name=engine)
    return Status(202, shown_job(start_preview(found, new.query_id, user_of(request))))


@router.post("/collections/{slug}/engines/{engine}/runs", response={202: JobOut})
def make_run(request: HttpRequest, slug: str, engine: str, new: NewEngineRun) -> Status[dict[str, Any]]:
    """Ask for all topics in a job. The run is imported when every topic has an answer."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    found = get_object_or_404(member.collection.engines, name=engine)
    _, job = start_run(found, **new.dict(), user=user_of(request))
    return Status(202, shown_job(job))


@router.get("/collections/{slug}/engine-runs", response=list[EngineRunOut])
def runs(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The runs from search engines, the newest first, with the topics that failed."""
    collection = member_of(request, slug, RESEARCHERS).collection
    return [_shown_run(row) for row in collection.engine_runs.select_related("engine")[:100]]


@router.post("/collections/{slug}/engine-runs/{run_id}/continue", response={202: JobOut})
def ask_again(request: HttpRequest, slug: str, run_id: UUID) -> Status[dict[str, Any]]:
    """Ask for the topics that have no answer, in a job."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    run = get_object_or_404(member.collection.engine_runs.select_related("engine"), public_id=run_id)
    return Status(202, shown_job(go_on(run, user_of(request))))


def _shown(row: SearchEngine) -> dict[str, Any]:
    return {"name": row.name, "settings": row.settings, "has_secret": bool(row.secret)}


def _shown_run(run: EngineRun) -> dict[str, Any]:
    failed = dict(run.answers.exclude(problem="").values_list("topic__query_id", "problem"))
    return {
        "id": run.public_id,
        "engine": run.engine.name if run.engine else "",
        "system": run.system,
        "depth": run.depth,
        "version": run.version,
        "is_complete": run.finished_at is not None,
        "answered": run.answers.filter(problem="").count(),
        "failed": failed,
        "notes": run.notes,
    }
