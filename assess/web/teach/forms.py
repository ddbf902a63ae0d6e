"""The form of a new exercise; what is possible is said by `assess.teaching.exercises`."""

from django import forms

from assess.collections.scale import BINARY_GRADES
from assess.lib.forms import RefusingForm
from assess.models import Collection
from assess.teaching.exercise_sources import GRADED as PASTED_GRADES
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.worksheets import PAIR, offered

GRADED, BINARY = "graded", "binary"
LONGEST_PASTED = 2_000_000


class ExerciseForm(RefusingForm):
    """`source` is the collection whose topics are offered; without one, topics and documents are pasted."""

    title = forms.CharField(label="Title", max_length=120)
    query_ids = forms.MultipleChoiceField(label="Topics", required=False, widget=forms.CheckboxSelectMultiple)
    pasted_topics = forms.CharField(
        label="Topics, one a line",
        required=False,
        strip=False,
        max_length=LONGEST_PASTED,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="A title alone, or query_id, title and description with a tab between them.",
    )
    pasted_documents = forms.CharField(
        label="Documents",
        required=False,
        strip=False,
        max_length=LONGEST_PASTED,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text="A blank line between two documents; or one a line, doc_id and text with a tab between them.",
    )
    shared = forms.IntegerField(
        label="Documents that all judge", help_text="Of all topics together; disputed and plain ones where known."
    )
    more_each = forms.IntegerField(label="More for each student", help_text="Different ones, as far as they go.")
    minutes = forms.IntegerField(label="Minutes to judge")
    scale = forms.ChoiceField(label="Grades", widget=forms.RadioSelect)
    show_own = forms.BooleanField(label="their own column of each step of the reveal, on their device", required=False)
    show_comments = forms.BooleanField(label="comments on contested documents, without names", required=False)
    worksheets = forms.MultipleChoiceField(label="Worksheets", required=False, widget=forms.CheckboxSelectMultiple)
    days = forms.IntegerField(label="Days until all of it is erased")

    def __init__(self, source: Collection | None, data=None):
        first = {"shared": 10, "more_each": 0, "minutes": 15, "days": 30, "show_own": True, "worksheets": [PAIR]}
        first |= {"scale": BINARY, "title": f"Agreement on {source.name}"[:120] if source else ""}
        topics = list(source.topics.order_by("pk").values_list("query_id", "title")) if source else []
        super().__init__(data, initial=first | {"query_ids": [query_id for query_id, _ in topics]})
        self.source = source
        self.fields["query_ids"].choices = topics
        self.fields["worksheets"].choices = list(offered().items())
        self.fields["scale"].choices = _scales(source)
        for name in ("query_ids",) if source is None else ("pasted_topics", "pasted_documents"):
            del self.fields[name]

    def numbers(self) -> list:
        return [self[name] for name in ("shared", "more_each", "minutes")]

    def wish(self) -> ExerciseSpec:
        told = dict(self.cleaned())
        binary = told.pop("scale") == BINARY
        return ExerciseSpec(source=self.source.slug if self.source else "", binary=binary, **told)


def _scales(source: Collection | None) -> list[tuple[str, str]]:
    graded = [f"{grade.value}={grade.name}" for grade in source.grades.all()] if source else PASTED_GRADES
    return [(name, f"{name}: {', '.join(grades)}") for name, grades in ((BINARY, BINARY_GRADES), (GRADED, graded))]
