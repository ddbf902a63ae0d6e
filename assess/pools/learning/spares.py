"""Keeps a document to claim in the pool of every topic that a model orders: assessors see a topic only then."""

from django.db.models import Exists, OuterRef

from assess.lib.batches import BATCH
from assess.models import Collection, Proposal, Provenance, Task, Topic
from assess.pools.learning.current import CAL, current_model
from assess.pools.learning.enter_pool import enter_pool
from assess.pools.learning.next_documents import next_documents

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
