"""The grades of each judge as stacked bars, to see who is lenient and who is strict."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from agreement.plots.inputs import check_unique, to_floats
from agreement.plots.marks import mark
from agreement.plots.page import SMALL, axes_size, max_text_width, text_width
from agreement.plots.row_axes import add_undefined_row, hide_upper_numbers, row_page, write_beside
from agreement.plots.shades import ink_on, shades
from agreement.plots.style import render
from pooling.palette import HAIRLINE, Style

Floats = npt.NDArray[np.float64]

HEIGHT = 0.8  # of a bar, in rows
PADDING = 0.05  # inches beside a digit in a bar


def grade_shares(
    counts: pd.DataFrame,
    title: str = "",
    kind: str = "svg",
    *,
    rows: str = "judge",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the share of each grade among the judgements of each judge, the most lenient judge at the top.

    Grades go from pale to dark, and a part of a bar that is wide enough contains its grade. The number of judgements
    is beside the bar. Judges are sorted by the mean position of their grades on the scale.

    Parameters
    ----------
    counts : DataFrame, shape (n_judges, n_grades)
        How often each judge (the index) gave each grade (the columns, lowest first). A judge without a judgement is
        drawn as undefined, at the bottom.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    rows : str
        What a row is.
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
        There is no judge or no grade, a judge or a grade occurs twice, a count is not a whole number from 0, or the
        kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import grade_shares
    >>> counts = pd.DataFrame([[30, 10, 2], [20, 15, 7]], index=["ada", "ben"], columns=[0, 1, 2])
    >>> grade_shares(counts).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, counts, title, rows, note, width)


def _figure(counts: pd.DataFrame, title: str, rows: str, note: str, width: float | None = None) -> Figure:
    drawn = _sorted(_checked(counts))
    grades, totals = [str(grade) for grade in drawn.columns], drawn.sum(axis=1).to_numpy()
    numbers = [f"{total:,.0f}" for total in totals]
    right = max_text_width([*numbers, "judged"], SMALL) + 0.12
    legend: list[Artist] = [
        Patch(facecolor=colour, edgecolor=HAIRLINE, linewidth=0.7, label=f"grade {grade}")
        for grade, colour in zip(grades, shades(len(grades)), strict=True)
    ]
    labels = "share of the judgements", rows
    page, axes = row_page(list(drawn.index), labels, title, note, legend, right=right, width=width)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False)
    hide_upper_numbers(axes)
    write_beside(axes, -1, "judged")
    for row, (total, number) in enumerate(zip(totals, numbers, strict=True)):
        write_beside(axes, row, number)
        if total:
            _draw_bar(axes, row, str(drawn.index[row]), drawn.iloc[row].to_numpy(), grades)
        else:
            add_undefined_row(axes, row, "no judgement")
    return page.figure


def _checked(counts: pd.DataFrame) -> pd.DataFrame:
    if not all(counts.shape):
        n_judges, n_grades = counts.shape
        raise ValueError(f"Shares need at least one judge and one grade, not {n_judges} judges and {n_grades} grades.")
    check_unique(counts.index, "judge")
    check_unique(counts.columns, "grade")
    numbers = counts.apply(lambda column: to_floats(column, "A column of counts"))
    if not ((numbers >= 0) & (numbers % 1 == 0)).all(axis=None):
        raise ValueError("The counts must be whole numbers from 0.")
    return numbers


def _sorted(counts: pd.DataFrame) -> pd.DataFrame:
    """Return the most lenient judge first, judges with equal means by name, and those without a judgement last."""
    means = counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)  # 0 / 0 is nan
    order = pd.DataFrame({"mean": means, "name": counts.index.astype(str)}, index=counts.index)
    return counts.loc[order.sort_values(["mean", "name"], ascending=[False, True], na_position="last").index]


def _draw_bar(axes: Axes, row: int, judge: str, counts: Floats, grades: Sequence[str]) -> None:
    (inches, _), begin, total = axes_size(axes), 0.0, counts.sum()
    for number, grade, colour in zip(counts, grades, shades(len(grades)), strict=True):
        share = number / total
        if share:
            (part,) = axes.barh(row, share, HEIGHT, begin, facecolor=colour, edgecolor=HAIRLINE, linewidth=0.7)
            mark(part, f"{judge}: grade {grade}, {number:,.0f} of {total:,.0f} ({share:.1%})", judge=judge)
        if share * inches > text_width(grade, SMALL) + 2 * PADDING:
            style: Style = {"color": ink_on(colour), "fontsize": SMALL}
            axes.text(begin + share / 2, row, grade, ha="center", va="center_baseline", **style)
        begin += share
