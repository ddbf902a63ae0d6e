"""The forms of new collections and of a collection's settings. Domain modules validate the texts."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse

from assess.collections.copied_settings import check_may_copy
from assess.collections.scale import SCALE_TEMPLATES, GradeSpec, grades_of, scale_template
from assess.collections.text_fields import MAX_DESCRIPTION
from assess.models import Collection, Member, User
from assess.web.requests import RefusingForm

COPY = "copy:"  # before the slug of the collection whose settings are copied
CUSTOM = "custom"
DEFAULT_START = "binary"
FIRST_GRADES = (GradeSpec(0, ""), GradeSpec(1, ""))
JUDGE_LENGTH = Member._meta.get_field("name").max_length
NAME_LENGTH = Collection._meta.get_field("name").max_length
REFERENCE_LENGTH = Collection._meta.get_field("reference").max_length
MAX_QUERY = 8_000
SLUG_LENGTH = Collection._meta.get_field("slug").max_length


class TextsForm(RefusingForm):
    """The name and the descriptions of a collection."""

    name = forms.CharField(label="Name", max_length=NAME_LENGTH)
    description = forms.CharField(
        label="Description for researchers",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": MAX_DESCRIPTION}),
        help_text="Assessors never see it, so it may name systems and judges.",
    )
    assessor_description = forms.CharField(
        label="Description for assessors",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": MAX_DESCRIPTION}),
        help_text="Shown above their topics. Do not mention systems or other judges.",
    )

    def __init__(self, data: Mapping[str, Any] | None = None, collection: Collection | None = None) -> None:
        initial = {name: getattr(collection, name) for name in self.base_fields} if collection else None
        super().__init__(data, initial=initial, auto_id="id-%s")


class ReferenceForm(RefusingForm):
    """The default reference of a collection. `page` and `query` say where the user came from."""

    reference = forms.CharField(label="Reference", required=False, max_length=REFERENCE_LENGTH)
    page = forms.ChoiceField(choices=[(name, name) for name in ("settings", "shift", "agreement")])
    query = forms.CharField(required=False, max_length=MAX_QUERY)

    def address(self, collection: Collection) -> str:
        """Return the address of the page to go back to, where the new reference shows."""
        address = reverse(f"research:{self.cleaned_data['page']}", args=[collection.slug])
        query = QueryDict(self.cleaned_data["query"], mutable=True)
        for name in ("reference", "gold"):
            query.pop(name, None)
        return f"{address}?{query.urlencode()}" if query else address


class SuggestionsForm(RefusingForm):
    """The model that makes suggestions; empty for none."""

    judge = forms.CharField(label="Model", required=False, max_length=JUDGE_LENGTH)


class CreateForm(TextsForm):
    """A new collection. `filled` is the start whose grades are in the rows of the scale."""

    slug = forms.SlugField(
        label="Name in addresses",
        required=False,
        max_length=SLUG_LENGTH,
        help_text="Letters, digits, - and _. Leave it empty to derive it from the name. It cannot be changed later.",
    )
    start = forms.ChoiceField(
        label="Start from", help_text="A copy takes the scale, the rules of judging and the guidelines."
    )
    filled = forms.CharField(required=False, widget=forms.HiddenInput)
    field_order = ("name", "slug", "description", "assessor_description", "start")

    def __init__(self, sources: QuerySet[Collection], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.fields["start"].initial = self.fields["filled"].initial = DEFAULT_START
        copies = [(f"{COPY}{source.slug}", source.name) for source in sources]
        templates = [*((name, each.label) for name, each in SCALE_TEMPLATES.items()), (CUSTOM, "Custom scale")]
        groups: list[Any] = [("Scale", templates), *([("Copy of", copies)] if copies else [])]
        cast("forms.ChoiceField", self.fields["start"]).choices = groups


def source_of(start: str, user: User) -> Collection | None:
    """Return the collection whose settings are copied, or refuse it; None for a template."""
    if not start.startswith(COPY):
        return None
    source = Collection.objects.filter(slug=start.removeprefix(COPY)).first() or Collection(slug=start[len(COPY) :])
    check_may_copy(user, source)
    return source


def grades_to_start(start: str, source: Collection | None) -> tuple[GradeSpec, ...]:
    """Return the grades with which the editor begins."""
    if source:
        return tuple(grades_of(source))
    return FIRST_GRADES if start == CUSTOM else scale_template(start)
