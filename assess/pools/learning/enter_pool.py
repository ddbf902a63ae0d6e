"""Adds documents that a model proposes to the pool of its topic, and records that they entered it."""

from collections.abc import Sequence

from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, LearnerModel, Proposal, Provenance, Task
from assess.pools.learning.current import position_behind_ranking, positions_in


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
