"""The forms of the judging settings. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.judging.rules import RULES
from assess.lib.forms import RefusingForm
from assess.models import Collection, DuplicatesRule, Order, Passages


class RulesForm(RefusingForm):
    """The rules of judging. Labels and help texts come from `assess.judging.rules`."""

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

    def __init__(self, collection: Collection, data: Mapping[str, Any] | None = None) -> None:
        initial = {rule.name: getattr(collection, rule.name) for rule in RULES}
        initial["repeat_share"] = f"{collection.repeat_share:g}"
        super().__init__(data, initial=initial, auto_id="rule_%s")
        for rule in RULES:
            field = self.fields[rule.name]
            field.label, field.help_text = rule.label, rule.effect
        if collection.order != Order.ADAPTIVE:
            manual_orders = [choice for choice in Order.choices if choice[0] != Order.ADAPTIVE]
            cast("forms.ChoiceField", self.fields["order"]).choices = manual_orders

    def switches(self) -> list[BoundField]:
        return [field for field in self if isinstance(field.field, forms.BooleanField)]

    def others(self) -> list[BoundField]:
        return [field for field in self if not isinstance(field.field, forms.BooleanField)]


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
