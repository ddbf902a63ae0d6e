"""The figures of the shift pages, as files.

`place` are the options of a drawing that a page shows: an empty title, and the width for a phone.
"""

from typing import Any

import pandas as pd

import agreement
from agreement.mixing import MixedGolds
from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift.ranks import range_frame
from assess.analysis.shift_query import ShiftInputs
from assess.errors import Refused
from assess.models import Collection
from pooling.words import count


def slope_chart(shift: agreement.RankingShift, against: str, kind: str, **place: Any) -> bytes:
    """Draw the ranks under the reference and under another gold, as "svg", "pdf" or "png"."""
    from agreement import plots  # loads matplotlib

    try:
        return plots.slope_chart(shift.only(against), kind=kind, **place)
    except ValueError as error:
        raise Refused(str(error)) from None


def heat_map_of(collection: Collection, inputs: ShiftInputs, *, coefficient: str, kind: str, **place: Any) -> bytes:
    """Draw a coefficient between all golds. With many golds it takes seconds."""
    shift = shift_of(collection, inputs)
    from agreement import plots  # loads matplotlib

    try:
        return plots.tau_heat_map(shift, kind=kind, coefficient=coefficient, **place)
    except ValueError as error:
        raise Refused(str(error)) from None


def range_chart(shift: agreement.RankingShift, kind: str, **place: Any) -> bytes:
    """Draw the rank of each system under the reference, and the range of its ranks over the golds."""
    from agreement import plots  # loads matplotlib

    frame = range_frame(shift).rename(columns={"best": "low", "worst": "high"})
    title = f"Ranks under {shift.reference}, and their ranges over {count(len(shift.golds), 'gold')} ({shift.measure})"
    options = {"title": title, "kind": kind, "interval": "lowest to highest rank"}
    return plots.rank_interval_chart(frame, **options | place)


def mixed_chart(mixed: MixedGolds, kind: str, **place: Any) -> bytes:
    """Draw the ranks of the systems by their mean scores, and their ranges over the mixed golds."""
    from agreement import plots  # loads matplotlib

    names = {"least_rank": "low", "greatest_rank": "high"}
    title = f"Ranks by the mean score, and their ranges over {count(mixed.draws, 'mixed gold')} ({mixed.measure})"
    frame = mixed.systems_frame.rename(columns=names)
    options = {"title": title, "kind": kind, "interval": "lowest to highest rank"}
    return plots.rank_interval_chart(frame, **options | place)


def interval_chart(frame: pd.DataFrame, kind: str, **place: Any) -> bytes:
    """Draw the ranks of the systems with their intervals."""
    from agreement import plots  # loads matplotlib

    about: dict[Any, Any] = frame.attrs
    title = f"Ranks of {count(len(frame), 'system')}, resampling {about['resampled']}"
    note = f"{count(about['n_topics'], 'topic')}, {count(about['draws'], 'draw')}, seed {about['seed']}."
    options = {"title": title, "kind": kind, "confidence": about["confidence"], "note": note}
    return plots.rank_interval_chart(frame, **options | place)
