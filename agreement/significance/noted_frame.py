"""A table that shows a sentence about all of its rows.

`attrs` hold the note, and pandas does not show them. What a small number of topics implies must be visible where the
p-values are, also after rows are selected, sorted or rounded.
"""

from collections.abc import Callable
from html import escape
from textwrap import fill

import pandas as pd

WIDTH = 80  # of the lines of the note; pandas' default width


class NotedFrame(pd.DataFrame):
    """A DataFrame that shows `attrs["note"]` below its rows; without a note it looks like any other.

    Tables that are made from it, such as a selection of its rows, keep the note. Files and LaTeX have only the rows.

    Examples
    --------
    >>> from agreement.significance import NotedFrame
    >>> frame = NotedFrame({"system": ["bm25", "lsa"], "rank": [1, 2]})
    >>> frame.attrs["note"] = "With 3 topics, ranks are uncertain."
    >>> frame.head(1)
      system  rank
    0   bm25     1
    <BLANKLINE>
    Note: With 3 topics, ranks are uncertain.
    """

    @property
    def _constructor(self) -> Callable[..., "NotedFrame"]:
        return NotedFrame

    def __repr__(self) -> str:
        note = self._note()
        return f"{super().__repr__()}\n\n{fill(note, WIDTH)}" if note else super().__repr__()

    def _repr_html_(self) -> str | None:
        table: str | None = super()._repr_html_()  # type: ignore[misc]
        note = self._note()
        return f"{table}<p>{escape(note)}</p>" if table and note else table

    def _note(self) -> str:
        note = self.attrs.get("note")
        return f"Note: {note}" if note else ""
