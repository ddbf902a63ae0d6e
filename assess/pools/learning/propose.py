"""Lets assessors claim the documents that a model ranks first, and adds those documents to the pool.

A document enters the pool when an assessor is about to claim it. One more follows, so that every topic with documents
left has something to claim. Documents that other assessors have begun come first; otherwise no document
would get its second judge before the collection ends. Next are those that only a random sample brought into the pool,
in the order of drawing, because the model proposes others as long as it can.

A model ranks only its first documents. When they are used up, as in a topic whose rule decides nothing, the others
follow in the order of their import.

Assessors see a topic only if it has a document to claim. So every topic that a model orders keeps one in its pool.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from django.db.models import Exists, OuterRef

from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, LearnerModel, Member, Proposal, Provenance, Task, Topic
from assess.pools.learning.current import CAL, current_model, documents_of_model, position_behind_ranking, positions_in
from assess.pools.samples.entered import unreached_documents
from assess.pools.tasks import claimable

SPARE = 1


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
    enter_pool(collection, model, next_documents(model, {}, SPARE))


def withdraw_spares(collection: Collection) -> int:
    """Remove documents from the pool that entered it for an assessor and that nobody got. Returns how many."""
    entered = Proposal.objects.filter(model__topic=OuterRef("topic"), document=OuterRef("document"), entered_pool=True)
    untouched = Task.objects.filter(
        Exists(entered),
        topic__collection=collection,
        provenance__systems=[],
        assignments=None,
        judgements=None,
        known_grade=None,
        sampled=None,
    )
    locked = untouched.order_by("pk").select_for_update(of=("self",), no_key=True)
    tasks = list(locked.values_list("pk", flat=True))
    for start in range(0, len(tasks), BATCH):
        batch = tasks[start : start + BATCH]
        Provenance.objects.filter(task__in=batch).delete()
        Task.objects.filter(pk__in=batch).delete()
    return len(tasks)


Free = dict[int, tuple[int, int]]  # key and number of assessors of a free task, by document


def next_documents(model: LearnerModel, free: Free, limit: int) -> list[int]:
    """Return up to `limit` documents that nobody has begun.

    First come those that the model ranks, in its order, then the rest of the pool, then documents that no pool has.
    """
    if limit <= 0:
        return []
    pooled = Task.objects.filter(topic=model.topic_id, provenance__isnull=False)
    known = set(pooled.values_list("document", flat=True))
    ranked = list(islice(_ranked(model, free, known), limit))
    if (left := limit - len(ranked)) == 0:
        return ranked
    unranked = sorted(document for document, (_, taken) in free.items() if not taken and document not in ranked)
    return ranked + unranked[:left] + _behind_ranking(model, left - len(unranked))


def _ranked(model: LearnerModel, free: Free, known: set[int]) -> Iterator[int]:
    """Yield the documents in the order of the model that nobody has begun, or that no pool has (`known`)."""
    for document in model.ranking:
        if document not in known or (document in free and not free[document][1]):
            yield document


def _behind_ranking(model: LearnerModel, limit: int) -> list[int]:
    """Return documents that are not among the first of the model, in the order of their import.

    Those in the pool are left out, and those that the rule had decided when the model was trained.
    """
    if limit <= 0:
        return []
    left_out = [*model.ranking, *(document for document, _ in model.judged or [])]
    pooled = Task.objects.filter(topic=model.topic_id, document=OuterRef("pk"), provenance__isnull=False)
    others = documents_of_model(model).exclude(pk__in=left_out).exclude(Exists(pooled)).order_by("pk")
    return list(others.values_list("pk", flat=True)[:limit])


def enter_pool(collection: Collection, model: LearnerModel, documents: list[int]) -> dict[int, int]:
    """Add documents to the pool of the topic. Returns the keys of their tasks by document."""
    if not documents:
        return {}
    doc_ids = dict(Document.objects.filter(pk__in=documents, content__isnull=False).values_list("pk", "doc_id"))
    wanted, query_id = collection.judges_per_task or 0, model.topic.query_id
    existing = Task.objects.filter(topic=model.topic_id, document__in=doc_ids)
    # Judgements of these were imported, or a searcher opened them and may judge them at this moment.
    known = dict(existing.order_by("pk").select_for_update(no_key=True).values_list("document", "pk"))
    pooled = set()
    if known:
        pooled = set(Provenance.objects.filter(task__in=known.values()).values_list("task", flat=True))
        existing.filter(wanted=0).update(wanted=wanted)
    new = Task.objects.bulk_create(
        Task(topic_id=model.topic_id, document_id=pk, draw=draw(collection.seed, query_id, doc_id), wanted=wanted)
        for pk, doc_id in doc_ids.items()
        if pk not in known
    )
    tasks = known | {task.document_id: task.pk for task in new}
    entered = {document: task for document, task in tasks.items() if task not in pooled}
    Provenance.objects.bulk_create(Provenance(task_id=task, systems=[], best_rank=0) for task in entered.values())
    _record_entered(model, list(entered))
    return tasks


def _record_entered(model: LearnerModel, documents: Sequence[int]) -> None:
    positions = positions_in(model)
    Proposal.objects.bulk_create(
        Proposal(
            model=model,
            document_id=document,
            position=positions[document] if document in positions else position_behind_ranking(model, document),
            entered_pool=True,
        )
        for document in documents
    )


RESERVE = 20  # tasks that are proposed besides the missing ones, in case others have locked some


class Proposer:
    """Proposes tasks of a topic to one assessor.

    Use it in the transaction of the claim, which has locked the collection: the claims of a topic wait for each other,
    so that each gets documents, and no pool is built at the same time.
    """

    def __init__(self, member: Member, model: LearnerModel):
        self._member, self._model = member, model
        self._positions = positions_in(model)
        self._sampled = unreached_documents(model.topic_id)

    def propose(self, missing: int) -> list[int]:
        """Return the keys of the next tasks of the assessor, and add these tasks to the pool."""
        free = self._free_tasks()
        begun = self._begun(free)
        chosen = set(begun)
        others = {document: place for document, place in free.items() if document not in chosen}
        new = next_documents(self._model, others, missing + SPARE - len(begun))
        entered = enter_pool(self._member.collection, self._model, [each for each in new if each not in free])
        tasks = {document: pk for document, (pk, _) in free.items()} | entered
        return [tasks[document] for document in begun + new if document in tasks][: missing + SPARE + RESERVE]

    def record(self, tasks: Sequence[Task]) -> None:
        """Record which documents the assessor got because of the model.

        Of the documents that only a sample brought into the pool, those are recorded that the model ranks above a
        document that is new to assessors: the review would have reached them before.
        """
        positions, sampled = self._positions, self._sampled
        known = [task for task in tasks if task.document_id in positions and task.document_id not in sampled]
        last = max((positions[task.document_id] for task in known if not task.taken), default=-1)
        documents = [task.document_id for task in known]
        documents += (document for document in sampled if positions.get(document, last) < last)
        proposals = [Proposal(model=self._model, document_id=each, position=positions[each]) for each in documents]
        Proposal.objects.bulk_create(proposals, ignore_conflicts=True)  # also proposed to others, or when it entered

    def _free_tasks(self) -> Free:
        tasks = claimable(self._member, self._model.topic).order_by("pk")
        return {document: (pk, taken) for document, pk, taken in tasks.values_list("document", "pk", "taken")}

    def _begun(self, free: Free) -> list[int]:
        """Return the free documents that others have begun, then those that only a sample brought into the pool."""
        begun = (document for document, (_, taken) in free.items() if taken)
        in_order = sorted(begun, key=lambda document: self._positions.get(document, -1))
        return in_order + [document for document in self._sampled if document in free and not free[document][1]]
