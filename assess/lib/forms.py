"""How the forms of all pages are rendered, and the field of a secret."""

from django import forms
from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Renders forms and fields with the templates of the site: `{{ form }}`, `{{ form.name.as_field_group }}`."""

    form_template_name = "forms/fields.html"
    field_template_name = "forms/field.html"


class SecretField(forms.CharField):
    """The value of a header that is stored encrypted and never shown (`forms/secret.html`)."""

    def __init__(self) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "off", "aria-describedby": "secret-help"})
        super().__init__(label="Secret", required=False, max_length=4_000, widget=widget)
