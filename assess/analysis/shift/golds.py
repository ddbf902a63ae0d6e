"""The golds that the shift pages compare, derived from a collection's judgements by the rules of `agreement`."""

from collections.abc import Iterable, Sequence

import pandas as pd
from django.db.models import Exists, OuterRef

import agreement
from assess.analysis.data import collection_judgements, gold_rules, with_decisions
from assess.analysis.selection import DAWID_SKENE, Selection
from assess.analysis.shift_query import ShiftInputs
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, JudgementKind, Role, State, TopicSet

JUDGE, AT_LEAST = "judge:", "at_least:"
MEANINGS = {
    "union": "the highest grade",
    "max": "the same as union",
    "intersection": "the lowest grade",
    "min": "the same as intersection",
    "majority": "the lower median",
    "median": "the same as majority",
    "mean": "the mean, possibly a fraction",
    "both_agree": "only documents on which two or more judges agree",
    "adjudicated": "the decisions, and the grades on which all agree",
    DAWID_SKENE: "the most likely grade, from the judges' estimated errors",
}


def chosen_judgements(collection: Collection, inputs: ShiftInputs) -> pd.DataFrame:
    """Return the judgements of all judges but those left out, on the chosen topics. Refused if there are none."""
    frame = collection_judgements(collection, selection=Selection(topics=inputs.topics))
    frame = frame[~frame["assessor"].isin(inputs.without_judges)].reset_index(drop=True)
    if frame.empty:
        where = f" on the {TopicSet(inputs.topic_set).label}" if inputs.topic_set else ""
        raise Refused(f"There are no judgements{where} yet, so there is no gold to rank the systems under.")
    return frame


def default_rules(collection: Collection, judgements: pd.DataFrame) -> tuple[str, ...]:
    """Return the rules that are compared if none is chosen: each judge and the usual combined golds."""
    return (*gold_rules(judgements), *(["adjudicated"] if has_decisions(collection) else []))


def offered_rules(collection: Collection) -> list[tuple[str, str]]:
    """Return every rule that can be chosen, with its meaning: each judge, then the combined golds."""
    graded = Judgement.objects.filter(member=OuterRef("pk"), state=State.JUDGED, repeat=JudgementKind.REGULAR)
    judges = collection.members.filter(Exists(graded), role=Role.ASSESSOR).order_by("name")
    combined = [name for name in MEANINGS if name != "adjudicated" or has_decisions(collection)]
    names = [(f"{JUDGE}{name}", "") for name in judges.values_list("name", flat=True)]
    return names + [(rule, MEANINGS[rule]) for rule in combined]


def has_decisions(collection: Collection) -> bool:
    """Return whether a document of the collection has been adjudicated."""
    decisions = Judgement.objects.filter(task__topic__collection=collection, repeat=JudgementKind.DECISION)
    return decisions.filter(state=State.JUDGED).exists()


def golds_of(
    collection: Collection,
    judgements: pd.DataFrame,
    rules: Iterable[str],
    at_least_judges: int = 1,
    *,
    topics: Sequence[str] = (),
) -> dict[str, pd.DataFrame]:
    """Return the golds of the rules, by rule, from the judgements and the decisions on the topics; none means all."""
    rules = list(rules)
    _check_numbers(rules)
    table, scale = with_decisions(collection, judgements, topics), scale_of(collection)
    return {
        rule: agreement.make_gold(
            table, rule, at_least_judges=at_least_judges, scale=scale if rule == DAWID_SKENE else None
        )
        for rule in rules
    }


def _check_numbers(rules: Iterable[str]) -> None:
    """Refuse a number of judges that no collection has."""
    for rule in rules:
        number = rule.removeprefix(AT_LEAST)
        if rule.startswith(AT_LEAST) and not (number.isascii() and number.isdigit() and 1 <= len(number) <= 4):
            raise Refused(f"{AT_LEAST}N needs a number of judges from 1 to 9,999, not {number[:20]!r}.")


def evidence_of(
    collection: Collection, judgements: pd.DataFrame, rules: Iterable[str], topics: Sequence[str] = ()
) -> dict[str, pd.DataFrame]:
    """Return the part of each combined gold that has two or more judges. The rest is the judgement of one judge."""
    combined = (rule for rule in rules if not rule.startswith(JUDGE))
    return golds_of(collection, judgements, combined, 2, topics=topics)
