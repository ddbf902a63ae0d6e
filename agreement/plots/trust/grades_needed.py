"""How many human grades are enough, by goal and design of the sample."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import select_columns
from agreement.plots.row_axes import mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, PALE, Style

COLUMNS = ("goal", "design", "judge", "grades", "q10", "q90")
SPREAD: Style = {"color": PALE, "linewidth": 5, "solid_capstyle": "butt", "zorder": 2}
STYLES: dict[str, Style] = {
    "with the model": {"linestyle": "none", "marker": "o", "markersize": 5, "color": DEEP, "zorder": 4},
    "without the model": {
        "linestyle": "none",
        "marker": "s",
        "markersize": 5,
        "markerfacecolor": "none",
        "markeredgecolor": ACCENT,
        "markeredgewidth": 1.2,
        "zorder": 3,
    },
}


def grades_needed(
    plan: pd.DataFrame, title: str | None = None, kind: str = "svg", *, n_pairs: int, width: float | None = None
) -> bytes:
    """Draw the number of human grades that reaches each goal, with and without the model.

    Parameters
    ----------
    plan : DataFrame
        Columns goal, design, judge, grades, q10 and q90, as `GradePlan.to_frame` returns them.
    title : str, optional
        By default what is shown. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    n_pairs : int
        Number of pairs of the pool, the end of the axis.
    width : float, optional
        Inches of the figure. Long names lose their middle.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import grades_needed
    >>> row = {"goal": "best", "design": "by topic", "judge": "with the model", "grades": 90, "q10": 80, "q90": 99}
    >>> grades_needed(pd.DataFrame([row]), n_pairs=200).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, plan, title, n_pairs, width)


def _figure(plan: pd.DataFrame, title: str | None, n_pairs: int, width: float | None = None) -> Figure:
    rows = select_columns(plan, COLUMNS, COLUMNS[3:], "A figure of a plan")
    names = list(dict.fromkeys(zip(rows["goal"], rows["design"], strict=True)))
    legend = [Line2D([], [], label=judge, **style) for judge, style in STYLES.items()]
    legend.append(Line2D([], [], label="10% to 90% of the simulations", **SPREAD))
    labels = [f"{goal}, {design}" for goal, design in names]
    title = "How many human grades are enough?" if title is None else title
    page, axes = row_page(labels, ("human grades", "goal and design"), title, "", legend, width=width)
    for row, name in enumerate(names):
        of_row = rows[(rows["goal"] == name[0]) & (rows["design"] == name[1])]
        for _, _, judge, grades, least, most in of_row.itertuples(index=False):
            axes.hlines(row, least, most, color=PALE, linewidth=5, zorder=2)
            axes.plot(grades, row, **STYLES[judge])
        numbers = [f"{grades:,.0f} {judge}" for judge, grades in zip(of_row["judge"], of_row["grades"], strict=True)]
        mark_row(axes, row, f"{labels[row]}: {', '.join(numbers)}")
    axes.set_xlim(0, n_pairs)
    return page.figure
