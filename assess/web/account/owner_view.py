"""Creating an owner's account by a one-time link."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import UserCreationForm
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from assess.errors import Refused
from assess.models import User
from assess.people.owner_link import check_link, use_link
from assess.web.account.one_time_link import go_to_form, link_refused


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


SESSION_KEY = "owner_token"
BACKEND = "assess.people.backend.AccountBackend"


@login_not_required
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Check the link and go on to the form. Opening a link does not use it up."""
    return go_to_form(request, token, check_link, SESSION_KEY, "account:create_owner")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_owner(request: HttpRequest) -> HttpResponse:
    """The form for a name and a password. Sending it creates a superuser and signs in."""
    token = request.session.get(SESSION_KEY, "")
    form = OwnerForm(request.POST if request.method == "POST" else None)
    try:
        check_link(token)
        if request.method == "POST" and form.is_valid():
            user = use_link(token, form.create_superuser)
            login(request, user, backend=BACKEND)
            request.session.pop(SESSION_KEY, None)
            messages.success(request, "Your account is created. Now create your first collection.")
            return redirect("create_collection")
    except Refused as refusal:
        return link_refused(request, refusal)
    except IntegrityError:  # another request created the same name after the form was checked
        form.add_error("username", "This name is already taken.")
    return render(request, "account/owner.html", {"form": form}, status=400 if form.errors else 200)
