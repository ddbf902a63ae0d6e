"""When a topic's next model is trained: after each batch of judgements.

Requests of assessors call this. It starts a job and returns at once; until the job has saved the next model, assessors
get the documents of the present one.
"""

from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from assess.jobs import queue
from assess.jobs.kinds import KINDS
from assess.models import AdaptiveOrder, Collection, Job, JobState, Judgement, LearnerModel, Role, State
from assess.pools.learning.decided import decided_documents

KIND = "train"
RETRY_AFTER = timedelta(minutes=1)  # after a training that failed


def train_if_due(model: LearnerModel) -> bool:
    """Start the training of the next model if enough documents were judged since this one was trained.

    Returns whether the next model is trained already, which only happens without background jobs.
    """
    if not _may_be_due(model) or not (settings.TRAIN_AT_ONCE or _may_start(model)) or not is_due(model):
        return False
    collection = model.topic.collection
    if settings.TRAIN_AT_ONCE:
        KINDS[KIND].function()(collection, topic=model.topic_id)
        return True
    with suppress(queue.AlreadyRunning):  # many topics are being trained; the next request tries again
        _start(collection, model)
    return False


@transaction.atomic
def _start(collection: Collection, model: LearnerModel) -> None:
    # Of two requests that find the model due, the second waits here and then sees the job of the first.
    Collection.objects.select_for_update().get(pk=collection.pk)
    if _may_start(model):
        queue.start(KIND, collection, None, {"topic": model.topic_id})


def is_due(model: LearnerModel) -> bool:
    """Whether the rule has decided enough documents since this model was trained."""
    order = AdaptiveOrder.objects.filter(topic=model.topic_id).only("rule", "parameters").first()
    if order is None:
        return False
    decided, _ = decided_documents(model.topic_id, order.rule, order.parameters["rel"])
    return _is_outdated(model) or len(decided) - model.n_judged >= model.batch_size


def _may_be_due(model: LearnerModel) -> bool:
    """Whether enough documents have a judgement, which is one statement. The rule may decide fewer."""
    if _is_outdated(model):
        return True
    regular = Q(repeat=0, state=State.JUDGED, member__role=Role.ASSESSOR)
    judgements = Judgement.objects.filter(regular, task__topic=model.topic_id)
    judged = judgements.aggregate(n=Count("task", distinct=True))["n"]
    return bool(judged - model.n_judged >= model.batch_size)


def _is_outdated(model: LearnerModel) -> bool:
    """Whether it has learned from judgements that do not count any more, or without some that count again."""
    annotated: bool | None = getattr(model, "judgements_erased", None)
    return model.is_outdated or (model.judged is None if annotated is None else annotated)


def _may_start(model: LearnerModel) -> bool:
    """Whether no job trains the topic, and none has just failed."""
    jobs = Job.objects.filter(collection=model.topic.collection_id, kind=KIND, input__topic=model.topic_id)
    has_just_failed = Q(state=JobState.FAILED, ended_at__gt=timezone.now() - RETRY_AFTER)
    return not jobs.filter(Q(state__in=queue.UNFINISHED) | has_just_failed).exists()
