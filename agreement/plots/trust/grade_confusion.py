"""How the grades of a model and of people go together: a cell for each pair of grades."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.style import render
from agreement.plots.systems.cells import Mark, Marks, Names, add_scale, cell_page, draw_cells


def grade_confusion(
    counts: pd.DataFrame, title: str | None = None, kind: str = "svg", *, model: str = "model", people: str = "people"
) -> bytes:
    """Draw how often people gave a grade (row) where the model gave another (column).

    Parameters
    ----------
    counts : DataFrame of int, shape (n_grades of people, n_grades of the model)
        The number of documents; the index has the grades of people, the columns those of the model, both ascending.
    title : str, optional
        By default the number of documents. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    model, people : str
        Their names.

    Returns
    -------
    bytes
        The file. A cell is the darker, the larger its share of the row.

    Raises
    ------
    ValueError
        There is no document, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import grade_confusion
    >>> grade_confusion(pd.DataFrame([[61, 14], [5, 17]])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, counts, title, model, people)


def _figure(counts: pd.DataFrame, title: str | None, model: str, people: str) -> Figure:
    numbers = counts.to_numpy(dtype=np.float64)
    total = int(numbers.sum())
    if not total:
        raise ValueError("A figure of grades needs at least one document with both grades.")
    rows, columns = _names(people, counts.index), _names(model, counts.columns)
    title = f"Grades of {total:,} documents" if title is None else title
    page, axes = cell_page(rows, columns, title, "Stronger: a larger share of the row.")
    shares = numbers / np.maximum(numbers.sum(axis=1, keepdims=True), 1)

    def cell(row: int, column: int) -> Mark:
        of_row = int(numbers[row].sum())
        share = f"{shares[row, column]:.0%} of {of_row:,}" if of_row else "no document"
        return f"{rows.names[row]} by people, {columns.names[column]} by the model: {share}", {}

    marks = Marks(cell, lambda row: (rows.names[row], {}), lambda column: (columns.names[column], {}))
    draw_cells(axes, shares, 0.0, 1.0, ".2f", marks)
    add_scale(page, "0", "1", shares)
    return page.figure


def _names(who: str, grades: pd.Index) -> Names:
    return Names.of(who, [f"{grade:g}" if isinstance(grade, float) else str(grade) for grade in grades], len(grades))
