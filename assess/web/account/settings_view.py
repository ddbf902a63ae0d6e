"""Settings of one's own, for everybody who can sign in."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from assess.errors import Refused
from assess.people import preferences
from assess.web.account.settings_form import SettingsForm, values_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def settings(request):
    """Colours, text size, keys and highlights."""
    if request.method != "POST":
        return render(request, "account/settings.html", {"form": SettingsForm(initial=values_of(request.user))})
    form = SettingsForm(request.POST)
    try:
        preferences.change(request.user, **form.cleaned())
    except Refused as refusal:
        return render(request, "account/settings.html", {"form": form, "refusal": refusal}, status=400)
    messages.success(request, "Your settings are saved.")
    return redirect("account:settings")


@require_POST
def reset(request):
    """Everything as it was at first."""
    preferences.reset(request.user)
    messages.success(request, "Your settings are as they were at first.")
    return redirect("account:settings")
