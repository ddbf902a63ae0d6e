"""Who may open an address of a collection.

An outsider learns nothing: a collection that is missing and one that is somebody else's both answer 404,
and so does that of an exercise whose day to be erased has come. A member
whose role is too low gets 403. Signing in is asked for by the middleware, everywhere.
"""

from functools import wraps

from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404
from django.utils import timezone
from django.views.decorators.cache import never_cache

from assess.lib.prepared import Composed, Given
from assess.models import Member, Role

ASSESSORS = frozenset({Role.ASSESSOR})
RESEARCHERS = frozenset({Role.OWNER, Role.RESEARCHER})
READERS = RESEARCHERS | {Role.INSTRUCTOR}
OWN = Composed(
    lambda: (
        Member.objects.select_related("collection")
        .filter(user=Given("user"), collection__slug=Given("slug"))
        .annotate(erase_on=F("collection__exercise__erase_on"))
    )
)


def member_view(roles: frozenset[Role]):
    """A view of one collection, given the signed-in member instead of the address's slug."""

    def decorate(view):
        @never_cache  # going back after signing out shows nothing
        @wraps(view)
        def guarded(request, slug, **arguments):
            member = OWN.first(user=request.user.pk, slug=slug)
            if member is None or (member.erase_on and member.erase_on <= timezone.localdate()):
                raise Http404
            if member.role not in roles:
                raise PermissionDenied(f"This page is for the {', '.join(sorted(roles))} of the collection.")
            return view(request, member, **arguments)

        return guarded

    return decorate
