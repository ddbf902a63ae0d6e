"""The verdict on a model judge: may it replace people for the ranking of these systems?

The reference is what another person does to the same ranking (`ModelRanking.against_people`): tau_b of the model minus
tau_b of another person, both against the reference, on the same pairs. With the margin m, this difference is

- as people, if its whole interval is above -m;
- worse, if its whole interval is below -m;
- open otherwise.

| all systems | the best n | verdict |
|---|---|---|
| as people | as people, or there are no more than n systems | safe |
| as people | worse or open | safe_except_top |
| worse | any | not_safe |
| open | any | too_early |

It is also too early without a second person, with too few systems or topics, if the difference is undefined, and if
people graded only a draw: then only corrected scores tell their ranking, and stand beside the
verdict.

Agreement with people and gaming stand beside the verdict, and do not change it: a judge can agree with people and keep
their ranking, and still put any run first that is re-ranked by it.

The interval is for as many topics as the collection has. With more topics, noise of judges averages out and different
taste does not, so that the difference changes. With one other person for each topic and fewer than 25 topics, the
interval contains the difference too rarely, and the verdict has a caution that says so (docs/studies/verdicts.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from agreement.checks import number, whole_number
from agreement.thresholds import MIN_TOPICS
from agreement.trust.ranking import ModelRanking
from agreement.trust.scored_judges import ONLY_DRAWN
from pooling.words import count

SAFE, EXCEPT_TOP, NOT_SAFE, TOO_EARLY = "safe", "safe_except_top", "not_safe", "too_early"
VERDICTS = {
    SAFE: "{model} is safe for ranking these systems",
    EXCEPT_TOP: "{model} is safe for ranking these systems, except among the best {top}",
    NOT_SAFE: "{model} is not safe for ranking these systems",
    TOO_EARLY: "It is too early to say whether {model} is safe for ranking these systems",
}
AS_PEOPLE, WORSE, OPEN = "as people", "worse", "open"


@dataclass(frozen=True)
class TrustThresholds:
    """What a verdict needs.

    Parameters
    ----------
    margin : float
        How much lower the tau_b of a model may be than that of another person, 0 or more.
    min_topics : int
        Topics that the reference, another person and the model must have in common, 2 or more.
    min_systems : int
        Systems, 2 or more.

    Raises
    ------
    ValueError
        A threshold is out of range.

    Examples
    --------
    >>> from agreement.trust import TrustThresholds
    >>> TrustThresholds(margin=0.1).tag()
    'tau_b at most 0.1 below that of another person, on 10 topics and 5 systems or more'
    """

    margin: float = 0.05
    min_topics: int = MIN_TOPICS
    min_systems: int = 5

    def __post_init__(self) -> None:
        number("margin", self.margin, "a number of at least 0", lambda value: 0 <= value < 2)
        whole_number("min_topics", self.min_topics, 2)
        whole_number("min_systems", self.min_systems, 2)

    def tag(self) -> str:
        """The thresholds in words."""
        return (
            f"tau_b at most {self.margin:g} below that of another person, on {self.min_topics} topics and"
            f" {self.min_systems} systems or more"
        )


@dataclass(frozen=True)
class Verdict:
    """The verdict on one model; returned by `verdict`.

    Attributes
    ----------
    model : str
    kind : {"safe", "safe_except_top", "not_safe", "too_early"}
    sentence : str
        The verdict with its numbers.
    details : str
        The numbers alone, or why it is too early.
    reasons : tuple of str
        Why it is too early, if it is.
    beside : tuple of str
        Sentences about agreement and gaming, which do not change the verdict.
    thresholds : TrustThresholds
    caution : str
        Why the interval is not reliable; empty if it is, or if there is none.
    """

    model: str
    kind: str
    sentence: str
    details: str = ""
    reasons: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    thresholds: TrustThresholds = field(default_factory=TrustThresholds)
    caution: str = ""

    def __str__(self) -> str:
        return " ".join([self.sentence, *filter(None, [self.caution]), *self.beside])


def verdict(
    ranking: ModelRanking,
    model: str,
    *,
    thresholds: TrustThresholds | None = None,
    kappa: float | None = None,
    people_kappa: tuple[float, float] | None = None,
    passes_alternative_annotator_test: bool | None = None,
    can_buy_first: tuple[int, int] | None = None,
    corrected: str = "",
) -> Verdict:
    """Say whether a model may replace people for this ranking.

    Parameters
    ----------
    ranking : ModelRanking
        The result of `ranking_under_model`.
    model : str
        The name of the model.
    thresholds : TrustThresholds, optional
        What the verdict needs; printed with it.
    kappa : float, optional
        Kappa of the model with the reference.
    people_kappa : tuple of float, optional
        Lowest and highest kappa of other people with the reference.
    passes_alternative_annotator_test : bool, optional
        The result of `alternative_annotator_test`.
    can_buy_first : tuple of int, optional
        How many runs become first under the model if they are re-ranked by it, and of how many.
    corrected : str, optional
        A sentence about the ranking by corrected scores.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        The model is not in the ranking.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import ranking_under_model, verdict
    >>> runs = pd.DataFrame({"system": ["a", "b"], "query_id": "1", "doc_id": "d", "score": 1.0})
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "relevance": [1]})
    >>> ranking = ranking_under_model(runs, {"nist": gold}, {"llm": gold}, "P@1", seed=1)
    >>> print(verdict(ranking, "llm", can_buy_first=(2, 2)).sentence)
    It is too early to say whether llm is safe for ranking these systems: no second person judged.
    """
    thresholds = thresholds or TrustThresholds()
    if model not in set(ranking.frame["judge"]):
        raise ValueError(f"The ranking has no model {model!r}.")
    rows = _rows_of(ranking, model)
    reasons = _reasons(rows, thresholds, _row_of(ranking, model))
    kind = TOO_EARLY if reasons else _kind(rows, thresholds.margin)
    beside = _beside(kappa, people_kappa, passes_alternative_annotator_test, can_buy_first, model)
    beside = (corrected, *beside) if corrected else beside
    head = VERDICTS[kind].format(model=model, top=ranking.top)
    details = f"{', '.join(reasons)}." if reasons else _details(ranking, model, rows)
    caution = "" if reasons or pd.isna(rows["all"]["caution"]) else str(rows["all"]["caution"])
    return Verdict(model, kind, f"{head}: {details}", details, tuple(reasons), beside, thresholds, caution)


def _rows_of(ranking: ModelRanking, model: str) -> dict[str, Mapping[str, Any]]:
    table = ranking.against_people
    rows: list[Any] = table[table["model"] == model].to_dict("records") if len(table) else []
    return {str(row["systems"]): row for row in rows}


def _row_of(ranking: ModelRanking, model: str) -> Mapping[str, Any]:
    table = ranking.frame
    rows: list[Any] = table[(table["judge"] == model) & (table["systems"] == "all")].to_dict("records")
    row: Mapping[str, Any] = rows[0]
    return row


def _reasons(
    rows: Mapping[str, Mapping[str, Any]], thresholds: TrustThresholds, of_model: Mapping[str, Any]
) -> list[str]:
    if not rows:
        return [ONLY_DRAWN if of_model["reason"] == ONLY_DRAWN else "no second person judged"]
    row, reasons = rows["all"], []
    if row["n_topics"] < thresholds.min_topics:
        reasons.append(f"{count(row['n_topics'], 'topic')} of the {thresholds.min_topics} needed")
    if row["n_systems"] < thresholds.min_systems:
        reasons.append(f"{count(row['n_systems'], 'system')} of the {thresholds.min_systems} needed")
    if pd.isna(row["difference"]):
        reasons.append("all systems are tied")
    return reasons


def level_of(row: Mapping[str, Any], margin: float) -> str:
    """Whether the difference from people in a row is "as people", "worse" or "open"."""
    if pd.isna(row["low"]) or pd.isna(row["high"]):
        return OPEN
    if row["low"] > -margin:
        return AS_PEOPLE
    return WORSE if row["high"] < -margin else OPEN


def _kind(rows: Mapping[str, Mapping[str, Any]], margin: float) -> str:
    levels = {systems: level_of(row, margin) for systems, row in rows.items()}
    if levels["all"] != AS_PEOPLE:
        return NOT_SAFE if levels["all"] == WORSE else TOO_EARLY
    return EXCEPT_TOP if any(level != AS_PEOPLE for level in levels.values()) else SAFE


def _details(ranking: ModelRanking, model: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    parts = [_numbers(row, systems, ranking) for systems, row in rows.items()]
    return f"{'; '.join(parts)}. {_best(ranking, model)}"


def _numbers(row: Mapping[str, Any], systems: str, ranking: ModelRanking) -> str:
    which = f"all {row['n_systems']} systems" if systems == "all" else f"the {systems}"
    return (
        f"for {which}, tau_b with {ranking.reference} {row['tau_b_model']:.2f} where another person has"
        f" {row['tau_b_person']:.2f} on the same documents (difference {row['difference']:+.2f},"
        f" {ranking.confidence:.0%} interval {row['low']:+.2f} to {row['high']:+.2f})"
    )


def _best(ranking: ModelRanking, model: str) -> str:
    row = _row_of(ranking, model)
    if row["best_judge"] == row["best_reference"]:
        return f"The best system stays {row['best_reference']}."
    return f"It prefers {row['best_judge']} to {row['best_reference']}, which {ranking.reference} puts first."


def _beside(
    kappa: float | None,
    people_kappa: tuple[float, float] | None,
    passes: bool | None,
    can_buy_first: tuple[int, int] | None,
    model: str,
) -> tuple[str, ...]:
    sentences = []
    if kappa is not None:
        people = "" if people_kappa is None else f"; other people {people_kappa[0]:.2f} to {people_kappa[1]:.2f}"
        sentences.append(f"Its kappa with the reference is {kappa:.2f}{people}.")
    if passes is not None:
        sentences.append(f"It {'passes' if passes else 'does not pass'} the alternative annotator test.")
    if can_buy_first is not None:
        first, runs = can_buy_first
        sentences.append(f"Re-ranked by {model}, {first} of {runs} runs would be first under it.")
    return tuple(sentences)
