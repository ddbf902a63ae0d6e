"""The settings of a collection, for its owners: name, descriptions, scale, and the archive."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import OWNERS, member_view
from assess.collections.archive import archive_collection, restore_collection
from assess.collections.change import change_collection
from assess.collections.scale import grades_of, is_frozen, set_grades
from assess.errors import Refused
from assess.models import Member
from assess.web.grades import grade_buttons
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest
from assess.web.research.settings.create_views import SHOW_PREVIEW
from assess.web.research.settings.forms import TextsForm
from assess.web.research.settings.scale_form import ScaleEditor, preview_of

LABELS = {name: str(field.label) for name, field in TextsForm.base_fields.items()}


@require_safe
@member_view(OWNERS)
def settings(request: HttpRequest, member: Member) -> HttpResponse:
    """All settings of the collection."""
    return _page(request, member)


def _texts_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "texts", refusal, form=TextsForm(request.POST))


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_texts_refused)
def change_texts(request: SignedInRequest, member: Member) -> HttpResponse:
    """Change the name and the descriptions."""
    values = TextsForm(request.POST).cleaned()
    changed = change_collection(member.collection, **values, actor=request.user)
    labels = ", ".join(LABELS[name].lower() for name in changed)
    return _redirect(request, member, "texts", f"Saved: {labels}." if changed else "Nothing has changed.")


def _scale_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "scale", refusal, editor=ScaleEditor(request.POST))


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_scale_refused)
def change_scale(request: SignedInRequest, member: Member) -> HttpResponse:
    """Change the scale, which is possible until the first judgement. The step "preview" only shows it."""
    editor = ScaleEditor(request.POST)
    if request.POST.get("step") == SHOW_PREVIEW:
        return _page(request, member, editor=editor)
    set_grades(member.collection, editor.grades(), request.user)
    return _redirect(request, member, "scale", "The scale is saved.")


def _archive_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "archive", refusal)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_archive_refused)
def archive(request: SignedInRequest, member: Member) -> HttpResponse:
    """Archive the collection."""
    archive_collection(member.collection, request.user)
    return _redirect(request, member, "archive", "The collection is archived.")


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_archive_refused)
def restore(request: SignedInRequest, member: Member) -> HttpResponse:
    """Restore the collection from the archive."""
    restore_collection(member.collection, request.user)
    return _redirect(request, member, "archive", "The collection is restored from the archive.")


def _redirect(request: HttpRequest, member: Member, section: str, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect(f"{reverse('research:settings', args=[member.collection.slug])}#{section}")


def _page(
    request: HttpRequest, member: Member, section: str = "", refusal: Refused | None = None, **forms: Any
) -> HttpResponse:
    """Render the page. `forms` replace the stored values by what the user typed."""
    grades = grades_of(member.collection)
    editor = forms.get("editor") or ScaleEditor(grades=grades)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "settings",
        "section": section,
        "refusal": refusal,
        "form": TextsForm(collection=member.collection),
        "editor": editor,
        "preview": preview_of(editor),
        "is_frozen": is_frozen(member.collection),
        "grades": grade_buttons(grades),
    }
    return render(request, "research/settings/settings.html", page | forms, status=400 if refusal else 200)
