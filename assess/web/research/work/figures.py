"""The figures of the progress of judging. Importing matplotlib takes a second, so it is imported inside."""

from dataclasses import asdict

from assess.work.activity import Activity
from assess.work.stopping import TopicGain, curve_frame


def draw_activity(activity: Activity, kind: str, title: str = "", width: float | None = None) -> bytes:
    """Draw one bar for each period."""
    import pandas as pd

    from agreement.plots.period_counts import period_counts  # loads matplotlib

    rows = pd.DataFrame([asdict(period) for period in activity.periods])
    counts = rows.rename(columns={"label": "period", "judgements": "n"})
    return period_counts(counts, title, kind, unit=f"{activity.unit} (UTC)", width=width)


def draw_gain(gain: TopicGain, kind: str, title: str = "", note: str = "", width: float | None = None) -> bytes:
    """Draw the relevant documents found against the documents judged."""
    from agreement.plots import gain_curve  # loads matplotlib

    return gain_curve(curve_frame(gain), title, kind, note=note, width=width)
