"""The forms of the people of a collection. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms

from assess import mail
from assess.collections.sight import Sights, people_to_allow
from assess.lib.forms import RefusingForm
from assess.models import Collection, Member
from assess.people.invitations import DEFAULT_DAYS, MAX_DAYS, MAX_USES, roles_to_invite
from assess.people.mailed_invitations import MAX_ADDRESSES
from assess.people.member_list import other_roles, successors_of

MAX_ADDRESS_LENGTH = 254


class InviteForm(RefusingForm):
    """A link for one or several people or, where the site can send email, a link for each address."""

    role = forms.ChoiceField(label="Role")
    uses = forms.IntegerField(label="For how many people", min_value=1, max_value=MAX_USES, initial=1)
    days = forms.IntegerField(label="Valid for days", min_value=1, max_value=MAX_DAYS, initial=DEFAULT_DAYS)
    note = forms.CharField(label="Note (optional)", required=False, max_length=80)
    pseudonym = forms.CharField(label="Pseudonym (optional)", required=False, max_length=80)
    addresses = forms.CharField(
        label="Email addresses (optional)",
        required=False,
        max_length=MAX_ADDRESSES * (MAX_ADDRESS_LENGTH + 2),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, member: Member, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="invite_%s")
        roles = [(role.value, role.value) for role in reversed(roles_to_invite(member))]
        cast("forms.ChoiceField", self.fields["role"]).choices = roles
        if not mail.is_configured():
            del self.fields["addresses"]

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data with `addresses` as a list."""
        values = super().cleaned()
        return values | {"addresses": values.get("addresses", "").replace(",", " ").split()}


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
