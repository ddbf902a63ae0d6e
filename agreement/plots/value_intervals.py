"""Values with their intervals, one row for each: pairs of judges, judges against a reference, or windows of time."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import select_columns
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import DEEP, HAIRLINE, PALE, Style

COLUMNS = ("name", "value")
LIMITS = ("low", "high")
INTERVAL: Style = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
VALUE: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}


def value_intervals(
    values: pd.DataFrame,
    title: str = "",
    kind: str = "svg",
    *,
    value: str = "pooled kappa",
    rows: str = "judges",
    interval: str = "95% interval",
    method: str = "",
    of: str = "judge",
    width: float | None = None,
) -> bytes:
    """Draw a value in each row, with its interval. The axis has at least 0 to 1, and a line at 0.

    Parameters
    ----------
    values : DataFrame
        Columns name and value; and low and high, the limits of the interval. One row for each name, in the order from
        the top. A missing value is drawn as undefined, a value without limits has no interval, and the columns low and
        high may be missing altogether.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value, rows, interval : str
        What a value, a row and an interval are: labels of the axes and of the legend.
    method : str
        How the intervals were computed; a line below the figure if there is an interval.
    of : {"judge", "system", "topic"}
        Whose the values are, for the marks of an SVG file.
    width : float, optional
        Inches of the figure. Long names lose their middle.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a value is not a number, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import value_intervals
    >>> values = pd.DataFrame({"name": ["a and b", "a and c"], "value": [0.6, None], "low": [0.4, None]})
    >>> value_intervals(values.assign(high=[0.8, None])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, values, title, (value, rows), interval, method, of, width)


def _figure(
    values: pd.DataFrame,
    title: str,
    labels: tuple[str, str],
    interval: str,
    method: str,
    of: str = "judge",
    width: float | None = None,
) -> Figure:
    with_limits = values.reindex(columns=[*values.columns, *(name for name in LIMITS if name not in values)])
    drawn = select_columns(with_limits, (*COLUMNS, *LIMITS), ("value", *LIMITS), "A figure of values")
    has_interval = bool((drawn["value"].notna() & drawn["low"].notna()).any())
    legend = [Line2D([], [], label=labels[0], **VALUE)]
    legend += [Line2D([], [], label=interval, **INTERVAL)] if has_interval else []
    note = method if has_interval else ""
    page, axes = row_page(list(drawn["name"]), labels, title, note, legend, width=width)
    for row, (value, low, high) in enumerate(drawn[["value", *LIMITS]].itertuples(index=False)):
        if pd.isna(value):
            add_undefined_row(axes, row, "undefined")
            continue
        if not (pd.isna(low) or pd.isna(high)):
            axes.hlines(row, low, high, color=PALE, linewidth=6, zorder=2)
        axes.plot(value, row, **VALUE)
        limits = "" if pd.isna(low) or pd.isna(high) else f", {low:.3f} to {high:.3f}"
        mark_row(axes, row, f"{drawn['name'][row]}: {value:z.3f}{limits}", **{of: str(drawn["name"][row])})
    ends = [float(end) for end in drawn[["value", *LIMITS]].to_numpy().ravel() if not pd.isna(end)]
    margin = 0.03 if width is None else 0.12  # a number at the edge is apart from the word above the names
    axes.set_xlim(min([0.0, *ends]) - margin, max([1.0, *ends]) + margin)
    axes.axvline(0, color=HAIRLINE, linewidth=0.8, zorder=1)
    return page.figure
