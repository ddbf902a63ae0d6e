"""The form of a release: the gold, what is in it, and its description."""

from collections.abc import Mapping
from typing import Any

from django import forms

from agreement.choices import PEOPLE
from assess.analysis.query import set_choices, within_set
from assess.analysis.reference import JUDGE, MAJORITY, default_reference, judges_of
from assess.collections.scale import scale_of
from assess.collections.topic_sets import sets_by_topic, topics_in_set
from assess.models import Collection, Release, Role
from assess.web.requests import RefusingForm
from assess.web.research.choice_fields import (
    TopicsField,
    chosen_measure,
    measure_choices,
    other_measure,
    select,
    topic_choices,
    usual_rule,
)

RULES = {
    "majority": "the lower median",
    "union": "the highest grade",
    "intersection": "the lowest grade",
    "mean": "the mean grade",
    "at_least:2": "the highest grade that two judges reach",
    "both_agree": "only documents on which all judges agree",
    "adjudicated": "the decision, or the grade on which all agree",
    "dawid_skene": "the most likely grade, by the model of Dawid and Skene",
    "glad": "the most likely grade, by GLAD, with difficulties of documents",
    "mace": "the most likely grade, by MACE, which finds who guesses",
}
ROUNDINGS = {"": "choose", "half_up": "half up", "up": "up", "down": "down"}
GRADED = "all grades"
MAX_NAME = Release._meta.get_field("name").max_length
MAX_NOTES, MAX_LINE = 10_000, 300
FIRST_OF_MORE = ("topics", "topic_set", "measure", "other_measure")
MAIN = ("name", "rule", "rel", "rounding", "judges")
MEAN = "mean"
OF_CHOICE = {
    "rounding": "of-mean",
    "judges": "of-several",
    "other_measure": "of-other",
    "topics": "boxed",
}  # classes of the stylesheet


class ReleaseForm(RefusingForm):
    """The choices of a release. The domain checks what they mean."""

    name = forms.CharField(label="Name", max_length=MAX_NAME, help_text="A known name makes its next version.")
    rule = forms.ChoiceField(label="Gold")
    rel = forms.ChoiceField(label="Grades", required=False)
    judges = forms.MultipleChoiceField(
        label="Judges", required=False, widget=forms.CheckboxSelectMultiple, help_text="None checked: all judges."
    )
    topic_set = forms.ChoiceField(label="Set of topics", required=False, help_text="Only topics of this set.")
    rounding = forms.ChoiceField(
        label="Rounding",
        required=False,
        choices=list(ROUNDINGS.items()),
        help_text="A mean may be a fraction.",
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
        initial = {"name": "main", "rule": usual_rule(default.rule) if default else MAJORITY}
        super().__init__(data, auto_id="release_%s", initial=initial)
        self.collection = collection
        judges = collection.members.filter(role=Role.ASSESSOR, judgements__isnull=False).distinct().order_by("name")
        names = list(judges.values_list("name", flat=True))
        of_people = [(f"{PEOPLE}{rule}", words) for rule, words in RULES.items() if judged.has_others]
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
        typed = (data or {}).get("measure", "")
        self.fields["measure"] = select(
            "Measure of the ranking", [("", "the usual one"), *measure_choices(collection)], typed
        )
        self.fields["other_measure"] = other_measure()
        listed = topic_choices(collection)
        words = "None checked: all topics." if listed else "Their ids, separated by spaces. Empty: all topics."
        self.fields["topics"] = TopicsField(listed, label="Topics", help_text=words)

    def main(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields that every release needs, with the class of those that depend on a choice."""
        return [(self[name], OF_CHOICE.get(name, "")) for name in MAIN]

    def more(self) -> list[tuple[forms.BoundField, str]]:
        """Return the other fields."""
        others = [name for name in self.fields if name not in MAIN]
        others.sort(key=lambda name: FIRST_OF_MORE.index(name) if name in FIRST_OF_MORE else len(FIRST_OF_MORE))
        return [(self[name], OF_CHOICE.get(name, "")) for name in others]

    @property
    def has_more(self) -> bool:
        """Whether something is chosen in the other fields."""
        return self.is_bound and any(field.value() for field, _ in self.more())

    def choices(self) -> dict[str, Any]:
        """Return the arguments of `ReleaseChoices`, or raise Refused with the first error."""
        values = self.cleaned()
        values["measure"] = chosen_measure(values)
        self._leave_out_hidden(values)
        values = dict(values)
        rel, topic_set = values["rel"], values.pop("topic_set", "")
        of_set = topics_in_set(self.collection, topic_set)
        topics = within_set(of_set, tuple(values["topics"]), topic_set)
        return values | {"rel": int(rel) if rel else None, "topics": list(topics)}

    @staticmethod
    def _leave_out_hidden(values: dict[str, Any]) -> None:
        """Empty the fields that the page does not show for the chosen gold."""
        if values["rule"].removeprefix(PEOPLE) != MEAN:
            values["rounding"] = ""
        if values["rule"].startswith(JUDGE):
            values["judges"] = []
