"""The first page after signing in."""

from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def home(request):
    """The collections of the person who signed in, each with what their role does there."""
    memberships = request.user.memberships.select_related("collection").order_by("collection__name")
    return render(request, "account/home.html", {"memberships": memberships})
