"""The user of the token, and collections."""

from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import READERS
from assess.api.bodies import Body
from assess.api.members import Paging, check_scope, member_of, page_of, token_of
from assess.collections.create import create_collection, free_slug
from assess.models import ApiToken, Collection, Member, Role, Scope
from assess.people.creators import may_create_collections

router = Router(tags=["collections"])
EVERYBODY = READERS | {Role.ASSESSOR}


class Me(Schema):
    """The user of the token, and what it allows."""

    username: str
    token: str
    scope: str
    expires_at: datetime


class GradeOut(Schema):
    """A grade of the scale."""

    value: int
    name: str
    meaning: str


class CollectionOut(Schema):
    """A collection, as a member sees it."""

    slug: str
    name: str
    role: str
    is_open: bool
    is_archived: bool
    scale: list[GradeOut]


class CollectionPage(Schema):
    """A page of collections."""

    results: list[CollectionOut]
    next: int | None


class NewCollection(Body):
    """A collection to create. A grade is written VALUE=NAME, or VALUE=NAME:MEANING."""

    name: str = Field(max_length=200)
    slug: str = Field("", max_length=60)
    scale: list[str] = Field(["0=Not relevant", "1=Relevant"], min_length=2, max_length=11)
    description: str = Field("", max_length=5_000)


@router.get("/me", response=Me)
def me(request: HttpRequest) -> dict[str, Any]:
    """The user of the token, and what it allows."""
    token = token_of(request)
    return {
        "username": token.user.get_username(),
        "token": token.name,
        "scope": token.scope,
        "expires_at": token.expires_at,
    }


@router.get("/collections", response=CollectionPage)
def collections(request: HttpRequest, paging: Query[Paging]) -> dict[str, Any]:
    """The collections that the token may see, in the order of joining."""
    return page_of(_memberships(token_of(request)), paging, _shown)


@router.post("/collections", response={201: CollectionOut})
def create(request: HttpRequest, new: NewCollection) -> Status[dict[str, Any]]:
    """Create a collection, whose owner is the user. A token that is limited to collections cannot."""
    token = token_of(request)
    check_scope(token, Scope.MANAGE)
    if token.is_limited or not may_create_collections(token.user):
        raise PermissionDenied("This token cannot create collections on this site.")
    slug = new.slug or free_slug(new.name)
    created = create_collection(slug, new.name, new.scale, description=new.description, owner=token.user)
    return Status(201, _shown(Member.objects.select_related("collection").get(collection=created, user=token.user)))


@router.get("/collections/{slug}", response=CollectionOut)
def collection(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One collection."""
    return _shown(member_of(request, slug, EVERYBODY))


def _memberships(token: ApiToken) -> QuerySet[Member]:
    rows = Member.objects.filter(user=token.user_id).select_related("collection")
    rows = rows.prefetch_related("collection__grades").exclude(collection__exercise__isnull=False)
    return rows.filter(collection__in=token.collections.all()) if token.is_limited else rows


def _shown(member: Member) -> dict[str, Any]:
    collection: Collection = member.collection
    grades = [{"value": each.value, "name": each.name, "meaning": each.meaning} for each in collection.grades.all()]
    return {
        "slug": collection.slug,
        "name": collection.name,
        "role": member.role,
        "is_open": not collection.closed_because,
        "is_archived": collection.archived_at is not None,
        "scale": sorted(grades, key=lambda grade: grade["value"]),
    }
