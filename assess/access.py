"""Who may open the pages of a collection.

An outsider cannot learn whether a collection exists: a missing one, somebody else's, and one that belongs to an
exercise past its last day all answer 404. A member whose role is too low gets 403. The login middleware asks everyone
to sign in first.
"""

from collections.abc import Callable
from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from assess import prepared
from assess.models import Member, Role

ASSESSORS = frozenset({Role.ASSESSOR})
OWNERS = frozenset({Role.OWNER})
RESEARCHERS = frozenset({Role.OWNER, Role.RESEARCHER})
READERS = RESEARCHERS | {Role.INSTRUCTOR}
View = Callable[..., HttpResponseBase]


def check_role(member: Member, roles: frozenset[Role]) -> None:
    """Refuse a member whose role is not one of these."""
    if member.role not in roles:
        allowed = ", ".join(sorted(roles))
        raise PermissionDenied(f"Your role in this collection does not allow this page. It is for: {allowed}.")


def member_view(roles: frozenset[Role], or_assigned: bool = False) -> Callable[[View], View]:
    """Decorate a view of one collection. It gets the signed-in member in place of the collection's slug.

    With `or_assigned`, members of other roles who have assignments may open it too: researchers who adjudicate.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **arguments: object) -> HttpResponseBase:
            member, is_expired = prepared.member(request.user.pk, slug, timezone.localdate()) or (None, False)
            if member is None or is_expired:
                raise Http404
            if not (or_assigned and member.role not in roles and member.assignments.exists()):
                check_role(member, roles)
            return view(request, member, **arguments)

        return guarded

    return decorate
