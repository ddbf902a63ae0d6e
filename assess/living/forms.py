"""The form of a top-up."""

from collections.abc import Mapping
from typing import Any

from django import forms

from assess import mail
from assess.living.new_runs import DEPTH, MOST_DEPTH
from assess.web.requests import RefusingForm
from assess.web.research.people.forms import AddressesField

MOST_JUDGES = 100


class TopUpForm(RefusingForm):
    """How deep, by how many assessors, and, where the site can send email, who gets an email."""

    depth = forms.IntegerField(label="Documents of each topic", min_value=1, max_value=MOST_DEPTH, initial=DEPTH)
    judges = forms.IntegerField(label="Assessors for each document", min_value=1, max_value=MOST_JUDGES)
    remind = forms.BooleanField(label="Send a reminder to the assessors", required=False)
    addresses = AddressesField("Invite more assessors by email (optional)")

    def __init__(self, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        if not mail.is_configured():
            del self.fields["remind"], self.fields["addresses"]

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data; without a mail server, nobody is reminded or invited."""
        return {"remind": False, "addresses": []} | super().cleaned()
