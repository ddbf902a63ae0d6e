"""The settings of a collection, for its owners: name, descriptions, scale, and the archive."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import OWNERS, RESEARCHERS, member_view
from assess.analysis.reference import Judges, default_reference, judges_of, offered_rules, set_reference
from assess.collections.archive import archive_collection, restore_collection
from assess.collections.change import change_collection
from assess.collections.scale import grades_of, is_frozen, set_grades
from assess.errors import Refused
from assess.models import Collection, Member
from assess.suggestions.choice import EFFECT, changed_sentence, models_with_grades, set_suggestions, suggesting_name
from assess.web.grades import grade_buttons
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.settings.create_views import SHOW_PREVIEW
from assess.web.research.settings.forms import ReferenceForm, SuggestionsForm, TextsForm
from assess.web.research.settings.scale_form import ScaleEditor, preview_of
from assess.web.research.views import refused_page
from assess.web.undoable import undoable

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


def _reference_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    if member.role in OWNERS:
        return _page(request, member, "reference", refusal)
    return refused_page(request, member, refusal)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_reference_refused)
def change_reference(request: SignedInRequest, member: Member) -> HttpResponse:
    """Choose the default reference, on this page or on one that shows it. Researchers may do so too."""
    form = ReferenceForm(request.POST)
    rule = form.cleaned()["reference"]
    fields = [("reference", member.collection.reference), ("page", form.cleaned_data["page"])]
    if set_reference(member.collection, rule, request.user):
        chosen = f"The default reference is {rule}." if rule else "The default reference is chosen automatically."
        address = reverse("research:change_reference", args=[member.collection.slug])
        undoable(request, chosen, address, [*fields, ("query", form.cleaned_data["query"])])
    else:
        messages.success(request, "Nothing has changed.")
    anchor = "#reference" if form.cleaned_data["page"] == "settings" else ""
    return redirect(form.address(member.collection) + anchor)


def _suggestions_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "suggestions", refusal)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_suggestions_refused)
def change_suggestions(request: SignedInRequest, member: Member) -> HttpResponse:
    """Choose the model whose grades assessors see next to the document, or none."""
    collection = member.collection
    before = suggesting_name(collection)
    if not set_suggestions(collection, SuggestionsForm(request.POST).cleaned()["judge"], request.user):
        return _redirect(request, member, "suggestions", "Nothing has changed.")
    address = reverse("research:change_suggestions", args=[collection.slug])
    undoable(request, changed_sentence(collection), address, [("judge", before)])
    return _redirect(request, member, "suggestions")


def _archive_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "archive", refusal)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_archive_refused)
def archive(request: SignedInRequest, member: Member) -> HttpResponse:
    """Archive the collection."""
    archive_collection(member.collection, request.user)
    address = reverse("research:restore", args=[member.collection.slug])
    undoable(request, "The collection is archived.", address)
    return _redirect(request, member, "archive")


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_archive_refused)
def restore(request: SignedInRequest, member: Member) -> HttpResponse:
    """Restore the collection from the archive."""
    restore_collection(member.collection, request.user)
    address = reverse("research:archive", args=[member.collection.slug])
    undoable(request, "The collection is restored from the archive.", address)
    return _redirect(request, member, "archive")


def _rules(collection: Collection, judges: Judges) -> list[tuple[str, str]]:
    """Return the golds that can be the default reference, with the chosen one, also if it has no grades any more."""
    rules = offered_rules(judges)
    is_known = not collection.reference or collection.reference in dict(rules)
    return rules if is_known else [*rules, (collection.reference, "has no grades")]


def _redirect(request: HttpRequest, member: Member, section: str, message: str = "") -> HttpResponse:
    if message:
        messages.success(request, message)
    return redirect(f"{reverse('research:settings', args=[member.collection.slug])}#{section}")


def _page(
    request: HttpRequest, member: Member, section: str = "", refusal: Refused | None = None, **forms: Any
) -> HttpResponse:
    """Render the page. `forms` replace the stored values by what the user typed."""
    judges = judges_of(member.collection)
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
        "rules": [(rule, f"{rule}: {words}" if words else rule) for rule, words in _rules(member.collection, judges)],
        "reference": default_reference(member.collection, judges),
        "suggesting": suggesting_name(member.collection),
        "suggesting_models": list(models_with_grades(member.collection).values_list("name", flat=True)),
        "effect_of_suggestions": EFFECT,
    }
    return render(request, "research/settings/settings.html", page | forms, status=400 if refusal else 200)
