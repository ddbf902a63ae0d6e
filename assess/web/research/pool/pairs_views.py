"""The pairs of the pool as a file, in the forms that other programs read."""

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.models import Member
from assess.transfer.pool_export import pool_file
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.pool.views import show_refusal


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def pairs(request: SignedInRequest, member: Member) -> StreamingHttpResponse:
    """The pool in the form `?format=`, with a file of its own for each `?annotator=`, drawn with `?seed=`."""
    form = request.GET.get("format", "jsonl")
    file = pool_file(member.collection, form, request.GET.getlist("annotator"), _seed(request.GET.get("seed", "")))
    audit.record_export(member.collection, audit.pool_subject(form), request.user)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return StreamingHttpResponse(file.pieces, content_type=file.content_type, headers=headers)


def _seed(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise Refused(f"The seed must be a whole number, not {text[:40]!r}.")
    return int(text)
