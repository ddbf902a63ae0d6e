"""The releases of a collection, and their files."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema

from assess.access import RESEARCHERS
from assess.api.members import Paging, member_of, page_of, user_of
from assess.models import Release

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


class ReleasePage(Schema):
    """A page of releases."""

    results: list[ReleaseOut]
    next: int | None


@router.get("/collections/{slug}/releases", response=ReleasePage)
def releases(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The releases, in the order of their creation."""
    member = member_of(request, slug, RESEARCHERS)
    return page_of(Release.objects.filter(collection=member.collection_id).defer("archive"), paging, _shown)


@router.get("/collections/{slug}/releases/{release_id}.zip", response={200: bytes})
def archive(request: HttpRequest, slug: str, release_id: int) -> HttpResponse:
    """The zip file of a release. The export is recorded in the audit log."""
    from assess.releases.stored import archive_of

    member = member_of(request, slug, RESEARCHERS)
    found = get_object_or_404(
        Release.objects.defer("archive"), pk=min(release_id, 2**63 - 1), collection=member.collection_id
    )
    return HttpResponse(archive_of(found, user_of(request)), content_type="application/zip")


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
