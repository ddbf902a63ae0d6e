"""The heat map of the pooled documents that runs share."""

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.inputs import check_unique, to_floats
from agreement.plots.page import format_count
from agreement.plots.style import render
from agreement.plots.systems.cells import MOST_COLUMNS, Mark, Marks, Names, add_scale, cell_page, draw_cells

Floats = npt.NDArray[np.float64]


def pool_overlap(
    shares: pd.DataFrame, title: str | None = None, kind: str = "svg", *, note: str = "", width: float | None = None
) -> bytes:
    """Draw for every two runs the share of the pooled documents of one run that the other run also has.

    Each row is a run, and its cells say which share of its documents the run of the column has. The runs are sorted so
    that those with the most shared documents come first. Up to 20 runs have numbers in the cells, in percent; more
    than 40 runs have no names.

    Parameters
    ----------
    shares : DataFrame, shape (n_runs, n_runs)
        Shares from 0 to 1, as `pooling.run_overlap` returns them; the index and the columns are the runs. A missing
        share is hatched, or white if there are many runs.
    title : str, optional
        By default the number of runs. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
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
        There is no run, a run occurs twice, the columns are not the runs, a share is not from 0 to 1, or the kind is
        unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import pool_overlap
    >>> pool_overlap(pd.DataFrame([[1.0, 0.4], [0.5, 1.0]], ["bm25", "lsa"], ["bm25", "lsa"])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, shares, title, note, width)


def _figure(shares: pd.DataFrame, title: str | None, note: str, width: float | None = None) -> Figure:
    drawn = _sorted(_checked(shares))
    names = [str(name) for name in drawn.index]
    rows = Names.of("the share of", names, MOST_COLUMNS)
    columns = Names.of("is also in", names, MOST_COLUMNS)
    title = f"Pooled documents that {format_count(len(names), 'run')} share" if title is None else title
    page, axes = cell_page(rows, columns, title, note, width)
    values = 100 * drawn.to_numpy()
    draw_cells(axes, values, 0, 100, ".0f", _marks(names, values))
    add_scale(page, "0%", "100%", values)
    return page.figure


def _marks(names: list[str], values: Floats) -> Marks:
    others = np.where(np.eye(len(names), dtype=bool), np.nan, values)
    rows, columns = (np.ma.masked_invalid(others).mean(axis=axis).filled(np.nan) for axis in (1, 0))

    def cell(row: int, column: int) -> Mark:
        share = f"{_percent(values[row, column])} of the documents of {names[row]} are also in {names[column]}"
        return share, {"systems": f"{names[row]}\n{names[column]}"}

    def row(number: int) -> Mark:
        share = f"{names[number]}: another run has {_percent(rows[number])} of its documents, mean"
        return share, {"system": names[number]}

    def column(number: int) -> Mark:
        share = f"{names[number]}: has {_percent(columns[number])} of the documents of another run, mean"
        return share, {"system": names[number]}

    return Marks(cell, row, column)


def _percent(share: float) -> str:
    return "an undefined share" if np.isnan(share) else f"{share:.0f}%"


def _checked(shares: pd.DataFrame) -> pd.DataFrame:
    if not len(shares):
        raise ValueError("A figure of shared documents needs at least one run, but the table is empty.")
    check_unique(shares.index, "run")
    if set(shares.index) != set(shares.columns) or len(shares.columns) != len(shares):
        raise ValueError("The columns of the shares must be the runs of the index.")
    numbers = shares[list(shares.index)].apply(lambda column: to_floats(column, "A column of shares"))
    if ((numbers < 0) | (numbers > 1)).any(axis=None):
        raise ValueError("A share must be from 0 to 1.")
    return numbers


def _sorted(shares: pd.DataFrame) -> pd.DataFrame:
    """Return the run whose documents are shared most first, equal ones by name."""
    means = shares.mask(np.eye(len(shares), dtype=bool)).mean(axis=1).fillna(-1.0)
    order = pd.DataFrame({"mean": means.to_numpy(), "name": shares.index.astype(str)}, index=shares.index)
    runs = order.sort_values(["mean", "name"], ascending=[False, True]).index
    return shares.loc[runs, runs]
