"""Who may open an address of a collection.

An outsider learns nothing: a collection that is missing and one that is somebody else's both answer 404. A member
whose role is too low gets 403. Signing in is asked for by the middleware, everywhere.
"""

from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.views.decorators.cache import never_cache

from assess.models import Member, Role

ASSESSORS = frozenset({Role.ASSESSOR})
RESEARCHERS = frozenset({Role.OWNER, Role.RESEARCHER})
READERS = RESEARCHERS | {Role.INSTRUCTOR}


def member_view(roles: frozenset[Role]):
    """A view of one collection, given the signed-in member instead of the address's slug."""

    def decorate(view):
        @never_cache  # going back after signing out shows nothing
        @wraps(view)
        def guarded(request, slug, **arguments):
            member = (
                Member.objects.select_related("collection").filter(collection__slug=slug, user=request.user).first()
            )
            if member is None:
                raise Http404
            if member.role not in roles:
                raise PermissionDenied(f"This page is for the {', '.join(sorted(roles))} of the collection.")
            return view(request, member, **arguments)

        return guarded

    return decorate
