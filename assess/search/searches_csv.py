"""The recorded searches as a CSV file in UTF-8: one line for each opened document, and one for a search without any.

    search          random id of the search
    searcher        pseudonym
    query_id, query
    searched_at     ISO 8601, UTC, like opened_at
    matched         number of documents with the words of the query
    complete_index  1 if all documents were in the index then, otherwise 0
    rank, doc_id, opened_at       of the opened document; empty if none was opened, like the following columns
    state, relevance              of the searcher's judgement; empty without a judgement
    entered_pool    1 if this search brought the document into the pool, otherwise 0

No cell is a formula in a spreadsheet.
"""

from collections.abc import Collection as Items
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from assess.lib.csv_file import csv_text
from assess.models import Collection
from assess.search.recorded import OpenedDocument, RecordedSearch, recorded_searches

OF_SEARCH = ("search", "searcher", "query_id", "query", "searched_at", "matched", "complete_index")
OF_DOCUMENT = ("rank", "doc_id", "opened_at", "state", "relevance", "entered_pool")


def searches_csv(collection: Collection, hidden: Items[int] = ()) -> bytes:
    """Return all searches of a collection, newest first. Opened documents whose tasks are `hidden` are left out."""
    return written(recorded_searches(collection, hidden=hidden))


def written(searches: Iterable[RecordedSearch]) -> bytes:
    rows = ([*_search_cells(search), *cells] for search in searches for cells in _documents(search.documents))
    return csv_text([[*OF_SEARCH, *OF_DOCUMENT], *rows]).encode()


def _documents(documents: Sequence[OpenedDocument]) -> Iterator[list[object]]:
    if not documents:
        yield [""] * len(OF_DOCUMENT)
    for each in documents:
        relevance = "" if each.relevance is None else each.relevance
        yield [each.rank, each.doc_id, _time(each.opened_at), each.state, relevance, int(each.entered_pool)]


def _search_cells(search: RecordedSearch) -> list[object]:
    return [
        search.public_id,
        search.searcher,
        search.query_id,
        search.query,
        _time(search.searched_at),
        search.matched,
        int(search.was_complete),
    ]


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
