"""The forms of the people of a collection. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms

from assess import mail
from assess.collections.sight import Sights, people_to_allow
from assess.models import Collection, ImportedJudge, JudgeKind, Member
from assess.people.invitations import DEFAULT_DAYS, MAX_DAYS, MAX_USES, roles_to_invite
from assess.people.mailed_invitations import MAX_ADDRESSES
from assess.people.member_list import other_roles, successors_of
from assess.transfer.judge_record import MAX_PROMPT, RECORD_FIELDS, ModelRecord, record_of
from assess.web.requests import RefusingForm

MAX_ADDRESS_LENGTH = 254


class AddressesField(forms.CharField):
    """Email addresses of people to invite, separated by blanks, commas or new lines; as a list."""

    def __init__(self, label: str) -> None:
        longest = MAX_ADDRESSES * (MAX_ADDRESS_LENGTH + 2)
        super().__init__(label=label, required=False, max_length=longest, widget=forms.Textarea(attrs={"rows": 2}))

    def clean(self, value: Any) -> list[str]:
        return f"{super().clean(value)}".replace(",", " ").split()


class InviteForm(RefusingForm):
    """A link for one or several people or, where the site can send email, a link for each address."""

    role = forms.ChoiceField(label="Role")
    uses = forms.IntegerField(label="For how many people", min_value=1, max_value=MAX_USES, initial=1)
    days = forms.IntegerField(label="Valid for days", min_value=1, max_value=MAX_DAYS, initial=DEFAULT_DAYS)
    note = forms.CharField(label="Note (optional)", required=False, max_length=80)
    pseudonym = forms.CharField(label="Pseudonym (optional)", required=False, max_length=80)
    addresses = AddressesField("Email addresses (optional)")

    def __init__(self, member: Member, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="invite_%s")
        roles = [(role.value, role.value) for role in reversed(roles_to_invite(member))]
        cast("forms.ChoiceField", self.fields["role"]).choices = roles
        if not mail.is_configured():
            del self.fields["addresses"]

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data, with no `addresses` if there is no mail server."""
        return {"addresses": []} | super().cleaned()


class RoleForm(RefusingForm):
    """Another role for a member."""

    role = forms.ChoiceField(label="New role")
    allow_sighted = forms.BooleanField(label="Let the person judge although they could see the runs", required=False)

    def __init__(self, member: Member, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        cast("forms.ChoiceField", self.fields["role"]).choices = [
            ("", "Choose a role"),
            *((role, role) for role in other_roles(member)),
        ]


class AllowForm(RefusingForm):
    """A person who could see the runs, and may judge nevertheless."""

    user = forms.ChoiceField(label="Person")

    def __init__(self, collection: Collection, seen: Sights, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="allow_%s")
        names = [(name, name) for name in people_to_allow(collection, seen)]
        cast("forms.ChoiceField", self.fields["user"]).choices = names


class ReplaceForm(RefusingForm):
    """The assessor who takes over."""

    successor = forms.ChoiceField(label="Successor")

    def __init__(self, member: Member, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        names = [(each.name, each.name) for each in successors_of(member)]
        cast("forms.ChoiceField", self.fields["successor"]).choices = names


class JudgeRecordForm(RefusingForm):
    """The kind of an imported judge, and what is known about a model."""

    kind = forms.ChoiceField(label="Kind", required=False, choices=[("", "not stated"), *JudgeKind.choices])
    description = forms.CharField(label="Description", required=False, max_length=500)
    model = forms.CharField(label="Model", required=False, max_length=200, help_text="With its version.")
    prompt = forms.CharField(
        label="Prompt",
        required=False,
        max_length=MAX_PROMPT,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Its text or its name. A release contains it.",
    )
    prompt_version = forms.CharField(label="Prompt version", required=False, max_length=100)
    parameters = forms.CharField(label="Parameters", required=False, max_length=500, help_text="Such as temperature=0.")
    graded_on = forms.DateField(
        label="Date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="The day on which the model graded last.",
    )

    def __init__(self, judge: ImportedJudge | None, data: Mapping[str, Any] | None = None) -> None:
        stated = {"kind": judge.kind, "description": judge.description} if judge else {}
        super().__init__(data, initial=stated | vars(record_of(judge)), auto_id="record_%s")

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `change_record` about the judge, or raise Refused with the first error."""
        values = self.cleaned()
        record = ModelRecord(**{name: values[name] for name in RECORD_FIELDS})
        return {"kind": values["kind"], "description": values["description"], "record": record}
