"""Pages that ask for the code of the second factor: while signing in, and to confirm an important change."""

from typing import Any

from allauth.account.internal.flows import reauthentication
from allauth.account.stages import LoginStageController
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.internal.constants import LoginStageKey
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assess.models import User
from assess.people.sign_in.two_factor import check_code
from assess.throttle import TooManyAttempts
from assess.web.account.sign_in.known_browser import visitor
from assess.web.requests import SignedInRequest, wants_json

WRONG = "This code is wrong or has been used. Enter the newest one."
EXPIRED = "Signing in took too long. Enter your password again."
MAX_CODE = 32


class CodeForm(forms.Form):
    """The six digits of an app, or a recovery code."""

    code = forms.CharField(
        max_length=MAX_CODE,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.user = request, user
        self.authenticator: Authenticator | None = None

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        try:
            self.authenticator = check_code(self.user, code, visitor(self.request))
        except TooManyAttempts as refusal:
            raise forms.ValidationError(str(refusal)) from None
        if self.authenticator is None:
            raise forms.ValidationError(WRONG)
        return code


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The second step of signing in, after the password or the provider."""
    stage = LoginStageController.enter(request, LoginStageKey.MFA_AUTHENTICATE.value)
    if request.user.is_authenticated or stage is None or not isinstance(stage.login.user, User):
        return JsonResponse({"error": EXPIRED}, status=400) if wants_json(request) else redirect("account:sign_in")
    form = CodeForm(request, stage.login.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        post_authentication(request, form.authenticator)
        response: HttpResponse = stage.exit()
        return _for_script(response) if wants_json(request) else response
    if wants_json(request):
        return JsonResponse({"error": form.errors.get("code", [WRONG])[0]}, status=400)
    return render(request, "account/code.html", {"form": form}, status=400 if form.errors else 200)


def _for_script(response: HttpResponse) -> HttpResponse:
    answer = JsonResponse({"ok": True})
    answer.cookies = response.cookies
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_code(request: SignedInRequest) -> HttpResponse:
    """Confirm with a code that the user is present."""
    form = CodeForm(request, request.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        post_authentication(request, form.authenticator, reauthenticated=True)
        return reauthentication.resume_request(request) or redirect("account:settings")
    page = {"form": form, "is_confirmation": True, "next": request.GET.get("next", "")}
    return render(request, "account/code.html", page, status=400 if form.errors else 200)
