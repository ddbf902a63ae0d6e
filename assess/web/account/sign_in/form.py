"""The form of the sign-in page."""

from typing import Any

from django import forms
from django.contrib.auth.forms import UsernameField
from django.http import HttpRequest

from assess.models import User
from assess.people.sign_in.password import user_with_password
from assess.web.account.sign_in.known_browser import visitor

MAX_NAME = User._meta.get_field("email").max_length
WRONG = "Wrong name or password. Both are case-sensitive."


class SignInForm(forms.Form):
    """A name or an email address, and the password.

    A name that is longer than any account's is wrong. It is not looked up, and not counted as a failed attempt.
    """

    username = UsernameField(max_length=MAX_NAME, widget=forms.TextInput(attrs={"autofocus": True}))
    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), max_length=4096
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.user: User | None = None

    def clean(self) -> dict[str, Any]:
        """Check the password. Raises TooManyAttempts, which is not an error of the form."""
        values = self.cleaned_data
        if not self.errors:
            self.user = user_with_password(values["username"], values["password"], visitor(self.request))
        if self.user is None:
            raise forms.ValidationError(WRONG)
        return values

    def get_user(self) -> User | None:
        return self.user
