"""The positions of the bars and of the line of a chart, as SVG attributes."""

from collections.abc import Sequence
from dataclasses import dataclass

from assess.work.activity import Activity

WIDTH, HEIGHT = 720, 120
GAP = 2


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    label: str
    number: int


@dataclass(frozen=True)
class Chart:
    """A chart with one bar for each period. `description` says the same in a sentence."""

    bars: list[Bar]
    unit: str
    most: int
    first: str
    last: str
    description: str
    width: int = WIDTH
    height: int = HEIGHT


def bar_chart(activity: Activity) -> Chart:
    step = WIDTH / len(activity.periods)
    top = max(activity.most, 1)
    bars = [
        Bar(
            x=round(at * step, 1),
            y=round(HEIGHT - HEIGHT * period.judgements / top, 1),
            width=round(step - GAP, 1),
            height=round(HEIGHT * period.judgements / top, 1),
            label=period.label,
            number=period.judgements,
        )
        for at, period in enumerate(activity.periods)
    ]
    number = len(bars)
    noun = "judgement" if activity.total == 1 else "judgements"
    description = (
        f"{activity.total:,} {noun} in the last {number} {activity.unit}s, at most {activity.most:,} in one "
        f"{activity.unit}."
    )
    return Chart(bars, activity.unit, activity.most, bars[0].label, bars[-1].label, description)


@dataclass(frozen=True)
class GainChart:
    """A line of relevant documents found against documents judged. `description` says the same in a sentence."""

    points: str
    n_judged: int
    n_found: int
    description: str
    width: int = WIDTH
    height: int = 2 * HEIGHT


def gain_chart(found: Sequence[int]) -> GainChart:
    """Return the line through a gain curve, which starts with 0 documents judged."""
    last, top = len(found) - 1, max(found[-1], 1)
    corners = [n for n in range(last + 1) if n in (0, last) or not found[n - 1] == found[n] == found[n + 1]]
    height = 2 * HEIGHT
    points = " ".join(
        f"{round(WIDTH * n / max(last, 1), 1)},{round(height - height * found[n] / top, 1)}" for n in corners
    )
    judged = "document" if last == 1 else "documents"
    description = f"{found[-1]:,} relevant found in {last:,} {judged} judged."
    return GainChart(points, last, found[-1], description)
