"""The sentences with which the shift pages answer their questions, if the libraries have none."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from assess.analysis.shift.draws import RankIntervals

MOST_NAMES = 3


def best_systems(names: str) -> str:
    """Return the names of the systems at rank 1, or their number if there are many."""
    systems = names.split(" ")
    return names if len(systems) <= MOST_NAMES else f"a tie of {len(systems)} systems"


def measures_sentence(frame: "pd.DataFrame") -> str:
    """Return which gold and measure give the ranking that differs most from the reference's."""
    known = frame.dropna(subset=["tau_b"])
    if known.empty:
        return "No two golds can be compared under these measures."
    ordered = known.sort_values("tau_b", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    return (
        f"tau_b with {least['gold_a']} lies between {least['tau_b']:.3f} ({least['gold_b']} by {least['measure']}) and "
        f"{most['tau_b']:.3f} ({most['gold_b']} by {most['measure']})."
    )


def intervals_sentence(intervals: "RankIntervals") -> str:
    """Return how many systems have a rank that other topics, and other judges, could not change."""
    parts = []
    for frame in (intervals.topics, intervals.judges):
        known = frame.dropna(subset=["low", "high"])
        if known.empty:
            return "The ranks have no intervals: fewer than two topics are judged."
        fixed = int((known["low"] == known["high"]).sum())
        parts.append(f"{fixed} of {len(frame)} systems keep their rank if {frame.attrs['resampled']} are resampled")
    top = intervals.judges.iloc[0]
    share = f"{top['system']} is at rank 1 in {top['share_top']:.0%} of the draws of topics and judges"
    return f"{' and '.join(parts)}; {share}."
