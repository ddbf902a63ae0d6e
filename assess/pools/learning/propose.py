"""Lets assessors claim the documents that a model ranks first, and adds those documents to the pool.

A document enters the pool when an assessor is about to claim it. One more follows, so that every topic with documents
left has something to claim: assessors see a topic only then. Documents that other assessors have begun come first;
otherwise no document would get its second judge before the collection ends.
"""

from collections.abc import Iterator, Sequence

from django.db.models import Case, When

from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, LearnerModel, Member, Proposal, Provenance, Task, Topic
from assess.pools.learning.current import CAL, current_model, positions_in
from assess.pools.tasks import claimable

SPARE = 1


def proposed_first(member: Member, model: LearnerModel, missing: int) -> tuple[Case, ...]:
    """Return an ORDER BY that puts the next tasks of the assessor first, and add these tasks to the pool.

    Call it in the transaction of the claim, which has locked the collection: the claims of a topic wait for each other,
    so that each gets documents, and no pool is built at the same time.
    """
    free = {document: (pk, taken) for document, pk, taken in _free_tasks(member, model)}
    positions = positions_in(model)
    begun = sorted((document for document, (_, taken) in free.items() if taken), key=lambda d: positions.get(d, -1))
    chosen = list(_ranked(model, free, missing + SPARE - len(begun)))
    entered = _enter_pool(member.collection, model, [document for document in chosen if document not in free])
    tasks = {document: pk for document, (pk, _) in free.items()} | entered
    order = [tasks[document] for document in begun + chosen if document in tasks]
    return (Case(*(When(pk=pk, then=index) for index, pk in enumerate(order)), default=len(order)),) if order else ()


def record_proposals(model: LearnerModel, tasks: Sequence[Task]) -> None:
    """Record which documents an assessor got because of the model."""
    positions = positions_in(model)
    proposals = [
        Proposal(model=model, document_id=task.document_id, position=positions[task.document_id])
        for task in tasks
        if task.document_id in positions
    ]
    Proposal.objects.bulk_create(proposals, ignore_conflicts=True)  # also proposed to others, or when it entered


def add_spares(collection: Collection) -> None:
    """Add the first document of each topic to the pool if nobody has one to claim.

    The caller has locked the collection.
    """
    for topic in collection.topics.filter(adaptive_order__strategy=CAL).order_by("pk"):
        add_spare(collection, topic)


def add_spare(collection: Collection, topic: Topic) -> None:
    model = current_model(topic)
    if model is None or Task.objects.filter(topic=topic, taken=0, wanted__gt=0).exists():
        return
    _enter_pool(collection, model, list(_ranked(model, {}, SPARE)))


def withdraw_spares(collection: Collection) -> int:
    """Remove documents from the pool that entered it for an assessor and that nobody got. Returns how many."""
    entered = Proposal.objects.filter(model__topic__collection=collection, entered_pool=True)
    removed = 0
    for topic, document in entered.values_list("model__topic", "document").distinct():
        untouched = Task.objects.filter(
            topic=topic, document=document, provenance__systems=[], assignments=None, judgements=None, known_grade=None
        )
        for task in untouched.select_for_update(of=("self",), no_key=True):
            Provenance.objects.filter(task=task).delete()
            task.delete()
            removed += 1
    return removed


def _free_tasks(member: Member, model: LearnerModel) -> list[tuple[int, int, int]]:
    tasks = claimable(member, model.topic).order_by("pk")
    return list(tasks.values_list("document", "pk", "taken"))


def _ranked(model: LearnerModel, free: dict[int, tuple[int, int]], limit: int) -> Iterator[int]:
    """Yield up to `limit` documents in the order of the model: those that nobody has begun, or that no pool has."""
    pooled = Task.objects.filter(topic=model.topic_id, provenance__isnull=False)
    known = set(pooled.values_list("document", flat=True))
    for document in model.ranking:
        if limit <= 0:
            return
        if document not in known or (document in free and not free[document][1]):
            yield document
            limit -= 1


def _enter_pool(collection: Collection, model: LearnerModel, documents: list[int]) -> dict[int, int]:
    """Add documents to the pool of the topic. Returns the keys of their tasks by document."""
    if not documents:
        return {}
    doc_ids = dict(Document.objects.filter(pk__in=documents, content__isnull=False).values_list("pk", "doc_id"))
    wanted, query_id = collection.judges_per_task or 0, model.topic.query_id
    existing = Task.objects.filter(topic=model.topic_id, document__in=doc_ids)
    if known := dict(existing.values_list("document", "pk")):  # judgements of these were imported
        existing.update(wanted=wanted)
    new = Task.objects.bulk_create(
        Task(topic_id=model.topic_id, document_id=pk, draw=draw(collection.seed, query_id, doc_id), wanted=wanted)
        for pk, doc_id in doc_ids.items()
        if pk not in known
    )
    tasks = known | {task.document_id: task.pk for task in new}
    Provenance.objects.bulk_create(Provenance(task_id=task, systems=[], best_rank=0) for task in tasks.values())
    positions = positions_in(model)
    Proposal.objects.bulk_create(
        Proposal(model=model, document_id=document, position=positions[document], entered_pool=True)
        for document in tasks
    )
    return tasks
