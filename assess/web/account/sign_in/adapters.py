"""What this site changes in django-allauth: who may create an account, passwords, emails and messages.

Only its sign-in stages, two-factor authentication, password reset by email and OpenID Connect are used; `urls` lists
the pages. Its own rate limits are off, because they are kept per process; `assess.people.sign_in.throttle` replaces
them.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from assess import mail
from assess.lib.client_ip import client_ip
from assess.models import Action, User
from assess.people import invitations
from assess.people.sign_in import throttle
from assess.people.sign_in.accounts import account_for
from assess.people.sign_in.new_password import set_password
from assess.people.sign_in.password import is_password_of
from assess.people.sign_in.throttle import Attempt, Visitor
from assess.people.sign_in.two_factor import SecretsAdapter
from assess.throttle import TooManyAttempts
from assess.web.account.sign_in.known_browser import remember, visitor
from assess.web.qr_code import qr_svg

INVITATION = "invitation"  # where the page of an invitation keeps its token in the session
SENTENCES = {
    "mfa/messages/totp_activated.txt": "Two-factor authentication is on.",
    "mfa/messages/totp_deactivated.txt": "Two-factor authentication is off.",
    "mfa/messages/recovery_codes_generated.txt": "You have new recovery codes.",
    "socialaccount/messages/account_connected.txt": "The provider is connected to your account.",
    "socialaccount/messages/account_connected_other.txt": "Another person has connected that account already.",
    "socialaccount/messages/account_disconnected.txt": "The provider is no longer connected to your account.",
}
TAKEN = (
    "An account with this email address exists already. Sign in with its password, and connect the provider in your "
    "settings."
)


EVERYBODY = Visitor("", "every network", {})


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # without types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether this browser has opened a valid invitation."""
        token = request.session.get(INVITATION, "")
        return bool(token) and invitations.is_valid(token)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_ip(request)

    def set_password(self, user: User, password: str) -> None:
        set_password(user, password, Action.PASSWORD_RESET)

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether this is the user's password, for a signed-in user who changes something important."""
        try:
            return is_password_of(user, password, visitor(allauth_context.request))
        except TooManyAttempts as refusal:
            raise ValidationError(str(refusal)) from None

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        remember(request, response, user)
        return response

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *_: Any, **__: Any
    ) -> None:
        if sentence := SENTENCES.get(message_template or ""):
            messages.add_message(request, level, sentence)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Send a link, unless the account got ten in 15 minutes. The page says the same."""
        attempt = Attempt(user, user.username, EVERYBODY, kind="reset mail")
        try:
            throttle.begin(attempt)
        except TooManyAttempts:
            return
        super().send_password_reset_mail(user, email, context)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Render an email with our templates, and let a job send it."""
        subject, body = mail.render(template_prefix.rpartition("/")[2], context)
        mail.send(email, subject, body, None)


class TwoFactorAdapter(SecretsAdapter):
    def build_totp_svg(self, url: str) -> str:
        return qr_svg(url, scale=4)


class OpenIdAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # without types
    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse to create an account whose email address is taken. Accounts are never connected by address."""
        email = sociallogin.user.email if sociallogin.user else ""
        is_new = not sociallogin.is_existing and sociallogin.state.get("process") != "connect"
        if is_new and email and account_for(email):
            raise ImmediateHttpResponse(_refused(request, TAKEN))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """With an invitation, or with a verified address of a domain that the site allows."""
        if AccountAdapter(request).is_open_for_signup(request):
            return True
        provider = settings.OPENID_PROVIDER
        verified = {each.email.lower() for each in sociallogin.email_addresses if each.verified}
        return provider is not None and any(address.rpartition("@")[2] in provider.domains for address in verified)

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Create the account, and accept the invitation of this browser."""
        user: User = super().save_user(request, sociallogin, form)
        if AccountAdapter(request).is_open_for_signup(request):
            invitations.accept(request.session.pop(INVITATION), user)
        return user


def _refused(request: HttpRequest, sentence: str) -> HttpResponse:
    return render(request, "account/openid_refused.html", {"sentence": sentence}, status=403)
