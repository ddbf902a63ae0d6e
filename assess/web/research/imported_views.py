"""The original files of imported judges."""

from pathlib import PurePath

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import RESEARCHERS, member_view
from assess.models import ImportedFile, Member
from assess.web.requests import SignedInRequest


@require_safe
@member_view(RESEARCHERS)
def original(request: SignedInRequest, member: Member, file_id: int) -> HttpResponse:
    """An imported file, byte for byte. The browser saves it and never shows it: its content is not ours."""
    file = get_object_or_404(ImportedFile, pk=file_id, collection=member.collection)
    audit.record_export(member.collection, f"imported file {file.pk}", request.user)
    headers = {
        "Content-Disposition": content_disposition_header(True, _file_name(file)) or "attachment",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(file.original(), content_type="text/plain; charset=utf-8", headers=headers)


def _file_name(file: ImportedFile) -> str:
    """The name of the file without its folder. A header allows no line ends."""
    return "".join(character if character.isprintable() else "_" for character in PurePath(file.name).name)
