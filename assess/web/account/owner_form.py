"""The form that creates an owner's account."""

from typing import Any

from django.contrib.auth.forms import UserCreationForm

from assess.models import User


class OwnerForm(UserCreationForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A user name, and a password twice. Django's password validators apply."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
        for field in self.fields.values():
            field.help_text = ""  # the page explains the rules in one sentence

    def create_superuser(self) -> User:
        """The new account, which is allowed to do everything on this site."""
        user: User = self.save(commit=False)
        user.is_staff = user.is_superuser = True
        user.save()
        return user
