"""The people of a collection: who they are, inviting others, and changing a role or removing somebody."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import OWNERS, RESEARCHERS
from assess.api.bodies import Body
from assess.api.members import Paging, member_of, page_of, user_of
from assess.models import Member, Role, Scope
from assess.people import invitations, removal, roles

router = Router(tags=["people"])
LONGEST_NAME = Member._meta.get_field("name").max_length


class PersonOut(Schema):
    """A member of a collection. Assessors have pseudonyms."""

    name: str
    role: str


class PersonPage(Schema):
    """A page of people."""

    results: list[PersonOut]
    next: int | None


class NewInvitation(Body):
    """An invitation link."""

    role: Role
    uses: int = Field(1, ge=1, le=1_000)
    days: int = Field(14, ge=1, le=366)


class InvitationOut(Schema):
    """The address of an invitation. It is not shown again."""

    path: str


class NewRole(Body):
    """Another role for a member. With `allow_sighted`, somebody may judge who could see the runs."""

    name: str = Field(max_length=LONGEST_NAME)
    role: Role
    allow_sighted: bool = False


class Leaving(Body):
    """The member to remove."""

    name: str = Field(max_length=LONGEST_NAME)


class RemovalOut(Schema):
    """How many open tasks were returned, and how many judgements stay."""

    returned: int
    judgements: int


@router.get("/collections/{slug}/people", response=PersonPage)
def people(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The members of a collection, for its researchers."""
    member = member_of(request, slug, RESEARCHERS)
    return page_of(member.collection.members.all(), paging, _shown)


@router.post("/collections/{slug}/invitations", response={201: InvitationOut})
def invite(request: HttpRequest, slug: str, new: NewInvitation) -> Status[dict[str, str]]:
    """Create an invitation link."""
    member = member_of(request, slug, OWNERS, Scope.MANAGE)
    token = invitations.create(member.collection, member, new.role, uses=new.uses, days=new.days)
    return Status(201, {"path": reverse("invitation:open", args=[token])})


@router.post("/collections/{slug}/people/roles", response=PersonOut)
def change_role(request: HttpRequest, slug: str, new: NewRole) -> dict[str, Any]:
    """Give a member another role. An assessor with work keeps the role."""
    collection = member_of(request, slug, OWNERS, Scope.MANAGE).collection
    return _shown(roles.change_role(collection, new.name, new.role, user_of(request), new.allow_sighted))


@router.post("/collections/{slug}/people/removals", response=RemovalOut)
def remove(request: HttpRequest, slug: str, leaving: Leaving) -> dict[str, Any]:
    """Remove a member. Open tasks are returned, and judgements stay under the pseudonym."""
    collection = member_of(request, slug, OWNERS, Scope.MANAGE).collection
    return asdict(removal.remove_member(collection, leaving.name, user_of(request)))


def _shown(member: Member) -> dict[str, Any]:
    return {"name": member.name, "role": member.role}
