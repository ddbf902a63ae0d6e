"""The recorded searches of a collection, with what came of them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from assess.collections.scale import lowest_relevant_grade
from assess.models import Collection, Judgement, OpenedResult, Search, SearchedTask, State

MOST_SHOWN = 200


@dataclass(frozen=True)
class RecordedSearch:
    """One search. `judged` and `relevant` count the opened documents that the searcher judged, for this topic.

    `relevant` are those that the searcher judged relevant. `pooled` is how many entered the pool by this search.
    """

    searcher: str
    query_id: str
    query: str
    searched_at: datetime
    matched: int
    was_complete: bool
    opened: int
    judged: int
    relevant: int
    pooled: int


def recorded_searches(collection: Collection, limit: int | None = MOST_SHOWN) -> list[RecordedSearch]:
    """Return the searches, newest first."""
    made = Search.objects.filter(member__collection=collection).select_related("member", "topic").defer("documents")
    rows = list(made[:limit])
    opened = _opened(rows, lowest_relevant_grade(collection))
    pooled = SearchedTask.objects.filter(search__in=rows, entered_at__isnull=False).values_list("search", flat=True)
    entered = list(pooled)
    return [
        RecordedSearch(
            searcher=row.member.name,
            query_id=row.topic.query_id,
            query=row.query,
            searched_at=row.searched_at,
            matched=row.matched,
            was_complete=row.was_complete,
            opened=len(opened.get(row.pk, ())),
            judged=sum(judged for judged, _ in opened.get(row.pk, ())),
            relevant=sum(relevant for _, relevant in opened.get(row.pk, ())),
            pooled=entered.count(row.pk),
        )
        for row in rows
    ]


def _opened(searches: list[Search], rel: int) -> dict[int, list[tuple[bool, bool]]]:
    """Return for each search whether each opened document is judged, and whether it is relevant."""
    own = _own_judgements()
    rows = OpenedResult.objects.filter(search__in=searches).annotate(
        judged=Exists(own), relevant=Exists(own.filter(relevance__gte=rel))
    )
    result: dict[int, list[tuple[bool, bool]]] = {}
    for search, judged, relevant in rows.values_list("search", "judged", "relevant"):
        result.setdefault(search, []).append((judged, relevant))
    return result


def opened_pairs(collection: Collection) -> dict[str, dict[tuple[str, str], bool]]:
    """Return for each searcher what they opened, as (query_id, doc_id), and whether they judged it."""
    rows = OpenedResult.objects.filter(search__member__collection=collection).annotate(judged=Exists(_own_judgements()))
    result: dict[str, dict[tuple[str, str], bool]] = {}
    names = ("search__member__name", "search__topic__query_id", "document__doc_id", "judged")
    for name, query_id, doc_id, judged in rows.values_list(*names):
        result.setdefault(name, {})[query_id, doc_id] = judged
    return result


def _own_judgements() -> QuerySet[Judgement]:
    """Return the searcher's judgement of an opened result."""
    return Judgement.objects.filter(
        member=OuterRef("search__member"),
        task__topic=OuterRef("search__topic"),
        task__document=OuterRef("document"),
        repeat=0,
        state=State.JUDGED,
    )
