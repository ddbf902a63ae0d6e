"""The audit log of one collection, for its owners."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from assess.access import OWNERS, member_view
from assess.models import Member
from assess.people.audit import events_of
from assess.web.audit_pages import audit_download, audit_response
from assess.web.requests import SignedInRequest, refusals_shown_by

TEMPLATE = "research/audit.html"


def _page(member: Member) -> dict[str, object]:
    return {"collection": member.collection, "member": member, "here": "audit"}


def _refused(request: HttpRequest, member: Member, refusal: Exception) -> HttpResponse:
    return audit_response(request, TEMPLATE, None, _page(member) | {"refusal": refusal})


@require_safe
@member_view(OWNERS)
@refusals_shown_by(_refused)
def audit(request: HttpRequest, member: Member) -> HttpResponse:
    """The collection's entries, newest first; `?action=` selects those of one action."""
    return audit_response(request, TEMPLATE, events_of(member.collection), _page(member))


@require_safe
@member_view(OWNERS)
def audit_csv(request: SignedInRequest, member: Member) -> HttpResponseBase:
    """The collection's entries, as CSV."""
    return audit_download(events_of(member.collection), request.user, member.collection)
