"""What the forms of several rooms share."""

from django import forms

from assess.errors import Refused


class RefusingForm(forms.Form):
    """A form whose first problem becomes the one sentence that the page tells."""

    def told(self) -> dict:
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{self.fields[name].label}: {problem}")
        return self.cleaned_data
