"""The default reference of a collection: the gold that others are compared with, and that is taken as truth.

Every page, file, command and job uses it, unless the user names another gold. The order:

1. the gold that was chosen for the collection (`Collection.reference`);
2. the adjudicated gold, if a document was adjudicated;
3. a rule over people, if two or more people judged: the majority, or else the first rule that is compared;
4. the person with the most judgements;
5. crowds, judges whose kind is not known, derived judges, and models last, each with the most judgements first.

A rule over all judges counts models too once a model has judged. The rule `people:RULE` counts people only, and the
decisions of adjudicators. If other judges than people have judged, only such a rule is a rule over people, so that a
model's grade is never taken as truth before those of people. People are judges with an account, and imported judges
whose kind is human. If none is known to be a person, crowds and judges of unknown kind may be people, and a rule over
them counts them all.

This module does not load pandas.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from django.db import transaction
from django.db.models import Count

from agreement.choices import ESTIMATING, PEOPLE
from assess import audit
from assess.analysis.selection import DAWID_SKENE, GLAD, MACE, NOT_STATED, Selection, is_graded, judge_kinds
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, Collection, JudgeKind, Judgement, JudgementKind, State, User
from pooling.errors import shown

JUDGE, AT_LEAST, CORRECTED = "judge:", "at_least:", "corrected:"
ADJUDICATED, BOTH_AGREE, MAJORITY = "adjudicated", "both_agree", "majority"
COMBINED_GOLDS = ("union", "intersection", MAJORITY)
AUTOMATIC = "automatic"  # the word of the command for no choice
MOST_LISTED = 8  # golds in a refusal
OTHER_KINDS = (JudgeKind.CROWD.value, NOT_STATED, JudgeKind.DERIVED.value, JudgeKind.MODEL.value)
MEANINGS = {
    "union": "the highest grade",
    "max": "the same as union",
    "intersection": "the lowest grade",
    "min": "the same as intersection",
    MAJORITY: "the lower median",
    "median": "the same as majority",
    "mean": "the mean, possibly a fraction",
    BOTH_AGREE: "only documents on which two or more judges agree",
    ADJUDICATED: "the decisions, and the grades on which all agree",
    DAWID_SKENE: "the most likely grade, from the judges' estimated errors",
    GLAD: "the most likely grade, from abilities of judges and difficulties of documents",
    MACE: "the most likely grade, after finding who guesses (seed 0)",
}


class Step(IntEnum):
    """The steps of the order after the choice for the collection."""

    ADJUDICATED = 1
    PEOPLE = 2
    PERSON = 3
    OTHER_JUDGE = 4
    OTHER_GOLD = 5


OF_PEOPLE = (Step.ADJUDICATED, Step.PEOPLE, Step.PERSON)


@dataclass(frozen=True)
class DefaultReference:
    """The rule of the reference, a clause that says why, and a note if the choice for the collection does not apply."""

    rule: str
    reason: str
    note: str = ""

    @property
    def sentence(self) -> str:
        """One short sentence, and the note."""
        return f"Reference: {self.rule}, {self.reason}.{self.note and ' '}{self.note}"

    def describe(self, used: str) -> str:
        """Return the sentence for the reference that is used: this one, or another that the user named."""
        if used == self.rule:
            return self.sentence
        return f"Reference: {used}, because it was asked for. By default, it is {self.rule}, {self.reason}."


@dataclass(frozen=True)
class Judges:
    """Who judged: the judges with a grade, the most judgements first, and the kind of each."""

    names: tuple[str, ...]
    kinds: Mapping[str, str]
    has_decisions: bool

    @classmethod
    def counted(cls, judged: Mapping[str, int], kinds: Mapping[str, str], has_decisions: bool) -> "Judges":
        """Return the judges from their numbers of judgements. Judges without one are left out."""
        names = sorted((name for name, number in judged.items() if number), key=lambda name: (-judged[name], name))
        return cls(tuple(names), kinds, has_decisions)

    @cached_property
    def people(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if self.kinds.get(name) == JudgeKind.HUMAN)

    @cached_property
    def models(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if self.kinds.get(name) == JudgeKind.MODEL)

    def corrected(self) -> list[str]:
        """Return the golds of people that a model completes, one for each model."""
        return [f"{CORRECTED}{name}" for name in self.models if self.people]

    @property
    def has_others(self) -> bool:
        """Whether judges who are not people have judged. Judges of unknown kind are others only beside people."""
        unknown = () if self.people else (NOT_STATED, JudgeKind.CROWD)
        return any(self.kinds.get(name, NOT_STATED) not in (JudgeKind.HUMAN, *unknown) for name in self.names)

    def of_people(self, rule: str) -> str:
        """Return the rule that combines people only."""
        return f"{PEOPLE}{rule}" if self.has_others else rule

    def golds(self) -> list[str]:
        """Return the golds that are compared if none is chosen: each judge, and the usual combined golds.

        If two or more people judged, the combined golds have the grades of people only.
        """
        rules = [f"{JUDGE}{name}" for name in self.names]
        if len(self.people) > 1:
            rules += [self.of_people(rule) for rule in COMBINED_GOLDS]
        elif len(self.names) > 1:
            rules += COMBINED_GOLDS
        return [*rules, *([self.of_people(ADJUDICATED)] if self.has_decisions else [])]

    def has_gold(self, rule: str) -> bool:
        """Whether the gold of a rule exists."""
        if rule.startswith(JUDGE):
            return rule.removeprefix(JUDGE) in self.names
        if rule.startswith(CORRECTED):
            return bool(self.people) and rule.removeprefix(CORRECTED) in self.models
        if rule.removeprefix(PEOPLE) == ADJUDICATED:
            return self.has_decisions
        needed = 2 if rule.removeprefix(PEOPLE) in (BOTH_AGREE, *ESTIMATING) else 1
        return len(self.people if rule.startswith(PEOPLE) else self.names) >= needed

    def step(self, rule: str) -> Step:
        """Return the step of the order at which a rule is chosen."""
        if rule.startswith(JUDGE):
            return Step.PERSON if rule.removeprefix(JUDGE) in self.people else Step.OTHER_JUDGE
        if rule.startswith(PEOPLE) or not self.has_others:
            if rule.removeprefix(PEOPLE) == ADJUDICATED:
                return Step.ADJUDICATED if self.has_decisions else Step.OTHER_GOLD
            return Step.PEOPLE if len(self.people) > 1 else Step.OTHER_GOLD
        return Step.OTHER_GOLD

    def place(self, rule: str) -> tuple[int, ...]:
        """Return the place of a rule in the order; of two rules with the same place, the first one comes first."""
        step = self.step(rule)
        if step == Step.PEOPLE:
            return step, rule.removeprefix(PEOPLE) != MAJORITY
        name = rule.removeprefix(JUDGE)
        if step not in (Step.PERSON, Step.OTHER_JUDGE) or name not in self.names:
            return (step, len(OTHER_KINDS))
        kind = self.kinds.get(name, NOT_STATED)
        return step, OTHER_KINDS.index(kind) if kind in OTHER_KINDS else 0, self.names.index(name)

    def reason(self, rule: str) -> str:
        """Return the clause that says why a rule was chosen."""
        step, name, people = self.step(rule), rule.removeprefix(JUDGE), len(self.people)
        if step == Step.PERSON:
            only = f"{name} is the only person who judged"
            return f"because {only if people == 1 else f'{name} has the most judgements of the people compared'}"
        if step == Step.OTHER_JUDGE:
            return f"because no {'gold of people is compared' if people else 'judge is known to be a person'}"
        return {
            Step.ADJUDICATED: "because documents were adjudicated",
            Step.PEOPLE: f"because {people:,} people judged",
        }.get(step, "because it is the first of the compared golds")


def judges_of(collection: Collection, topics: Sequence[str] = (), without_judges: Sequence[str] = ()) -> Judges:
    """Return who judged on the topics; none means all."""
    judged = is_graded(Selection(topics=tuple(topics)).judgements(collection)).order_by()
    counts = dict(judged.values("member__name").annotate(n=Count("pk")).values_list("member__name", "n"))
    left_out = dict.fromkeys(without_judges, 0)
    return Judges.counted(counts | left_out, judge_kinds(collection), has_decisions(collection, topics))


def has_decisions(collection: Collection, topics: Sequence[str] = ()) -> bool:
    """Return whether a document of the topics has been adjudicated; none means all topics."""
    decisions = Judgement.objects.filter(
        task__topic__collection=collection, repeat=JudgementKind.DECISION, state=State.JUDGED
    )
    return (decisions.filter(task__topic__query_id__in=topics) if topics else decisions).exists()


def golds_of_people(collection: Collection, judges: Judges) -> tuple[str, ...]:
    """Return the golds that have grades of people only: each person, and the combined ones."""
    of_people = [rule for rule in judges.golds() if judges.step(rule) in OF_PEOPLE]
    chosen = collection.reference
    if chosen and chosen not in of_people and judges.has_gold(chosen) and judges.step(chosen) in OF_PEOPLE:
        of_people.append(chosen)
    return tuple(of_people)


def default_reference(collection: Collection, judges: Judges, rules: Sequence[str] = ()) -> DefaultReference | None:
    """Return the default reference among the golds of `rules`, or among the usual golds. None if nobody has judged.

    Without rules, the gold that was chosen for the collection need not be one of the usual golds.
    """
    if not judges.names:
        return None
    chosen, note = collection.reference, ""
    if chosen and judges.has_gold(chosen) and (not rules or chosen in rules):
        return DefaultReference(chosen, "because it is chosen for this collection")
    if chosen == JUDGE:
        note = "The judge whose gold was chosen for this collection was erased."
    elif chosen:
        why = "is not compared here" if judges.has_gold(chosen) else "has no grades here"
        note = f"The gold chosen for this collection, {chosen}, {why}."
    rule = min(rules or judges.golds(), key=judges.place)
    return DefaultReference(rule, judges.reason(rule), note)


def default_gold(collection: Collection, fallback: str = MAJORITY) -> str:
    """Return the rule of the default reference; `fallback` if nobody has judged."""
    reference = default_reference(collection, judges_of(collection))
    return reference.rule if reference else fallback


def offered_rules(judges: Judges) -> list[tuple[str, str]]:
    """Return every rule that can be chosen, with its meaning: each judge, the golds of people, the combined golds."""
    combined = [(rule, words) for rule, words in MEANINGS.items() if rule != ADJUDICATED or judges.has_decisions]
    names = [(f"{JUDGE}{name}", "") for name in sorted(judges.names)]
    of_people = [(f"{PEOPLE}{rule}", words) for rule, words in combined if judges.has_others]
    return [*names, *(row for row in of_people if judges.has_gold(row[0])), *combined]


def set_reference(collection: Collection, rule: str, actor: User | None = None) -> bool:
    """Choose the gold that is the default reference; empty lets the order choose. Return whether this is a change."""
    allowed = [each for each, _ in offered_rules(judges_of(collection))]
    if rule and rule not in allowed:
        listed = ", ".join(allowed[:MOST_LISTED]) + (", ..." if len(allowed) > MOST_LISTED else "")
        raise Refused(f"The reference must be a gold of this collection ({listed or 'none yet'}), not {shown(rule)}.")
    with transaction.atomic():
        lock_active(collection)
        collection.refresh_from_db(fields=["reference"])
        if collection.reference == rule:
            return False
        collection.reference = rule
        collection.save(update_fields=["reference"])
        audit.record(Action.COLLECTION_CHANGED, actor=actor, collection=collection, details={"fields": ["reference"]})
    return True
