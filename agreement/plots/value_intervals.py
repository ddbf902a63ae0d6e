"""Values with their intervals, one row for each: pairs of judges, windows of time, rules of golds, or topics."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import select_columns
from agreement.plots.page import axes_size, format_count, text_width
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
    most_named: int | None = None,
) -> bytes:
    """Draw a value in each row, with its interval. The axis has at least 0 to 1, and a line at 0.

    Of more than `most_named` rows, those without a value are left out, and a line below the figure counts them. If more
    than `most_named` are left, they are thin and have no names.

    Parameters
    ----------
    values : DataFrame
        Columns name and value; and low and high, the limits of the interval. One row for each name, in the order from
        the top. A missing value is drawn as undefined, a value without limits has no interval, and the columns low and
        high may be missing altogether. The column reason, which may be missing too, says why a value is undefined; the
        row shows it where it fits.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value, rows, interval : str
        What a value, a row and an interval are: labels of the axes and of the legend.
    method : str
        How the intervals were computed; a line below the figure if there is an interval.
    of : {"judge", "system", "topic", "gold"}
        Whose the values are, for the marks of an SVG file.
    width : float, optional
        Inches of the figure. Long names lose their middle.
    most_named : int, optional
        The number of rows up to which all rows have names. By default rows always have names.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, no value is known of more than `most_named` rows, a value is not a number,
        or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import value_intervals
    >>> values = pd.DataFrame({"name": ["a and b", "a and c"], "value": [0.6, None], "low": [0.4, None]})
    >>> value_intervals(values.assign(high=[0.8, None])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, values, title, (value, rows), interval, method, of, width, most_named)


def _figure(
    values: pd.DataFrame,
    title: str,
    labels: tuple[str, str],
    interval: str,
    method: str,
    of: str = "judge",
    width: float | None = None,
    most_named: int | None = None,
) -> Figure:
    drawn, left_out = _drawn(values, most_named)
    has_interval = bool((drawn["value"].notna() & drawn["low"].notna()).any())
    legend = [Line2D([], [], label=labels[0], **VALUE)]
    legend += [Line2D([], [], label=interval, **INTERVAL)] if has_interval else []
    notes = [method if has_interval else "", f"{format_count(left_out, of)} without a value." if left_out else ""]
    note = " ".join(filter(None, notes))
    page, axes = row_page(list(drawn["name"]), labels, title, note, legend, width=width, most_named=most_named)
    is_thin = most_named is not None and len(drawn) > most_named
    _draw_values(axes, drawn, is_thin)
    for row, columns in enumerate(drawn[[*COLUMNS, *LIMITS, "reason"]].to_numpy()):
        _label_row(axes, row, of, *columns)
    ends = [float(end) for end in drawn[["value", *LIMITS]].to_numpy().ravel() if not pd.isna(end)]
    margin = 0.03 if width is None else 0.12  # a number at the edge is apart from the word above the names
    axes.set_xlim(min([0.0, *ends]) - margin, max([1.0, *ends]) + margin)
    axes.axvline(0, color=HAIRLINE, linewidth=0.8, zorder=1)
    return page.figure


def _drawn(values: pd.DataFrame, most_named: int | None) -> tuple[pd.DataFrame, int]:
    """Return name, value, low, high and reason of the rows that are drawn, and how many are left out."""
    with_limits = values.reindex(columns=[*values.columns, *(name for name in LIMITS if name not in values)])
    rows = select_columns(with_limits, (*COLUMNS, *LIMITS), ("value", *LIMITS), "A figure of values")
    rows = rows.assign(reason=values["reason"].to_numpy() if "reason" in values else "")
    if most_named is None or len(rows) <= most_named:
        return rows, 0
    known = rows.dropna(subset=["value"]).reset_index(drop=True)
    if not len(known):
        raise ValueError("A figure of many values needs at least one that is known, but there is none.")
    return known, len(rows) - len(known)


def _draw_values(axes: Axes, drawn: pd.DataFrame, is_thin: bool) -> None:
    limited = drawn.dropna(subset=["value", *LIMITS])
    axes.hlines(limited.index, limited["low"], limited["high"], color=PALE, linewidth=1.5 if is_thin else 6, zorder=2)
    axes.plot(drawn["value"], drawn.index, **VALUE | ({"markersize": 2} if is_thin else {}))


def _label_row(axes: Axes, row: int, of: str, name: str, value: float, low: float, high: float, reason: str) -> None:
    """Say the numbers of a row, or why it has none."""
    limits = "" if pd.isna(low) or pd.isna(high) else f", {low:.3f} to {high:.3f}"
    shown = f"{value:z.3f}{limits}"
    if pd.isna(value):
        shown = f"undefined ({reason})" if reason else "undefined"
        fits = text_width(shown) < axes_size(axes)[0]
        add_undefined_row(axes, row, shown if fits else "undefined")
    mark_row(axes, row, f"{name}: {shown}", **{of: str(name)})
