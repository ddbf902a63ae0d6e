"""Reads the parameters of a shift page, and gets its figures from the cache, at once, or from a job."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.http import QueryDict

from assess.access import RESEARCHERS
from assess.analysis.pending import part_or_pending, shift_or_pending
from assess.analysis.query import suggested_measures, threshold_choices
from assess.analysis.reference import DefaultReference, Judges, default_reference, judges_of
from assess.analysis.shift_query import ShiftInputs, shift_inputs
from assess.collections.run_groups import groups_by_system
from assess.errors import Refused
from assess.models import Collection, Member, Task, User
from assess.web.requests import SignedInRequest

if TYPE_CHECKING:
    import pandas as pd

    from agreement import CorrelationIntervals, GoldPair, Leverage, MixedGolds, RankingShift, WhySwapped
    from assess.analysis.shift.draws import RankIntervals
    from assess.analysis.shift.topics import TopicFigures

COEFFICIENTS = {"tau_b": "tau_b", "tau": "tau", "tau_ap_b": "tau_AP", "rbo": "RBO"}
TESTS = ("t", "wilcoxon", "sign", "randomisation", "tukey")
CORRECTIONS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini and Hochberg",
    "none": "none",
}
MOST_MEASURES = 10


@dataclass(frozen=True)
class Source:
    """The parameters of one request, and what they select. The properties raise Pending while a job computes."""

    member: Member
    user: User
    query: QueryDict
    inputs: ShiftInputs
    default: DefaultReference | None = None
    _everybody: Judges | None = None
    _parts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_request(cls, request: SignedInRequest, member: Member) -> "Source":
        return cls.from_query(member, request.user, request.GET)

    @classmethod
    def from_query(cls, member: Member, user: User, query: QueryDict) -> "Source":
        """Read the parameters. Unknown values are refused."""
        inputs = shift_inputs(query, member.collection)
        judges = judges_of(member.collection, inputs.topics, inputs.without_judges)
        default = default_reference(member.collection, judges, inputs.rules)
        everybody = None if inputs.topics or inputs.without_judges else judges
        if default and not inputs.reference:
            inputs = replace(inputs, reference=default.rule)
        return cls(member, user, query, inputs, default, everybody)

    @property
    def judges(self) -> Judges:
        """Who judged anything in the collection, whatever the query selects."""
        return self._everybody or judges_of(self.collection)

    @property
    def collection(self) -> Collection:
        return self.member.collection

    @property
    def is_researcher(self) -> bool:
        return self.member.role in RESEARCHERS

    @cached_property
    def state(self) -> tuple[Any, ...]:
        """A value that changes with every run, judgement and judge."""
        from assess.analysis.data import judgements_state  # loads pandas
        from assess.analysis.shift.ranking import chosen_runs

        return judgements_state(self.collection, chosen_runs(self.collection, self.inputs))

    @cached_property
    def shift(self) -> "RankingShift":
        shift: RankingShift = shift_or_pending(self.collection, self.user, self.inputs)
        return shift

    @cached_property
    def groups(self) -> dict[str, str]:
        """The group of each run that repeats a system, by system."""
        return groups_by_system(self.collection)

    @cached_property
    def against(self) -> str | None:
        """The gold that is compared with the reference.

        It is `?against=`, or else the one of the headline. If the headline names none, it is the first other gold.
        """
        named = self.query.get("against")
        if named in self.shift.others:
            return named
        return self.shift.farthest or next(iter(self.shift.others), None)

    @cached_property
    def pair(self) -> "GoldPair":
        """The reference, as `gold_a`, and the gold that is compared with it, as `gold_b`."""
        if self.against is None:
            raise Refused(f"{self.shift.reference} is the only gold, and a comparison needs two.")
        return self.shift.pair(self.shift.reference, self.against)

    def preliminary(self, gold: str | None = None) -> str:
        """Return why a sentence about one gold is preliminary; by default about the reference."""
        from assess.analysis.shift.preliminary import of_gold  # loads pandas

        return of_gold(self.shift, gold or self.shift.reference)

    def preliminary_between(self, *golds: str) -> str:
        """Return why a sentence that compares golds is preliminary."""
        from assess.analysis.shift.preliminary import of_golds  # loads pandas

        return of_golds(self.shift, *golds)

    @property
    def coefficient(self) -> str:
        return self._one_of("coefficient", tuple(COEFFICIENTS))

    @property
    def test(self) -> str:
        return self._one_of("test", TESTS)

    @property
    def correction(self) -> str:
        return self._one_of("correction", tuple(CORRECTIONS))

    @property
    def gold(self) -> str:
        """The gold of the leverage."""
        return self.query.get("gold") or self.shift.reference

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures side by side; by default the suggested ones at every threshold of the scale."""
        chosen = tuple(dict.fromkeys(name for name in self.query.getlist("measures") if name))
        if len(chosen) > MOST_MEASURES:
            raise Refused(f"Choose at most {MOST_MEASURES} measures, not {len(chosen)}.")
        return chosen or _usual_measures(self.collection)

    def swaps(self) -> Any:
        """Return the pairs of systems that swap between the reference and `against`."""
        return self._part("swaps", against=self.against, test=self.test, correction=self.correction)

    def differences(self) -> Any:
        return self._part("differences", test=self.test, correction=self.correction)

    def measures_frame(self) -> Any:
        return self._part("measures", measures=list(self.measures))

    def leaderboard(self) -> "pd.DataFrame":
        """Return the systems by the measure of the page, and by the other measures."""
        others = [each for each in self.measures if each != self.inputs.measure]
        board: pd.DataFrame = self._part("leaderboard", measures=[self.inputs.measure, *others][:MOST_MEASURES])
        return board

    def mixed(self) -> "MixedGolds":
        needed = self.inputs.thresholds
        mixed: MixedGolds = self._part("mixed", min_judged=needed.min_judged)
        return replace(mixed, thresholds=needed)

    def intervals(self) -> "RankIntervals":
        intervals: RankIntervals = self._part("intervals")
        return intervals

    @cached_property
    def compared_systems(self) -> tuple[str, ...]:
        """The two systems that the query names, or else the best ones under the reference; fewer if there are fewer."""
        from assess.analysis.shift.topics import leading_systems  # loads pandas

        leading, a, b = leading_systems(self.shift), self.query.get("a"), self.query.get("b")
        a = a or next((name for name in leading if name != b), None)
        b = b or next((name for name in leading if name != a), None)
        return tuple(name for name in (a, b) if name)

    @cached_property
    def topics(self) -> "TopicFigures":
        from assess.analysis.shift.topics import topics_of  # loads pandas

        return topics_of(self.shift, self.compared_systems)

    @property
    def has_correlations(self) -> bool:
        """Whether the intervals of the correlations are requested, which take a moment."""
        return bool(self.against) and self._one_of("intervals", ("", "topics")) == "topics"

    def correlations(self) -> "CorrelationIntervals":
        """Return the intervals of the correlations between the reference and each other gold."""
        correlations: CorrelationIntervals = self._part("correlations")
        return correlations

    def leverage(self) -> "Leverage":
        leverage: Leverage = self._part("leverage", gold=self.gold)
        return leverage

    def heat_map(self, kind: str, **place: Any) -> bytes:
        """Return the heat map of all golds as a file."""
        file: bytes = self._part("heat_map", coefficient=self.coefficient, kind=kind, **place)
        return file

    @cached_property
    def swap_choice(self) -> tuple[str, str, str, str]:
        """The two systems and the two golds of the explanation, as the query names them or as the first swap."""
        gold_1 = self.query.get("gold_1") or self.shift.reference
        gold_2 = self.query.get("gold_2") or self.against or gold_1
        a, b = self.query.get("a"), self.query.get("b")
        if a and b:
            return a, b, gold_1, gold_2
        first, second = self._first_swap()
        return a or first, b or second, gold_1, gold_2

    def why_swapped(self) -> "WhySwapped":
        a, b, gold_1, gold_2 = self.swap_choice
        why: WhySwapped = self._part("swap", a=a, b=b, gold_1=gold_1, gold_2=gold_2)
        return replace(why, thresholds=self.inputs.thresholds)

    def tasks_of(self, frame: "pd.DataFrame") -> dict[tuple[str, str], int]:
        """Return the tasks of the topics and documents of a table, by query_id and doc_id."""
        pairs = set(frame[["query_id", "doc_id"]].itertuples(index=False, name=None))
        tasks = Task.objects.filter(
            topic__collection=self.collection, topic__query_id__in={query_id for query_id, _ in pairs}
        ).values_list("topic__query_id", "document__doc_id", "pk")
        return {(query_id, doc_id): pk for query_id, doc_id, pk in tasks if (query_id, doc_id) in pairs}

    def _first_swap(self) -> Sequence[str]:
        """Return the two systems whose swap is the clearest; without a swap, the first two systems."""
        if len(self.shift.systems) < 2:
            raise Refused("There is only one system, and a swap needs two.")
        if self.against and len(rows := self.swaps()):
            return str(rows["ahead_a"].iloc[0]), str(rows["ahead_b"].iloc[0])
        return self.shift.systems[:2]

    def _part(self, name: str, **options: Any) -> Any:
        if name not in self._parts:
            self._parts[name] = part_or_pending(name, self.collection, self.user, self.inputs, **options)
        return self._parts[name]

    def _one_of(self, parameter: str, allowed: tuple[str, ...]) -> str:
        value = self.query.get(parameter) or allowed[0]
        if value not in allowed:
            raise Refused(f"{parameter} must be one of {', '.join(allowed)}, not {value[:20]!r}.")
        return value


def _usual_measures(collection: Collection) -> tuple[str, ...]:
    """Return the suggested measures, with AP at every threshold of the scale."""
    thresholds = [value for value, _ in threshold_choices(collection) if value.isdigit()]
    by_threshold = [f"AP(rel={value})" for value in thresholds]
    others = [name for name in suggested_measures(collection) if not name.startswith("AP")]
    return tuple([*by_threshold, *others][:MOST_MEASURES])
