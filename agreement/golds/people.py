"""Golds of people: the rule `people:RULE` derives RULE from the grades of people and the adjudicated grades.

The rule `corrected:MODEL` has the grades of people and of this one model.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from agreement.choices import ESTIMATING, PEOPLE
from agreement.golds.make_gold import make_gold
from agreement.golds.rules import CORRECTED

HUMAN = "human"  # the kind of a person
JUDGE = "judge:"


def needs_scale(rule: str) -> bool:
    """Whether `make_gold` needs the scale for a graded gold by this rule."""
    return rule.removeprefix(PEOPLE) in ESTIMATING


def needs_kinds(rule: str) -> bool:
    """Whether a rule depends on which judges are people."""
    return rule.startswith((PEOPLE, CORRECTED))


def derived_gold(
    judgements: pd.DataFrame,
    rule: str,
    kinds: Mapping[str, str],
    rel: int | None = None,
    at_least_judges: int = 1,
    scale: Sequence[int] | None = None,
) -> pd.DataFrame:
    """The gold of a rule, which may begin with `people:`.

    Parameters
    ----------
    judgements : DataFrame
        The columns assessor, query_id, doc_id and relevance, and optionally adjudicated.
    rule : str
        A rule of `make_gold`, or `people:RULE`.
    kinds : mapping of str to str
        The kind of each judge; "human" is a person.
    rel : int, optional
        The lowest relevant grade of a binary gold. None gives a graded gold.
    at_least_judges : int, optional
        Items with fewer judges are left out.
    scale : sequence of int, optional
        The declared grades, which the rules that estimate errors need.

    Returns
    -------
    DataFrame
        The columns gold, query_id, doc_id and relevance.

    Raises
    ------
    ValueError
        The rule is unknown, `people:` stands before one judge, or no person has judged.
    """
    if rule.startswith(CORRECTED):
        model = rule.removeprefix(CORRECTED)
        judgements = judgements[judgements["assessor"].map(kinds).eq(HUMAN) | judgements["assessor"].eq(model)]
    if not rule.startswith(PEOPLE):
        return make_gold(judgements, rule, rel, at_least_judges, scale=scale)
    of_all = rule.removeprefix(PEOPLE)
    if of_all.startswith(JUDGE):
        raise ValueError(f"{PEOPLE} stands before a rule that combines judges, such as majority, not {of_all!r}.")
    used = judgements["assessor"].map(kinds).eq(HUMAN)
    if "adjudicated" in judgements:
        used |= judgements["adjudicated"]
    if not used.any():
        raise ValueError(f"No person has judged, so there is no gold {rule}.")
    gold = make_gold(judgements[used], of_all, rel, at_least_judges, scale=scale)
    gold["gold"] = PEOPLE + gold["gold"]
    return gold
