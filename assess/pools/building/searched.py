"""Tasks that searchers found: they enter the pool when they are judged for the first time.

Their provenance has no systems. `SearchedTask` says whose search found them, and when. If the only judgement of such a
task is undone, it leaves the pool again.

A judgement cannot lock the collection, because claims lock it before the member whom the judgement has locked. So who
changes the provenance of such a task locks the task first.
"""

from django.db.models import Max
from django.utils import timezone

from assess.errors import Conflict
from assess.lib.seeded_draw import draw
from assess.models import (
    Assignment,
    Collection,
    Document,
    Judgement,
    Member,
    OpenedResult,
    Provenance,
    SampledTask,
    Search,
    SearchedTask,
    State,
    Task,
    Topic,
)
from assess.pools import slots
from assess.pools.building.every_document import EVERY_DOCUMENT


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


def lock_searched(collection: Collection) -> None:
    """Let no judgement add a task to the pool, or take one out of it, until the caller's transaction ends."""
    tasks = Task.objects.filter(topic__collection=collection, searched__isnull=False)
    # In the order of keys, so that two transactions cannot wait for each other.
    list(tasks.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))


def entered_tasks(collection: Collection) -> tuple[int, ...]:
    """Return the keys of the tasks that searchers brought into the pool."""
    tasks = SearchedTask.objects.filter(task__topic__collection=collection, entered_at__isnull=False)
    return tuple(tasks.order_by("pk").values_list("pk", flat=True))


def enter_pool(assignment: Assignment, collection: Collection) -> None:
    """Add the task of a first judgement to the pool, in the judgement's transaction.

    A task that something else brought into the pool after it was opened does not count as found by searching. In a
    collection that is open to claims, others may claim it from now on.
    """
    task = assignment.task_id
    _lock(task)
    _, is_new = Provenance.objects.get_or_create(task_id=task, defaults={"systems": [], "best_rank": 0})
    opened = SearchedTask.objects.filter(task=task, entered_at=None)
    if is_new:
        latest = _latest_search(assignment)
        opened.update(entered_at=timezone.now(), **({"search_id": latest} if latest else {}))
    else:
        opened.delete()
    if collection.open_to_claims:
        Task.objects.filter(pk=task, wanted=0).update(wanted=collection.judges_per_task)


def _lock(task: int) -> None:
    Task.objects.select_for_update(no_key=True).filter(pk=task).values_list("pk").first()


def _latest_search(assignment: Assignment) -> int | None:
    """Return the search from which the assessor opened the document last."""
    opened = OpenedResult.objects.filter(
        search__member=assignment.member_id,
        search__topic=assignment.topic_id,
        document__tasks=assignment.task_id,
    )
    return opened.order_by("-opened_at", "-pk").values_list("search", flat=True).first()


def leave_pool(assignment: Assignment, collection: Collection) -> None:
    """Take a task out of the pool whose judgement was undone, if a search alone brought it and nobody else needs it.

    Its assignment stays, so that the assessor can judge it again. The caller has locked the assignment and saves it.
    """
    entered = SearchedTask.objects.filter(task=assignment.task_id, entered_at__isnull=False).first()
    if entered is None:
        return
    _lock(assignment.task_id)
    if _is_needed(assignment, entered, collection):
        return
    Provenance.objects.filter(task=assignment.task_id).delete()
    entered.entered_at = None
    entered.save(update_fields=["entered_at"])
    Task.objects.filter(pk=assignment.task_id).update(wanted=0, taken=0)
    assignment.holds_place, assignment.claimed_until = False, None


def _is_needed(assignment: Assignment, entered: SearchedTask, collection: Collection) -> bool:
    """Whether a run, a sample or a later pool has the task, somebody else has or judged it, or a release has it."""
    task, since = assignment.task_id, entered.entered_at
    only_judgement = {"member": assignment.member_id, "repeat": assignment.repeat}
    return (
        Provenance.objects.filter(task=task).exclude(systems=[]).exists()
        or Assignment.objects.filter(task=task).exclude(pk=assignment.pk).exists()
        or Judgement.objects.filter(task=task).exclude(**only_judgement).exclude(state=State.UNDONE).exists()
        or SampledTask.objects.filter(task=task).exists()
        or collection.pool_buildings.filter(strategy=EVERY_DOCUMENT, built_at__gte=since).exists()
        or collection.releases.filter(created_at__gte=since).exists()
    )
