"""How the forms of all pages are rendered, and a form whose first error is a refusal."""

from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting

from assess.errors import Refused


class Renderer(TemplatesSetting):
    """Renders forms and fields with the templates of the site: `{{ form }}`, `{{ form.name.as_field_group }}`."""

    form_template_name = "forms/fields.html"
    field_template_name = "forms/field.html"


class RefusingForm(forms.Form):
    """A form for pages that show one sentence about what is wrong."""

    refuses = True

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data, or raise Refused with the first error."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{self.fields[name].label or name}: {problem}")
        return self.cleaned_data
