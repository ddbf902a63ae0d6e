"""The page and the download of an audit log, of one collection or of the site."""

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from assess import audit
from assess.models import Action, AuditEvent, Collection, User
from assess.people.audit import audit_csv, audit_page


def audit_response(
    request: HttpRequest, template: str, events: QuerySet[AuditEvent] | None, page: dict[str, Any]
) -> HttpResponse:
    """Render a page of the log, or with `events` None and a refusal in `page` what was wrong."""
    action, older = request.GET.get("action", ""), request.GET.get("older", "")
    own = {"actions": Action.choices, "action": action, "first": not older, "days": settings.AUDIT_DAYS}
    page = own | page
    if events is not None:
        page["log"] = audit_page(events, action, older)
    return render(request, template, page, status=400 if events is None else 200)


def audit_download(events: QuerySet[AuditEvent], user: User, collection: Collection | None) -> StreamingHttpResponse:
    """Send the log as CSV. The download is an entry itself."""
    audit.record(Action.EXPORTED, actor=user, collection=collection, subject="audit log")
    name = f"{collection.slug if collection else 'site'}-audit.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(audit_csv(events), content_type="text/csv; charset=utf-8", headers=headers)
