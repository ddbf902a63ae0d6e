"""Scores corrected by the few grades that people gave to a recorded draw, and plans for more, for all models.

The grades of the reference for the drawn pairs are used; others that it has are not, because nobody knows how their
pairs were chosen. A model takes part if it has a grade for every pair of the draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from agreement.trust.corrected_ranking import corrected_ranking
from agreement.trust.few_grades.few_human_grades import few_human_grades
from agreement.trust.few_grades.result import FewGrades
from agreement.trust.plan import GradePlan, plan_grades
from agreement.trust.plan.influence import PLANNED
from agreement.trust.plan.plan import LEAST_KNOWN
from agreement.trust.scored_judges import PAIR, ScoredJudges
from pooling.draws.draw import Draw
from pooling.words import count

NO_MODEL = "no model"
NO_DRAW = (
    "Scores are not corrected by people: this needs grades of pairs that were drawn at random with known probabilities."
    " The command assay draw draws them, and --draw names the record."
)


@dataclass(frozen=True)
class Corrections:
    """Scores corrected by few human grades.

    Attributes
    ----------
    scores : dict of str to FewGrades
        By the name of the model, and "no model" for the estimate from people alone.
    plans : dict of str to GradePlan
        By the name of the model.
    ranking : DataFrame
        The ranking under each model next to that by its corrected scores (`corrected_ranking`), if people graded only
        the draw.
    notes : tuple of str
        What was left out, and why.
    """

    scores: dict[str, FewGrades] = field(default_factory=dict)
    plans: dict[str, GradePlan] = field(default_factory=dict)
    ranking: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: tuple[str, ...] = (NO_DRAW,)


def corrections_of(
    judges: ScoredJudges, draw: Draw | None, *, scale: tuple[float, ...], confidence: float, seed: int
) -> Corrections:
    """Return the corrected scores and the plans of all models; none without a draw.

    Raises
    ------
    ValueError
        A drawn pair has no grade of the reference, or the measure cannot be estimated from few grades.
    """
    if draw is None:
        return Corrections()
    reference = judges.people[judges.reference]
    grades = draw.drawn[PAIR].merge(reference, on=PAIR)
    notes = _notes(len(reference) - len(grades), judges, draw)
    models: Mapping[str, pd.DataFrame | None] = {NO_MODEL: None, **_complete(judges, draw)}
    scores = {
        name: few_human_grades(
            judges.ranked, gold, grades, draw, judges.measure, confidence=confidence, scale=scale, seed=seed
        )
        for name, gold in models.items()
    }
    can_plan = judges.measure.function in PLANNED and not judges.measure.judged_only and len(draw) >= LEAST_KNOWN
    plans = {
        name: plan_grades(
            judges.ranked, gold, grades, draw, judges.measure, confidence=confidence, scale=scale, seed=seed
        )
        for name, gold in models.items()
        if gold is not None and can_plan
    }
    by_models = {name: found for name, found in scores.items() if name != NO_MODEL and judges.only_drawn}
    return Corrections(scores, plans, corrected_ranking(by_models), tuple(notes))


def _complete(judges: ScoredJudges, draw: Draw) -> dict[str, pd.DataFrame]:
    """The models with a grade for every pair of the draw."""
    pairs = draw.frame[PAIR]
    return {name: gold for name, gold in judges.models.items() if len(pairs.merge(gold, on=PAIR)) == len(pairs)}


def _notes(n_unused: int, judges: ScoredJudges, draw: Draw) -> list[str]:
    notes = []
    if n_unused:
        notes.append(
            f"{count(n_unused, 'grade')} of {judges.reference} of pairs that were not drawn are not used for corrected"
            " scores."
        )
    if missing := [name for name in judges.models if name not in _complete(judges, draw)]:
        notes.append(f"Not corrected, because a pair of the draw has no grade of the model: {', '.join(missing)}.")
    return notes
