"""Signing in, from the sign-in page or from the script of an open page; and the home page."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe

from assess.people.sign_in.throttle import TooManyAttempts
from assess.teaching.seats import current_seat
from assess.web.account.sign_in.form import WRONG, SignInForm
from assess.web.account.sign_in.known_browser import remember
from assess.web.requests import SignedInRequest, wants_json


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    """The sign-in page. A script that requests JSON gets the current user's id and can sign its user in again."""

    authentication_form = SignInForm
    template_name = "account/sign_in.html"
    extra_context = {"wrong": WRONG}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.is_script:
            return JsonResponse({"user": request.user.pk, "csrf": get_token(request)})
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except TooManyAttempts as refusal:
            return self.locked(refusal)

    def form_valid(self, form: SignInForm) -> HttpResponse:
        response = super().form_valid(form)
        if self.is_script:
            response = JsonResponse({"ok": True})
        remember(self.request, response, self.request.user)
        return response

    def form_invalid(self, form: SignInForm) -> HttpResponse:
        return JsonResponse({"error": WRONG}, status=400) if self.is_script else super().form_invalid(form)

    def locked(self, refusal: TooManyAttempts) -> HttpResponse:
        """Say why the password was not checked."""
        if self.is_script:
            response: HttpResponse = JsonResponse({"error": str(refusal)}, status=429)
        else:
            response = render(self.request, "account/locked.html", {"refusal": refusal}, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response

    @property
    def is_script(self) -> bool:
        return wants_json(self.request)


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """The user's collections, with a link that fits the user's role in each. Students are redirected to their seat."""
    if seat := current_seat(request.user):
        return redirect("join:seat", code=seat.exercise.code)
    memberships = request.user.memberships.select_related("collection").order_by("collection__name")
    return render(request, "account/home.html", {"memberships": memberships})
