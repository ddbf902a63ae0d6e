"""The home page."""

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from assess.models import Role
from assess.people.creators import may_create_collections
from assess.teaching.seats import current_seat
from assess.web.requests import SignedInRequest


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """The user's exercises, and collections with a link that fits the user's role in each; archived ones last.

    Students are redirected to their seat.
    """
    if seat := current_seat(request.user):
        return redirect("join:seat", code=seat.exercise.code)
    is_exercise = Q(role=Role.INSTRUCTOR, collection__exercise__isnull=False)
    rows = request.user.memberships.select_related("collection").annotate(is_exercise=is_exercise)
    every = list(rows.order_by("collection__name"))
    memberships = [row for row in every if not row.is_exercise]
    page = {
        "n_exercises": len(every) - len(memberships),
        "memberships": [row for row in memberships if not row.collection.archived_at],
        "archived": [row for row in memberships if row.collection.archived_at],
        "may_create": may_create_collections(request.user),
    }
    return render(request, "account/home.html", page)
