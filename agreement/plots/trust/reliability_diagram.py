"""Whether the probabilities of a model come true: the share of relevant documents by the stated probability."""

import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.inputs import select_columns
from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, Page
from agreement.plots.style import render
from pooling.palette import DEEP, HAIRLINE, PALE, QUIET, Style

COLUMNS = ("stated", "observed", "n", "low", "high")
INCHES = 3.6
VALUE: Style = {"linestyle": "none", "marker": "o", "color": DEEP, "zorder": 3}


def reliability_diagram(bins: pd.DataFrame, title: str | None = None, kind: str = "svg", *, note: str = "") -> bytes:
    """Draw the share of relevant documents in each class of stated probabilities. On the diagonal, they come true.

    Parameters
    ----------
    bins : DataFrame
        Columns stated (mean probability of the class), observed (share of relevant documents), n (documents), and low
        and high, the limits of the interval of the share. Classes without a document are left out.
    title : str, optional
        By default the number of documents. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file. A larger circle has more documents.

    Raises
    ------
    ValueError
        A column is missing, no class has a document, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import reliability_diagram
    >>> bins = pd.DataFrame({"stated": [0.1, 0.8], "observed": [0.2, 0.6], "n": [50, 20]})
    >>> reliability_diagram(bins.assign(low=[0.1, 0.4], high=[0.3, 0.8])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, bins, title, note)


def _figure(bins: pd.DataFrame, title: str | None, note: str) -> Figure:
    rows = select_columns(bins, COLUMNS, COLUMNS, "A reliability diagram")
    rows = rows[rows["n"] > 0]
    if not len(rows):
        raise ValueError("A reliability diagram needs a class with a document.")
    title = f"Stated probability and truth, {int(rows['n'].sum()):,} documents" if title is None else title
    page = Page(INCHES + 6 * EDGE, INCHES + 3 * LINE + EDGE, title, note)
    axes = page.add_axes(4 * EDGE, 2.5 * LINE, INCHES, INCHES)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="stated probability", ylabel="share of relevant documents")
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.grid(color=HAIRLINE, linewidth=0.5)
    for stated, observed, n, low, high in rows.itertuples(index=False):
        axes.vlines(stated, low, high, color=PALE, linewidth=4, zorder=2)
        size = 3.5 + 6 * (n / rows["n"].max()) ** 0.5
        (circle,) = axes.plot(stated, observed, markersize=size, **VALUE)
        mark(circle, f"stated {stated:.2f}, true {observed:.2f} ({low:.2f} to {high:.2f}), {int(n):,} documents")
    return page.figure
