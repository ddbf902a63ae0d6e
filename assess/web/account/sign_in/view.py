"""Signing in by name or email address and password, from the page or from the script of an open page."""

from typing import Any

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.internal.stagekit import get_pending_stage
from allauth.account.models import Login
from django import forms
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.decorators import method_decorator

from assess import mail
from assess.models import User
from assess.people.sign_in.hash_slots import Busy
from assess.people.sign_in.password import user_with_password
from assess.throttle import TooManyAttempts
from assess.web.account.sign_in.known_browser import visitor
from assess.web.account.sign_in.openid import provider_in_form_action
from assess.web.requests import wants_json

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


@method_decorator([login_not_required, provider_in_form_action], name="dispatch")
class SignIn(LoginView):
    """The sign-in page. A script that requests JSON gets the current user's id and can sign its user in again.

    If the account has a second factor, the answer to a script is `{"code": true}`, and the code page continues.
    """

    authentication_form = SignInForm
    template_name = "account/sign_in.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.is_script:
            return JsonResponse({"user": request.user.pk, "csrf": get_token(request)})
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        page = {"wrong": WRONG, "openid": settings.OPENID_PROVIDER, "has_mail": mail.is_configured()}
        return super().get_context_data(**kwargs) | page

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except Busy as refusal:
            return self.busy(refusal)
        except TooManyAttempts as refusal:
            return self.locked(refusal)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Go through the steps of signing in: a second factor, if there is one, and the session."""
        if self.request.user.is_authenticated:
            logout(self.request)  # the code page is for visitors
        login = Login(user=form.get_user(), redirect_url=self.get_success_url())
        response: HttpResponse = perform_password_login(self.request, {}, login)
        return self.for_script(response) if self.is_script else response

    def for_script(self, response: HttpResponse) -> HttpResponse:
        """Answer a script in place of the page's redirect, with the same cookies."""
        is_pending = get_pending_stage(self.request) is not None
        answer = JsonResponse({"code": True} if is_pending else {"ok": True})
        answer.cookies = response.cookies
        return answer

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return JsonResponse({"error": WRONG}, status=400) if self.is_script else super().form_invalid(form)

    def busy(self, refusal: Busy) -> HttpResponse:
        """Show the form again, or tell the script of the page to try again."""
        if self.is_script:
            return self.locked(refusal)
        form = SignInForm(self.request, initial={"username": self.request.POST.get("username", "")[:MAX_NAME]})
        page = self.get_context_data(form=form, busy=refusal)
        response = render(self.request, self.template_name, page, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response

    def locked(self, refusal: TooManyAttempts) -> HttpResponse:
        """Say why the password was not checked."""
        if self.is_script:
            response: HttpResponse = JsonResponse({"error": str(refusal)}, status=429)
        else:
            page = {"refusal": refusal, "has_mail": mail.is_configured()}
            response = render(self.request, "account/locked.html", page, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response

    @property
    def is_script(self) -> bool:
        return wants_json(self.request)
