"""Asking for an email with a link that resets the password. Without a mail server the pages do not exist."""

from collections.abc import Callable
from typing import Any

from allauth.account import views
from allauth.account.forms import ResetPasswordForm
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from assess import mail
from assess.people.sign_in.accounts import account_for


class ResetForm(ResetPasswordForm):  # type: ignore[misc]  # without types
    """Sends a link to the address of an active account. The page says the same if there is none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "Email address"
        self.fields["email"].widget.attrs.pop("placeholder", None)  # it repeats the label

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        account = account_for(email)
        matches = account and account.is_active and account.email.lower() == email
        self.users = [account] if matches else []
        return email


def with_mail(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a view: it answers 404 if the site cannot send email."""

    @login_not_required
    def guarded(request: HttpRequest, **arguments: str) -> HttpResponseBase:
        if not mail.is_configured():
            raise Http404
        return view(request, **arguments)

    return guarded


ask = with_mail(views.PasswordResetView.as_view(form_class=ResetForm))
sent = with_mail(views.password_reset_done)
choose = with_mail(views.password_reset_from_key)
done = with_mail(views.password_reset_from_key_done)
