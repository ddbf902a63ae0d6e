"""All collections of the site, as site owners see them: owners and sizes, no content."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from assess.models import NOT_WITHDRAWN, AuditEvent, Collection, Judgement, Member, Role, Topic

PAGE_SIZE = 25
MAX_SEARCH = 100  # characters


@dataclass(frozen=True)
class CollectionRow:
    """A collection with its size. `owners` are user names; `last_active` is the last judgement or audited action."""

    collection: Collection
    owners: list[str]
    people: int
    topics: int
    judgements: int
    last_active: datetime
    is_exercise: bool


def collections_matching(search: str = "") -> QuerySet[Collection]:
    """Return the collections whose name contains the text, in the order of their names."""
    collections = Collection.objects.select_related("exercise").order_by("name", "pk")
    if text := search.strip()[:MAX_SEARCH]:
        collections = collections.filter(Q(name__icontains=text) | Q(slug__icontains=text))
    return collections


def collection_rows(collections: Iterable[Collection]) -> list[CollectionRow]:
    """Return rows for the collections of one page, with a fixed number of queries."""
    shown = list(collections)
    people = _people(shown)
    topics = _by_collection(Topic.objects.filter(collection__in=shown), "collection", count=Count("pk"))
    judgements = Judgement.objects.filter(NOT_WITHDRAWN, member__collection__in=shown)
    judged = _by_collection(judgements, "member__collection", count=Count("pk"), last=Max("judged_at"))
    events = _by_collection(AuditEvent.objects.filter(collection__in=shown), "collection", last=Max("at"))
    return [
        CollectionRow(
            collection=each,
            owners=[str(member.user) for member in people[each.pk] if member.role == Role.OWNER],
            people=len(people[each.pk]),
            topics=topics[each.pk].get("count", 0),
            judgements=judged[each.pk].get("count", 0),
            last_active=max(figures.get("last", each.created_at) for figures in (judged[each.pk], events[each.pk])),
            is_exercise=hasattr(each, "exercise"),
        )
        for each in shown
    ]


def _people(collections: list[Collection]) -> dict[int, list[Member]]:
    """Return the people of each collection, in the order of their names."""
    people = defaultdict(list)
    rows = Member.objects.filter(collection__in=collections, user__isnull=False).select_related("user")
    for member in rows.order_by("user__username"):
        people[member.collection_id].append(member)
    return people


def _by_collection(rows: QuerySet[Any], path: str, **figures: Any) -> dict[int, dict[str, Any]]:
    """Return figures of the rows of each collection; nothing for one without rows."""
    found = rows.order_by().values(path).annotate(**figures)
    return defaultdict(dict, {row[path]: row for row in found})
