"""The protocol of uploads, for the script of the import page. Each user sees their own uploads only.

POST upload/ with name and size begins an upload, or continues an unfinished one. GET upload/ID/ has the next offset.
POST upload/ID/chunk/?offset=N has the bytes as its body; at a wrong offset the answer is 409 with the expected one.
POST upload/ID/finish/ has the SHA-256 of the whole file.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Conflict, Refused
from assess.models import Member, Upload
from assess.transfer.uploads import receive
from assess.web.requests import RefusingForm, SignedInRequest

MAX_NAME = 4_096  # a browser may send a path
MAX_SIZE = 2**62


class CreateForm(RefusingForm):
    """The file that a browser is about to send."""

    name = forms.CharField(max_length=MAX_NAME)
    size = forms.IntegerField(min_value=0, max_value=MAX_SIZE)


class OffsetForm(RefusingForm):
    """Where a chunk begins."""

    offset = forms.IntegerField(min_value=0, max_value=MAX_SIZE)


class FinishForm(RefusingForm):
    """The checksum of the whole file."""

    sha256 = forms.CharField(max_length=64)


def answers_json(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a view: a refusal becomes JSON with status 400, or 409 with the expected offset."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        try:
            return view(request, *arguments, **keywords)
        except receive.WrongOffset as refusal:
            return JsonResponse({"error": str(refusal), "offset": refusal.expected}, status=409)
        except Refused as refusal:
            return JsonResponse({"error": str(refusal)}, status=409 if isinstance(refusal, Conflict) else 400)

    return guarded


@require_POST
@member_view(RESEARCHERS)
@answers_json
def create(request: SignedInRequest, member: Member) -> HttpResponse:
    """Begin or continue an upload."""
    form = CreateForm(request.POST).cleaned()
    return _answer(receive.create_upload(member.collection, request.user, form["name"], form["size"]))


@require_safe
@member_view(RESEARCHERS)
def state(request: SignedInRequest, member: Member, upload_id: UUID) -> HttpResponse:
    """How much of a file has arrived."""
    return _answer(own_upload(request, member, upload_id))


@require_POST
@member_view(RESEARCHERS)
@answers_json
def chunk(request: SignedInRequest, member: Member, upload_id: UUID) -> HttpResponse:
    """Store a chunk. The body is read once, and no form is parsed."""
    upload = own_upload(request, member, upload_id)
    offset = OffsetForm(request.GET).cleaned()["offset"]
    upload.received = receive.receive_chunk(upload, offset, request.read(settings.UPLOAD_CHUNK_BYTES + 1))
    return _answer(upload)


@require_POST
@member_view(RESEARCHERS)
@answers_json
def finish(request: SignedInRequest, member: Member, upload_id: UUID) -> HttpResponse:
    """Compare the checksum, and say what the file is."""
    upload = own_upload(request, member, upload_id)
    return _answer(receive.finish_upload(upload, FinishForm(request.POST).cleaned()["sha256"]))


@require_POST
@member_view(RESEARCHERS)
def remove(request: SignedInRequest, member: Member, upload_id: UUID) -> HttpResponse:
    """Delete an upload."""
    receive.remove_upload(own_upload(request, member, upload_id))
    return redirect("research:import", member.collection.slug)


def own_upload(request: SignedInRequest, member: Member, upload_id: UUID) -> Upload:
    return get_object_or_404(Upload, public_id=upload_id, collection=member.collection, user=request.user)


def _answer(upload: Upload) -> JsonResponse:
    url = reverse("research:upload", args=[upload.collection.slug, upload.public_id])
    return JsonResponse(
        {
            "url": url,
            "offset": upload.received,
            "size": upload.size,
            "complete": upload.completed_at is not None,
            "label": upload.label,
            "error": upload.error,
        }
    )
