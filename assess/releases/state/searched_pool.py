"""The documents that entered a pool because a searcher found them: by which search, and when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from assess.models import Collection, SearchedTask


@dataclass(frozen=True)
class SearchOrigin:
    """The search that found a document. `entered_at` is when the document was judged, and so entered the pool.

    If the searcher was erased, `member`, a primary key, and `searched_at` are None, and `query` is empty.
    """

    entered_at: datetime
    member: int | None
    query: str
    searched_at: datetime | None


def searched_pairs(collection: Collection, query_ids: Iterable[str]) -> dict[tuple[str, str], SearchOrigin]:
    """Return the origin of each document that searching brought into the pool, by (query_id, doc_id)."""
    entered = SearchedTask.objects.filter(
        task__topic__collection=collection, task__topic__query_id__in=list(query_ids), entered_at__isnull=False
    )
    pair = ("task__topic__query_id", "task__document__doc_id")
    rows = entered.values_list(*pair, "entered_at", "search__member", "search__query", "search__searched_at")
    return {
        (query_id, doc_id): SearchOrigin(entered_at, member, query or "", searched_at)
        for query_id, doc_id, entered_at, member, query, searched_at in rows
    }
