"""The figures of the shift pages, as files.

`place` are the options of a drawing that a page shows: an empty title, and the width for a phone.
"""

from typing import Any

import pandas as pd

import agreement
from agreement.mixing import MixedGolds
from agreement.shift.gold_pairs import GoldPair
from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift.ranks import range_frame, ranked_systems
from assess.analysis.shift_query import ShiftInputs
from assess.errors import Refused
from assess.models import Collection
from pooling.words import count

ROW_LEADS = "Numbers: the score of the row's system minus that of the column's."


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


def swapped_pairs_chart(
    shift: agreement.RankingShift, pair: GoldPair, swaps: pd.DataFrame, kind: str, **place: Any
) -> bytes:
    """Draw which pairs of systems swap between two golds, and which of them are significant under both."""
    pairs = pd.DataFrame({"a": swaps["ahead_a"], "b": swaps["ahead_b"], "value": swaps["difference_b"]})
    pairs["is_strong"] = swaps["significant_a"] & swaps["significant_b"]
    options: dict[str, Any] = {
        "title": f"{count(len(pairs), 'pair')} of systems that {pair.gold_a} and {pair.gold_b} swap ({shift.measure})",
        "value": f"the lead under {pair.gold_b} is",
        "strong": "both leads significant",
        "weak": "swap",
        "none": "same order",
        "note": f"Numbers: the lead under {pair.gold_b}.",
    }
    return _draw_pairs(pairs, shift, kind, options | place)


def different_pairs_chart(shift: agreement.RankingShift, differences: pd.DataFrame, kind: str, **place: Any) -> bytes:
    """Draw which pairs of systems differ significantly under the reference."""
    at = {system: number for number, system in enumerate(ranked_systems(shift))}
    a, b, difference = differences["system_a"], differences["system_b"], differences["difference"]
    is_reversed = a.map(at) > b.map(at)  # the cell says by how much the system of its row is ahead
    pairs = pd.DataFrame({"a": a.mask(is_reversed, b), "b": b.mask(is_reversed, a)})
    pairs["value"] = difference.mask(is_reversed, -difference)
    pairs["is_strong"] = differences["significant"]
    title = f"Differences of {count(len(shift.systems), 'system')} under {shift.reference} ({shift.measure})"
    return _draw_pairs(pairs, shift, kind, {"title": title, "note": ROW_LEADS} | place)


def _draw_pairs(pairs: pd.DataFrame, shift: agreement.RankingShift, kind: str, options: dict[str, Any]) -> bytes:
    from agreement import plots  # loads matplotlib
    from agreement.plots.systems.cells import MOST_NUMBERED

    options |= {"note": ""} if len(shift.systems) > MOST_NUMBERED else {}
    try:
        return plots.system_pairs(pairs, ranked_systems(shift), kind=kind, **options)
    except ValueError as error:
        raise Refused(str(error)) from None


def measures_chart(reference: str, frame: pd.DataFrame, kind: str, **place: Any) -> bytes:
    """Draw tau_b between the reference and each gold, by each measure."""
    from agreement import plots  # loads matplotlib

    golds, measures = frame["gold_b"].unique(), frame["measure"].unique()
    taus = frame.pivot_table("tau_b", "gold_b", "measure", sort=False, dropna=False)
    try:
        return plots.tau_by_measure(taus.reindex(golds, columns=measures), kind=kind, reference=reference, **place)
    except ValueError as error:
        raise Refused(str(error)) from None


def leverage_chart(leverage: agreement.Leverage, kind: str, **place: Any) -> bytes:
    """Draw the disputed documents whose grade swaps most pairs of systems."""
    from agreement import plots  # loads matplotlib

    note = f"Gold {leverage.gold}, {leverage.measure}."
    try:
        return plots.document_leverage(leverage.documents, kind=kind, note=note, **place)
    except ValueError as error:
        raise Refused(str(error)) from None
