"""The recorded searches of a collection, with the documents that were opened from their results."""

from collections.abc import Collection as Items
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from assess.collections.scale import lowest_relevant_grade
from assess.models import Collection, Judgement, OpenedResult, Search, SearchedTask, State, Task


@dataclass(frozen=True)
class OpenedDocument:
    """A result that the searcher opened. `state` and `relevance` are those of the searcher's judgement for the topic.

    `is_relevant` if the searcher judged it relevant, and `entered_pool` if this search brought it into the pool.
    """

    task: int
    doc_id: str
    rank: int
    opened_at: datetime
    state: str
    relevance: int | None
    is_relevant: bool
    entered_pool: bool

    @property
    def is_judged(self) -> bool:
        return self.state == State.JUDGED


@dataclass(frozen=True)
class RecordedSearch:
    """One search, with the documents that the searcher opened, in the order of their ranks."""

    public_id: str
    searcher: str
    query_id: str
    query: str
    searched_at: datetime
    matched: int
    was_complete: bool
    documents: list[OpenedDocument]

    @property
    def opened(self) -> int:
        return len(self.documents)

    @property
    def judged(self) -> int:
        return sum(document.is_judged for document in self.documents)

    @property
    def relevant(self) -> int:
        return sum(document.is_relevant for document in self.documents)

    @property
    def pooled(self) -> int:
        return sum(document.entered_pool for document in self.documents)


def searches_of(collection: Collection) -> QuerySet[Search]:
    """Return the searches, newest first."""
    return Search.objects.filter(member__collection=collection)


def recorded_searches(
    collection: Collection, first: int = 0, end: int | None = None, hidden: Items[int] = ()
) -> list[RecordedSearch]:
    """Return the searches, newest first: those from number `first`, counted from 0, to before `end`.

    Opened documents whose tasks are `hidden` are left out, because the reader is to decide them.
    """
    # Without the list of all results, because only the opened ones are shown.
    rows = list(searches_of(collection).select_related("member", "topic").defer("documents")[first:end])
    opened = _opened(rows, lowest_relevant_grade(collection), hidden)
    return [
        RecordedSearch(
            public_id=str(row.public_id),
            searcher=row.member.name,
            query_id=row.topic.query_id,
            query=row.query,
            searched_at=row.searched_at,
            matched=row.matched,
            was_complete=row.was_complete,
            documents=opened.get(row.pk, []),
        )
        for row in rows
    ]


def _opened(searches: list[Search], rel: int, hidden: Items[int]) -> dict[int, list[OpenedDocument]]:
    """Return the opened documents of each search, by its primary key."""
    tasks = Task.objects.filter(topic=OuterRef("search__topic"), document=OuterRef("document"))
    judgements = _searchers_judgements()
    entered = SearchedTask.objects.filter(
        search=OuterRef("search"), task__document=OuterRef("document"), entered_at__isnull=False
    )
    rows = OpenedResult.objects.filter(search__in=searches).annotate(
        task=Subquery(tasks.values("pk")[:1]),
        state=Subquery(judgements.values("state")[:1]),
        relevance=Subquery(judgements.values("relevance")[:1]),
        entered=Exists(entered),
    )
    columns = ("search", "task", "document__doc_id", "rank", "opened_at", "state", "relevance", "entered")
    result: dict[int, list[OpenedDocument]] = {}
    for search, task, doc_id, rank, at, state, relevance, has_entered in rows.order_by("rank").values_list(*columns):
        if task in hidden:
            continue
        is_relevant = state == State.JUDGED and relevance is not None and relevance >= rel
        document = OpenedDocument(task, doc_id, rank, at, state or "", relevance, is_relevant, has_entered)
        result.setdefault(search, []).append(document)
    return result


def opened_pairs(collection: Collection) -> dict[str, dict[tuple[str, str], bool]]:
    """Return for each searcher what they opened, as (query_id, doc_id), and whether they judged it."""
    judged = Exists(_searchers_judgements().filter(state=State.JUDGED))
    rows = OpenedResult.objects.filter(search__member__collection=collection).annotate(judged=judged)
    result: dict[str, dict[tuple[str, str], bool]] = {}
    names = ("search__member__name", "search__topic__query_id", "document__doc_id", "judged")
    for name, query_id, doc_id, is_judged in rows.values_list(*names):
        result.setdefault(name, {})[query_id, doc_id] = is_judged
    return result


def _searchers_judgements() -> QuerySet[Judgement]:
    """Return the searcher's regular judgement of an opened result."""
    judgements = Judgement.objects.filter(
        member=OuterRef("search__member"),
        task__topic=OuterRef("search__topic"),
        task__document=OuterRef("document"),
        repeat=0,
    )
    return judgements.exclude(state=State.UNDONE)
