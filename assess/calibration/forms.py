"""The forms of the calibration page. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from assess.calibration.overview import RULES
from assess.models import Collection, KnownGrade, PracticeMeasure, PracticeRule
from assess.web.requests import RefusingForm

LONGEST_CSV = 500_000


class RulesForm(RefusingForm):
    """Whether there is practice, its threshold, and whether checks are hidden among the documents."""

    practice = forms.ChoiceField(
        label="Practice",
        choices=PracticeRule.choices,
        help_text="Below the threshold, assessors wait until you admit them, or continue and you are informed. People "
        "who have judged before the practice begins do not practise.",
    )
    practice_measure = forms.ChoiceField(label="The threshold limits", choices=PracticeMeasure.choices)
    practice_threshold = forms.FloatField(
        label="Threshold",
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="0.7 means 70% hits, or a kappa of 0.7.",
    )
    hidden_checks = forms.BooleanField(
        label="Hide checks among the documents",
        required=False,
        help_text="Every assessor gets the check documents of their topics at random places.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={name: getattr(collection, name) for name in RULES}, auto_id="rules_%s")


class KnownGradesForm(RefusingForm):
    """Documents with known grades: as CSV, or those that adjudicators decided."""

    use = forms.ChoiceField(label="For", choices=KnownGrade.Use.choices)
    text = forms.CharField(
        label="Lines",
        required=False,
        max_length=LONGEST_CSV,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="CSV with the columns query_id,doc_id,relevance,explanation, named in the first line.",
    )
    file = forms.FileField(label="Or a CSV file", required=False)
    decided = forms.BooleanField(
        label="All documents with a decision",
        required=False,
        help_text="The comment of the adjudicator is the explanation.",
    )

    def __init__(self, data: Mapping[str, Any] | None = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="known_%s")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        values["content"] = values.get("text") or self._file_text(values.get("file"))
        if not values["content"] and not values.get("decided"):
            self.add_error("text", "Paste lines, choose a file, or take the decided documents.")
        return values

    def _file_text(self, file: Any) -> str:
        if not file:
            return ""
        if file.size > LONGEST_CSV:
            raise ValidationError(f"The file may have {LONGEST_CSV:,} bytes, not {file.size:,}.")
        try:
            text: str = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValidationError("The file must be UTF-8.") from None
        return text
