"""Reads the query parameters of the analysis pages. An unknown value is refused."""

from collections.abc import Collection as Collected
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.http import QueryDict

from assess.analysis.selection import NOT_STATED, WEIGHTS, Selection, judge_kinds
from assess.analysis.thresholds import NAMES as THRESHOLDS
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused
from assess.models import Collection, JudgeKind, TopicSet
from assess.suggestions.stored import PARTS, has_assisted

ALL_GRADES = "all"
ALL_ROUNDS = "all"
FIRST_YEAR, LAST_YEAR = 1990, 2200
PARAMETERS = (
    *("rel", "round", "weights", "set", "topic", "guidelines", "since", "until", "kind", "assisted", "reference"),
    *THRESHOLDS,
)
KIND_LABELS = {
    JudgeKind.HUMAN.value: "people",
    JudgeKind.MODEL.value: "models",
    JudgeKind.CROWD.value: "crowds",
    JudgeKind.DERIVED.value: "derived, such as from clicks",
    NOT_STATED: "kind not stated",
}

Choices = list[tuple[str, str]]


def relevance_threshold(query: Mapping[str, str], collection: Collection) -> int | None:
    """Return the lowest grade that counts as relevant (`?rel=`), or None if all grades stay separate (`all`)."""
    text = query.get("rel") or str(lowest_relevant_grade(collection))
    chosen = _one_of("rel", text, threshold_choices(collection))
    return None if chosen == ALL_GRADES else int(chosen)


def threshold_choices(collection: Collection) -> Choices:
    """Return values and labels. A binary scale has one threshold, which keeps its two grades separate anyway."""
    thresholds = [(str(grade), f"relevant: grade {grade} and above") for grade in scale_of(collection)[1:]]
    return thresholds + ([(ALL_GRADES, "all grades separate")] if len(thresholds) > 1 else [])


@dataclass(frozen=True)
class Filters:
    """The filters of the agreement pages: their choices, and the selection that a query asks for."""

    collection: Collection

    @cached_property
    def thresholds(self) -> Choices:
        return threshold_choices(self.collection)

    @cached_property
    def weights(self) -> Choices:
        """The weights of weighted kappa; none on two grades, where they do not matter."""
        return [(name, name) for name in WEIGHTS] if len(self.thresholds) > 1 else []

    @cached_property
    def rounds(self) -> Choices:
        """All documents, or those of one pilot; none if there is no pilot."""
        numbers = list(self.collection.pilots.values_list("number", flat=True))
        pilots = [(f"pilot-{number}", f"only pilot {number}") for number in numbers]
        return [(ALL_ROUNDS, "all documents"), *pilots] if pilots else []

    @cached_property
    def topics(self) -> Choices:
        return [(query_id, title) for query_id, title, _ in self._rows]

    @cached_property
    def sets(self) -> Choices:
        """The sets of topics; none if no topic belongs to one."""
        return set_choices({name for _, _, name in self._rows})

    @cached_property
    def _rows(self) -> list[tuple[str, str, str | None]]:
        return list(self.collection.topics.order_by("pk").values_list("query_id", "title", "in_set__name"))

    @cached_property
    def guidelines(self) -> Choices:
        """The versions of the guidelines; none if there is only one."""
        versions = list(self.collection.guidelines.values_list("version", flat=True))
        return [("", "all versions"), *((str(n), f"version {n}") for n in versions)] if len(versions) > 1 else []

    @cached_property
    def kinds(self) -> Choices:
        """The kinds of judges; none if there is only one."""
        existing = set(judge_kinds(self.collection).values())
        kinds = [(kind, label) for kind, label in KIND_LABELS.items() if kind in existing]
        return [("", "all judges"), *kinds] if len(kinds) > 1 else []

    @cached_property
    def assisted(self) -> Choices:
        """All judgements, or those with or without the suggestion of a model; none if no judgement was assisted."""
        return [("", "all judgements"), *PARTS.items()] if has_assisted(self.collection) else []

    def selection(self, query: QueryDict) -> Selection:
        """Return the selection of a query. Refused if a value is unknown."""
        since, until = (_day(name, query.get(name, "")) for name in ("since", "until"))
        if since and until and until < since:
            raise Refused(f"until must not be before since ({since}), not {until}.")
        pilot = _one_of("round", query.get("round") or ALL_ROUNDS, self.rounds or [(ALL_ROUNDS, "")])
        version = _one_of("guidelines", query.get("guidelines", ""), self.guidelines or [("", "")])
        topic_set = query.get("set", "")
        return Selection(
            rel=relevance_threshold(query, self.collection),
            weights=_one_of("weights", query.get("weights") or WEIGHTS[0], [(name, "") for name in WEIGHTS]),
            topics=within_set(
                topics_in_set(self.collection, topic_set), self._topics(query.getlist("topic")), topic_set
            ),
            guidelines=int(version) if version else None,
            since=since,
            until=until,
            pilot=None if pilot == ALL_ROUNDS else int(pilot.removeprefix("pilot-")),
            kind=_one_of("kind", query.get("kind", ""), self.kinds or [("", "")]),
            topic_set=topic_set,
            assisted=_one_of("assisted", query.get("assisted", ""), [("", ""), *PARTS.items()]),
        )

    def _topics(self, asked: list[str]) -> tuple[str, ...]:
        """Return the topics in the order of the collection; none if all are meant."""
        wanted = {query_id for query_id in asked if query_id}
        if unknown := wanted - {query_id for query_id, _ in (self.topics if wanted else [])}:
            raise Refused(f"topic must be a query_id of this collection, not {min(unknown)[:20]!r}.")
        return tuple(query_id for query_id, _ in self.topics if query_id in wanted) if wanted else ()


def set_choices(names: Collected[str | None]) -> Choices:
    """Return the choices of `?set=`; none if no topic belongs to a set."""
    sets = [(name, f"only the {label}") for name, label in TopicSet.choices if name in names]
    return [("", "all topics"), *sets] if sets else []


def within_set(of_set: tuple[str, ...], chosen: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the chosen topics that are in a set; all of the set if none is chosen, and the chosen ones without it."""
    if not of_set or not chosen:
        return of_set or chosen
    if not (common := tuple(query_id for query_id in chosen if query_id in set(of_set))):
        raise Refused(f"topic must be a query_id of the {TopicSet(name).label}, not {chosen[0][:20]!r}.")
    return common


def suggested_measures(collection: Collection) -> list[str]:
    """Return the measures that the shift page offers. Users may also type any other measure that can be parsed."""
    rel = lowest_relevant_grade(collection)
    return [f"AP(rel={rel})", "nDCG@10", f"P(rel={rel})@10"]


def _one_of(name: str, text: str, choices: Choices) -> str:
    allowed = [value for value, _ in choices]
    if text not in allowed:
        listed = ", ".join(value or "empty" for value in allowed)
        raise Refused(f"{name} must be one of {listed}, not {text[:20]!r}.")
    return text


def _day(name: str, text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused(f"{name} must be a day such as 2026-01-31, not {text[:20]!r}.") from None
    if day and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise Refused(f"{name} must be a day from {FIRST_YEAR} to {LAST_YEAR}, not {text[:20]!r}.")
    return day
