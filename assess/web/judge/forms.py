"""What a judgement's request holds, told into a Saying; the rules themselves are in `assess.judging.judgement_input`."""

import json

from django import forms
from django.core.exceptions import ValidationError

from assess.errors import Refused
from assess.judging.judgement_csv import PASSAGES
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.models import State

NOT_OF_THE_SAYING = ("client_id", "member", "seen_version", "passage_text")


class Shared(dict):
    """Fields that no form changes. Every request makes a form of them, which else would copy them all."""

    def __deepcopy__(self, _memo):
        return self


class JudgementForm(forms.Form):
    """The plain form and the page's script send the same fields. A grade alone means judged, a reason alone that it
    cannot be."""

    client_id = forms.UUIDField()
    member = forms.IntegerField()
    seen_version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    state = forms.CharField(max_length=12, required=False)
    relevance = forms.IntegerField(required=False)
    reason = forms.CharField(max_length=12, required=False)
    comment = forms.CharField(required=False)
    confidence = forms.IntegerField(required=False)
    passages = forms.CharField(required=False)
    passage_text = forms.CharField(required=False, max_length=20_000)
    active_ms = forms.IntegerField(required=False)
    away_ms = forms.IntegerField(required=False)
    highlights = forms.NullBooleanField(required=False)
    input = forms.CharField(max_length=7, required=False)
    guidelines_version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)

    def __init__(self, data):
        super().__init__(data)
        # What did not come is as a Saying has it by itself, and needs no checking.
        self.fields = {name: field for name, field in self.fields.items() if field.required or name in data}

    def clean_comment(self) -> str:
        # Browsers send two characters for the end of a line that the page counted as one.
        return self.cleaned_data["comment"].replace("\r\n", "\n")

    def clean_passages(self) -> list[list[int]]:
        # Held against its shape first: the parser of JSON would go as deep as a hostile request has brackets.
        text = self.cleaned_data["passages"]
        if text in ("", "[]"):
            return []
        if not PASSAGES.fullmatch(text):
            raise ValidationError(f"{text[:40]!r} is no list of spans [start, end) such as [[0,12]].")
        return json.loads(text)

    @property
    def pasted(self) -> str | None:
        """The words of a passage, which the plain form asks for and the page's script never sends."""
        return self.cleaned_data["passage_text"] if "passage_text" in self.data else None

    def told_back(self) -> dict:
        """What of a refused form can stand on its page again: each field that was understood by itself."""
        self.is_valid()
        names = ("relevance", "reason", "comment", "confidence")
        return {
            name: self.cleaned_data.get(name, getattr(JudgementInput, name))
            for name in names
            if name not in self.errors
        }

    def saying(self) -> JudgementInput:
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}: {problem}")
        told = {name: value for name, value in self.cleaned_data.items() if name not in NOT_OF_THE_SAYING}
        told["state"] = told.get("state") or (State.CANNOT_JUDGE if told.get("reason") else State.JUDGED)
        # A stopwatch that ran over night is no reason to lose a grade.
        for name in ("active_ms", "away_ms"):
            told[name] = min(max(told.get(name) or 0, 0), LONGEST_MS)
        return JudgementInput(**told)


JudgementForm.base_fields = Shared(JudgementForm.base_fields)
