"""The audit log of the whole site, for site owners. Everybody else gets a 404."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from assess.people.audit import events_of
from assess.web.audit_pages import audit_download, audit_response
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.site_owners import site_owner_view

TEMPLATE = "account/audit.html"


def _refused(request: HttpRequest, refusal: Exception) -> HttpResponse:
    return audit_response(request, TEMPLATE, None, {"here": "audit", "refusal": refusal})


@require_safe
@site_owner_view
@refusals_shown_by(_refused)
def audit(request: SignedInRequest) -> HttpResponse:
    """All entries, newest first; `?action=` selects those of one action."""
    return audit_response(request, TEMPLATE, events_of(None), {"here": "audit"})


@require_safe
@site_owner_view
def audit_csv(request: SignedInRequest) -> HttpResponseBase:
    """All entries, as CSV."""
    return audit_download(events_of(None), request.user, None)
