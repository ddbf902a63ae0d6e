"""Ranks under golds that mix the judges, and intervals of ranks and of rank correlations. All are drawn with a seed."""

from dataclasses import dataclass, replace

import pandas as pd

import agreement
from agreement.choices import MIN_JUDGED
from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.effectiveness.ranked_runs import prepare_for
from agreement.mixing import mixed_scores
from assess.analysis.measures import check_measure, scale_for
from assess.analysis.shift.golds import chosen_judgements
from assess.analysis.shift.ranking import chosen_runs, shift_of
from assess.analysis.shift.swaps import SEED
from assess.analysis.shift_query import ShiftInputs
from assess.collections import runfiles
from assess.errors import Refused
from assess.lib import long_work
from assess.models import Collection

MIXED_DRAWS = 100_000
INTERVAL_DRAWS = 10_000
CORRELATION_DRAWS = 2_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class RankIntervals:
    """Intervals of the ranks: over topics under the reference, and over topics and judges."""

    gold: str
    topics: pd.DataFrame
    judges: pd.DataFrame


def mixed_of(
    collection: Collection, inputs: ShiftInputs, *, min_judged: float = MIN_JUDGED, draws: int = MIXED_DRAWS
) -> agreement.MixedGolds:
    """Rank the systems under golds that take one judge for each topic, and report the progress.

    `min_judged` decides how many topics count as judged by two.
    """
    check_measure(collection, inputs.measure)
    runs, judgements = chosen_runs(collection, inputs), chosen_judgements(collection, inputs)

    def progress(done: int, total: int) -> None:
        long_work.report("Mixed golds", done, total)

    try:
        ranked = prepare_for(map(runfiles.load, long_work.reported(runs, "Read the runs")), [judgements])
        long_work.report("Score the systems under each judge")
        scale = scale_for(collection, inputs.measure)
        cube = scores_by_judge(ranked, judgements, agreement.parse_measure(inputs.measure), scale=scale)
        return mixed_scores(cube, draws, SEED, progress=progress, min_judged=min_judged)
    except ValueError as error:
        raise Refused(str(error)) from None


def intervals_of(collection: Collection, inputs: ShiftInputs) -> RankIntervals:
    """Resample topics, and topics together with judges."""
    shift = shift_of(collection, inputs)
    runs, judgements = chosen_runs(collection, inputs), chosen_judgements(collection, inputs)
    try:
        topics = agreement.rank_intervals(shift.scores[shift.reference], INTERVAL_DRAWS, SEED, CONFIDENCE)
        long_work.report("Score the systems under each judge")
        judges = agreement.rank_intervals_with_judges(
            map(runfiles.load, runs),
            judgements,
            inputs.measure,
            INTERVAL_DRAWS,
            SEED,
            CONFIDENCE,
            scale=scale_for(collection, inputs.measure),
        )
    except ValueError as error:
        raise Refused(str(error)) from None
    return RankIntervals(shift.reference, _best_first(topics), _best_first(judges))


def correlations_of(collection: Collection, inputs: ShiftInputs) -> agreement.CorrelationIntervals:
    """Resample topics for the correlations of each gold with the reference."""
    shift = shift_of(collection, inputs)
    pairs = tuple(pair for pair in shift.pairs if shift.reference in (pair.gold_a, pair.gold_b))
    found = [
        agreement.correlation_intervals(replace(shift, pairs=(pair,)), CORRELATION_DRAWS, SEED, CONFIDENCE)
        for pair in long_work.reported(pairs, "Intervals of correlations")
    ]
    estimates = tuple(row for one in found for row in one.estimates)
    reasons = tuple(reason for one in found for reason in one.reasons)
    return agreement.CorrelationIntervals(estimates, reasons, "topics", CORRELATION_DRAWS, SEED, CONFIDENCE)


def _best_first(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values(["rank", "system"], ignore_index=True)
