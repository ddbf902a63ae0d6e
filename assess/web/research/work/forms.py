"""The forms of the pages of the work. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict

from assess.collections.members import active_assessors
from assess.models import Collection, Member, Role
from assess.models.rules import MOST_JUDGES
from assess.web.requests import RefusingForm
from assess.work.pilot import MOST_DOCUMENTS
from assess.work.preview import MAX_PACE

MAX_ID_DIGITS = 18
MAX_NUMBER = 10_000_000
USUAL_JUDGES = 2
DEFAULT_PACE = 60  # documents an hour, until the collection has a pace of its own
POLICIES = (
    ("overlap", "Every document to the same number"),
    ("sample", "A share to several, the rest to one"),
    ("everyone", "Some to everyone, the rest to one"),
)
REASONS = {
    "overlap": "Agreement and golds from all documents. Costs most.",
    "sample": "Agreement from a random share, at little more than the cost of one judge.",
    "everyone": "The same documents for all, such as to compare many judges.",
}
USED_BY = {"judges": ("overlap", "sample"), "share": ("sample",), "shared": ("everyone",)}
MORE = ("repeats", "limit", "pace", "topics", "by_topic")  # fields that few need


class AssignForm(RefusingForm):
    """Who judges what. `options()` returns the arguments of `assign`."""

    policy = forms.ChoiceField(label="How to assign", choices=POLICIES, initial="overlap", widget=forms.RadioSelect)
    judges = forms.IntegerField(
        label="Assessors for each document",
        min_value=1,
        max_value=MOST_JUDGES,
        help_text="With a share to several, the number for these documents.",
    )
    share = forms.FloatField(
        label="Share with several assessors",
        min_value=0,
        max_value=1,
        initial=0.2,
        required=False,
        help_text="0.2 is one document in five.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    shared = forms.IntegerField(
        label="Documents for everyone",
        min_value=0,
        max_value=MAX_NUMBER,
        initial=50,
        required=False,
    )
    repeats = forms.FloatField(
        label="Hidden repeats",
        min_value=0,
        max_value=1,
        initial=0,
        required=False,
        help_text="The share of their documents that assessors judge twice without notice. 0.05 is one in twenty.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    limit = forms.IntegerField(
        label="Most documents for each person",
        min_value=1,
        max_value=MAX_NUMBER,
        required=False,
        help_text="What they have already and hidden repeats count. Empty: no limit.",
    )
    pace = forms.FloatField(
        label="Documents an hour",
        min_value=0.01,
        max_value=MAX_PACE,
        help_text="Only for the hours in the preview.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    topics = forms.CharField(
        label="Topics",
        required=False,
        max_length=100_000,
        help_text="Their ids, separated by spaces. Empty: all topics.",
    )
    by_topic = forms.BooleanField(label="Keep each topic with the same assessors", required=False)
    people = forms.MultipleChoiceField(
        label="To",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="The others keep what they have. If you select nobody, everyone gets documents.",
    )

    def __init__(
        self,
        collection: Collection,
        pace: float | None,
        data: Mapping[str, Any] | None = None,
        usernames: Mapping[str, str] | None = None,
    ) -> None:
        """Without `data`, everything is suggested. `usernames` stand beside the pseudonyms."""
        self.names = [member.name for member in active_assessors(collection)]
        judges = max(1, min(USUAL_JUDGES, len(self.names)))
        initial = {"pace": round(pace or DEFAULT_PACE), "judges": judges, "people": self.names}
        super().__init__(data, initial=initial, auto_id="assign_%s")
        known = usernames or {}
        labels = [(name, f"{name} ({known[name]})" if name in known else name) for name in self.names]
        cast("forms.MultipleChoiceField", self.fields["people"]).choices = labels

    def suggested(self) -> QueryDict:
        """Return what the form suggests, as the page would send it."""
        data = QueryDict(mutable=True)
        for name in self.fields:
            value = self.get_initial_for_field(self.fields[name], name)
            if value not in (None, False):
                data.setlist(name, value if isinstance(value, list) else [f"{value}"])
        return data

    @property
    def policies(self) -> list[tuple[Any, str]]:
        """The boxes of the policies, each with the reason to choose it."""
        return [(box, REASONS[value]) for box, (value, _) in zip(self["policy"], POLICIES, strict=True)]

    @property
    def of_policy(self) -> list[tuple[Any, str]]:
        """The fields that some policies use, each with these policies as classes for the stylesheet."""
        return [(self[name], " ".join(f"of-{policy}" for policy in policies)) for name, policies in USED_BY.items()]

    @property
    def more(self) -> list[Any]:
        """The fields that few need."""
        return [self[name] for name in MORE]

    @property
    def has_more(self) -> bool:
        """Whether one of these fields was changed."""
        return any(self.data.get(name) not in (None, "", "0") for name in MORE if name != "pace")

    def options(self) -> dict[str, Any]:
        """Return the arguments of `assign`, or raise Refused with the first error."""
        values = self.cleaned()
        return {
            "judges": 1 if values["policy"] == "everyone" else values["judges"],
            "by_topic": values["by_topic"],
            "share": (values["share"] or 0) if values["policy"] == "sample" else None,
            "shared": (values["shared"] or 0) if values["policy"] == "everyone" else None,
            "repeats": values["repeats"] or 0,
            "limit": values["limit"],
            "exclude": [name for name in self.names if values["people"] and name not in values["people"]],
            "topics": values["topics"].split(),
        }

    def preview_arguments(self) -> dict[str, Any]:
        """Return the arguments of `preview`, or raise Refused with the first error."""
        return self.options() | {"pace": self.cleaned_data["pace"]}


def preview_query(collection: Collection, arguments: Mapping[str, Any]) -> str:
    """Return the query string of the assign page that leads to these arguments of `preview`."""
    policy = (
        "sample" if arguments["share"] is not None else "everyone" if arguments["shared"] is not None else "overlap"
    )
    values = {**arguments, "policy": policy, "topics": " ".join(arguments["topics"])}
    values["by_topic"] = "on" if arguments["by_topic"] else None
    if excluded := values.pop("exclude"):
        values["people"] = [member.name for member in active_assessors(collection) if member.name not in excluded]
    return urlencode({name: value for name, value in values.items() if value is not None}, doseq=True)


class ClaimsForm(RefusingForm):
    """Opens the pool to claims, or closes it if there is no number of judges."""

    judges_per_task = forms.IntegerField(label="Assessors for each document", min_value=1, max_value=MOST_JUDGES)
    claim_minutes = forms.IntegerField(label="Minutes until a claim expires", min_value=1, max_value=24 * 60)
    repeat_share = forms.FloatField(
        label="Hidden repeats",
        min_value=0,
        max_value=1,
        help_text="0.05 is one document in twenty.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        initial = {
            "judges_per_task": collection.judges_per_task or 2,
            "claim_minutes": collection.claim_minutes,
            "repeat_share": f"{collection.repeat_share:g}",
        }
        super().__init__(data, initial=initial, auto_id="claims_%s")


class MembersField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # generic in the stubs only
    """Members by their ids. An id that is too large for the database is refused before the query."""

    def clean(self, value: Any) -> QuerySet[Member]:
        for pk in value or ():
            if not (str(pk).isascii() and str(pk).isdigit() and len(str(pk)) <= MAX_ID_DIGITS):
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": pk})
        members: QuerySet[Member] = super().clean(value)
        return members


class ReassignForm(RefusingForm):
    """Whose open assignments move, and to whom. If no taker is selected, all other assessors take them."""

    giver = forms.ModelChoiceField(Member.objects.none(), label="From", empty_label="choose")
    takers = MembersField(
        Member.objects.none(),
        label="To",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you select nobody, the tasks go to all other assessors.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="reassign_%s")
        assessors = collection.members.filter(role=Role.ASSESSOR)
        active = [member.pk for member in active_assessors(collection)]
        cast("forms.ModelChoiceField[Member]", self.fields["giver"]).queryset = assessors
        cast("forms.ModelChoiceField[Member]", self.fields["takers"]).queryset = assessors.filter(pk__in=active)


class PilotForm(RefusingForm):
    """A pilot: how many documents, and who judges them."""

    documents = forms.IntegerField(
        label="Documents",
        min_value=1,
        max_value=MOST_DOCUMENTS,
        initial=20,
        help_text="In all, or from each topic if you fill in the number of topics.",
    )
    topics = forms.IntegerField(
        label="Topics", min_value=1, max_value=MOST_DOCUMENTS, required=False, help_text="Empty: from the whole pool."
    )
    people = forms.MultipleChoiceField(
        label="Assessors",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you select nobody, everyone judges.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="pilot_%s")
        names = [(member.name, member.name) for member in active_assessors(collection)]
        cast("forms.MultipleChoiceField", self.fields["people"]).choices = names
