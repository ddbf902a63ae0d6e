"""Agreement by topic: a dot for each topic over the bands of kappa."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.judges.bands import draw_bands
from agreement.plots.page import SMALL, format_count, max_text_width
from agreement.plots.row_axes import MOST_NAMED, add_undefined_row, mark_row, row_page, write_beside
from agreement.plots.style import render
from pooling.palette import DEEP, Style

COLUMNS = ("query_id", "value", "n")
TITLE_LENGTH = 34  # letters of the title of a topic
NARROW = 4.0  # inches of a figure without titles
SIZES, THIN_SIZES = (3.5, 9.0), (2.0, 5.0)  # points, from a topic without documents to the one with the most
DOT: Style = {"linestyle": "none", "marker": "o", "color": DEEP, "markeredgewidth": 0}


def topic_dots(
    topics: pd.DataFrame,
    title: str = "",
    kind: str = "svg",
    *,
    value: str = "pooled kappa",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a dot for the agreement in each topic, the lowest at the top, over the bands dubious, fair and good.

    The area of a dot grows with n, which is also written beside the row. More than 60 topics have thin rows without
    names and numbers; topics without a value are then left out, and the note counts them.

    Parameters
    ----------
    topics : DataFrame
        Columns query_id, value (a kappa of at most 1) and n (the number of documents); and title, which may be
        missing. One row for each topic. A missing value is drawn as undefined, at the bottom.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value : str
        What a value is, the label of the horizontal axis.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure. Below 4 inches, topics have no titles.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a topic occurs twice, a number is not a number, a value is above 1, n is
        negative or missing, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import topic_dots
    >>> topics = pd.DataFrame({"query_id": ["1", "2"], "value": [0.7, None], "n": [24, 3]})
    >>> topic_dots(topics).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, topics, title, value, note, width)


def _figure(topics: pd.DataFrame, title: str, value: str, note: str, width: float | None = None) -> Figure:
    drawn = _sorted(topics)
    is_named = len(drawn) <= MOST_NAMED
    if not is_named:
        undefined = int(drawn["value"].isna().sum())
        drawn = drawn.dropna(subset=["value"])
        note = f"{note} {format_count(undefined, 'topic')} without a value.".strip() if undefined else note
    note = f"A larger dot has more documents. {note}".strip()
    numbers = [f"n = {n:,.0f}" for n in drawn["n"]]
    right = max_text_width(numbers, SMALL) + 0.12 if is_named else 0.0
    titles = drawn["title"] if width is None or width >= NARROW else [""] * len(drawn)
    names = [_name(*row) for row in zip(drawn["query_id"], titles, strict=True)]
    legend = [Line2D([], [], label=value, markersize=6, **DOT)]
    labels = value, "topic"
    page, axes = row_page(names, labels, title, note, legend, right=right, width=width, most_named=MOST_NAMED)
    draw_bands(axes, [float(each) for each in drawn["value"].dropna()])
    _draw_dots(axes, drawn)
    if is_named:
        for row, number in enumerate(numbers):
            write_beside(axes, row, number)
    return page.figure


def _sorted(topics: pd.DataFrame) -> pd.DataFrame:
    """Return query_id, value, n and title, the lowest value first and undefined ones last."""
    drawn = select_columns(topics, COLUMNS, COLUMNS[1:], "A figure of topics")
    check_unique(drawn["query_id"], "topic")
    if (drawn["value"] > 1).any():
        raise ValueError(f"A kappa must be at most 1, not {drawn['value'].max():g}.")
    if not (drawn["n"] >= 0).all():
        raise ValueError("n must be a number from 0 in each topic.")
    titles = topics["title"].to_numpy() if "title" in topics else ""
    return drawn.assign(title=titles).sort_values("value", kind="stable", na_position="last", ignore_index=True)


def _name(query_id: str, title: str) -> str:
    short = title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1].rstrip()}…"
    return f"{query_id} {short}".strip()


def _draw_dots(axes: Axes, drawn: pd.DataFrame) -> None:
    most = max(float(drawn["n"].max()), 1.0)
    least, largest = SIZES if len(drawn) <= MOST_NAMED else THIN_SIZES
    for row, (query_id, title, value, n) in enumerate(drawn[["query_id", "title", "value", "n"]].to_numpy()):
        shown = "undefined" if pd.isna(value) else f"{value:z.3f}"
        mark_row(axes, row, f"{query_id} {title}".strip() + f": {shown}, n = {n:,.0f}", topic=str(query_id))
        if pd.isna(value):
            add_undefined_row(axes, row, "undefined")
            continue
        size = least + (largest - least) * np.sqrt(n / most)
        axes.plot(value, row, markersize=size, zorder=3, **DOT)
