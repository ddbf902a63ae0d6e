"""The releases of a collection, and their files."""

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import Paging, member_of, page_of, user_of
from assess.models import Member, Release, Scope
from assess.releases.stored import archive_of, file_of, files_of

router = Router(tags=["releases"])


class ReleaseOut(Schema):
    """A frozen gold."""

    id: int
    name: str
    version: int
    size: int
    manifest_sha256: str
    created_at: datetime
    is_withdrawn: bool


class NewRelease(Body):
    """The gold to release. Empty `judges` and `topics` stand for all; an empty measure for the usual one."""

    name: str = Field("main", max_length=200)
    rule: str = Field(max_length=200)
    rel: int | None = Field(None, ge=0, le=9)
    judges: list[str] = Field([], max_length=10_000)
    topics: list[str] = Field([], max_length=100_000)
    notes: str = Field("", max_length=10_000)
    authors: str = Field("", max_length=300)
    licence: str = Field("", max_length=300)
    measure: str = Field("", max_length=200)
    rounding: str = Field("", max_length=20)


class ReleaseFile(Schema):
    """A file of a release."""

    name: str
    sha256: str


class ReleasePage(Schema):
    """A page of releases."""

    results: list[ReleaseOut]
    next: int | None


@router.get("/collections/{slug}/releases", response=ReleasePage)
def releases(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The releases, in the order of their creation."""
    member = member_of(request, slug, RESEARCHERS)
    return page_of(Release.objects.filter(collection=member.collection_id).defer("archive"), paging, _shown)


@router.post("/collections/{slug}/releases", response={202: JobOut})
def create(request: HttpRequest, slug: str, new: NewRelease) -> Status[dict[str, Any]]:
    """Release a gold in a job. A known name makes its next version."""
    from assess.releases.choices import start_release  # loads pandas

    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return Status(202, shown_job(start_release(member.collection, user_of(request), new.dict())))


@router.get("/collections/{slug}/releases/{release_id}.zip", response={200: bytes})
def archive(request: HttpRequest, slug: str, release_id: int) -> HttpResponse:
    """The zip file of a release. The export is recorded in the audit log."""
    found = _release(member_of(request, slug, RESEARCHERS), release_id)
    return HttpResponse(archive_of(found, user_of(request)), content_type="application/zip")


@router.get("/collections/{slug}/releases/{release_id}/files", response=list[ReleaseFile])
def files(request: HttpRequest, slug: str, release_id: int) -> Any:
    """The files of a release with their checksums."""
    return files_of(_release(member_of(request, slug, RESEARCHERS), release_id))


@router.get("/collections/{slug}/releases/{release_id}/files/{path:name}", response={200: bytes})
def file(request: HttpRequest, slug: str, release_id: int, name: str) -> HttpResponse:
    """One file of a release. The export is recorded in the audit log."""
    content = file_of(_release(member_of(request, slug, RESEARCHERS), release_id), name, user_of(request))
    if content is None:
        raise Http404
    return HttpResponse(content, content_type="application/octet-stream")


def _release(member: Member, release_id: int) -> Release:
    found = Release.objects.defer("archive").filter(collection=member.collection_id)
    return get_object_or_404(found, pk=min(release_id, 2**63 - 1))


def _shown(release: Release) -> dict[str, Any]:
    return {
        "id": release.pk,
        "name": release.name,
        "version": release.version,
        "size": release.size,
        "manifest_sha256": release.manifest_sha256,
        "created_at": release.created_at,
        "is_withdrawn": release.withdrawn_at is not None,
    }
