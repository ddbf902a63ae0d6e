"""The figures of the progress of judging. Importing matplotlib takes a second, so it is imported inside."""

from collections.abc import Sequence
from dataclasses import asdict

from assess.work.activity import Activity
from assess.work.stopping import TopicGain, curve_frame
from assess.work.stopping_table import StoppingRow


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


def drawn_completeness(rows: Sequence[StoppingRow]) -> list[dict[str, str | float | None]]:
    """Return a row for each topic; none if no topic has an estimate."""
    known = [(row.gain.topic.query_id, row.completeness) for row in rows]
    if all(each.value is None for _, each in known):
        return []
    return [
        {"name": query_id, "value": each.value, "low": each.low, "high": each.high, "reason": each.reason}
        for query_id, each in known
    ]


def draw_completeness(
    drawn: Sequence[dict[str, str | float | None]],
    kind: str,
    title: str = "",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the completeness of each topic with its interval."""
    import pandas as pd

    from agreement.plots import value_intervals  # loads matplotlib
    from agreement.plots.row_axes import MOST_NAMED

    method = f"Intervals: exact, if the sources are independent. {note}".strip()
    values, of = pd.DataFrame(drawn), "topic"
    return value_intervals(
        values, title, kind, value="completeness", rows=of, of=of, method=method, width=width, most_named=MOST_NAMED
    )
