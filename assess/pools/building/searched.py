"""Tasks that searchers found: they enter the pool when they are judged for the first time.

Their provenance has no systems. `SearchedTask` says whose search found them, and when.
"""

from django.db.models import Max
from django.utils import timezone

from assess.errors import Conflict
from assess.lib.seeded_draw import draw
from assess.models import (
    Assignment,
    Collection,
    Document,
    Member,
    OpenedResult,
    Provenance,
    Search,
    SearchedTask,
    Task,
    Topic,
)
from assess.pools import slots


def assign_found(member: Member, search: Search, document: Document) -> Assignment:
    """Return the searcher's assignment of a document, and create it with its task if necessary.

    Call it inside a transaction. It raises Conflict if the collection is open to claims and the task has all its
    judges.
    """
    topic = search.topic
    number = draw(member.collection.seed, topic.query_id, document.doc_id)
    task, _ = Task.objects.get_or_create(topic=topic, document=document, defaults={"draw": number})
    if not Provenance.objects.filter(task=task).exists():
        SearchedTask.objects.get_or_create(task=task, defaults={"search": search})
    assignment, is_new = Assignment.objects.get_or_create(
        task=task, member=member, repeat=0, defaults={"topic": topic, "position": _next_position(member, topic)}
    )
    if is_new and member.collection.open_to_claims and task.wanted:
        _claim(assignment, member.collection)
    return assignment


def _next_position(member: Member, topic: Topic) -> int:
    last = Assignment.objects.filter(member=member, topic=topic).aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _claim(assignment: Assignment, collection: Collection) -> None:
    if not slots.take_slot(assignment):
        raise Conflict("This document already has all the judgements it needs. Nothing was changed.")
    assignment.claimed_until = slots.claim_end(collection)
    assignment.save(update_fields=["holds_place", "claimed_until"])


def enter_pool(assignment: Assignment, collection: Collection) -> None:
    """Add the task of a first judgement to the pool, in the judgement's transaction.

    In a collection that is open to claims, others may claim it from now on.
    """
    task = assignment.task_id
    opened = OpenedResult.objects.filter(
        search__member=assignment.member_id, search__topic=assignment.topic_id, document__tasks=task
    )
    own = opened.order_by("-opened_at", "-pk").values_list("search", flat=True).first()
    search = {"search_id": own} if own else {}
    SearchedTask.objects.filter(task=task, entered_at=None).update(entered_at=timezone.now(), **search)
    Provenance.objects.get_or_create(task_id=task, defaults={"systems": [], "best_rank": 0})
    if collection.open_to_claims:
        Task.objects.filter(pk=task, wanted=0).update(wanted=collection.judges_per_task)
