"""Prevalence curve: the kappa of the same observed agreement at every share of relevant judgements."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, PercentFormatter, StrMethodFormatter

from agreement.plots.inputs import select_columns
from agreement.plots.page import EDGE, Page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, HAIRLINE

COLUMNS = ("prevalence", "kappa")
WIDTH, HEIGHT = 3.4, 1.9  # inches of the axes
LEAST_WIDTH = 2  # inches of the figure
TICK = 0.25  # of kappa


def prevalence_curve(
    points: pd.DataFrame,
    mark: tuple[float, float] | None = None,
    title: str = "Kappa of the same agreement at other prevalences",
    kind: str = "svg",
    *,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw kappa against the share of relevant judgements.

    Parameters
    ----------
    points : DataFrame
        Columns prevalence, from 0 to 1, and kappa, from -1 to 1. A row without a kappa (NA) is not drawn: the observed
        agreement is impossible at this prevalence.
    mark : (float, float), optional
        The prevalence and the kappa of the judges themselves, drawn as a dot.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure, at least 2, such as 2.95 for a phone.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a value is not a number or outside its range, the width is less than 2, or
        the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import kappa_from_proportions
    >>> from agreement.plots import prevalence_curve
    >>> shares = [0.1, 0.3, 0.5, 0.7, 0.9]
    >>> kappas = [kappa_from_proportions(0.8, share, share, "pooled").value for share in shares]
    >>> points = pd.DataFrame({"prevalence": shares, "kappa": kappas})
    >>> prevalence_curve(points, mark=(0.3, kappas[1])).startswith(b"<?xml")
    True
    """
    if width is not None and width < LEAST_WIDTH:
        raise ValueError(f"The width must be at least {LEAST_WIDTH} inches, not {width!r}.")
    return render(kind, _figure, points, mark, title, note, width)


def _figure(
    points: pd.DataFrame, mark: tuple[float, float] | None, title: str, note: str, width: float | None = None
) -> Figure:
    rows = select_columns(points, COLUMNS, COLUMNS, "A prevalence curve").sort_values("prevalence", kind="stable")
    _check_range(rows["prevalence"], "Prevalence", 0)
    _check_range(rows["kappa"].dropna(), "Kappa", -1)
    left, below = 0.65, 0.5
    page = Page(width or left + WIDTH + EDGE, below + HEIGHT + EDGE, title, note)
    axes = page.add_axes(left, below, page.width - left - EDGE, HEIGHT)
    _set_scales(axes, _lowest_tick(rows["kappa"]))
    axes.plot(rows["prevalence"], rows["kappa"], color=DEEP, linewidth=2, zorder=2)
    if mark is not None:
        axes.plot(*mark, "o", color=ACCENT, markersize=8, markeredgecolor="white", clip_on=False, zorder=3)
    return page.figure


def _check_range(values: pd.Series, name: str, lowest: int) -> None:
    if not (outside := values[~values.between(lowest, 1)]).empty:
        raise ValueError(f"{name} must be between {lowest} and 1, not {outside.iloc[0]}.")


def _lowest_tick(kappas: pd.Series) -> float:
    """Return the lower end of the vertical axis: 0, or the next tick below the lowest kappa."""
    lowest = float(kappas.min()) if kappas.notna().any() else 0.0
    return min(0.0, lowest // TICK * TICK)


def _set_scales(axes: Axes, lowest: float) -> None:
    axes.set(xlim=(0, 1), ylim=(lowest, 1), xlabel="share of relevant judgements", ylabel="kappa")
    axes.xaxis.set_major_locator(MultipleLocator(0.25))
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_locator(MultipleLocator(TICK))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:z.2f}"))
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.6)
    axes.set_axisbelow(True)
