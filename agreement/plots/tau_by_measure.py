"""How similar the ranking under each gold is to that of the reference, by each of several measures."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.inputs import check_unique, to_floats
from agreement.plots.page import format_count
from agreement.plots.style import render
from agreement.plots.systems.cells import MOST_COLUMNS, Mark, Marks, Names, add_scale, cell_page, draw_cells
from agreement.plots.tau_heat_map import PALEST
from pooling.words import with_minus

MOST_GOLDS = 200  # with names: their order says nothing


def tau_by_measure(
    taus: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    reference: str = "the reference",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a cell for every gold (row) and measure (column), the darker the more similar the two rankings.

    Cells range from pale at 0.5, or at the lowest value if it is lower, to dark at 1.

    Parameters
    ----------
    taus : DataFrame, shape (n_golds, n_measures)
        Kendall's tau_b with the ranking under the reference, from -1 to 1; the index are the golds, the columns the
        measures. An undefined value is missing, and its cell is hatched.
    title : str, optional
        By default the numbers of golds and measures. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    reference : str
        Name of the reference gold.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure, if its columns can be so narrow.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        There is no gold or no measure, one occurs twice, a value is not a number, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import tau_by_measure
    >>> taus = pd.DataFrame({"AP": [0.8, 0.4], "nDCG@10": [0.9, None]}, index=["ann", "bob"])
    >>> tau_by_measure(taus, reference="nist").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, taus, title, reference, note, width)


def _figure(taus: pd.DataFrame, title: str | None, reference: str, note: str, width: float | None = None) -> Figure:
    drawn = _checked(taus)
    n_golds, n_measures = drawn.shape
    rows, columns = Names.of("gold", drawn.index, MOST_GOLDS), Names.of("measure", drawn.columns, MOST_COLUMNS)
    if title is None:
        title = f"tau_b with {reference}: {format_count(n_golds, 'gold')}, {format_count(n_measures, 'measure')}"
    page, axes = cell_page(rows, columns, title, note, width)
    values = drawn.to_numpy()
    low = PALEST if np.isnan(values).all() else min(PALEST, float(np.nanmin(values)))
    draw_cells(axes, values, low, 1.0, ".2f", _marks(drawn, reference))
    add_scale(page, with_minus(f"tau_b {low:.2g}"), "1", values)
    return page.figure


def _marks(drawn: pd.DataFrame, reference: str) -> Marks:
    golds, measures = [str(name) for name in drawn.index], [str(name) for name in drawn.columns]
    values = drawn.to_numpy()

    def names(row: int) -> dict[str, str]:
        return {"gold": f"{reference}\n{golds[row]}"}

    def cell(row: int, column: int) -> Mark:
        return f"{golds[row]} by {measures[column]}: tau_b {_number(values[row, column])}", names(row)

    def row(number: int) -> Mark:
        return golds[number], names(number)

    def column(number: int) -> Mark:
        return measures[number], {}

    return Marks(cell, row, column)


def _number(tau: float) -> str:
    return "undefined" if np.isnan(tau) else f"{tau:z.3f}"


def _checked(taus: pd.DataFrame) -> pd.DataFrame:
    if not taus.size:
        n_golds, n_measures = taus.shape
        raise ValueError(f"A map needs a gold and a measure, not {n_golds} golds and {n_measures} measures.")
    check_unique(taus.index, "gold")
    check_unique(taus.columns, "measure")
    return taus.apply(lambda column: to_floats(column, "A column of tau_b"))
