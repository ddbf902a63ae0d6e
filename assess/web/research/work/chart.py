"""The positions of the bars of a chart, as SVG attributes."""

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
