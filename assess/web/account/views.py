"""The home page."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from assess.people.creators import may_create_collections
from assess.teaching.seats import current_seat
from assess.web.requests import SignedInRequest


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """The user's collections, with a link that fits the user's role in each; archived ones last.

    Students are redirected to their seat.
    """
    if seat := current_seat(request.user):
        return redirect("join:seat", code=seat.exercise.code)
    memberships = list(request.user.memberships.select_related("collection").order_by("collection__name"))
    page = {
        "memberships": [row for row in memberships if not row.collection.archived_at],
        "archived": [row for row in memberships if row.collection.archived_at],
        "may_create": may_create_collections(request.user),
    }
    return render(request, "account/home.html", page)
