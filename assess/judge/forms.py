"""What a judgement's request holds, told into a Saying; the rules themselves are in `assess.judging`."""

from django import forms

from assess.errors import Refused
from assess.judging import LONGEST_ACTIVE_MS, Saying
from assess.models import State


class JudgementForm(forms.Form):
    """The plain form and the page's script send the same fields. A grade alone means judged, a reason alone that it
    cannot be."""

    client_id = forms.UUIDField()
    member = forms.IntegerField()
    state = forms.CharField(max_length=12, required=False)
    relevance = forms.IntegerField(required=False)
    reason = forms.CharField(max_length=12, required=False)
    comment = forms.CharField(required=False)
    active_ms = forms.IntegerField(required=False)
    guidelines_version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)

    def saying(self) -> Saying:
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}: {problem}")
        told = {name: value for name, value in self.cleaned_data.items() if name not in ("client_id", "member")}
        told["state"] = told["state"] or (State.CANNOT_JUDGE if told["reason"] else State.JUDGED)
        # A stopwatch that ran over night is no reason to lose a grade.
        told["active_ms"] = min(max(told["active_ms"] or 0, 0), LONGEST_ACTIVE_MS)
        return Saying(**told)
