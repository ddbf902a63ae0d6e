"""Settings of one's own, as the form sends them; the rules themselves are in `assess.people.preferences`."""

from django import forms

from assess.errors import Refused
from assess.models import Theme, User
from assess.people.keymap import ACTIONS, keys_of
from assess.people.preferences import LARGEST, SMALLEST


class SettingsForm(forms.Form):
    theme = forms.CharField(
        label="Colours", required=False, widget=forms.Select(choices=Theme.choices), empty_value=Theme.SYSTEM
    )
    text_size = forms.IntegerField(
        label=f"Text size in percent, {SMALLEST} to {LARGEST}",
        widget=forms.NumberInput(attrs={"min": SMALLEST, "max": LARGEST, "step": 5}),
    )
    highlights_on = forms.BooleanField(label="Highlight the topic's words in documents", required=False)
    keys_on = forms.BooleanField(label="Judge by single keys", required=False)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        short = {"size": 2, "maxlength": 1, "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        for deed, (_, words) in ACTIONS.items():
            self.fields[f"key_{deed}"] = forms.CharField(
                label=words, required=False, strip=False, widget=forms.TextInput(attrs=short)
            )

    def key_fields(self):
        return [self[f"key_{deed}"] for deed in ACTIONS]

    def told(self) -> dict:
        """What `preferences.change` takes."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{self.fields[name].label}: {problem}")
        told = {name: value for name, value in self.cleaned_data.items() if not name.startswith("key_")}
        return told | {"keys": {deed: self.cleaned_data[f"key_{deed}"] for deed in ACTIONS}}


def values_of(user: User) -> dict:
    """What the form shows at first."""
    names = ("theme", "text_size", "highlights_on", "keys_on")
    keys = {f"key_{deed}": key for deed, key in keys_of(user.keymap).items()}
    return {name: getattr(user, name) for name in names} | keys
