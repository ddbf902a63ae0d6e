"""Fields that offer the golds, measures and topics of a collection as lists. Domain modules validate what is chosen."""

from collections.abc import Sequence
from typing import Any

from django import forms

from agreement.choices import PEOPLE
from assess.analysis.query import suggested_measures
from assess.analysis.reference import Judges, offered_rules
from assess.models import Collection

Choices = list[tuple[str, str]]

MAX_MEASURE = 200
MAX_TOPICS = 100_000  # characters of typed ids
MOST_LISTED = 1_000  # topics; more are typed
OTHER = "other"
SAME_RULES = {"median": "majority", "max": "union", "min": "intersection"}  # two names of one rule


def usual_rule(rule: str) -> str:
    """Return the name under which a rule is offered."""
    people = PEOPLE if rule.startswith(PEOPLE) else ""
    name = rule.removeprefix(PEOPLE)
    return f"{people}{SAME_RULES.get(name, name)}"


def gold_choices(judges: Judges) -> Choices:
    """Return every gold once, with its meaning."""
    offered = [(rule, words) for rule, words in offered_rules(judges) if usual_rule(rule) == rule]
    return [(rule, f"{rule}: {words}" if words else rule) for rule, words in offered]


def measure_choices(collection: Collection) -> Choices:
    """Return the usual measures, and the choice of another one, which is typed."""
    suggested = suggested_measures(collection)
    rel = suggested[0].removeprefix("AP")  # "(rel=1)"
    names = [*suggested, "nDCG@20", f"RR{rel}", f"Rprec{rel}", f"R{rel}@100"]
    return [*((name, name) for name in names), (OTHER, "another measure")]


def topic_choices(collection: Collection) -> Choices:
    """Return the ids of topics with their titles; empty if there are too many for a list."""
    rows = list(collection.topics.order_by("pk").values_list("query_id", "title")[: MOST_LISTED + 1])
    listed = [(query_id, f"{query_id} {title}".strip()) for query_id, title in rows]
    return listed if len(rows) <= MOST_LISTED else []


def select(label: str, choices: Choices, typed: str = "", **words: Any) -> forms.CharField:
    """Return a list. It has what was typed too, so that the domain can say why it refuses this."""
    known = [value for value, _ in choices]
    more = [(typed, typed)] if typed and typed not in known else []
    return forms.CharField(
        label=label, required=False, max_length=MAX_MEASURE, widget=forms.Select(choices=[*choices, *more]), **words
    )


def topic_field(collection: Collection, label: str, first: str, typed: str = "") -> forms.CharField:
    """Return the list of topics, or a text field if there are too many. `first` is the choice of no topic."""
    if choices := topic_choices(collection):
        return select(label, [("", first), *choices], typed)
    return forms.CharField(label=label, required=False, max_length=MAX_MEASURE, help_text=f"Its id. Empty: {first}.")


def other_measure() -> forms.CharField:
    """Return the field of a measure that is not in the list."""
    return forms.CharField(
        label="Which one", required=False, max_length=MAX_MEASURE, help_text="A name of ir_measures, such as ERR@20."
    )


def chosen_measure(values: dict[str, Any]) -> str:
    """Return the measure of the list, or the typed one, and remove the latter from the values."""
    typed: str = values.pop("other_measure", "")
    return typed if values["measure"] == OTHER else values["measure"]


class TopicsField(forms.Field):
    """Several topics: boxes, or ids that are typed, separated by spaces. The value is a list."""

    def __init__(self, choices: Choices, **words: Any) -> None:
        boxes = forms.CheckboxSelectMultiple(choices=choices)
        widget = boxes if choices else forms.Textarea(attrs={"rows": 2})
        super().__init__(required=False, widget=widget, **words)
        self.choices = choices or None  # the template of fields shows boxes as a group

    def to_python(self, value: str | Sequence[str] | None) -> list[str]:
        texts = [value] if isinstance(value, str) else list(value or ())
        if sum(map(len, texts)) > MAX_TOPICS:
            raise forms.ValidationError(f"Ensure the ids have at most {MAX_TOPICS:,} characters.")
        return [query_id for text in texts for query_id in text.split()]
