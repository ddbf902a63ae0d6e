"""Changing one's password, and setting a new one with a link from a site owner."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.errors import Refused
from assess.models import Action, User
from assess.people.sign_in.new_password import set_password
from assess.people.sign_in.password import is_password_of
from assess.people.sign_in.reset_links import create_reset_link, use_reset_link, user_of_link
from assess.throttle import TooManyAttempts
from assess.web.account.one_time_link import go_to_form, link_refused
from assess.web.account.sign_in.known_browser import visitor
from assess.web.requests import SignedInRequest
from assess.web.site_owners import site_owner_view
from pooling.words import count

SESSION_KEY = "reset_token"


class ChangeForm(PasswordChangeForm):
    """The present password, which is throttled like signing in, and a new one twice."""

    def __init__(self, request: SignedInRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request.user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        try:
            if is_password_of(self.request.user, password, visitor(self.request)):
                return password
        except TooManyAttempts as refusal:
            raise ValidationError(str(refusal)) from None
        raise ValidationError("This is not your password.")


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: SignedInRequest) -> HttpResponse:
    """The form of a new password. Saving it ends all other sessions."""
    form = ChangeForm(request, request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "account/password.html", {"form": form}, status=400 if form.errors else 200)
    password = form.cleaned_data["new_password1"]
    ended = set_password(request.user, password, Action.PASSWORD_CHANGED, request.session.session_key)
    update_session_auth_hash(request, request.user)
    others = f" {count(ended, 'other session')} ended." if ended else ""
    messages.success(request, f"Your password is changed.{others}")
    return redirect("account:settings")


@require_POST
@site_owner_view
def create_link(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Create a link with which a user sets a new password, and show it once."""
    user = get_object_or_404(User, pk=user_id, erased_at=None)
    page: dict[str, Any] = {"person": user}
    try:
        token = create_reset_link(user, request.user)
    except Refused as refusal:
        return render(request, "account/reset_link.html", page | {"refusal": refusal}, status=400)
    link = request.build_absolute_uri(reverse("account:reset_link", args=[token]))
    return render(request, "account/reset_link.html", page | {"link": link})


@login_not_required
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Check the link and go on to the form. Opening a link does not use it up."""
    return go_to_form(request, token, user_of_link, SESSION_KEY, "account:reset_password")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest) -> HttpResponse:
    """The form for a new password. Sending it uses the link up and ends all sessions of the account."""
    token = request.session.get(SESSION_KEY, "")
    try:
        user = user_of_link(token)
        form = SetPasswordForm(user, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            use_reset_link(token, form.cleaned_data["new_password1"])
            request.session.pop(SESSION_KEY, None)
            messages.success(request, "Your password is changed. Sign in with the new one.")
            return redirect("account:sign_in")
    except Refused as refusal:
        return link_refused(request, refusal)
    page = {"form": form, "person": user}
    return render(request, "account/reset_password.html", page, status=400 if form.errors else 200)
