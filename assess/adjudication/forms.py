"""The forms of adjudications and norming rounds. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms

from assess.adjudication import choose
from assess.adjudication.adjudicate import candidates
from assess.analysis.query import suggested_measures
from assess.analysis.reference import MAJORITY, default_reference, judges_of
from assess.collections.members import active_assessors
from assess.collections.scale import scale_of
from assess.models import Collection
from assess.norming.rounds import MOST_DOCUMENTS
from assess.web.requests import RefusingForm
from assess.web.research.choice_fields import (
    chosen_measure,
    gold_choices,
    measure_choices,
    other_measure,
    select,
    topic_field,
    usual_rule,
)

CHOICES = (
    (choose.LEVERAGE, "Those that move the ranking most"),
    (choose.DISTANCE, "Those whose grades are far apart"),
    (choose.TOPIC, "Disputed ones of a topic"),
)
OF_CHOICE = {  # the choice that a field belongs to
    "number": choose.LEVERAGE,
    "measure": choose.LEVERAGE,
    "other_measure": f"{choose.LEVERAGE} of-other",
    "gold": choose.LEVERAGE,
    "distance": choose.DISTANCE,
    "topic": choose.TOPIC,
}


class AdjudicationForm(RefusingForm):
    """Which disputed documents are adjudicated, and by whom. `options()` returns the arguments of `adjudicate`."""

    choice = forms.ChoiceField(
        label="Documents", choices=(*CHOICES, (choose.DOCUMENTS, "The selected ones")), widget=forms.RadioSelect
    )
    number = forms.IntegerField(
        label="How many",
        min_value=1,
        max_value=choose.MOST_TASKS,
        initial=20,
        required=False,
    )
    distance = forms.IntegerField(
        label="Steps apart",
        min_value=1,
        max_value=9,
        initial=1,
        required=False,
        help_text="The lowest and the highest grade are this many steps of the scale apart, or more.",
    )
    adjudicators = forms.MultipleChoiceField(
        label="Adjudicators",
        widget=forms.CheckboxSelectMultiple,
        help_text="Each document goes to one of them who did not judge it, in equal shares.",
    )
    shows_grades = forms.BooleanField(
        label="Show the grades of the judges, without names",
        required=False,
        help_text="Otherwise adjudicators do not see any grade. A release states which way you chose.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        initial = {"measure": suggested_measures(collection)[0], "distance": min(2, len(scale_of(collection)) - 1)}
        judges = judges_of(collection)
        default = default_reference(collection, judges)
        initial |= {"gold": usual_rule(default.rule) if default else MAJORITY}
        initial |= {"choice": choose.LEVERAGE if collection.runs.exists() else choose.DISTANCE}
        super().__init__(data, initial=initial, auto_id="adjudication_%s")
        typed = data or {}
        self.fields["measure"] = select("Measure", measure_choices(collection), typed.get("measure", ""))
        self.fields["other_measure"] = other_measure()
        self.fields["gold"] = select("Gold", gold_choices(judges), typed.get("gold", ""))
        self.fields["topic"] = topic_field(collection, "Topic", "choose", typed.get("topic", ""))
        names = [(member.name, f"{member.name} ({member.role})") for member in candidates(collection)]
        cast("forms.MultipleChoiceField", self.fields["adjudicators"]).choices = names
        if data is None:
            cast("forms.ChoiceField", self.fields["choice"]).choices = CHOICES

    def of_choice(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields that depend on the choice, with the class that says on which."""
        return [(self[name], f"of-{kind}") for name, kind in OF_CHOICE.items()]

    def options(self) -> dict[str, Any]:
        """Return the arguments of `adjudicate`, with the defaults for empty fields, without tasks."""
        values = self.cleaned()
        return {
            "by": values["choice"],
            "number": values["number"] or 20,
            "distance": values["distance"] or 1,
            "query_id": values["topic"],
            "measure": chosen_measure(values) or self.initial["measure"],
            "gold": values["gold"],
            "adjudicators": values["adjudicators"],
            "shows_grades": values["shows_grades"],
        }


class NormingForm(RefusingForm):
    """A norming round: how many documents, of which topic, and who takes part."""

    documents = forms.IntegerField(label="Documents", min_value=1, max_value=MOST_DOCUMENTS, initial=5)
    people = forms.MultipleChoiceField(
        label="Assessors",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you select nobody, everyone takes part.",
    )

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="norming_%s")
        typed = (data or {}).get("topic", "")
        self.fields["topic"] = topic_field(collection, "Topic", "from the whole pool", typed)
        names = [(member.name, member.name) for member in active_assessors(collection)]
        cast("forms.MultipleChoiceField", self.fields["people"]).choices = names
