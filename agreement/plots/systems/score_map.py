"""The scores of all systems on all topics as a heat map."""

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.inputs import check_highlight, check_unique, to_floats
from agreement.plots.page import display_name, format_count
from agreement.plots.style import render
from agreement.plots.systems.cells import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    Mark,
    Marks,
    Names,
    add_scale,
    cell_page,
    draw_cells,
    outline_column,
)
from pooling.words import count

MOST_HIGHLIGHTED = 6


def score_map(
    scores: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    highlight: Sequence[str] = (),
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a cell for every topic (row) and system (column), the darker the higher the score.

    The system with the highest mean is at the left, and the topic with the highest mean at the top. Up to 20 systems
    have numbers in the cells. More than 40 systems, and more than 60 topics, have no names; then only the highlighted
    systems are named.

    Parameters
    ----------
    scores : DataFrame, shape (n_systems, n_topics)
        A row for each system and a column for each topic. A missing score is hatched, or white if there are many cells.
    title : str, optional
        By default the measure and the numbers of systems and topics. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    measure : str
        Name of the measure.
    highlight : sequence of str
        Up to 6 systems whose columns are framed.
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
        There is no score, a system or a topic occurs twice, a highlighted system is unknown, more than 6 are
        highlighted, a score is not a number, or the kind is unknown.

    Notes
    -----
    The shades go from 0 to 1, or from the lowest to the highest score, rounded to tenths, if they are outside.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import score_map
    >>> scores = pd.DataFrame([[0.1, 0.9], [0.2, 0.8]], index=["a", "b"], columns=["1", "2"])
    >>> score_map(scores, measure="AP", highlight=["a"]).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, scores, title, measure, highlight, note, width)


def _figure(
    scores: pd.DataFrame,
    title: str | None,
    measure: str,
    highlight: Sequence[str],
    note: str,
    width: float | None = None,
) -> Figure:
    chosen = check_highlight(highlight, scores.index, MOST_HIGHLIGHTED)
    drawn = _sorted(_checked(scores))
    n_topics, n_systems = drawn.shape
    framed = [list(drawn.columns).index(system) for system in chosen]
    if drawn.size > MOST_CELLS:
        note = f"{note} At the left, the mean of each topic.".strip()
    rows = Names.of(_what("topic", n_topics, MOST_ROWS), drawn.index, MOST_ROWS)
    columns = Names.of(_what("system", n_systems, MOST_COLUMNS), drawn.columns, MOST_COLUMNS, framed)
    if title is None:
        title = f"{measure} of {format_count(n_systems, 'system')} on {format_count(n_topics, 'topic')}"
    page, axes = cell_page(rows, columns, title, note, width)
    values = drawn.to_numpy()
    low, high = (
        floor(10 * min(0.0, float(np.nanmin(values)))) / 10,
        ceil(10 * max(1.0, float(np.nanmax(values)))) / 10,
    )
    draw_cells(axes, values, low, high, ".2f", _marks(drawn, measure))
    for column in framed:
        outline_column(axes, column, n_topics)
    add_scale(page, f"{display_name(measure)} {low:g}", f"{high:g}", values)
    return page.figure


def _what(noun: str, number: int, most: int) -> str:
    return noun if number <= most else count(number, noun)


def _marks(drawn: pd.DataFrame, measure: str) -> Marks:
    topics, systems = [str(name) for name in drawn.index], [str(name) for name in drawn.columns]
    values, rows, columns = drawn.to_numpy(), drawn.mean(axis=1).to_numpy(), drawn.mean().to_numpy()

    def cell(row: int, column: int) -> Mark:
        score = f"{systems[column]} on topic {topics[row]}: {measure} {_number(values[row, column])}"
        return score, {"system": systems[column], "topic": topics[row]}

    def row(number: int) -> Mark:
        return f"Topic {topics[number]}: mean {measure} {_number(rows[number])}", {"topic": topics[number]}

    def column(number: int) -> Mark:
        return f"{systems[number]}: mean {measure} {_number(columns[number])}", {"system": systems[number]}

    return Marks(cell, row, column)


def _number(score: float) -> str:
    return "missing" if np.isnan(score) else f"{score:z.3f}"


def _checked(scores: pd.DataFrame) -> pd.DataFrame:
    check_unique(scores.index, "system")
    check_unique(scores.columns, "topic")
    numbers = scores.apply(lambda column: to_floats(column, "A column of scores"))
    if not numbers.size or numbers.isna().all(axis=None):
        n_systems, n_topics = scores.shape
        raise ValueError(f"A map needs at least one score, but {n_systems} systems on {n_topics} topics have none.")
    return numbers


def _sorted(scores: pd.DataFrame) -> pd.DataFrame:
    """Return topics by systems, the highest means first. Equal means keep their order."""
    systems, topics = (
        scores.mean(axis=axis).sort_values(ascending=False, kind="stable", na_position="last").index for axis in (1, 0)
    )
    return scores.loc[systems, topics].T
