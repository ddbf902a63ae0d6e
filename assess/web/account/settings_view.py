"""The page of personal settings, for every signed-in user.

`assess.people.preferences` validates the values.
"""

from typing import Any

from django import forms
from django.conf import settings as site
from django.contrib import messages
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from assess.errors import Refused
from assess.models import Theme, User
from assess.people.keymap import ACTIONS, keys_for
from assess.people.preferences import MAX_TEXT_SIZE, MIN_TEXT_SIZE, change_preferences, reset_preferences
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by


class SettingsForm(RefusingForm):
    theme = forms.CharField(
        label="Colours", required=False, widget=forms.Select(choices=Theme.choices), empty_value=Theme.SYSTEM
    )
    text_size = forms.IntegerField(
        label=f"Text size in percent, {MIN_TEXT_SIZE} to {MAX_TEXT_SIZE}",
        widget=forms.NumberInput(attrs={"min": MIN_TEXT_SIZE, "max": MAX_TEXT_SIZE, "step": 5}),
    )
    highlights_on = forms.BooleanField(label="Highlight the topic's words in documents", required=False)
    pace_on = forms.BooleanField(label="Show my pace and the time that is left while I judge", required=False)
    keys_on = forms.BooleanField(label="Judge with single keys", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attributes = {"size": 2, "maxlength": 1, "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        for action, (_, label) in ACTIONS.items():
            self.fields[f"key_{action}"] = forms.CharField(
                label=label, required=False, strip=False, widget=forms.TextInput(attrs=attributes)
            )

    def key_fields(self) -> list[BoundField]:
        return [self[f"key_{action}"] for action in ACTIONS]

    def cleaned(self) -> dict[str, Any]:
        """Return the arguments of `change_preferences`, or raise Refused with the first error."""
        values = super().cleaned()
        settings = {name: value for name, value in values.items() if not name.startswith("key_")}
        return settings | {"keys": {action: values[f"key_{action}"] for action in ACTIONS}}


def initial_values(user: User) -> dict[str, Any]:
    """Return the user's settings as initial values of the form."""
    names = ("theme", "text_size", "highlights_on", "pace_on", "keys_on")
    keys = {f"key_{action}": key for action, key in keys_for(user.keymap).items()}
    return {name: getattr(user, name) for name in names} | keys


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
