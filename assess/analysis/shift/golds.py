"""The golds that the shift pages compare, derived from a collection's judgements by the rules of `agreement`."""

from collections.abc import Iterable, Sequence

import pandas as pd

from agreement.choices import PEOPLE
from agreement.golds.people import derived_gold, needs_kinds, needs_scale
from assess.analysis.data import collection_judgements, judges_in, with_decisions
from assess.analysis.reference import AT_LEAST, JUDGE, has_decisions
from assess.analysis.selection import Selection, judge_kinds
from assess.analysis.shift_query import ShiftInputs
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import Collection, TopicSet


def chosen_judgements(collection: Collection, inputs: ShiftInputs) -> pd.DataFrame:
    """Return the judgements of all judges but those left out, on the chosen topics. Refused if there are none."""
    frame = collection_judgements(collection, selection=Selection(topics=inputs.topics))
    frame = frame[~frame["assessor"].isin(inputs.without_judges)].reset_index(drop=True)
    if frame.empty:
        where = f" on the {TopicSet(inputs.topic_set).label}" if inputs.topic_set else ""
        raise Refused(f"There are no judgements{where} yet, so there is no gold to rank the systems under.")
    return frame


def default_rules(collection: Collection, judgements: pd.DataFrame, topics: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the rules that are compared if none is chosen: each judge, the usual combined golds and corrected ones."""
    judges = judges_in(judgements, judge_kinds(collection), has_decisions(collection, topics))
    return (*judges.golds(), *judges.corrected())


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
    kinds = judge_kinds(collection) if any(map(needs_kinds, rules)) else {}
    return {
        rule: derived_gold(
            table, rule, kinds, at_least_judges=at_least_judges, scale=scale if needs_scale(rule) else None
        )
        for rule in rules
    }


def _check_numbers(rules: Iterable[str]) -> None:
    """Refuse a number of judges that no collection has."""
    for rule in rules:
        of_all = rule.removeprefix(PEOPLE)
        number = of_all.removeprefix(AT_LEAST)
        if of_all.startswith(AT_LEAST) and not (number.isascii() and number.isdigit() and 1 <= len(number) <= 4):
            raise Refused(f"{AT_LEAST}N needs a number of judges from 1 to 9,999, not {number[:20]!r}.")


def evidence_of(
    collection: Collection, judgements: pd.DataFrame, rules: Iterable[str], topics: Sequence[str] = ()
) -> dict[str, pd.DataFrame]:
    """Return the part of each combined gold that has two or more judges. The rest is the judgement of one judge."""
    combined = (rule for rule in rules if not rule.startswith(JUDGE))
    return golds_of(collection, judgements, combined, 2, topics=topics)
