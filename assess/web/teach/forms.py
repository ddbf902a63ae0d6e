"""The form of a new exercise. `assess.teaching.exercises` validates its values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms

from assess.collections.scale import BINARY_GRADES
from assess.models import Collection
from assess.models.exercise import TITLE_LENGTH
from assess.teaching.clock import PAIR
from assess.teaching.exercise_sources import GRADED as PASTED_GRADES
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.default_topics import DOCUMENTS, default_topics
from assess.teaching.lesson.practice import AGREED, MAX_EXPLANATION_LENGTH, NONE, OWN, PracticeSpec
from assess.teaching.worksheets import all_worksheet_titles
from assess.web.requests import RefusingForm

GRADED, BINARY = "graded", "binary"
MAX_PASTED_LENGTH = 2_000_000
MAX_PRACTICE_LENGTH = 100_000
PRACTICE_FIELDS = ("topic", "text", "grade", "explanation")
PRACTICE_CHOICES = [
    (AGREED, "a document on which all earlier judges agree"),
    (OWN, "the text below"),
    (NONE, "none"),
]


class ExerciseForm(RefusingForm):
    """`source` is the collection whose topics are offered. Without a source, topics and documents are pasted."""

    title = forms.CharField(label="Title", max_length=TITLE_LENGTH)
    query_ids = forms.MultipleChoiceField(label="Topics", required=False, widget=forms.CheckboxSelectMultiple)
    pasted_topics = forms.CharField(
        label="Topics, one per line",
        required=False,
        strip=False,
        max_length=MAX_PASTED_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Either a title, or query_id, title and description separated by tabs.",
    )
    pasted_documents = forms.CharField(
        label="Documents",
        required=False,
        strip=False,
        max_length=MAX_PASTED_LENGTH,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text="Separate documents with blank lines, or enter one per line: doc_id and text separated by a tab.",
    )
    shared = forms.IntegerField(
        label="Documents that all students judge",
        help_text="Total over all topics. If earlier judgements exist, half of the documents are disputed ones.",
    )
    more_each = forms.IntegerField(
        label="More documents for each student", help_text="Different documents for each student, as far as possible."
    )
    minutes = forms.IntegerField(label="Minutes to judge")
    scale = forms.ChoiceField(label="Grades", widget=forms.RadioSelect)
    show_own = forms.BooleanField(label="their own figures at each step of the reveal, on their device", required=False)
    show_comments = forms.BooleanField(label="comments on contested documents, without names", required=False)
    worksheets = forms.MultipleChoiceField(label="Worksheets", required=False, widget=forms.CheckboxSelectMultiple)
    days = forms.IntegerField(label="Days until the exercise is erased")
    practice = forms.ChoiceField(label="Practice document", widget=forms.RadioSelect, required=False)
    practice_topic = forms.CharField(label="What the document is judged for", required=False, max_length=500)
    practice_text = forms.CharField(
        label="Text of the practice document",
        required=False,
        max_length=MAX_PRACTICE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    practice_grade = forms.IntegerField(label="Expected grade", required=False)
    practice_explanation = forms.CharField(
        label="Why this grade is expected",
        required=False,
        max_length=MAX_EXPLANATION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, source: Collection | None, data: Mapping[str, Any] | None = None, original: ExerciseSpec | None = None
    ) -> None:
        initial: dict[str, Any] = {
            "title": f"Agreement on {source.name}"[:TITLE_LENGTH] if source else "",
            "shared": DOCUMENTS,
            "more_each": 0,
            "minutes": 15,
            "days": 30,
            "show_own": True,
            "worksheets": [PAIR],
            "scale": BINARY,
            "practice": AGREED if source else NONE,
        }
        topics = list(source.topics.order_by("pk").values_list("query_id", "title")) if source else []
        self.default = default_topics(source) if source and data is None and original is None else None
        initial |= {"query_ids": self.default.query_ids if self.default else []}
        super().__init__(data, initial=initial | (_values_of(original) if original else {}))
        self.source = source
        self._set_choices("query_ids", topics)
        self._set_choices("worksheets", list(all_worksheet_titles().items()))
        self._set_choices("scale", _scales(source))
        self._set_choices("practice", [each for each in PRACTICE_CHOICES if source or each[0] != AGREED])
        for name in ("query_ids",) if source is None else ("pasted_topics", "pasted_documents"):
            del self.fields[name]

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def numbers(self) -> list[forms.BoundField]:
        """Return the fields that the page shows in one row."""
        return [self[name] for name in ("shared", "more_each", "minutes")]

    def practice_fields(self) -> list[forms.BoundField]:
        """Return the fields of a practice document that the instructor enters."""
        return [self[f"practice_{name}"] for name in PRACTICE_FIELDS]

    def has_practice_values(self) -> bool:
        """Whether the page shows the fields of a practice document at once."""
        return self["practice"].value() == OWN or any(field.value() for field in self.practice_fields())

    @property
    def is_confirmed(self) -> bool:
        """Whether the user has read the warning and creates the exercise anyway."""
        return bool(self.cleaned()["anyway"])

    def spec(self) -> ExerciseSpec:
        """Return the settings of the exercise, or raise Refused."""
        values = dict(self.cleaned())
        binary = values.pop("scale") == BINARY
        values.pop("anyway")
        practice = PracticeSpec(
            choice=values.pop("practice") or NONE,
            **{name: values.pop(f"practice_{name}") for name in PRACTICE_FIELDS},
        )
        source = self.source.slug if self.source else ""
        return ExerciseSpec(source=source, binary=binary, practice=practice, **values)


def _values_of(spec: ExerciseSpec) -> dict[str, Any]:
    """Return the settings of an exercise as the values of the form."""
    names = (
        *("title", "pasted_topics", "pasted_documents", "query_ids", "shared", "more_each", "minutes"),
        *("show_own", "show_comments", "worksheets", "days"),
    )
    return {
        **{name: getattr(spec, name) for name in names},
        "scale": BINARY if spec.binary else GRADED,
        "practice": spec.practice.choice,
        **{f"practice_{name}": getattr(spec.practice, name) for name in PRACTICE_FIELDS},
    }


def _scales(source: Collection | None) -> list[tuple[str, str]]:
    graded = [f"{grade.value}={grade.name}" for grade in source.grades.all()] if source else PASTED_GRADES
    return [(name, f"{name}: {', '.join(grades)}") for name, grades in ((BINARY, BINARY_GRADES), (GRADED, graded))]
