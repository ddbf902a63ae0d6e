"""How many pairs of systems one other grade of a document swaps, as a bar for each document."""

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from agreement.plots.inputs import select_columns
from agreement.plots.row_axes import mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, Style
from pooling.words import count

COLUMNS = ("query_id", "doc_id", "pairs_swapped", "top_changed")
HEIGHT = 0.72  # of a bar, in rows
RANKS: Style = {"facecolor": DEEP, "edgecolor": DEEP, "linewidth": 0}
BEST: Style = {"facecolor": ACCENT, "edgecolor": ACCENT, "linewidth": 0}


def document_leverage(
    documents: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    most: int = 25,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the documents that swap most pairs of systems if their grade changes, the largest effect at the top.

    Parameters
    ----------
    documents : DataFrame
        The columns are query_id, doc_id, pairs_swapped and top_changed: `documents` of `agreement.leverage`. A document
        may have several rows, one for each other grade; the one that swaps most pairs is drawn.
    title : str, optional
        By default the number of documents. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    most : int
        Number of documents that are drawn at most.
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
        No document swaps a pair, a number is not a number, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import document_leverage
    >>> documents = pd.DataFrame({"query_id": ["1"], "doc_id": ["d7"], "pairs_swapped": [3], "top_changed": [False]})
    >>> document_leverage(documents).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, documents, title, most, note, width)


def _figure(documents: pd.DataFrame, title: str | None, most: int, note: str, width: float | None = None) -> Figure:
    moving = _moving(documents)
    drawn = moving.head(most)
    if title is None:
        title = f"{count(len(drawn), 'document')} of {len(moving):,} that can swap systems"
    names = [f"{doc_id} · {query_id}" for query_id, doc_id in zip(drawn["query_id"], drawn["doc_id"], strict=True)]
    legend = _legend(bool(drawn["top_changed"].any()))
    page, axes = row_page(names, ("pairs swapped", "document · topic"), title, note, legend, width=width)
    for row, (topic, swapped, changes) in enumerate(
        zip(drawn["query_id"], drawn["pairs_swapped"], drawn["top_changed"], strict=True)
    ):
        axes.barh(row, swapped, HEIGHT, zorder=2, **BEST if changes else RANKS)
        best = ", and the best system can change" if changes else ""
        mark_row(axes, row, f"{names[row]}: {count(int(swapped), 'pair')} swapped{best}", topic=str(topic))
    axes.set_xlim(0, 1.04 * float(drawn["pairs_swapped"].max()))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return page.figure


def _moving(documents: pd.DataFrame) -> pd.DataFrame:
    """Return each document that can swap systems, with its largest effect, the largest first."""
    known = select_columns(documents, COLUMNS, ("pairs_swapped",), "A figure of leverage")
    ordered = known[known["pairs_swapped"] > 0].sort_values("pairs_swapped", ascending=False, kind="stable")
    if ordered.empty:
        raise ValueError("A figure of leverage needs a document that can swap systems, but there is none.")
    keys = ["query_id", "doc_id"]
    changes = ordered.groupby(keys, sort=False)["top_changed"].any()
    first = ordered.drop_duplicates(keys).drop(columns="top_changed")
    return first.join(changes, on=keys).reset_index(drop=True)


def _legend(has_best: bool) -> list[Artist]:
    legend: list[Artist] = [Patch(label="the best system stays", **RANKS)]
    return [*legend, Patch(label="the best system can change", **BEST)] if has_best else legend
