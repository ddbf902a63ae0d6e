"""Starts continuous active learning: the first model of each topic knows the words of the topic only, or, if there are
judgements already, what they teach.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from assess.collections.archive import lock_active
from assess.documents.texts import missing_texts
from assess.errors import Refused, as_sentence
from assess.lib.long_work import about_to_save, report, reported
from assess.models import AdaptiveOrder, Collection, LearnerModel, Order
from assess.pools.learning.current import CAL
from assess.pools.learning.decided import check_order
from assess.pools.learning.learner import Documents, documents_of
from assess.pools.learning.propose import add_spares
from assess.pools.learning.train import new_model
from pooling.adaptive.cal import CAL as CalStrategy  # noqa: N811 - the name of the class is an abbreviation

PARAMETERS = ("presumed", "c")


@dataclass(frozen=True)
class LearningResult:
    """The topics with a learner, the documents that it chooses from, and whether documents may enter the pool."""

    query_ids: list[str]
    documents: int
    is_open: bool


def begin_in_background(collection: Collection, rule: str, rel: int) -> LearningResult:
    """Start learning with the usual parameters: the function of the job `begin_learning`."""
    check_order(collection, rule, rel)
    return begin_learning(collection, rule, rel, {})


def begin_learning(collection: Collection, rule: str, rel: int, parameters: dict[str, Any]) -> LearningResult:
    """Let the learner decide in all topics. An existing adaptive order is replaced. The caller checks rule and rel."""
    stored = _checked(parameters, rel, collection.seed)
    topics = list(collection.topics.order_by("pk"))
    if not topics:
        raise Refused(f"{collection} has no topics yet. Import them first.")
    documents = fully_imported(collection)
    orders = [AdaptiveOrder(topic=topic, strategy=CAL, parameters=stored, rule=rule) for topic in topics]
    # Before the transaction, for which judges would wait on SQLite.
    models = [
        new_model(collection, order.topic, order, documents, version=1, batch_size=1)
        for order in reported(orders, "Learning the words of the topics")
    ]
    with transaction.atomic():
        lock_active(collection)
        AdaptiveOrder.objects.filter(topic__collection=collection).delete()
        AdaptiveOrder.objects.bulk_create(orders)
        _number(models)
        LearnerModel.objects.bulk_create(models)
        collection.order = Order.ADAPTIVE
        collection.save(update_fields=["order"])
        collection.refresh_from_db(fields=["judges_per_task"])
        if collection.open_to_claims:
            add_spares(collection)
        about_to_save()
    return LearningResult([topic.query_id for topic in topics], len(documents.keys), collection.open_to_claims)


def _number(models: list[LearnerModel]) -> None:
    """Let each model follow the last one of its topic. The caller has locked the collection."""
    existing = LearnerModel.objects.filter(topic__in=[model.topic_id for model in models])
    last = dict(existing.order_by("version").values_list("topic", "version"))
    for model in models:
        model.version = last.get(model.topic_id, 0) + 1


def fully_imported(collection: Collection) -> Documents:
    """Return the documents of the collection. Raises Refused if one has no text, or one that a run retrieved."""
    if missing := missing_texts(collection):
        raise Refused(
            f"Strategy 'cal' proposes from the whole collection, but {missing} in {collection}, {missing.example}. "
            "Import all documents first."
        )
    report("Reading the list of documents")
    documents = documents_of(collection)
    if not documents.keys:
        raise Refused(f"{collection} has no documents yet. Strategy 'cal' proposes from the imported documents.")
    return documents


def _checked(parameters: dict[str, Any], rel: int, seed: int) -> dict[str, Any]:
    """Return the parameters of the strategy as they are stored."""
    if unknown := [name for name in parameters if name not in PARAMETERS]:
        raise Refused(f"Strategy 'cal' has no parameter {unknown[0]!r} here; it has: {', '.join(PARAMETERS)}.")
    try:
        strategy = CalStrategy(texts={}, seed=seed, rel=rel, **parameters)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return {name: getattr(strategy, name) for name in ("rel", "seed", *PARAMETERS)}
