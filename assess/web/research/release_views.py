"""Releases: the list with form and preview, one release with its files, and downloads.

`assess.releases.preview` loads pandas, so it is imported inside the view.
"""

import io
import json
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.models import Member, Release
from assess.releases.archive import file_in
from assess.releases.certificates import DISPLAYED, FILE, sentences, table_rows
from assess.releases.stored import archive_of, file_of, files_of, releases_of, withdrawn_sentence
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel
from assess.web.research.release_forms import ReleaseForm

TEXT = "text/plain; charset=utf-8"


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    data = request.POST or request.GET
    page = _page(member, ReleaseForm(member.collection, data if "rule" in data else None))
    return render(request, "research/releases/releases.html", page | {"refusal": refusal}, status=400)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def releases(request: HttpRequest, member: Member) -> HttpResponse:
    """The releases, the form, and the preview of the choices in the query."""
    if "rule" not in request.GET:
        return render(request, "research/releases/releases.html", _page(member, ReleaseForm(member.collection)))
    from assess.releases.choices import ReleaseChoices  # loads pandas
    from assess.releases.preview import preview_release

    form = ReleaseForm(member.collection, request.GET)
    preview = preview_release(member.collection, ReleaseChoices(**form.choices()))
    page = _page(member, form) | {"preview": preview, "fields": _fields(form)}
    return render(request, "research/releases/releases.html", page)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def create(request: SignedInRequest, member: Member) -> HttpResponse:
    """Release the gold in the background."""
    from assess.releases.choices import start_release  # loads pandas

    start_release(member.collection, request.user, ReleaseForm(member.collection, request.POST).choices())
    return to_panel("releases", member)


@require_safe
@member_view(RESEARCHERS)
def release(request: HttpRequest, member: Member, release_id: int) -> HttpResponse:
    """One release: its files with their checksums, the change log, and how to verify it."""
    shown = _release(member, release_id)
    manifest = json.loads(shown.manifest)
    page = {
        "here": "releases",
        "collection": member.collection,
        "member": member,
        "release": shown,
        "manifest": manifest,
        "files": files_of(shown),
        **_texts(shown),
        "has_blindness": any(entry["name"] == FILE for entry in manifest["files"]),
        "withdrawn": withdrawn_sentence(shown) if shown.withdrawn_at else "",
    }
    return render(request, "research/releases/release.html", page)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def release_zip(request: SignedInRequest, member: Member, release_id: int) -> HttpResponseBase:
    """The zip file of a release."""
    shown = _release(member, release_id)
    return _download(archive_of(shown, request.user), f"{member.collection.slug}-{shown}.zip", "application/zip")


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def release_file(request: SignedInRequest, member: Member, release_id: int, file: str) -> HttpResponseBase:
    """One file of a release, always as plain text or a download: the site shows no foreign HTML or SVG."""
    content = file_of(_release(member, release_id), file, request.user)
    if content is None:
        raise Http404
    return _download(content, file.rpartition("/")[2], TEXT)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def blindness(request: HttpRequest, member: Member, release_id: int) -> HttpResponse:
    """What each judge of a release could see, and the versions that the judgements were made under."""
    shown = _release(member, release_id)
    archive = Release.objects.values_list("archive", flat=True).get(pk=shown.pk)
    if archive is None:
        raise Refused(withdrawn_sentence(shown))
    content = file_in(bytes(archive), FILE)
    certificates = json.loads(content)["certificates"] if content else []
    page = {
        "here": "releases",
        "collection": member.collection,
        "member": member,
        "release": shown,
        "rows": list(table_rows(certificates)),
        "sentences": list(sentences(certificates)),
        "file": FILE,
        "displayed": DISPLAYED,
    }
    return render(request, "research/releases/blindness.html", page)


def _texts(shown: Release) -> dict[str, str]:
    """Return what the page shows of the files; nothing if they were deleted."""
    archive = Release.objects.values_list("archive", flat=True).get(pk=shown.pk)
    names = {"log": "CHANGES.md", "methods": "paper/methods.md"}
    files = {key: file_in(bytes(archive), name) if archive else None for key, name in names.items()}
    return {key: (content or b"").decode() for key, content in files.items()}


def _download(content: bytes, name: str, content_type: str) -> FileResponse:
    return FileResponse(io.BytesIO(content), as_attachment=True, filename=name, content_type=content_type)


def _release(member: Member, release_id: int) -> Release:
    return get_object_or_404(releases_of(member.collection).defer(None).defer("archive"), pk=release_id)


def _page(member: Member, form: ReleaseForm) -> dict[str, Any]:
    stored = list(releases_of(member.collection))
    return {
        "here": "releases",
        "collection": member.collection,
        "member": member,
        **job_panel(member, "release"),
        "form": form,
        "releases": stored,
        "last": max(stored, key=lambda each: each.pk, default=None),
        "can_release": not member.collection.archived_at,
    }


def _fields(form: ReleaseForm) -> list[tuple[str, str]]:
    """Return the cleaned choices as hidden fields, one for each value."""
    values = form.cleaned_data
    several = ("judges", "topics")
    single = [(name, str(value)) for name, value in values.items() if name not in several]
    return single + [(name, value) for name in several for value in values[name]]
