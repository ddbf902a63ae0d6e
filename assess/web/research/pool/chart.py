"""The chart of a pool's size against its depth: coordinates for the template, which draws them as SVG."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assess.pools.building.preview import PoolPreview

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 12, 44
STEPS = (1, 2, 5, 10)
MOST_TICKS = 6
LEAST_DEPTH, BEYOND = 20, 3  # the chart ends at a multiple of the chosen depth


@dataclass(frozen=True)
class Tick:
    """A number on an axis, and where it is."""

    at: float
    label: str


@dataclass(frozen=True)
class DepthChart:
    """The mean number of documents per topic at each depth, as a line, and their range over topics, as a band.

    `pool` is the height of the previewed pool's mean, and `depth` the place of its depth; None if it has no depth
    within the chart. All numbers are coordinates.
    """

    line: str
    band: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    pool: float
    depth: float | None
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM


def depth_chart(preview: "PoolPreview") -> DepthChart:
    """Return the chart of a preview."""
    depth = preview.parameters.get("depth")
    rows = preview.by_depth[: max(LEAST_DEPTH, BEYOND * depth) if depth else None]
    deepest = len(rows)
    highest = max(preview.largest, rows[-1].largest)

    def x(depth: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (depth - 1) / max(deepest - 1, 1), 1)

    def y(size: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * size / highest, 1)

    largest = [(x(row.depth), y(row.largest)) for row in rows]
    smallest = [(x(row.depth), y(row.smallest)) for row in reversed(rows)]
    return DepthChart(
        line=_points((x(row.depth), y(row.mean)) for row in rows),
        band=_points(iter(largest + smallest)),
        x_ticks=[Tick(x(at), f"{at:,}") for at in sorted({1, *_round_numbers(deepest)[1:]})],
        y_ticks=[Tick(y(at), f"{at:,}") for at in _round_numbers(highest)],
        pool=y(preview.mean),
        depth=x(depth) if depth and depth <= deepest else None,
    )


def _points(points: Iterator[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _round_numbers(highest: int) -> list[int]:
    """Return round numbers from 0 up to the highest, a few."""
    power = 10 ** floor(log10(highest / MOST_TICKS)) if highest > MOST_TICKS else 1
    step = next(step * power for step in STEPS if highest / (step * power) <= MOST_TICKS)
    return list(range(0, highest + 1, int(step)))
