"""Opening an invitation: with a new account, or with the account of the person who is signed in.

Opening the link changes nothing, because programs open links too, such as those that show previews of messages. The
forms of the page send the token in their bodies, so that it is in no address but that of the link: logs contain the
addresses of failed requests. (The page cannot have the policy `no-referrer`: browsers would send `Origin: null` with
its forms, which the CSRF check refuses. The policy of the site sends the address to no other site.)
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import UserCreationForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.collections.members import AlreadyMember
from assess.errors import Refused
from assess.models import Member, Role, User
from assess.people import invitations
from assess.web.requests import refusals_shown_by
from pooling.words import with_article


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


SESSION_KEY = "invitation"  # signing in with OpenID Connect reads it too
MAX_TOKEN_LENGTH = 100  # a session keeps no long texts
BACKEND = "assess.people.backend.AccountBackend"


def _refused(request: HttpRequest, refusal: Refused, **_: Any) -> HttpResponse:
    """Say why the invitation cannot be used. A member gets a link to the collection."""
    member = refusal.member if isinstance(refusal, AlreadyMember) else None
    page = {"refusal": refusal, "collection_url": _url_of(member) if member else ""}
    status = 404 if member is None else (409 if request.method == "POST" else 200)
    return render(request, "invitation/refused.html", page, status=status)


@login_not_required
@require_safe
@refusals_shown_by(_refused)
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Who invites to which collection with which role, and how to accept."""
    return _page(request, token)


@login_not_required
@require_safe
@refusals_shown_by(_refused)
def current(request: HttpRequest) -> HttpResponse:
    """The invitation with which somebody went to sign in. If signing in accepted it, go on to the collection."""
    try:
        return _page(request, request.session.get(SESSION_KEY, ""))
    except AlreadyMember as refusal:
        return _go_to(request, refusal.member)


@login_not_required
@require_POST
def sign_in(request: HttpRequest) -> HttpResponse:
    """Keep the invitation in the session, and go to sign in."""
    request.session[SESSION_KEY] = request.POST.get("token", "")[:MAX_TOKEN_LENGTH]
    return redirect(f"{reverse('account:sign_in')}?{urlencode({'next': reverse('invitation:current')})}")


@login_not_required
@require_POST
@refusals_shown_by(_refused)
def accept(request: HttpRequest) -> HttpResponse:
    """Make the signed-in user a member. A user whose session has ended signs in first."""
    user = _user(request)
    if user is None:
        return sign_in(request)
    return _welcome(request, invitations.accept(request.POST.get("token", ""), user))


@login_not_required
@require_POST
@refusals_shown_by(_refused)
def create_account(request: HttpRequest) -> HttpResponse:
    """Create an account, accept the invitation and sign in."""
    token, form = request.POST.get("token", ""), AccountForm(request.POST)
    invitations.open_invitation(token)
    try:
        if form.is_valid():
            member = invitations.accept_with_new_account(token, form.new_user())
            login(request, member.user, backend=BACKEND)
            return _welcome(request, member)
    except IntegrityError:  # another request created the same account after the form was checked
        form.add_error("username", "This name or email address is already taken.")
    return _page(request, token, form)


def _page(request: HttpRequest, token: str, form: AccountForm | None = None) -> HttpResponse:
    """Render the invitation. A person who is signed in accepts with that account, unless they filled in the form."""
    user = _user(request) if form is None else None
    invitation = invitations.open_invitation(token, user)
    page = {"invitation": invitation, "token": token, "form": form or AccountForm(), "is_visitor": user is None}
    return render(request, "invitation/invitation.html", page, status=400 if form else 200)


def _welcome(request: HttpRequest, member: Member) -> HttpResponse:
    messages.success(request, f"You are now a member of {member.collection.name} as {with_article(member.role)}.")
    return _go_to(request, member)


def _go_to(request: HttpRequest, member: Member) -> HttpResponse:
    request.session.pop(SESSION_KEY, None)
    return redirect(_url_of(member))


def _url_of(member: Member) -> str:
    """Return the address of the page where this role works."""
    if member.role == Role.INSTRUCTOR:
        return reverse("teach:home")
    name = "judge:topics" if member.role == Role.ASSESSOR else "research:collection"
    return reverse(name, args=[member.collection.slug])


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
