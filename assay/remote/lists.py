"""Lists of the API as iterables, which ask for the next page when it is needed."""

from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from assay.remote.cards import row_table

if TYPE_CHECKING:
    import pandas as pd

Item = TypeVar("Item")
Row = dict[str, Any]
PAGE = 1_000
SHOWN = 10  # rows in a notebook


class Listing(Generic[Item]):
    """A list of a site.

    Iterating asks for one page after the other. `len` and `to_pandas` ask for all pages. What was read is kept, so ask
    the collection or the site for a new list to see what was added since.

    Parameters
    ----------
    title : str
        What is listed, for notebooks.
    fetch : callable
        Returns a page, given the names ``after`` and ``limit``: ``results`` and ``next``.
    make : callable
        Makes an item from a row of the page.

    Examples
    --------
    >>> from assay.remote import Listing
    >>> pages = {0: {"results": [{"query_id": "1"}], "next": 7}, 7: {"results": [{"query_id": "2"}], "next": None}}
    >>> topics = Listing("topics of robust", lambda after, limit: pages[after], dict)
    >>> [topic["query_id"] for topic in topics]
    ['1', '2']
    >>> len(topics)
    2
    """

    def __init__(self, title: str, fetch: Callable[..., Any], make: Callable[[Row], Item]) -> None:
        self._title, self._fetch, self._make = title, fetch, make
        self._rows: list[Row] = []
        self._after: int | None = 0

    def __iter__(self) -> Iterator[Item]:
        position = 0
        while position < len(self._rows) or self._read_page():
            if position < len(self._rows):
                yield self._make(self._rows[position])
                position += 1

    def __len__(self) -> int:
        return len(self._all_rows())

    def __getitem__(self, position: int) -> Item:
        return self._make(self._all_rows()[position])

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a table, one column for each field.

        Returns
        -------
        DataFrame
            The columns are those of the API. An empty list has no columns.
        """
        import pandas as pd

        return pd.DataFrame(self._all_rows())

    def __repr__(self) -> str:
        more = "" if self._after is None else ", and perhaps more"
        return f"<{self._title}: {len(self._rows)} read{more}>"

    def _repr_html_(self) -> str:
        rows = self._all_rows()
        more = f"<p>and {len(rows) - SHOWN:,} more</p>" if len(rows) > SHOWN else ""
        return f"<strong>{escape(self._title)}</strong> ({len(rows):,}){row_table(rows[:SHOWN])}{more}"

    def _read_page(self) -> bool:
        """Read the next page, and say whether there was one."""
        if self._after is None:
            return False
        page = self._fetch(after=self._after, limit=PAGE)
        self._rows += page["results"]
        self._after = page["next"]
        return True

    def _all_rows(self) -> list[Row]:
        while self._read_page():
            pass
        return self._rows
