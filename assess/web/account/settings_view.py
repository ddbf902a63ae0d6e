"""The page of personal settings, for every signed-in user."""

from django.conf import settings as site
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from assess.errors import Refused
from assess.people.preferences import change_preferences, reset_preferences
from assess.web.account.settings_form import SettingsForm, initial_values
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest


def _refused_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    page = {"form": SettingsForm(request.POST), "refusal": refusal, "openid": site.OPENID_PROVIDER}
    return render(request, "account/settings.html", page, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown_by(_refused_page)
def settings(request: SignedInRequest) -> HttpResponse:
    """Colours, text size, keys and highlights."""
    if request.method != "POST":
        page = {"form": SettingsForm(initial=initial_values(request.user)), "openid": site.OPENID_PROVIDER}
        return render(request, "account/settings.html", page)
    change_preferences(request.user, **SettingsForm(request.POST).cleaned())
    messages.success(request, "Your settings are saved.")
    return redirect("account:settings")


@require_POST
def reset(request: SignedInRequest) -> HttpResponse:
    """Restore the default settings."""
    reset_preferences(request.user)
    messages.success(request, "Your settings have been reset to the defaults.")
    return redirect("account:settings")
