"""The form that creates an account with an invitation."""

from typing import Any

from django.contrib.auth.forms import UserCreationForm
from django.core.exceptions import ValidationError

from assess.models import User


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A user name, an email address if wanted, and a password twice. Django's password validators apply."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
        self.fields["email"].label = "Email address (optional)"
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        for field in self.fields.values():
            field.help_text = ""  # the page explains the rules in one sentence

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if email and User.objects.filter(email__iexact=email).exists():
            raise ValidationError("Another account has this email address. If it is yours, sign in with that account.")
        return email

    def new_user(self) -> User:
        """Return the account with its password, which is not saved yet."""
        user: User = self.save(commit=False)
        return user
