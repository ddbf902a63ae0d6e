"""Reads the query parameters that choose and order judged documents. An unknown value is refused.

This module does not load pandas.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Exists, OuterRef, TextChoices
from django.http import QueryDict

from assess.analysis.documents.rounds import chosen_round, round_choices
from assess.analysis.query import ALL_GRADES, set_choices, suggested_measures, within_set
from assess.analysis.reference import JUDGE, MAJORITY, default_gold
from assess.analysis.selection import NOT_STATED, Selection
from assess.collections.scale import grades_of
from assess.errors import Refused
from assess.models import Collection, JudgeKind, Judgement, Pilot, Role, TopicSet
from assess.suggestions.stored import PARTS

RELEVANT, NONRELEVANT = "relevant", "nonrelevant"
ANY = "any"  # a document has a grade in a gold
ANY_GRADE = "any grade"  # the words of a condition that every grade meets
KINDS = (*JudgeKind.values, NOT_STATED)


class DocumentOrder(TextChoices):
    DISAGREEMENT = "disagreement", "most disputed"
    LEVERAGE = "leverage", "largest effect"
    TOPIC = "topic", "by topic"


class Unjudged(TextChoices):
    """What two judges did with a document, if no grade of both can be compared."""

    CANNOT_JUDGE = "cannot_judge", "{} received it, and one or both of them could not judge it"
    LATER = "later", "{} received it, and one or both of them postponed it"
    ONLY_ONE = "only_one", "only one of {} graded it"


@dataclass(frozen=True)
class Choices:
    """What the parameters may name. `topics` are (query_id, title), `rounds` are (value, label, pilot).

    `topic_sets` has the set of each topic that belongs to one, by query_id.
    `measures` are suggestions, and `golds` too: other measures and rules are allowed.
    """

    judges: list[str]
    topics: list[tuple[str, str]]
    scale: tuple[int, ...]
    rounds: list[tuple[str, str, Pilot | None]]
    measures: list[str]
    topic_sets: dict[str, str]
    default_gold: str = MAJORITY

    @property
    def sets(self) -> list[tuple[str, str]]:
        """The choices of `?set=`; none if no topic belongs to a set."""
        return set_choices(set(self.topic_sets.values()))

    @property
    def grades(self) -> list[str]:
        return [*map(str, self.scale), RELEVANT, NONRELEVANT]

    @property
    def distances(self) -> range:
        """The steps by which two grades of the scale can differ."""
        return range(1, len(self.scale))

    @property
    def golds(self) -> list[str]:
        """The golds, the default reference of the collection first."""
        combined = (MAJORITY, "union", "intersection") if len(self.judges) > 1 else ()
        by_judge = [f"{JUDGE}{name}" for name in self.judges]
        return list(dict.fromkeys([*([self.default_gold] if by_judge else []), *combined, *by_judge]))

    @property
    def thresholds(self) -> list[str]:
        return [*map(str, self.scale[1:]), ALL_GRADES]


@dataclass(frozen=True)
class JudgeGrade:
    """A judge who gave one of `grades`, which a sentence describes as `words`."""

    judge: str
    grades: tuple[int, ...]
    words: str


@dataclass(frozen=True)
class DocumentFilter:
    """Which judged documents are listed, and in which order.

    `cannot_judge`, `later` and `repeated` are the judges who could not judge a document, postponed it, or judged it
    twice. With `unjudged`, two judges did not both grade it; with `shared`, two or more judges of the `kind` graded it.
    `topics` are the chosen ones, and `of_set` those of the `topic_set`; only topics in both count. `window` is one of
    the windows of `assess.analysis.judges.time`, of judges of the `kind`. `distance` is the number of steps of the
    scale between the lowest and the highest grade, or more. `gold` is the rule of the gold in which a
    document has the grade `gold_grade`, and of the gold of the leverage. With `guidelines` (a version), `since` and
    `until` (days), only the judgements made then count for the conditions on judges and in the gold of `gold_grade`,
    and with `assisted` only those of this part (`assess.suggestions.stored.PARTS`).
    """

    judges: tuple[JudgeGrade, ...] = ()
    cannot_judge: str = ""
    later: str = ""
    repeated: str = ""
    unjudged: str = ""
    shared: bool = False
    window: int = 0
    kind: str = ""
    topics: tuple[str, ...] = ()
    pilot: Pilot | None = None
    distance: int = 0
    gold: str = ""
    gold_grade: JudgeGrade | None = None
    guidelines: int | None = None
    since: date | None = None
    until: date | None = None
    assisted: str = ""
    order: str = DocumentOrder.DISAGREEMENT
    measure: str = ""
    topic_set: str = ""
    of_set: tuple[str, ...] = ()

    @property
    def counting_topics(self) -> tuple[str, ...]:
        """The topics of the listed documents; none means all."""
        return within_set(self.of_set, self.topics, self.topic_set)

    @property
    def restricts_judgements(self) -> bool:
        return bool(self.assisted) or any(each is not None for each in (self.guidelines, self.since, self.until))

    @property
    def includes_postponed(self) -> bool:
        """Whether documents are listed that were only postponed."""
        return bool(self.later) or self.unjudged == Unjudged.LATER

    @property
    def selection(self) -> Selection:
        """The judgements that count for the windows and the gold."""
        pilot = self.pilot.number if self.pilot else None
        chosen = Selection(topics=self.counting_topics, guidelines=self.guidelines, pilot=pilot, kind=self.kind)
        return replace(chosen, since=self.since, until=self.until, assisted=self.assisted)

    def describe(self) -> str:
        """Return the conditions as a part of a sentence; empty without one."""
        parts = self._describe_judges()
        parts += [f"it is in window {self.window} of the order of judging"] if self.window else []
        parts += [self._describe_gold(self.gold_grade)] if self.gold_grade else []
        parts += [f"its grades are {self.distance} or more steps apart"] if self.distance else []
        parts += [f"its topic is {' or '.join(self.topics)}"] if self.topics else []
        parts += [f"its topic is in the {TopicSet(self.topic_set).label}"] if self.topic_set else []
        parts += [f"it is in pilot {self.pilot.number}"] if self.pilot else []
        parts += [f"judged {when}"] if (when := self._describe_judgements()) else []
        parts += [PARTS[self.assisted]] if self.assisted else []
        return " and ".join(parts)

    def _describe_gold(self, grade: JudgeGrade) -> str:
        if grade.words == ANY_GRADE:
            return f"it has a grade in the gold {self.gold}"
        return f"its grade in the gold {self.gold} is {grade.words}"

    def _describe_judges(self) -> list[str]:
        if self.unjudged:
            names = " and ".join(each.judge for each in self.judges)
            parts = [Unjudged(self.unjudged).label.format(names)]
        else:
            parts = [f"{each.judge} gave {each.words}" for each in self.judges]
        parts += [f"{self.cannot_judge} could not judge it"] if self.cannot_judge else []
        parts += [f"{self.later} postponed it"] if self.later else []
        parts += [f"{self.repeated} judged it twice"] if self.repeated else []
        judges = "judges" if not self.kind else f"judges of the kind {self.kind}"
        return parts + ([f"two or more {judges} graded it"] if self.shared else [])

    def _describe_judgements(self) -> str:
        parts = [f"with version {self.guidelines} of the guidelines"] if self.guidelines is not None else []
        parts += [f"since {self.since}"] if self.since else []
        parts += [f"until {self.until}"] if self.until else []
        return " ".join(parts)


def choices_for(collection: Collection) -> Choices:
    """Return what the parameters of this collection may name."""
    has_judged = Exists(Judgement.objects.filter(member=OuterRef("pk")))
    judges = collection.members.filter(has_judged, role=Role.ASSESSOR).order_by("name")
    topics = list(collection.topics.order_by("pk").values_list("query_id", "title", "in_set__name"))
    return Choices(
        judges=list(judges.values_list("name", flat=True)),
        topics=[(query_id, title) for query_id, title, _ in topics],
        scale=tuple(grade.value for grade in grades_of(collection)),
        rounds=round_choices(collection),
        measures=suggested_measures(collection),
        topic_sets={query_id: name for query_id, _, name in topics if name},
        default_gold=default_gold(collection),
    )


def read_filter(query: QueryDict, allowed: Choices) -> DocumentFilter:
    """Return what a query string asks for."""
    relevant_from = _threshold(query, allowed)
    sides = [_judge_condition(query, side, allowed, relevant_from) for side in "ab"]
    judges = tuple(condition for condition in sides if condition)
    topics, topic_set = _topics(query, allowed), _one_of(query, "set", TopicSet.values)
    of_set = _of_set(topic_set, allowed)
    within_set(of_set, topics, topic_set)  # refuses topics of another set
    return DocumentFilter(
        judges=judges,
        cannot_judge=_one_of(query, "cannot_judge", allowed.judges),
        later=_one_of(query, "later", allowed.judges),
        repeated=_one_of(query, "repeated", allowed.judges),
        unjudged=_unjudged(query, judges),
        shared=bool(_one_of(query, "shared", ["yes"])),
        window=_number(query, "window", "the number of a window") or 0,
        kind=_one_of(query, "kind", KINDS),
        topics=topics,
        pilot=chosen_round(query, allowed.rounds),
        distance=int(_one_of(query, "distance", [str(steps) for steps in allowed.distances]) or 0),
        gold=query.get("gold") or next(iter(allowed.golds), ""),
        gold_grade=_gold_condition(query, allowed, relevant_from),
        guidelines=_number(query, "guidelines", "the number of a version"),
        since=_day(query, "since"),
        until=_day(query, "until"),
        assisted=_one_of(query, "assisted", list(PARTS)),
        order=_one_of(query, "order", DocumentOrder.values) or DocumentOrder.DISAGREEMENT,
        measure=query.get("measure") or allowed.measures[0],
        topic_set=topic_set,
        of_set=of_set,
    )


def _one_of(query: QueryDict, name: str, allowed: Sequence[str]) -> str:
    text = query.get(name, "")
    if text and text not in allowed:
        expected = f"one of {', '.join(allowed)}" if allowed else "empty"
        raise Refused(f"{name} must be {expected}, not {text[:40]!r}.")
    return text


def _unjudged(query: QueryDict, judges: Sequence[JudgeGrade]) -> str:
    text = _one_of(query, "unjudged", Unjudged.values)
    if text and (len(judges) < 2 or query.get("grade_a") or query.get("grade_b")):
        raise Refused("unjudged needs judge_a and judge_b, and no grades.")
    return text


def _number(query: QueryDict, name: str, what: str) -> int | None:
    text = query.get(name, "")
    if text and not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise Refused(f"{name} must be {what}, not {text[:40]!r}.")
    return int(text) if text else None


def _day(query: QueryDict, name: str) -> date | None:
    text = query.get(name, "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused(f"{name} must be a day, such as 2026-05-04, not {text[:40]!r}.") from None


def _topics(query: QueryDict, allowed: Choices) -> tuple[str, ...]:
    existing = {query_id for query_id, _ in allowed.topics}
    topics = tuple(dict.fromkeys(text for text in query.getlist("topic") if text))
    if unknown := [text for text in topics if text not in existing]:
        raise Refused(f"topic must be the query_id of a topic of this collection, not {unknown[0][:40]!r}.")
    return topics


def _of_set(name: str, allowed: Choices) -> tuple[str, ...]:
    topics = tuple(query_id for query_id, _ in allowed.topics if allowed.topic_sets.get(query_id) == name)
    if name and not topics:
        raise Refused(f"No topic of this collection is in the {TopicSet(name).label} yet.")
    return topics if name else ()


def _threshold(query: QueryDict, allowed: Choices) -> int:
    """Return the lowest relevant grade. With `rel=all`, it is the second-lowest grade, as without `rel`."""
    text = _one_of(query, "rel", allowed.thresholds)
    return allowed.scale[1] if text in ("", ALL_GRADES) else int(text)


def _judge_condition(query: QueryDict, side: str, allowed: Choices, relevant_from: int) -> JudgeGrade | None:
    judge = _one_of(query, f"judge_{side}", allowed.judges)
    if not judge and query.get(f"grade_{side}"):
        raise Refused(f"grade_{side} needs judge_{side}, the name of a judge.")
    return _condition(judge, _one_of(query, f"grade_{side}", allowed.grades), allowed, relevant_from) if judge else None


def _gold_condition(query: QueryDict, allowed: Choices, relevant_from: int) -> JudgeGrade | None:
    grade = _one_of(query, "grade", [*allowed.grades, ANY])
    if grade and not query.get("gold"):
        raise Refused("grade needs gold, the rule of a gold.")
    return _condition("", "" if grade == ANY else grade, allowed, relevant_from) if grade else None


def _condition(judge: str, text: str, allowed: Choices, relevant_from: int) -> JudgeGrade:
    if not text:
        return JudgeGrade(judge, allowed.scale, ANY_GRADE)
    if text in (RELEVANT, NONRELEVANT):
        grades = tuple(grade for grade in allowed.scale if (grade >= relevant_from) == (text == RELEVANT))
        words = f"grade {relevant_from} or more" if text == RELEVANT else f"a grade below {relevant_from}"
        return JudgeGrade(judge, grades, words)
    return JudgeGrade(judge, (int(text),), f"grade {text}")
