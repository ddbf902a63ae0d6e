"""One's email address and sessions."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.errors import Refused
from assess.people.sign_in.email_address import MAX_LENGTH, change_email
from assess.people.sign_in.own_sessions import end_other_sessions, end_session, sessions_of
from assess.people.sign_in.password import is_password_of
from assess.web.account.sign_in.known_browser import visitor
from assess.web.requests import RefusingForm, SignedInRequest, View, refusals_shown_by
from pooling.words import count


class EmailForm(RefusingForm):
    """The new address, and the password."""

    email = forms.CharField(
        label="Email address",
        required=False,
        max_length=MAX_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label="Password", strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


def _refused_email(request: SignedInRequest, refusal: Refused) -> HttpResponse:
    return render(request, "account/email.html", {"form": EmailForm(request.POST), "refusal": refusal}, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown_by(_refused_email)
def email(request: SignedInRequest) -> HttpResponse:
    """Change one's email address. The password is asked for, because the address can reset it."""
    if request.method != "POST":
        return render(request, "account/email.html", {"form": EmailForm(initial={"email": request.user.email})})
    values = EmailForm(request.POST).cleaned()
    if not is_password_of(request.user, values["password"], visitor(request)):
        raise Refused("This is not your password.")
    try:
        change_email(request.user, values["email"], request.user)
    except IntegrityError:  # another account took it at the same time
        raise Refused("Another account has this email address.") from None
    messages.success(request, "Your email address is saved.")
    return redirect("account:settings")


def _sessions_page(request: SignedInRequest, refusal: Refused | None = None) -> HttpResponse:
    page: dict[str, Any] = {
        "sessions": sessions_of(request.user, request.session.session_key),
        "refusal": refusal,
    }
    return render(request, "account/sessions.html", page, status=400 if refusal else 200)


@require_safe
def sessions(request: SignedInRequest) -> HttpResponse:
    """Where one is signed in."""
    return _sessions_page(request)


def _redirecting(view: View) -> View:
    return require_POST(refusals_shown_by(_sessions_page)(view))


@_redirecting
def end_one(request: SignedInRequest) -> HttpResponse:
    """End the session that the form names."""
    end_session(request.user, request.POST.get("session", ""))
    messages.success(request, "The session is ended.")
    return redirect("account:sessions")


@_redirecting
def end_others(request: SignedInRequest) -> HttpResponse:
    """End all sessions but this one."""
    ended = end_other_sessions(request.user, request.session.session_key)
    messages.success(request, f"{count(ended, 'other session')} ended.")
    return redirect("account:sessions")
