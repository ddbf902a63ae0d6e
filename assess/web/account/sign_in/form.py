"""The form of the sign-in page."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UsernameField

from assess.models import User
from assess.people.sign_in.password import user_with_password
from assess.web.account.sign_in.known_browser import visitor

MAX_NAME = User._meta.get_field("email").max_length
MAX_PASSWORD = 4096  # characters
WRONG = "Wrong name or password. Both are case-sensitive."


class SignInForm(AuthenticationForm):
    """A name or an email address, and the password.

    A name that is longer than any account's is wrong. It is not looked up, and not counted as a failed attempt.
    """

    username = UsernameField(max_length=MAX_NAME, widget=forms.TextInput(attrs={"autofocus": True}))
    password = forms.CharField(
        strip=False,
        max_length=MAX_PASSWORD,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def clean(self) -> dict[str, Any]:
        """Check the password. Raises TooManyAttempts, which is not an error of the form."""
        values = self.cleaned_data
        if not self.errors and self.request is not None:
            self.user_cache = user_with_password(values["username"], values["password"], visitor(self.request))
        if self.user_cache is None:
            raise forms.ValidationError(WRONG)
        return values
