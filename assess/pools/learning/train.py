"""Trains the next model of a topic. The job saves the model or nothing, so it can be killed at any moment."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.lib.long_work import about_to_save, report
from assess.models import AdaptiveOrder, Collection, LearnerModel, Topic
from assess.pools.learning.current import CAL, current_model
from assess.pools.learning.decided import decided_documents
from assess.pools.learning.due import is_due
from assess.pools.learning.learner import Documents, documents_of, learn, query_of
from pooling.adaptive.cal import next_batch


@dataclass(frozen=True)
class TrainResult:
    """The new model of a topic; version 0 if none was due."""

    query_id: str
    version: int = 0
    judged: int = 0
    seconds: float = 0.0


def train(collection: Collection, topic: int) -> TrainResult:
    """Train the next model of a topic (a primary key) from all its judgements, if it is due."""
    started = time.monotonic()
    trained_topic = collection.topics.filter(pk=topic).first()
    if trained_topic is None:
        raise Refused("The topic was deleted in the meantime; nothing was trained.")
    model = current_model(trained_topic)
    if model is None or not is_due(model):
        return TrainResult(trained_topic.query_id)
    report("Reading the list of documents")
    documents = documents_of(collection)
    order = trained_topic.adaptive_order
    trained = new_model(collection, trained_topic, order, documents, model.version + 1, next_batch(model.batch_size))
    if not _save(trained, model):
        return TrainResult(trained_topic.query_id)
    return TrainResult(trained_topic.query_id, trained.version, trained.n_judged, round(time.monotonic() - started, 3))


def new_model(
    collection: Collection, topic: Topic, order: AdaptiveOrder, documents: Documents, version: int, batch_size: int
) -> LearnerModel:
    """Return an unsaved model that has learned from all judgements of the topic."""
    decided, _ = decided_documents(topic.pk, order.rule, order.parameters["rel"])
    rel = order.parameters["rel"]
    model = LearnerModel(
        topic=topic,
        version=version,
        rule=order.rule,
        parameters=order.parameters,
        query=query_of(topic),
        judged=[[documents.keys[doc_id], int(r >= rel)] for doc_id, r in decided.items() if doc_id in documents.keys],
        n_judged=len(decided),
        batch_size=batch_size,
    )
    report(f"Learning topic {topic.query_id}")
    return learn(collection, topic, documents, model, decided)


def judged_by_doc_id(model: LearnerModel, doc_ids: dict[int, str]) -> dict[str, float]:
    """Return the relevance that the model has learned from, by doc_id."""
    judged: Sequence[tuple[int, int]] = model.judged or []
    return {doc_ids[document]: model.parameters["rel"] * relevant for document, relevant in judged}


def _save(trained: LearnerModel, before: LearnerModel) -> bool:
    """Save a model unless the order has ended, or another model was saved meanwhile. Returns whether it was saved."""
    with transaction.atomic():
        lock_active(trained.topic.collection)
        orders = AdaptiveOrder.objects.filter(topic=trained.topic_id, strategy=CAL)
        latest = LearnerModel.objects.filter(topic=trained.topic_id).order_by("-version").values_list("pk").first()
        about_to_save()
        # Under the lock of the collection, which ending the order takes too.
        if not orders.exists() or latest != (before.pk,):
            return False
        trained.save(force_insert=True)
    return True
