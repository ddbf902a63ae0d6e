"""What the forms of the judging page hold; the rules themselves are in the domain modules."""

from django import forms
from django.core.exceptions import ValidationError

from assess.collections.members import active_assessors
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.judging.rules import RULES
from assess.lib.forms import RefusingForm
from assess.models import Collection, Order, Passages

LONGEST_ID = 18  # digits


class RulesForm(RefusingForm):
    """The rules of judging; labels and what a change means come from `assess.judging.rules`."""

    order = forms.ChoiceField(choices=Order.choices)
    judges_per_task = forms.IntegerField(required=False)
    claim_minutes = forms.IntegerField()
    repeat_share = forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}))
    painted_ms = forms.IntegerField()
    passages = forms.ChoiceField(choices=Passages.choices)
    ask_confidence = forms.BooleanField(required=False)
    snippet_first = forms.BooleanField(required=False)
    hide_doc_ids = forms.BooleanField(required=False)
    ask_at_topic_end = forms.BooleanField(required=False)

    def __init__(self, collection: Collection, data=None):
        now = {rule.name: getattr(collection, rule.name) for rule in RULES}
        now["repeat_share"] = f"{collection.repeat_share:g}"
        super().__init__(data, initial=now, auto_id="rule_%s")
        for rule in RULES:
            field = self.fields[rule.name]
            field.label, field.help_text = rule.label, rule.means
        if collection.order != Order.ADAPTIVE:
            self.fields["order"].choices = [choice for choice in Order.choices if choice[0] != Order.ADAPTIVE]

    def switches(self) -> list:
        return [field for field in self if isinstance(field.field, forms.BooleanField)]

    def others(self) -> list:
        return [field for field in self if not isinstance(field.field, forms.BooleanField)]


class MembersField(forms.ModelMultipleChoiceField):
    """Members by their ids. One that no database could count to is no choice, and no question to it either."""

    def clean(self, value):
        for pk in value or ():
            if not (str(pk).isascii() and str(pk).isdigit() and len(str(pk)) <= LONGEST_ID):
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": pk})
        return super().clean(value)


class ReassignForm(RefusingForm):
    """Whose open work goes to whom; nobody named means to all the others."""

    giver = forms.ModelChoiceField(None, label="From", empty_label="choose")
    takers = MembersField(
        None,
        label="To",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Nobody ticked: to all the others.",
    )

    def __init__(self, collection: Collection, data=None):
        super().__init__(data, auto_id="reassign_%s")
        self.fields["giver"].queryset = collection.members.filter(role="assessor")
        self.fields["takers"].queryset = collection.members.filter(
            pk__in=[one.pk for one in active_assessors(collection)]
        )


class AdaptiveForm(RefusingForm):
    """With which strategy the order follows what is found."""

    strategy = forms.ChoiceField(label="Strategy")
    rule = forms.ChoiceField(label="Where several have judged a document")
    rel = forms.TypedChoiceField(label="Relevant", coerce=int)

    def __init__(self, collection: Collection, data=None):
        from assess.analysis.data import MIXED
        from assess.pools.adaptive_order import (  # numpy and pandas: only where this form is shown
            DEFAULT_RULE,
            strategies,
        )

        super().__init__(
            data, initial={"rel": lowest_relevant_grade(collection), "rule": DEFAULT_RULE}, auto_id="adaptive_%s"
        )
        self.fields["strategy"].choices = [(name, name) for name in strategies()]
        self.fields["rule"].choices = [(rule, f"{rule} decides") for rule in MIXED]
        self.fields["rel"].choices = [(grade, f"from grade {grade} on") for grade in scale_of(collection)[1:]]
