"""What the shift pages are asked for: measure, golds, reference, and the judges and systems that are left out.

This module does not load pandas, so that views and jobs can read the parameters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from django.http import QueryDict
from django.utils.http import urlencode

from agreement.thresholds import Thresholds
from assess.analysis.query import suggested_measures
from assess.analysis.reference import DefaultReference, default_reference, judges_of
from assess.analysis.thresholds import changed_thresholds, site_thresholds, thresholds_of
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused
from assess.models import Collection, Role

MOST_TEXT = 200
MOST_GOLDS = 60


@dataclass(frozen=True)
class ShiftInputs:
    """The parameters of a ranking shift. Without `rules`, every judge and the usual combined golds are compared.

    Without a reference, it is the default one of `assess.analysis.reference`.

    `topics` are the query_ids of the `topic_set`, which alone count; without a set, all topics do. `thresholds` are
    what answers need; they change no figure, so that neither the key of a result nor a job has them.
    """

    measure: str
    rules: tuple[str, ...] = ()
    reference: str | None = None
    without_judges: tuple[str, ...] = ()
    without_systems: tuple[str, ...] = ()
    topic_set: str = ""
    topics: tuple[str, ...] = ()
    thresholds: Thresholds = field(default_factory=site_thresholds, repr=False, compare=False)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the inputs of a job, whose tuples became lists."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**fields)

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "thresholds"}

    def query(self, **others: Any) -> str:
        """Return the query string of a page with these inputs, and further parameters that are not None."""
        pairs = {
            "measure": self.measure,
            "reference": self.reference,
            "golds": self.rules,
            "without_judge": self.without_judges,
            "without_system": self.without_systems,
            "set": self.topic_set,
            **changed_thresholds(self.thresholds),
        } | others
        return "?" + urlencode(
            {name: value for name, value in pairs.items() if value not in (None, (), "")}, doseq=True
        )


def shift_inputs(query: QueryDict, collection: Collection) -> ShiftInputs:
    """Return the inputs that a query string names. Unknown judges and systems are refused."""
    rules = _distinct(query.getlist("golds"))
    if number := query.get("at_least"):
        rules = _distinct([*rules, f"at_least:{_short(number)}"])
    if len(rules) > MOST_GOLDS:
        raise Refused(f"Choose at most {MOST_GOLDS} golds, not {len(rules)}.")
    reference = query.get("reference") or None
    if rules and reference and reference not in rules:
        rules = (_short(reference), *rules)
    return ShiftInputs(
        _short(query.get("measure") or suggested_measures(collection)[0]),
        rules,
        reference and _short(reference),
        _known("without_judge", query.getlist("without_judge"), judge_names, collection),
        _known("without_system", query.getlist("without_system"), system_names, collection),
        topic_set := query.get("set", ""),
        topics_in_set(collection, topic_set),
        thresholds_of(query),
    )


def reference_for(collection: Collection, inputs: ShiftInputs) -> DefaultReference | None:
    """Return the default reference among the compared golds, also if the inputs name another. None without grades."""
    judges = judges_of(collection, inputs.topics, inputs.without_judges)
    return default_reference(collection, judges, inputs.rules)


def with_reference(collection: Collection, inputs: ShiftInputs) -> ShiftInputs:
    """Return the inputs with the default reference, if they name none."""
    if inputs.reference or (found := reference_for(collection, inputs)) is None:
        return inputs
    return replace(inputs, reference=found.rule)


def judge_names(collection: Collection) -> list[str]:
    """Return the names of the collection's judges."""
    return list(collection.members.filter(role=Role.ASSESSOR).order_by("name").values_list("name", flat=True))


def system_names(collection: Collection) -> list[str]:
    """Return the names of the collection's systems."""
    return sorted(run.system for run in collection.runs.all())


def _known(
    parameter: str, values: Sequence[str], names_of: Callable[[Collection], list[str]], collection: Collection
) -> tuple[str, ...]:
    if not values:
        return ()
    names = names_of(collection)
    if unknown := [value for value in values if value not in names]:
        raise Refused(f"{parameter} must be one of {', '.join(names[:5]) or 'none'}, ..., not {unknown[0][:20]!r}.")
    return tuple(sorted(set(values)))


def _distinct(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_short(value) for value in values if value))


def _short(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise Refused(f"A parameter must have at most {MOST_TEXT} characters, not {len(text):,}.")
    return text
