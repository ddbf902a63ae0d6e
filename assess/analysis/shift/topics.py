"""How hard each topic is under the reference, and which topics decide the comparison of two systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import agreement
from agreement.meta_evaluation import (
    DecisiveTopics,
    TopicDifficulty,
    VarianceComponents,
    decisive_topics,
    topic_difficulty,
    variance_components,
)
from assess.analysis.shift.ranks import ranked_systems
from assess.analysis.shift.swaps import ALPHA
from assess.errors import Refused

MOST_DRAWN_TOPICS = 100
COMPARED = 2  # systems


@dataclass(frozen=True)
class TopicFigures:
    """The scores under the reference by systems and topics; `decisive` is None with a single system."""

    components: VarianceComponents
    difficulty: TopicDifficulty
    decisive: DecisiveTopics | None


def topics_of(shift: agreement.RankingShift, systems: Sequence[str]) -> TopicFigures:
    """Analyse the scores of a shift under its reference, and compare two systems on every topic."""
    scores = shift.scores[shift.reference]
    lower = shift.reference in shift.lower_is_better
    try:
        decisive = (
            decisive_topics(scores, systems[0], systems[1], ALPHA, lower_is_better=lower)
            if len(systems) == COMPARED
            else None
        )
    except ValueError as error:
        raise Refused(str(error)) from None
    return TopicFigures(variance_components(scores), topic_difficulty(scores, lower_is_better=lower), decisive)


def leading_systems(shift: agreement.RankingShift) -> list[str]:
    """Return the two best systems under the reference, or the only one; tied systems by name."""
    return ranked_systems(shift)[:COMPARED]


def topics_chart(shift: agreement.RankingShift, systems: Sequence[str], kind: str, **place: Any) -> bytes:
    """Draw the scores of the systems on every topic, with those of some systems."""
    from agreement import plots  # loads matplotlib

    scores, note = shift.scores[shift.reference], f"Gold {shift.reference}."
    try:
        return plots.topic_scores(scores, kind=kind, measure=shift.measure, highlight=list(systems), note=note, **place)
    except ValueError as error:
        raise Refused(str(error)) from None


def map_chart(shift: agreement.RankingShift, systems: Sequence[str], kind: str, **place: Any) -> bytes:
    """Draw the score of every system on every topic under the reference, with some systems framed."""
    from agreement import plots  # loads matplotlib

    scores, note = shift.scores[shift.reference], f"Gold {shift.reference}."
    try:
        return plots.score_map(scores, kind=kind, measure=shift.measure, highlight=list(systems), note=note, **place)
    except ValueError as error:
        raise Refused(str(error)) from None


def differences_chart(decisive: DecisiveTopics, shift: agreement.RankingShift, kind: str, **place: Any) -> bytes:
    """Draw the differences of two systems on every topic under the reference."""
    differences = decisive.topics.set_index("query_id")["difference"].rename(shift.reference)
    return _draw_differences(differences, *decisive.systems, kind=kind, measure=shift.measure, **place)


def swap_chart(why: agreement.WhySwapped, kind: str, **place: Any) -> bytes:
    """Draw the differences of two systems on every topic under two golds."""
    topics = why.topics.set_index("query_id")
    first, second = (topics[f"difference_{number}"].rename(gold) for number, gold in enumerate(why.golds, start=1))
    return _draw_differences(first, *why.systems, kind=kind, measure=why.measure, other=second, **place)


def _draw_differences(differences: "pd.Series[float]", a: str, b: str, **options: Any) -> bytes:
    from agreement import plots  # loads matplotlib

    try:
        return plots.score_differences(differences, a, b, **options)
    except ValueError as error:
        raise Refused(str(error)) from None
