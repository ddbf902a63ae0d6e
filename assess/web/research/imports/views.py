"""The import page: files, their check, the import itself, and the list of imports.

Everything that loads pandas is imported inside the views.
"""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue, workers
from assess.lib.csv_file import csv_text
from assess.models import ImportKind, ImportRecord, Job, JobState, Member, User
from assess.web.figures.tables import file_response
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel

if TYPE_CHECKING:
    from assess.web.research.imports.forms import OptionsForm

LISTED_PROBLEMS = 20
IMPORTS = [f"import_{kind}" for kind in ImportKind.values]


@require_safe
@member_view(RESEARCHERS)
def import_page(request: SignedInRequest, member: Member) -> HttpResponse:
    """The files that wait for their import, and the imports of the collection."""
    return _page(request, member)


def _page(request: SignedInRequest, member: Member, refusal: Refused | None = None, **_: Any) -> HttpResponse:
    from assess.transfer.uploads import page as import_state
    from assess.transfer.uploads.data_set import why_unavailable
    from assess.transfer.uploads.server_path import may_use_server_paths
    from assess.transfer.uploads.storage import kinds_of
    from assess.web.research.imports.forms import KIND_CHOICES, describe_options  # loads pandas

    uploads = import_state.uploads_of_user(member.collection, request.user)
    complete = [upload for upload in uploads if upload.completed_at]
    context = {
        "collection": member.collection,
        "member": member,
        "here": "import",
        "refusal": refusal,
        "files": complete,
        "unfinished": [upload for upload in uploads if not upload.completed_at],
        "kinds": KIND_CHOICES,
        "options": _options_form(member, request.user).groups(kinds_of(complete)),
        "pasted": request.POST.get("text", "") if refusal else "",
        "may_use_server_paths": may_use_server_paths(request.user),
        "roots": settings.IMPORT_ROOTS,
        "chunk_bytes": settings.UPLOAD_CHUNK_BYTES,
        "data_sets_unavailable": why_unavailable(),
        "records": [
            (row, describe_options(row.record.options)) for row in import_state.latest_records(member.collection)
        ],
        **job_panel(member, "undo_import", *IMPORTS),
    }
    return render(request, "research/imports/import.html", context, status=400 if refusal else 200)


def _options_form(member: Member, user: User, data: QueryDict | None = None) -> "OptionsForm":
    """The form of options, with those of the user's latest check."""
    from assess.transfer.judgement_options import people_of
    from assess.transfer.uploads import page as import_state
    from assess.web.research.imports.forms import OptionsForm  # loads pandas

    people, headers = people_of(member.collection), import_state.table_headers(member.collection, user)
    return OptionsForm(data, {} if data else import_state.latest_options(member.collection, user), people, headers)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def paste(request: SignedInRequest, member: Member) -> HttpResponse:
    """Add pasted text as a file."""
    from assess.transfer.uploads import receive
    from assess.web.research.imports.forms import PasteForm  # loads pandas

    form = PasteForm(request.POST).cleaned()
    receive.paste(member.collection, request.user, form["name"], form["text"])
    return redirect("research:import", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def server_path(request: SignedInRequest, member: Member) -> HttpResponse:
    """Add a file of the server."""
    from assess.transfer.uploads import receive
    from assess.web.research.imports.forms import PathForm  # loads pandas

    receive.add_server_path(member.collection, request.user, PathForm(request.POST).cleaned()["path"])
    return redirect("research:import", member.collection.slug)


@require_safe
@member_view(RESEARCHERS)
def data_sets(request: SignedInRequest, member: Member) -> HttpResponse:
    """The data sets of ir-datasets that may be imported, with their sizes."""
    return _data_sets(request, member)


def _data_sets(request: SignedInRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    from assess.transfer.uploads import data_set
    from assess.web.research.imports.forms import PART_CHOICES  # loads pandas

    context = {
        "collection": member.collection,
        "member": member,
        "here": "import",
        "refusal": refusal,
        "unavailable": data_set.why_unavailable(),
        "data_sets": data_set.data_sets(),
        "kinds": PART_CHOICES,
        "chosen": request.POST.get("data_set"),
        "chosen_kinds": request.POST.getlist("kinds") if refusal else [kind for kind, _ in PART_CHOICES],
    }
    return render(request, "research/imports/data_sets.html", context, status=400 if refusal else 200)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_data_sets)
def add_data_set(request: SignedInRequest, member: Member) -> HttpResponse:
    """Add parts of a data set to the files that wait for their import."""
    from assess.transfer.uploads import data_set
    from assess.web.research.imports.forms import DataSetForm  # loads pandas

    form = DataSetForm(request.POST).cleaned()
    data_set.add_data_set(member.collection, request.user, form["data_set"], form["kinds"])
    return redirect("research:import", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def check(request: SignedInRequest, member: Member) -> HttpResponse:
    """Check all files of the user with the chosen options."""
    from assess.transfer.uploads import page as import_state
    from assess.transfer.uploads import receive
    from assess.web.research.imports.forms import corrections  # loads pandas

    options = _options_form(member, request.user, request.POST).values()
    uploads = import_state.uploads_of_user(member.collection, request.user)
    complete = [upload for upload in uploads if upload.completed_at]
    receive.correct(complete, corrections(request.POST, complete))
    job = import_state.start_check(member.collection, request.user, options)
    return redirect("research:import_preview", member.collection.slug, job.public_id)


@require_safe
@member_view(RESEARCHERS)
def preview(request: SignedInRequest, member: Member, check_id: UUID) -> HttpResponse:
    """What a check found. Until it has ended, the page reloads itself."""
    return _preview(request, member, check_id=check_id)


def _preview(
    request: SignedInRequest, member: Member, refusal: Refused | None = None, *, check_id: UUID
) -> HttpResponse:
    from assess.web.research.imports.forms import other_options, questions_of  # loads pandas

    job = _check(request, member, check_id)
    result = job.result or {}
    questions = questions_of(result)
    keys = job.input.get("uploads", [])
    context = {
        "collection": member.collection,
        "member": member,
        "here": "import",
        "refusal": refusal,
        "job": job,
        "result": result,
        "problems": result.get("problems", [])[:LISTED_PROBLEMS],
        "problem_count": result.get("problem_count", 0) - sum(len(question.files) for question in questions),
        "questions": questions,
        "other_options": other_options(job.input.get("options", {}), questions),
        "files": member.collection.uploads.filter(pk__in=keys, user=request.user),
        "can_start": job.state == JobState.DONE and result and not result["problem_count"],
        "has_worker": workers.is_running(),
    }
    return render(request, "research/imports/preview.html", context, status=400 if refusal else 200)


@require_safe
@member_view(RESEARCHERS)
def problems_csv(request: SignedInRequest, member: Member, check_id: UUID) -> HttpResponse:
    """The invalid lines that a check found."""
    result = _check(request, member, check_id).result or {"problems": []}
    text = csv_text([["file", "line", "problem"], *result["problems"]])
    return file_response(text.encode(), "invalid.csv", "text/csv; charset=utf-8")


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_preview)
def start(request: SignedInRequest, member: Member, check_id: UUID) -> HttpResponse:
    """Import the files that were checked, with the same options."""
    from assess.transfer.uploads.importing import start_import  # loads pandas

    checked = _check(request, member, check_id)
    if checked.state != JobState.DONE or not checked.result or checked.result["problem_count"]:
        raise Refused("The files have invalid lines or were not checked completely, so nothing is imported.")
    start_import(member.collection, request.user, checked.input["uploads"], checked.input["options"])
    return to_panel("import", member)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def undo(request: SignedInRequest, member: Member, record_id: int) -> HttpResponse:
    """Undo an import in the background."""
    record = get_object_or_404(ImportRecord, pk=record_id, collection=member.collection)
    arguments = {"record": record.pk, "user": request.user.pk}
    queue.start("undo_import", member.collection, request.user, arguments)
    return to_panel("import", member)


def _check(request: HttpRequest, member: Member, check_id: UUID) -> Job:
    checks = member.collection.jobs.filter(kind="check_files", user=request.user.pk)
    return get_object_or_404(checks, public_id=check_id)
