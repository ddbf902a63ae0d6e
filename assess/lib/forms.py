"""A form whose first error is a refusal."""

from typing import Any

from django import forms

from assess.errors import Refused


class RefusingForm(forms.Form):
    """A form for pages that show one sentence about what is wrong."""

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data, or raise Refused with the first error."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{self.fields[name].label or name}: {problem}")
        return self.cleaned_data
