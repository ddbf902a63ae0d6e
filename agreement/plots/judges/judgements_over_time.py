"""How many judgements each judge has made, over time."""

from math import ceil

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from agreement.diagnostics.judgement_counts import judgement_counts
from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, SMALL, Page, axes_size, display_name, format_count, max_text_width
from agreement.plots.score_scatter import spread_heights
from agreement.plots.style import render
from pooling.palette import DEEP, HAIRLINE, INK, QUIET, SERIES, Style

COLUMNS = ("assessor", "judged_at")
WIDTH, HEIGHT, LEAST_WIDTH = 5.6, 2.4, 1.2  # inches of the axes
MOST_NAMED = 25  # judges
LEADER = 0.3  # inches from the axes to the names
LEAST_DAYS = 10 / 24 / 60  # of the axis: ten minutes
DATES = ["UTC", "%Y UTC", "%Y-%m UTC", *["%Y-%m-%d UTC"] * 3]  # at the right, by the distance of the numbers


def judgements_over_time(
    judgements: pd.DataFrame, title: str = "", kind: str = "svg", *, note: str = "", width: float | None = None
) -> bytes:
    """Draw a line for each judge: the number of judgements up to each time, in UTC.

    The names are at the ends of the lines; of more than 25 judges, the 25 with the most judgements are named. Up to 6
    judges have lines that differ in colour and dashes.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor and judged_at, a time; one row for each judgement, in any order. With a column n, a row is a
        point of the line instead: the judge had made n judgements at that time.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a time is missing or is not a time, or the kind is unknown.

    Notes
    -----
    A line with more than 300 judgements is drawn through 300 of them, which include the first and the last.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import judgements_over_time
    >>> times = pd.to_datetime(["2026-03-02 10:00", "2026-03-02 10:05", "2026-03-02 10:02"])
    >>> judgements = pd.DataFrame({"assessor": ["ada", "ada", "ben"], "judged_at": times})
    >>> judgements_over_time(judgements).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, judgements, title, note, width)


def _figure(judgements: pd.DataFrame, title: str, note: str, width: float | None = None) -> Figure:
    lines = _lines(_checked(judgements))
    named = list(lines)[:MOST_NAMED]
    texts = [display_name(name) for name in named]
    left, below, right = 0.7, 0.55, LEADER + max_text_width(texts, SMALL) + EDGE
    inches = WIDTH if width is None else max(width - left - right, LEAST_WIDTH)
    height = max(HEIGHT, LINE * len(named))
    page = Page(left + inches + right, below + height + EDGE, title, note)
    axes = page.add_axes(left, below, inches, height)
    most = max(float(n.max()) for _, n in lines.values())
    axes.set(ylabel="judgements", ylim=(0, most * 1.05))
    _set_times(axes, lines, inches)
    titles = {name: f"{name}: {format_count(int(n[-1]), 'judgement')}" for name, (_, n) in lines.items()}
    for number, (name, (times, n)) in enumerate(lines.items()):
        points = np.append(times, axes.get_xlim()[1]), np.append(n, n[-1])
        (line,) = axes.step(*points, where="post", **_style(number, len(lines)))
        mark(line, titles[name], judge=name)
    for name, text in zip(named, _write_names(axes, texts, [float(lines[each][1][-1]) for each in named]), strict=True):
        mark(text, titles[name], judge=name)
    return page.figure


def _checked(judgements: pd.DataFrame) -> pd.DataFrame:
    """Return assessor, judged_at and n."""
    if missing := [name for name in COLUMNS if name not in judgements]:
        raise ValueError(f"A figure of judgements needs the columns assessor, judged_at, but {missing[0]} is missing.")
    if judgements.empty:
        raise ValueError("A figure of judgements needs at least one row, but the table is empty.")
    try:
        times = pd.to_datetime(judgements["judged_at"], utc=True)
    except (TypeError, ValueError):
        raise ValueError("judged_at must contain only times.") from None
    if times.isna().any():
        raise ValueError("judged_at must contain only times, and none may be missing.")
    rows = judgements.assign(judged_at=times)
    return rows if "n" in rows else judgement_counts(rows)


def _lines(rows: pd.DataFrame) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the times and numbers of each judge, the judge with the most judgements first, equal ones by name."""
    lines = {}
    for name, part in rows.sort_values(["assessor", "judged_at", "n"], kind="stable").groupby("assessor"):
        times = date2num(part["judged_at"].dt.tz_convert(None).to_numpy())  # type: ignore[no-untyped-call]
        lines[str(name)] = np.insert(times, 0, times[0]), np.insert(part["n"].to_numpy(float), 0, 0.0)
    return dict(sorted(lines.items(), key=lambda line: -line[1][1][-1]))


def _set_times(axes: Axes, lines: dict[str, tuple[np.ndarray, np.ndarray]], inches: float) -> None:
    first, last = (end(pick(times) for times, _ in lines.values()) for end, pick in ((min, np.min), (max, np.max)))
    margin = max(0.02 * (last - first), (LEAST_DAYS - last + first) / 2)
    axes.set_xlim(first - margin, last + margin)
    locator = AutoDateLocator(minticks=2, maxticks=max(ceil(inches * 1.4), 3))  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, offset_formats=DATES))  # type: ignore[no-untyped-call]
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _style(number: int, n_lines: int) -> Style:
    """Return the style of a line. More lines than there are series look alike."""
    if n_lines > len(SERIES):
        return {"color": DEEP, "linewidth": 1.0, "alpha": 0.75}
    return {"color": SERIES[number]["color"], "linestyle": SERIES[number]["linestyle"], "linewidth": 1.6}


def _write_names(axes: Axes, names: list[str], ends: list[float]) -> list[Annotation]:
    """Write each name beside the end of its line, as near as the other names allow."""
    low, high = axes.get_ylim()
    right, (inches, height) = axes.get_xlim()[1], axes_size(axes)
    beyond = right + (right - axes.get_xlim()[0]) * LEADER / inches
    leader: Style = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 0}
    places = spread_heights(ends, 0.95 * (high - low) * LINE / height, low, high)
    style: Style = {"ha": "left", "va": "center", "color": INK, "fontsize": SMALL, "annotation_clip": False}
    style["arrowprops"] = leader | {"relpos": (0, 0.5)}
    return [
        axes.annotate(name, (right, end), (beyond, place), **style)
        for name, end, place in zip(names, ends, places, strict=True)
    ]
