"""The forms of the judging settings. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.judging.rules import RULES
from assess.models import Collection, DuplicatesRule, Order, Passages
from assess.web.requests import RefusingForm

GROUPS = {  # each is saved alone
    "order": ("Order", ("order", "near_duplicates", "continuous")),
    "claiming": ("Claiming", ("judges_per_task", "claim_minutes")),
    "display": ("What assessors see", ("min_visible_ms", "snippet_first", "hide_doc_ids")),
    "questions": ("What assessors are asked", ("passages", "ask_confidence", "ask_at_topic_end", "ask_marginal")),
    "checks": ("Quality checks", ("repeat_share",)),
}


class RulesForm(RefusingForm):
    """The rules of judging, or those of one group. Labels and help texts come from `assess.judging.rules`."""

    order = forms.ChoiceField(choices=Order.choices)
    judges_per_task = forms.IntegerField(required=False)
    claim_minutes = forms.IntegerField()
    repeat_share = forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}))
    min_visible_ms = forms.IntegerField()
    passages = forms.ChoiceField(choices=Passages.choices)
    near_duplicates = forms.ChoiceField(choices=DuplicatesRule.choices)
    ask_confidence = forms.BooleanField(required=False)
    snippet_first = forms.BooleanField(required=False)
    hide_doc_ids = forms.BooleanField(required=False)
    ask_at_topic_end = forms.BooleanField(required=False)
    continuous = forms.BooleanField(required=False)
    ask_marginal = forms.BooleanField(required=False)

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None, group: str = "") -> None:
        initial = {rule.name: getattr(collection, rule.name) for rule in RULES}
        initial["repeat_share"] = f"{collection.repeat_share:g}"
        super().__init__(data, initial=initial, auto_id="rule_%s")
        for rule in RULES:
            field = self.fields[rule.name]
            field.label, field.help_text = rule.label, rule.effect
        if collection.order != Order.ADAPTIVE:
            manual_orders = [choice for choice in Order.choices if choice[0] != Order.ADAPTIVE]
            cast("forms.ChoiceField", self.fields["order"]).choices = manual_orders
        if group in GROUPS:
            self.fields = {name: self.fields[name] for name in GROUPS[group][1]}

    def show(self, group: str, posted: Mapping[str, Any]) -> "RulesForm":
        """Show what was posted for a group, and the present rules of the others."""
        names = GROUPS[group][1] if group in GROUPS else ()
        self.initial = {**self.initial, **{name: posted.get(name, "") for name in names}}
        return self

    def groups(self) -> list[tuple[str, str, list[BoundField]]]:
        """Return name, label and fields of each group."""
        return [(name, label, [self[field] for field in fields]) for name, (label, fields) in GROUPS.items()]


class AdaptiveForm(RefusingForm):
    """The strategy of an adaptive order."""

    strategy = forms.ChoiceField(label="Strategy")
    rule = forms.ChoiceField(label="If several assessors judged a document")
    rel = forms.TypedChoiceField(label="Relevant", coerce=int)

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        from assess.analysis.reference import COMBINED_GOLDS  # loads pandas
        from assess.pools.adaptive_order import DEFAULT_RULE, strategies

        initial = {"rel": lowest_relevant_grade(collection), "rule": DEFAULT_RULE}
        super().__init__(data, initial=initial, auto_id="adaptive_%s")
        thresholds = scale_of(collection)[1:]
        cast("forms.ChoiceField", self.fields["strategy"]).choices = [(name, name) for name in strategies()]
        cast("forms.ChoiceField", self.fields["rule"]).choices = [(rule, f"{rule} decides") for rule in COMBINED_GOLDS]
        cast("forms.ChoiceField", self.fields["rel"]).choices = [(rel, f"grade {rel} and above") for rel in thresholds]
