"""The groups of near-duplicates at a threshold: shown before they are accepted, and accepted."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from assess import audit
from assess.collections.archive import lock_active
from assess.documents.display import displayed_column, plain_text
from assess.errors import Refused
from assess.jobs import results
from assess.lib.batches import BATCH
from assess.lib.long_work import about_to_save
from assess.models import (
    Action,
    Collection,
    Document,
    DuplicateGroup,
    DuplicatePair,
    DuplicateSearch,
    GroupMember,
    Task,
    User,
)

EXAMPLES = 4  # pairs above the threshold, and below it
CHARACTERS = 1_200  # of a text that is shown


@dataclass(frozen=True)
class Preview:
    """The groups that a threshold gives, and the pairs nearest to it."""

    threshold: float
    groups: int
    documents: int
    largest: int
    above: list[dict[str, Any]]
    below: list[dict[str, Any]]


def search_of(collection: Collection) -> DuplicateSearch | None:
    return DuplicateSearch.objects.filter(collection=collection).first()


def preview(search: DuplicateSearch, threshold: float) -> Preview:
    """Return what the threshold separates: the nearest pairs on both sides, with their texts."""
    groups, documents, largest = _sizes_at(search, threshold)
    above = search.pairs.filter(similarity__gte=threshold).order_by("similarity", "pk")
    below = search.pairs.filter(similarity__lt=threshold).order_by("-similarity", "pk")
    return Preview(
        threshold=threshold,
        groups=groups,
        documents=documents,
        largest=largest,
        above=_examples(above),
        below=_examples(below),
    )


def accept_threshold(collection: Collection, threshold: float, actor: User | None = None) -> int:
    """Save the groups at this threshold in place of those accepted before. Returns their number."""
    with transaction.atomic():
        lock_active(collection)
        search = search_of(collection)
        if search is None:
            raise Refused("Find similar documents first. The threshold is chosen from examples.")
        groups = _groups_at(search, threshold)
        collection.duplicate_groups.all().delete()
        saved = DuplicateGroup.objects.bulk_create(
            DuplicateGroup(collection=collection, topic_id=topic) for topic, _ in groups
        )
        GroupMember.objects.bulk_create(
            [
                GroupMember(group=group, document_id=document)
                for group, (_, documents) in zip(saved, groups, strict=True)
                for document in documents
            ],
            batch_size=BATCH,
        )
        search.threshold = threshold
        search.save(update_fields=["threshold"])
        details = {"threshold": threshold, "groups": len(groups)}
        audit.record(Action.DUPLICATES_ACCEPTED, actor=actor, collection=collection, details=details)
        about_to_save()
    return len(groups)


def duplicates_of(task: Task) -> list[Task]:
    """Return the other pooled tasks of the topic whose documents are in a group with this one, by doc_id."""
    of_topic = Q(group__topic=task.topic_id) | Q(group__topic__isnull=True)
    groups = GroupMember.objects.filter(of_topic, document=task.document_id).values("group")
    pooled = Task.objects.filter(topic=task.topic_id, provenance__isnull=False)
    others = pooled.filter(document__duplicate_groups__group__in=groups)
    return list(others.exclude(pk=task.pk).select_related("document").order_by("document__doc_id").distinct())


def shown_texts(documents: set[int]) -> dict[int, dict[str, str]]:
    """Return title and beginning of the text of these documents, by their keys."""
    rows = Document.objects.filter(pk__in=documents).values_list(
        "pk", "doc_id", "content__title", "content__format", displayed_column("content")
    )
    return {
        pk: {"doc_id": doc_id, "title": title or "", "text": plain_text(text or "", text_format or "")[:CHARACTERS]}
        for pk, doc_id, title, text_format, text in rows
    }


def _sizes_at(search: DuplicateSearch, threshold: float) -> tuple[int, int, int]:
    """Return the numbers of groups, of their documents, and of those in the largest group.

    A search is never changed, but deleting a document deletes its pairs. So their number is part of the key.
    """
    pairs = search.pairs.filter(similarity__gte=threshold).count()
    key = results.key_of("duplicate_groups", search.pk, search.found_at, threshold, pairs)
    sizes: tuple[int, int, int] | None = results.get(key)
    if sizes is None:
        each = [len(documents) for _, documents in _groups_at(search, threshold)]
        sizes = len(each), sum(each), max(each, default=0)
        results.keep(key, sizes)
    return sizes


def _groups_at(search: DuplicateSearch, threshold: float) -> list[tuple[int | None, tuple[int, ...]]]:
    """Return the topic and the documents of each group: the connected components of the pairs."""
    from pooling.duplicates.result import connected  # loads pandas

    pairs: dict[int | None, list[tuple[str, str]]] = {}
    rows = search.pairs.filter(similarity__gte=threshold).order_by("pk").values_list("topic", "a", "b")
    for topic, a, b in rows.iterator(BATCH):
        pairs.setdefault(topic, []).append((str(a), str(b)))
    return [(topic, tuple(map(int, group))) for topic in pairs for group in connected(pairs[topic])]


def _examples(pairs: QuerySet[DuplicatePair]) -> list[dict[str, Any]]:
    rows = list(pairs.values("a", "b", "similarity", query_id=F("topic__query_id"))[:EXAMPLES])
    texts = shown_texts({row[side] for row in rows for side in ("a", "b")})
    return [row | {"sides": [texts[row["a"]], texts[row["b"]]]} for row in rows]
