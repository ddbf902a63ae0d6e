"""How results show themselves: in a terminal, in a notebook and in a paper.

`Result` needs one sentence and one table of a class; `Figure` is a figure that is drawn when it is shown or saved.
pandas is imported when a table is shown: results are defined in modules that the web application imports early.
"""

from collections.abc import Callable
from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

MOST_LINES = 10  # of a repr
MOST_SENTENCES = 4  # lines of a repr before the table
MOST_CHARACTERS = 400  # of a line of a repr
MOST_ROWS = 25  # of a table in a notebook


class Result:
    """A result with a sentence and a table.

    A class has `to_frame()`, the table with unrounded values, and `_sentence()`, and may have `_paper_table()`, the
    table as a paper shows it.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.result import Result
    >>> class Sizes(Result):
    ...     def to_frame(self):
    ...         return pd.DataFrame({"topic": ["301", "302"], "share": [0.25, 0.5]})
    ...     def _sentence(self):
    ...         return "Two topics."
    >>> Sizes()
    Sizes: Two topics.
    topic  share
    -----  -----
    301    0.250
    302    0.500
    """

    def to_frame(self) -> "pd.DataFrame":
        """The table, with unrounded values."""
        raise NotImplementedError

    def to_latex(self) -> str:
        r"""The table as a paper shows it, in LaTeX.

        Returns
        -------
        str
            A `tabular` that needs no package. Values are rounded to three digits.
        """
        from pooling.text_tables import render  # loads pandas

        return render(self._paper_table(), "latex")

    def _sentence(self) -> str:
        """What the result says, in one or a few lines."""
        raise NotImplementedError

    def _paper_table(self) -> "pd.DataFrame":
        """The table as a paper shows it: cells of text."""
        from pooling.text_tables import rounded  # loads pandas

        frame = self.to_frame()
        named = [name for name in frame.index.names if name is not None]
        return rounded(frame.reset_index() if named else frame)

    def __repr__(self) -> str:
        sentence = f"{type(self).__name__}: {self._sentence()}".splitlines()[:MOST_SENTENCES]
        lines = [line if len(line) <= MOST_CHARACTERS else line[:MOST_CHARACTERS] + "…" for line in sentence]
        return "\n".join([*lines, *self._first_rows(MOST_LINES - len(lines))])

    def _first_rows(self, most: int) -> list[str]:
        """The lines of the table, and how many rows are left out if there are more than `most`."""
        from pooling.text_tables import render  # loads pandas

        table = self._paper_table()
        if not len(table):
            return []
        if len(table) + 2 <= most:
            return render(table).splitlines()
        return [*render(table[: most - 3]).splitlines(), f"({len(table) - most + 3:,} more rows)"]

    def _repr_html_(self) -> str:
        table = self._paper_table()
        paragraphs = [f"<p>{escape(line)}</p>" for line in self._sentence().splitlines()]
        shown = table[:MOST_ROWS].to_html(index=False, border=0, justify="left") if len(table) else ""
        more = f"<p>({len(table) - MOST_ROWS:,} more rows)</p>" if len(table) > MOST_ROWS else ""
        return f"<div>{''.join(paragraphs)}{shown}{more}</div>"


class Figure:
    """A figure that a notebook shows, and that can be saved.

    Parameters
    ----------
    draw : callable
        Takes "svg", "pdf" or "png" and returns the file as bytes.

    Examples
    --------
    >>> from pooling.result import Figure
    >>> figure = Figure(lambda kind: f"<{kind}/>".encode())
    >>> figure._repr_svg_()
    '<svg/>'
    """

    def __init__(self, draw: Callable[[str], bytes]) -> None:
        self._draw = draw

    def save(self, path: str | PathLike[str]) -> None:
        """Write the figure to a file."""
        kind = Path(path).suffix.removeprefix(".").lower()
        if kind not in ("svg", "pdf", "png"):
            raise ValueError(f"The name of a figure must end with .svg, .pdf or .png, not {fspath(path)!r}.")
        Path(path).write_bytes(self._draw(kind))

    def __repr__(self) -> str:
        return "Figure: shown by notebooks; save(path) writes SVG, PDF or PNG"

    def _repr_svg_(self) -> str:
        return self._draw("svg").decode()
