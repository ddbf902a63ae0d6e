"""The pairs of systems that swap between two golds, why they swap, and which differences are significant."""

from typing import Any

import pandas as pd

import agreement
from assess.analysis.measures import check_measure, scale_for
from assess.analysis.shift.golds import chosen_judgements, golds_of
from assess.analysis.shift.ranking import chosen_runs, shift_of
from assess.analysis.shift_query import ShiftInputs
from assess.collections import runfiles
from assess.errors import Refused
from assess.models import Collection

SEED = 1  # of the orders and draws; printed with the figures
ALPHA = 0.05
TUKEY = "tukey"
DRAWN = ("randomisation", TUKEY)


def swaps_of(
    collection: Collection, inputs: ShiftInputs, *, against: str, test: str, correction: str | None
) -> pd.DataFrame:
    """Return the pairs of systems that swap between the reference and another gold.

    Both leads are tested over the topics, with a correction for all pairs of systems.
    """
    shift = shift_of(collection, inputs)
    try:
        return shift.only(against).swaps(**_test_options(test, correction))
    except ValueError as error:
        raise Refused(str(error)) from None


def differences_of(collection: Collection, inputs: ShiftInputs, *, test: str, correction: str | None) -> pd.DataFrame:
    """Compare every two systems over the topics of the reference, the largest difference first."""
    shift = shift_of(collection, inputs)
    try:
        frame = agreement.compare_systems(shift.scores[shift.reference], **_test_options(test, correction))
    except ValueError as error:
        raise Refused(str(error)) from None
    order = frame["difference"].abs().sort_values(ascending=False, kind="stable").index
    sorted_frame = frame.loc[order].reset_index(drop=True)
    sorted_frame.attrs = frame.attrs | {"gold": shift.reference}
    return sorted_frame


def explain_swap(
    collection: Collection, inputs: ShiftInputs, *, a: str, b: str, gold_1: str, gold_2: str
) -> agreement.WhySwapped:
    """Explain by topics and documents why the order of two systems differs under two golds."""
    check_measure(collection, inputs.measure)
    judgements = chosen_judgements(collection, inputs)
    runs = [run for run in chosen_runs(collection, inputs) if run.system in (a, b)]
    try:
        golds = golds_of(collection, judgements, (gold_1, gold_2), topics=inputs.topics)
        first, second = ({name: golds[name]} for name in (gold_1, gold_2))
        return agreement.why_swapped(
            map(runfiles.load, runs),
            a,
            b,
            first,
            second,
            inputs.measure,
            seed=SEED,
            scale=scale_for(collection, inputs.measure),
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def _test_options(test: str, correction: str | None) -> dict[str, Any]:
    """Return the options of a test. Tukey's test corrects for all pairs itself."""
    seed = {"seed": SEED} if test in DRAWN else {}
    return {"test": test, "correction": None if test == TUKEY else correction, "alpha": ALPHA, **seed}
