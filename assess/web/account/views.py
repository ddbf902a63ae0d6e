"""Signing in, from the sign-in page or from the script of an open page; and the home page."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.views import LoginView
from django.forms import TextInput
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe

from assess.models import User
from assess.people.creators import may_create_collections
from assess.teaching.seats import current_seat
from assess.web.requests import SignedInRequest, wants_json

WRONG = "Wrong name or password. Both are case-sensitive."


class SignInForm(AuthenticationForm):
    """A name that is longer than any account's is wrong. It is not looked up, and not counted as a failed attempt."""

    username = UsernameField(
        max_length=User._meta.get_field("username").max_length, widget=TextInput(attrs={"autofocus": True})
    )


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

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        return JsonResponse({"ok": True}) if self.is_script else response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return JsonResponse({"error": WRONG}, status=400) if self.is_script else super().form_invalid(form)

    @property
    def is_script(self) -> bool:
        return wants_json(self.request)


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """The user's collections, with a link that fits the user's role in each. Students are redirected to their seat."""
    if seat := current_seat(request.user):
        return redirect("join:seat", code=seat.exercise.code)
    memberships = request.user.memberships.select_related("collection").order_by("collection__name")
    page = {"memberships": memberships, "may_create": may_create_collections(request.user)}
    return render(request, "account/home.html", page)
