"""The form of a pool: a strategy, its parameters, and the pace of the assessors for the cost."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from assess.errors import Refused
from assess.pools.building import strategies
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.kinds import StrategyKind, kind_of, kinds, strategy_of_kind
from assess.web.requests import RefusingForm

TARGET = "documents_per_topic"
PACE = {"seconds": 30, "judges": 1}
MOST_SECONDS = 3_600
MOST_JUDGES = 100
MOST_TEXT = 1_000
MOST_FIELDS = 4  # shown at first, besides the strategy
SHOWN = "fields_of"  # the strategy whose fields the page had


class PoolForm(RefusingForm):
    """A kind of strategies, and one of its strategies with its own parameters. It loads pandas.

    Of the parameter that the pool grows with and the documents per topic, one is required.
    """

    kind = forms.ChoiceField(label="How documents are selected", required=False, widget=forms.RadioSelect)
    strategy = forms.ChoiceField(label="Strategy", required=False)
    seconds = forms.IntegerField(label="Seconds per judgement", min_value=1, max_value=MOST_SECONDS)
    judges = forms.IntegerField(label="Assessors for each document", min_value=1, max_value=MOST_JUDGES)

    def __init__(
        self,
        strategy: str,
        data: Mapping[str, Any] | None = None,
        stored: Mapping[str, Any] | None = None,
        is_filled: bool = False,
    ) -> None:
        """Without `data`, the form suggests the parameters of an earlier pool, `stored`, or the defaults.

        With `is_filled`, it has these suggestions where `data` has nothing.
        """
        known = strategies.names()
        self.chosen = strategy if strategy in known else strategies.DEFAULT_STRATEGY
        initial = {"strategy": strategy, "kind": kind_of(self.chosen), **PACE}
        super().__init__(data and _with_pace(data), auto_id="pool_%s", initial=initial)
        self.fields["kind"].choices = [(kind.name, kind.label) for kind in kinds()]  # type: ignore[attr-defined]
        self.fields["strategy"].choices = [(name, strategies.summary(name)) for name in known]  # type: ignore[attr-defined]
        self.growing = strategies.growing_parameter(self.chosen)
        self.parameters = strategies.parameters_of(self.chosen)
        for name, default in strategies.options_of(self.chosen).items():
            parameter = self.parameters[name]
            self.fields[name] = _field(parameter, default, is_required=default is ... and name != self.growing)
            self.initial.setdefault(name, _initial(parameter, default, stored))
        if self.growing:
            self.fields[TARGET] = _target_field(self.parameters[self.growing].label)
        self.is_filled = is_filled
        if is_filled:
            self._fill(data or {})

    def _fill(self, data: Mapping[str, Any]) -> None:
        """Use what the form suggests for each field without a value."""
        names = self._taken(data.get(SHOWN, self.chosen))
        filled = {name: (name in names and data.get(name)) or self.initial.get(name) for name in self.fields}
        chosen = {"strategy": self.initial["strategy"], "kind": self.initial["kind"]}
        self.data = {name: f"{value}" for name, value in (filled | chosen).items() if value is not None}
        self.is_bound = True

    def _taken(self, source: str) -> set[str]:
        """Return the fields with the same meaning as in the form of another strategy."""
        names = {*self.fields, *self.parameters}
        is_same_size = source in strategies.names() and strategies.growing_parameter(source) == self.growing
        return names if is_same_size else names - {"depth"}

    @property
    def kinds(self) -> list[tuple[StrategyKind, bool]]:
        """The kinds, each with whether the chosen strategy is one of it."""
        return [(kind, self.chosen in kind.strategies) for kind in kinds()]

    @property
    def of_kind(self) -> list[tuple[str, str]]:
        """The strategies of the chosen kind, with their summaries."""
        return [(name, strategies.summary(name)) for kind, is_it in self.kinds if is_it for name in kind.strategies]

    @property
    def main_fields(self) -> list[BoundField]:
        """The fields that decide what the pool is: at most four."""
        return [self[name] for name in self._names() if name not in self._more()][:MOST_FIELDS]

    @property
    def more_fields(self) -> list[BoundField]:
        """The other fields of the strategy, and the pace of the assessors."""
        shown = {field.name for field in self.main_fields}
        return [self[name] for name in [*self._names(), *PACE] if name not in shown]

    @property
    def has_more(self) -> bool:
        """Whether one of the other fields was changed."""
        return any(field.value() not in (None, "", field.initial, f"{field.initial}") for field in self.more_fields)

    def _names(self) -> list[str]:
        """Return the fields of the strategy, with the documents per topic after the parameter that it replaces."""
        names = list(self.parameters)
        if self.growing:
            names.insert(names.index(self.growing) + 1, TARGET)
        return names

    def _more(self) -> set[str]:
        """Return the fields that few need: the seed, and the ranks that a strategy of another size reads."""
        return {"seed", "depth"} - {str(self.growing)}

    def of_other(self, strategy: str) -> "PoolForm":
        """Return the form of another strategy, with the values of this one where both have the same parameter."""
        data = self.submitted() | {"strategy": strategy, SHOWN: self.chosen}
        return self if strategy == self.chosen else PoolForm(strategy, data, is_filled=True)

    def submitted(self) -> dict[str, str]:
        """Return the strategy and the values of its fields, as a query has them."""
        values = {name: self.data.get(name) for name in [*self._names(), *PACE]}
        return {"strategy": self.chosen, **{name: f"{value}" for name, value in values.items() if value}}

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `build_pool` and `preview_pool`, or raise Refused with the first error."""
        values = self.cleaned()
        if missing := strategies.required_without_field(self.chosen):
            raise Refused(f"{self.chosen} needs {', '.join(missing)}, which this page cannot ask for.")
        names = [*self.parameters, *([TARGET] if self.growing else [])]
        arguments = {name: values[name] for name in names if values[name] is not None}
        if TARGET in arguments:
            arguments.pop(str(self.growing), None)
        elif self.growing and self.growing not in arguments:
            label = self.parameters[self.growing].label
            raise Refused(f"Enter “{label}”, or the documents per topic that the pool may have.")
        _check(self.chosen, dict(arguments))
        return {"strategy": self.chosen, **arguments}

    def pace(self) -> dict[str, int]:
        """Return the seconds per judgement and the judges per document."""
        values = self.cleaned()
        return {name: values[name] for name in PACE}


def chosen_form(data: Mapping[str, Any], stored: Mapping[str, Any] | None = None, default: str = "") -> PoolForm:
    """Return the form of the strategy or kind that a page chose.

    The page had the fields of another strategy if it was only chosen now. Then, what is missing is filled in.
    """
    strategy = strategy_of_kind(data.get("kind", ""), data.get("strategy") or default)
    is_new = "preview" not in data or data.get(SHOWN, strategy) != strategy
    return PoolForm(strategy, data, stored, is_filled=is_new)


def _with_pace(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data, with the usual pace where it has none."""
    return PACE | {name: value for name, value in data.items() if value or name not in PACE}


def _check(strategy: str, arguments: dict[str, Any]) -> None:
    """Let the library refuse what it does not allow, such as ranges in the wrong order."""
    if strategy == EVERY_DOCUMENT:  # which has no parameters, and is none of the library
        return
    from assess.pools.building.runs import checked_recipe  # loads pandas

    checked_recipe(strategy, arguments.pop("seed", None), arguments, arguments.pop(TARGET, None))


class StrataField(forms.CharField):
    """Ranges of ranks with their rates, such as "10:1 100:0.1"."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return strategies.parse_strata(text or "") or None
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def run_validators(self, value: Any) -> None:
        """Check nothing more: the validators of a text do not apply to its ranges."""


def _field(parameter: strategies.Parameter, default: Any, is_required: bool) -> forms.Field:
    words: dict[str, Any] = {"label": parameter.label, "help_text": parameter.help_text, "required": is_required}
    if parameter.kind is str:
        kind = StrataField if parameter.name == "strata" else forms.CharField
        return kind(widget=forms.TextInput(attrs={"size": 24, "maxlength": MOST_TEXT}), empty_value=None, **words)
    if parameter.kind is bool:  # not a box: one that is not ticked is sent like one that is missing
        choices = [("", "Choose")] if default is ... else []
        choices = [*choices, ("True", "Yes"), ("False", "No")]
        return forms.TypedChoiceField(choices=choices, coerce=lambda text: text == "True", empty_value=None, **words)
    limits: dict[str, Any] = {"min_value": parameter.least, "max_value": parameter.most}
    if parameter.kind is float:
        return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **limits, **words)
    widget = forms.NumberInput(attrs={"placeholder": "all"} if default is None and parameter.name == "depth" else {})
    return forms.IntegerField(widget=widget, **limits, **words)


def _target_field(label: str) -> forms.Field:
    return forms.FloatField(
        label="Or an average size",
        help_text=f"At most this many documents per topic on average. The largest “{label}” that fits is used.",
        required=False,
        min_value=0,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def _initial(parameter: strategies.Parameter, default: Any, stored: Mapping[str, Any] | None) -> Any:
    """Return what the form suggests: the value of the earlier pool, the default, or a usual value."""
    if stored is not None:
        value = stored.get(parameter.name)
        return strategies.format_strata(value) if parameter.name == "strata" and value else value
    return parameter.initial if default is ... else default
