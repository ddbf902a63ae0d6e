"""The instructor's room."""

from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assess.models import Role


@require_safe
@never_cache
def home(request):
    """The collections that the instructor may show to a class."""
    memberships = request.user.memberships.filter(role=Role.INSTRUCTOR).select_related("collection")
    return render(request, "teach/home.html", {"memberships": memberships.order_by("collection__name")})
