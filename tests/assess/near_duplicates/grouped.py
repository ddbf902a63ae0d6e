"""Helpers for tests of groups of near-duplicates."""

from assess.judging import worklist
from assess.models import Assignment, Collection, Document, DuplicateGroup, GroupMember, Judgement, Member
from tests.assess.claiming import fresh, topic_of
from tests.factories import small_collection


def grouped_collection(
    *groups: str, rule: str = "once", size: int = 8, order: str = "fixed", slug: str = "grouped", **rules
) -> Collection:
    """Return a collection with one topic of documents a, b, c, ..., of which some are in groups such as "ab"."""
    runs = {"only": {"1": [chr(ord("a") + at) for at in range(size)]}}
    collection = small_collection(runs, slug=slug, depth=size, seed=7)
    for name, value in {"near_duplicates": rule, "order": order, **rules}.items():
        setattr(collection, name, value)
    collection.save()
    for group in groups:
        add_group(collection, group)
    return collection


def add_group(collection: Collection, doc_ids: str, query_id: str | None = "1") -> None:
    """Accept a group, of a topic or (if `query_id` is None) of the whole collection."""
    topic = collection.topics.get(query_id=query_id) if query_id else None
    group = DuplicateGroup.objects.create(collection=collection, topic=topic)
    documents = Document.objects.filter(collection=collection, doc_id__in=list(doc_ids))
    GroupMember.objects.bulk_create(GroupMember(group=group, document=document) for document in documents)


def assignment_of(member: Member, doc_id: str, repeat: int = 0) -> Assignment:
    return Assignment.objects.get(member=member, task__document__doc_id=doc_id, repeat=repeat)


def task_of(member: Member, doc_id: str, repeat: int = 0) -> str:
    return str(assignment_of(member, doc_id, repeat).public_id)


def queue(member: Member, besides: str = "", limit: int = 16, query_id: str = "1") -> str:
    """Return the doc_ids that a page with these documents gets next."""
    on_page = tuple(task_of(member, doc_id) for doc_id in besides)
    cards = worklist.queue(fresh(member), topic_of(member, query_id), on_page)
    return "".join(card.doc_id for card in cards[:limit])


def judged(member: Member) -> dict[str, tuple]:
    """Return state, grade and input of each judgement by doc_id."""
    rows = Judgement.objects.filter(member=member, repeat=0).order_by("task__document__doc_id")
    return {
        doc_id: tuple(values)
        for doc_id, *values in rows.values_list("task__document__doc_id", "state", "relevance", "input")
    }
