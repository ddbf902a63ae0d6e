"""The collections of a person, to which the sidebar switches."""

from typing import NamedTuple

from django.urls import reverse

from assess.models import Member, Role

MOST = 12
VIEWS = {Role.ASSESSOR: "judge:topics", Role.INSTRUCTOR: "research:agreement"}  # others open the overview


class Other(NamedTuple):
    """A collection with the person's role in it, and the page that this role opens."""

    name: str
    role: str
    address: str


def others_of(member: Member) -> list[Other]:
    """Return the person's other collections by name, without archived ones. One query."""
    rows = Member.objects.filter(user=member.user_id, collection__archived_at=None).exclude(pk=member.pk)
    values = rows.order_by("collection__name", "pk").values_list("collection__name", "role", "collection__slug")
    return [
        Other(name, Role(role).label, reverse(VIEWS.get(Role(role), "research:collection"), args=[slug]))
        for name, role, slug in values[:MOST]
    ]
