"""The form of a release: the gold, what is in it, and its description."""

from collections.abc import Mapping
from typing import Any

from django import forms

from agreement.choices import PEOPLE
from assess.analysis.query import set_choices, within_set
from assess.analysis.reference import MAJORITY, default_reference, judges_of
from assess.collections.scale import scale_of
from assess.collections.topic_sets import sets_by_topic, topics_in_set
from assess.lib.forms import RefusingForm
from assess.models import Collection, Release, Role

RULES = {
    "majority": "the lower median of the grades",
    "median": "the same as majority",
    "union": "the highest grade",
    "max": "the same as union",
    "intersection": "the lowest grade",
    "min": "the same as intersection",
    "mean": "the mean grade",
    "at_least:2": "the highest grade that two judges reach",
    "both_agree": "only documents on which all judges agree",
    "adjudicated": "the decision, or the grade on which all agree",
    "dawid_skene": "the most likely grade, by the model of Dawid and Skene",
    "glad": "the most likely grade, by GLAD, with difficulties of documents",
    "mace": "the most likely grade, by MACE, which finds who guesses",
}
ROUNDINGS = {"": "none", "half_up": "half up", "up": "up", "down": "down"}
GRADED = "all grades"
MAX_NAME = Release._meta.get_field("name").max_length
MAX_NOTES, MAX_LINE, MAX_MEASURE, MAX_TOPICS = 10_000, 300, 100, 100_000


class ReleaseForm(RefusingForm):
    """The choices of a release. The domain checks what they mean."""

    name = forms.CharField(label="Name", max_length=MAX_NAME, help_text="A known name makes its next version.")
    rule = forms.ChoiceField(label="Gold")
    rel = forms.ChoiceField(label="Grades", required=False)
    judges = forms.MultipleChoiceField(
        label="Judges", required=False, widget=forms.CheckboxSelectMultiple, help_text="None checked: all judges."
    )
    topics = forms.CharField(
        label="Topics",
        required=False,
        max_length=MAX_TOPICS,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Their ids, separated by spaces. Empty: all topics.",
    )
    topic_set = forms.ChoiceField(label="Set of topics", required=False, help_text="Only topics of this set.")
    measure = forms.CharField(
        label="Measure of the ranking", required=False, max_length=MAX_MEASURE, help_text="Such as nDCG@10."
    )
    rounding = forms.ChoiceField(
        label="Rounding",
        required=False,
        choices=list(ROUNDINGS.items()),
        help_text="Of fractions, for the rule mean.",
    )
    authors = forms.CharField(
        label="Authors", required=False, max_length=MAX_LINE, help_text="For the citation: Ada Doe and Bo Roe."
    )
    licence = forms.CharField(
        label="Licence", required=False, max_length=MAX_LINE, help_text="An id such as cc-by-4.0."
    )
    notes = forms.CharField(
        label="Notes",
        required=False,
        max_length=MAX_NOTES,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What readers should know, and what changed. Do not name people.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        judged = judges_of(collection)
        default = default_reference(collection, judged)
        initial = {"name": "main", "rule": default.rule if default else MAJORITY}
        super().__init__(data, auto_id="release_%s", initial=initial)
        self.collection = collection
        judges = collection.members.filter(role=Role.ASSESSOR, judgements__isnull=False).distinct().order_by("name")
        names = list(judges.values_list("name", flat=True))
        of_people = [(f"{PEOPLE}{rule}", f"{words}; people only") for rule, words in RULES.items() if judged.has_others]
        known = [(rule, words) for rule, words in of_people if judged.has_gold(rule)]
        rules = [(rule, f"{rule}: {words}") for rule, words in [*known, *RULES.items()]]
        by_judge = [(f"judge:{name}", f"judge:{name}") for name in names]
        self.fields["rule"].choices = [*rules, *by_judge]  # type: ignore[attr-defined]
        self.fields["judges"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        thresholds = [(str(grade), f"binary: relevant from grade {grade}") for grade in scale_of(collection)[1:]]
        self.fields["rel"].choices = [("", GRADED), *thresholds]  # type: ignore[attr-defined]
        if sets := set_choices(set(sets_by_topic(collection).values())):
            self.fields["topic_set"].choices = sets  # type: ignore[attr-defined]
        else:
            del self.fields["topic_set"]

    def choices(self) -> dict[str, Any]:
        """Return the arguments of `ReleaseChoices`, or raise Refused with the first error."""
        values = dict(self.cleaned())
        rel, topic_set = values["rel"], values.pop("topic_set", "")
        of_set = topics_in_set(self.collection, topic_set)
        topics = within_set(of_set, tuple(values["topics"].split()), topic_set)
        return values | {"rel": int(rel) if rel else None, "topics": list(topics)}
