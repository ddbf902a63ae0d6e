"""The forest plot: kappas with their intervals over the bands of kappa."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import select_columns
from agreement.plots.judges.bands import draw_bands
from agreement.plots.page import SMALL, max_text_width
from agreement.plots.row_axes import MOST_NAMED, add_undefined_row, mark_row, row_page, write_beside
from agreement.plots.style import render
from pooling.palette import DEEP, Style
from pooling.words import with_minus

COLUMNS = ("name", "value")
LIMITS = ("low", "high")
PAIR = ("judge_a", "judge_b")
NARROW = 4.0  # inches of a figure that writes no limits
INTERVAL: Style = {"color": DEEP, "linewidth": 1.8}
VALUE: Style = {"linestyle": "none", "marker": "o", "markersize": 5.5, "color": DEEP, "zorder": 3}


def forest_plot(
    values: pd.DataFrame,
    title: str = "",
    kind: str = "svg",
    *,
    value: str = "pooled kappa",
    rows: str = "judges",
    interval: str = "95% interval",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a kappa in each row with its interval, the highest at the top, over the bands dubious, fair and good.

    The number and the limits are written beside the row. More than 60 rows are thin and have no names and no numbers.

    Parameters
    ----------
    values : DataFrame
        Columns name and value, a kappa of at most 1; and low and high, the limits of its interval. One row for each
        name. A missing value is drawn as undefined, at the bottom; a value without limits has no interval, and the
        columns low and high may be missing altogether. For pairs of judges, the columns judge_a and judge_b say whose
        kappa it is.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value, rows, interval : str
        What a value, a row and an interval are: labels of the axes and of the legend.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure. Below 4 inches, the limits are not written.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a value is not a number or is above 1, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import forest_plot
    >>> values = pd.DataFrame({"name": ["a and b", "a and c"], "value": [0.6, None], "low": [0.4, None]})
    >>> forest_plot(values.assign(high=[0.8, None])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, values, title, (value, rows), interval, note, width)


def _figure(
    values: pd.DataFrame, title: str, labels: tuple[str, str], interval: str, note: str, width: float | None = None
) -> Figure:
    drawn = _sorted(values)
    is_short = width is not None and width < NARROW
    numbers = [_number(*row, is_short=is_short) for row in drawn[["value", *LIMITS]].to_numpy()]
    is_named = len(drawn) <= MOST_NAMED
    right = max_text_width(numbers, SMALL) + 0.12 if is_named else 0.0
    legend = _legend(labels[0], interval if drawn["low"].notna().any() else "")
    page, axes = row_page(
        list(drawn["name"]), labels, title, note, legend, right=right, width=width, most_named=MOST_NAMED
    )
    ends = drawn[["value", *LIMITS]].to_numpy().ravel()
    draw_bands(axes, [float(end) for end in ends if not pd.isna(end)])
    for row, (value, low, high) in enumerate(drawn[["value", *LIMITS]].itertuples(index=False)):
        _draw_row(axes, row, value, low, high)
        mark_row(axes, row, f"{drawn['name'][row]}: {_title(value, low, high)}", **_judges(drawn, row))
        if is_named:
            write_beside(axes, row, numbers[row])
    return page.figure


def _sorted(values: pd.DataFrame) -> pd.DataFrame:
    """Return name, value, low and high, the highest value first and undefined ones last."""
    with_limits = values.reindex(columns=[*values.columns, *(name for name in LIMITS if name not in values)])
    drawn = select_columns(with_limits, (*COLUMNS, *LIMITS), ("value", *LIMITS), "A forest plot")
    if (drawn["value"] > 1).any():
        raise ValueError(f"A kappa must be at most 1, not {drawn['value'].max():g}.")
    drawn = drawn.assign(**{name: values[name].to_numpy() for name in PAIR if name in values})
    drawn[list(LIMITS)] = drawn[list(LIMITS)].where(drawn[["value", *LIMITS]].notna().all(axis=1))
    return drawn.sort_values("value", ascending=False, kind="stable", na_position="last", ignore_index=True)


def _number(value: float, low: float, high: float, *, is_short: bool) -> str:
    if pd.isna(value):
        return ""
    text = f"{value:z.2f}" if is_short or pd.isna(low) else f"{value:z.2f} [{low:z.2f}, {high:z.2f}]"
    return with_minus(text)  # like the numbers of the axis


def _title(value: float, low: float, high: float) -> str:
    if pd.isna(value):
        return "undefined"
    return f"{value:z.3f}" if pd.isna(low) else f"{value:z.3f}, {low:z.3f} to {high:z.3f}"


def _judges(drawn: pd.DataFrame, row: int) -> dict[str, str]:
    """Return whose kappa a row shows."""
    if set(PAIR) <= set(drawn):
        return {"judges": "\n".join(str(drawn[name][row]) for name in PAIR)}
    return {"judge": str(drawn["name"][row])}


def _draw_row(axes: Axes, row: int, value: float, low: float, high: float) -> None:
    if pd.isna(value):
        add_undefined_row(axes, row, "undefined")
        return
    if not pd.isna(low):
        axes.hlines(row, low, high, zorder=2, **INTERVAL)
    axes.plot(value, row, **VALUE)


def _legend(value: str, interval: str) -> list[Line2D]:
    legend = [Line2D([], [], label=value, **VALUE)]
    return [*legend, Line2D([], [], label=interval, **INTERVAL)] if interval else legend
