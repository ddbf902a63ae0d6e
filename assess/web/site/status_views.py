"""The page Status: whether the site is well, for site owners."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assess.status import sections, site_status
from assess.web.site_owners import site_owner_view


@require_safe
@site_owner_view
def status(request: HttpRequest) -> HttpResponse:
    """What needs somebody to act, and the figures of each subject."""
    current = site_status()
    return render(request, "site/status.html", {"here": "status", "status": current, "sections": sections(current)})
