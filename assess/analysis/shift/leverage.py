"""How far each disputed document can change the ranking of the systems."""

import agreement
from assess.analysis.shift.golds import check_measure, chosen_judgements, golds_of
from assess.analysis.shift.ranking import chosen_runs
from assess.analysis.shift_query import ShiftInputs
from assess.collections import runfiles
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import Collection


def leverage_of(collection: Collection, inputs: ShiftInputs, *, gold: str) -> agreement.Leverage:
    """Return the effect of each disputed document on the ranking of the systems under a gold."""
    check_measure(collection, inputs.measure)
    runs, judgements = chosen_runs(collection, inputs), chosen_judgements(collection, inputs.without_judges)
    try:
        golds = golds_of(collection, judgements, [gold])
        frames = map(runfiles.load, runs)
        return agreement.leverage(frames, judgements, inputs.measure, golds, scale=scale_of(collection))
    except ValueError as error:
        raise Refused(str(error)) from None
