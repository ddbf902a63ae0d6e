"""Topics, runs and documents of a collection, and files to import, which arrive in chunks as on the page."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import READERS, RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import Paging, member_of, page_of, user_of
from assess.lib.problem import problem
from assess.models import Document, ImportKind, Member, Run, Scope, Topic, Upload
from assess.transfer.uploads import receive

router = Router(tags=["contents"])
MAX_SIZE = 2**62


class TopicOut(Schema):
    """A topic."""

    query_id: str
    title: str
    description: str
    narrative: str


class TopicPage(Schema):
    """A page of topics."""

    results: list[TopicOut]
    next: int | None


class RunOut(Schema):
    """A run of a system."""

    system: str
    lines: int
    topics: int
    checksum: str
    imported_at: datetime


class RunPage(Schema):
    """A page of runs."""

    results: list[RunOut]
    next: int | None


class DocumentOut(Schema):
    """A document that a run or a judgement names."""

    doc_id: str
    has_text: bool


class DocumentPage(Schema):
    """A page of documents."""

    results: list[DocumentOut]
    next: int | None


class NewUpload(Body):
    """A file that the client is about to send."""

    name: str = Field(min_length=1, max_length=4_096)
    size: int = Field(ge=0, le=MAX_SIZE)


class UploadOut(Schema):
    """How much of a file has arrived, and what it was recognised as."""

    id: UUID
    name: str
    offset: int
    size: int
    is_complete: bool
    kind: str
    label: str
    error: str


class ChunkChoices(Schema):
    """Where the chunk begins."""

    offset: int = Field(ge=0, le=MAX_SIZE)


class Finish(Body):
    """The SHA-256 checksum of the whole file, and what the file is, if the client knows better than the site."""

    sha256: str = Field(max_length=64)
    kind: ImportKind | None = None
    given_name: str = Field("", max_length=255)


class NewImport(Body):
    """Which uploads to import, and the options of the kinds of files, as on the page of imports."""

    uploads: list[UUID] = Field(min_length=1, max_length=1_000)
    options: dict[str, str | int | float | bool | None] = {}


@router.get("/collections/{slug}/topics", response=TopicPage)
def topics(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The topics, in the order of import."""
    rows = Topic.objects.filter(collection=member_of(request, slug, READERS).collection)
    return page_of(rows, paging, shown_topic)


def shown_topic(topic: Topic) -> dict[str, Any]:
    """A topic as the API shows it."""
    return {name: getattr(topic, name) for name in TopicOut.model_fields}


@router.get("/collections/{slug}/runs", response=RunPage)
def runs(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The runs, in the order of import."""
    return page_of(Run.objects.filter(collection=member_of(request, slug, READERS).collection), paging, shown_run)


def shown_run(run: Run) -> dict[str, Any]:
    """A run as the API shows it."""
    return {
        "system": run.system,
        "lines": run.line_count,
        "topics": run.topic_count,
        "checksum": run.source_checksum,
        "imported_at": run.imported_at,
    }


@router.get("/collections/{slug}/documents", response=DocumentPage)
def documents(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The documents of the pool and of judgements, without their texts."""
    rows = Document.objects.filter(collection=member_of(request, slug, RESEARCHERS).collection)
    return page_of(rows, paging, shown_document)


def shown_document(document: Document) -> dict[str, Any]:
    """A document as the API shows it."""
    return {"doc_id": document.doc_id, "has_text": document.content_id is not None}


@router.post("/collections/{slug}/uploads", response={201: UploadOut})
def create_upload(request: HttpRequest, slug: str, new: NewUpload) -> Status[dict[str, Any]]:
    """Begin an upload, or continue an unfinished one of the same name and size."""
    member = _manager(request, slug)
    return Status(201, _shown_upload(receive.create_upload(member.collection, user_of(request), new.name, new.size)))


@router.get("/collections/{slug}/uploads/{upload_id}", response=UploadOut)
def upload(request: HttpRequest, slug: str, upload_id: UUID) -> dict[str, Any]:
    """How much of a file has arrived."""
    return _shown_upload(_own_upload(_manager(request, slug), upload_id))


@router.put(
    "/collections/{slug}/uploads/{upload_id}/chunk",
    url_name="send_chunk",
    response=UploadOut,
    openapi_extra={"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
)
def send_chunk(request: HttpRequest, slug: str, upload_id: UUID, choices: Query[ChunkChoices]) -> Any:
    """Send the bytes from the offset on, at most 8 MB. At a wrong offset, the answer is 409 with the expected one."""
    found = _own_upload(_manager(request, slug), upload_id)
    try:
        found.received = receive.receive_chunk(found, choices.offset, request.read(settings.UPLOAD_CHUNK_BYTES + 1))
    except receive.WrongOffset as refusal:
        return problem(409, str(refusal), offset=refusal.expected)
    return _shown_upload(found)


@router.post("/collections/{slug}/uploads/{upload_id}/finish", response=UploadOut)
def finish_upload(request: HttpRequest, slug: str, upload_id: UUID, finish: Finish) -> dict[str, Any]:
    """Compare the checksum, and say what the file is."""
    found = _own_upload(_manager(request, slug), upload_id)
    return _shown_upload(receive.finish_upload(found, finish.sha256, finish.kind or "", finish.given_name))


@router.delete("/collections/{slug}/uploads/{upload_id}", response={204: None})
def remove_upload(request: HttpRequest, slug: str, upload_id: UUID) -> Status[None]:
    """Delete an upload that was not imported."""
    receive.remove_upload(_own_upload(_manager(request, slug), upload_id))
    return Status(204, None)


@router.post("/collections/{slug}/imports", response={202: JobOut})
def import_uploads(request: HttpRequest, slug: str, new: NewImport) -> Status[dict[str, Any]]:
    """Import uploads in a job: all files of a kind or none."""
    from assess.transfer.uploads.importing import start_import  # loads pandas

    member = _manager(request, slug)
    keys = [_own_upload(member, public_id).pk for public_id in new.uploads]
    return Status(202, shown_job(start_import(member.collection, user_of(request), keys, new.options)))


def _manager(request: HttpRequest, slug: str) -> Member:
    return member_of(request, slug, RESEARCHERS, Scope.MANAGE)


def _own_upload(member: Member, public_id: UUID) -> Upload:
    return get_object_or_404(Upload, public_id=public_id, collection=member.collection_id, user=member.user_id)


def _shown_upload(upload: Upload) -> dict[str, Any]:
    return {
        "id": upload.public_id,
        "name": upload.name,
        "offset": upload.received,
        "size": upload.size,
        "is_complete": upload.completed_at is not None,
        "kind": upload.kind,
        "label": upload.label,
        "error": upload.error,
    }
