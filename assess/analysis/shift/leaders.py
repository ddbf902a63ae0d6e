"""The leaderboard of a collection: the systems by several measures under the reference."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from agreement.significance.leaderboard import leaderboard_of_scores
from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift_query import ShiftInputs
from assess.errors import Refused
from assess.lib import long_work
from assess.models import Collection


def leaders_of(collection: Collection, inputs: ShiftInputs, *, measures: Sequence[str]) -> pd.DataFrame:
    """Return the leaderboard under the reference, the first measure first."""
    shifts = [shift_of(collection, replace(inputs, measure=each)) for each in long_work.reported(measures, "Measures")]
    scores = {shift.measure: shift.scores[shift.reference] for shift in shifts}
    judged = shifts[0].judged
    shares = judged[judged["gold"] == shifts[0].reference].set_index("system")["value"]
    try:
        board = leaderboard_of_scores(scores, shares)
    except ValueError as error:
        raise Refused(str(error)) from None
    board.attrs["gold"] = shifts[0].reference
    return board
