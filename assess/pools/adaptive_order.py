"""The adaptive order: the judgements so far decide which document of a topic is judged next.

`begin_adaptive_order` stores the runs' rankings of every pooled topic and the state of a strategy of
`pooling.adaptive` in the database. `next_documents` updates the state with new judgements and asks the strategy. The
state is kept only in the database, so any worker can serve the next request.

The strategy learns from the gold that a named rule derives from the topic's judgements, made binary at a grade. It may
propose documents again that the rule does not decide yet. A changed judgement counts as if it had always been so; an
undone one as if it had never been made.

`next_documents` returns doc_ids only: everything else about the runs stays here. numpy and pandas are loaded when the
first order is requested, not when the application starts.
"""

import inspect
import logging
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from assess.collections.archive import lock_active
from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused, as_sentence
from assess.models import NOT_WITHDRAWN, AdaptiveOrder, Collection, Judgement, Order, Topic
from assess.pools.learning.current import CAL, current_model, in_order_of
from assess.pools.learning.decided import check_order, decided_documents
from assess.pools.learning.due import train_if_due
from assess.pools.learning.propose import withdraw_spares

if TYPE_CHECKING:
    from pooling.adaptive import Adaptive, Rankings
    from pooling.adaptive import State as StrategyState

DEFAULT_RULE = "union"  # decides a document at its first judgement
CACHED_TOPICS = 8
UNSUITABLE = {
    "active_sampling": "draws a sample, but a collection does not store the probability of each draw",
}

logger = logging.getLogger(__name__)


# ---- started and ended by a researcher


def begin_adaptive_order(
    collection: Collection, strategy: str, rule: str = DEFAULT_RULE, rel: int | None = None, **parameters: Any
) -> list[str]:
    """Let a strategy decide which document is judged next. Returns the query_ids of the topics that this applies to.

    These are the topics that have a pool and runs now; others are judged in each assessor's own order. The strategy
    learns from existing judgements at once. An existing adaptive order is replaced.
    """
    rel = lowest_relevant_grade(collection) if rel is None else rel
    check_order(collection, rule, rel)
    if strategy == CAL:
        from assess.pools.learning.begin import begin_learning  # loads pandas

        return begin_learning(collection, rule, rel, parameters).query_ids
    orders = list(_new_orders(collection, _strategy(collection, strategy, rel, parameters), rule))
    with transaction.atomic():
        lock_active(collection)
        _delete_orders(collection)
        AdaptiveOrder.objects.bulk_create(orders, batch_size=20)  # each is as large as the topic's runs
        _set(collection, Order.ADAPTIVE)
    for order in orders:
        next_documents(order.topic, [], 0)  # updates the state now, so that the first assessor does not wait
    return [order.topic.query_id for order in orders]


@transaction.atomic
def end_adaptive_order(collection: Collection, order: str = Order.SHUFFLED) -> None:
    """Return to an order that does not adapt. The strategy's state is deleted; judgements stay."""
    allowed = [each.value for each in Order if each != Order.ADAPTIVE]
    if order not in allowed:
        raise Refused(f"The order must be one of {', '.join(allowed)}, not {order!r}.")
    lock_active(collection)
    _delete_orders(collection)
    _set(collection, order)


def _delete_orders(collection: Collection) -> None:
    AdaptiveOrder.objects.filter(topic__collection=collection).delete()
    withdraw_spares(collection)


def strategies() -> list[str]:
    """Return the names of the strategies that can be used while people judge."""
    from pooling.adaptive import ADAPTIVE  # loads pandas

    return [name for name in ADAPTIVE if name not in UNSUITABLE]


def summaries() -> list[tuple[str, str]]:
    """Return these strategies, each with a sentence."""
    from pooling.adaptive import ADAPTIVE  # loads pandas

    docs = ((name, inspect.getdoc(ADAPTIVE[name]) or name) for name in strategies())
    return [(name, doc.partition("\n")[0]) for name, doc in docs]


def _set(collection: Collection, order: str) -> None:
    collection.order = order
    collection.save(update_fields=["order"])


def _strategy(collection: Collection, name: str, rel: int, parameters: dict[str, Any]) -> "Adaptive":
    """Return the named strategy. Random strategies use the collection's seed."""
    from pooling.adaptive import ADAPTIVE  # loads pandas
    from pooling.evaluation.replay_order import adaptive_strategy

    if name in UNSUITABLE:
        raise Refused(f"Strategy {name!r} {UNSUITABLE[name]}. Choose one of {', '.join(strategies())}.")
    if name not in ADAPTIVE:
        raise Refused(f"Strategy must be one of {', '.join(strategies())}, not {name!r}.")
    seed = collection.seed if "seed" in {field.name for field in fields(ADAPTIVE[name])} else None
    try:
        return adaptive_strategy(name, seed, rel, parameters)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def _new_orders(collection: Collection, strategy: "Adaptive", rule: str) -> Iterator[AdaptiveOrder]:
    """Yield an order for every topic that has a pool and runs."""
    from assess.collections import runfiles
    from pooling.adaptive import rankings_of  # loads pandas
    from pooling.ranking import prepare

    runs = collection.runs.all()
    topics = list(collection.topics.filter(tasks__provenance__isnull=False).distinct().order_by("pk"))
    if not runs or not topics:
        missing = "runs" if not runs else "pool"
        raise Refused(f"{collection} has no {missing} yet. An adaptive order needs runs and a pool.")
    parameters = {field.name: getattr(strategy, field.name) for field in fields(strategy)}
    prepared = prepare(map(runfiles.load, runs))
    for topic in topics:
        if topic.query_id in prepared.query_ids:
            rankings = rankings_of(prepared, topic.query_id, strategy.depth)
            yield AdaptiveOrder(
                topic=topic,
                strategy=strategy.name,
                parameters=_of_topic(parameters, topic.query_id),
                rule=rule,
                rankings=rankings.to_bytes(),
                state=strategy.begin(rankings).to_bytes(rankings=False),
            )


def _of_topic(parameters: dict[str, Any], query_id: str) -> dict[str, Any]:
    """Return the parameters with the gains of one topic only, because each topic stores them."""
    if parameters.get("gain") is None:
        return parameters
    return parameters | {"gain": {query_id: parameters["gain"].get(query_id, {})}}


# ---- used while people judge


def next_documents(topic: Topic, candidates: Sequence[str], limit: int) -> list[str]:
    """Return the first `limit` of these doc_ids in the order in which they should be judged.

    Documents that the strategy proposes come first. Documents that no run contains, and decided ones from which the
    strategy learns nothing, follow in the order of `candidates`.
    """
    order = AdaptiveOrder.objects.filter(topic=topic).annotate(events=_events()).first()
    if order is None:  # the topic had no pool when the order was started
        return list(candidates[:limit])
    if order.strategy == CAL:
        return _learned(topic, candidates, limit)
    try:
        proposed = _proposed(order, order.events, candidates, limit)
    except (KeyError, TypeError, ValueError):
        # A removed strategy or parameter, or unreadable bytes, must not prevent anybody from judging.
        logger.exception("The adaptive order of topic %s cannot be used; start it again (adapt_order)", topic)
        proposed = []
    known = set(proposed)
    return [*proposed, *(doc_id for doc_id in candidates if doc_id not in known)][:limit]


def _learned(topic: Topic, candidates: Sequence[str], limit: int) -> list[str]:
    model = current_model(topic)
    if model and train_if_due(model):
        model = current_model(topic)
    if model is None:
        return list(candidates[:limit])
    keys = dict(topic.collection.documents.filter(doc_id__in=candidates).values_list("doc_id", "pk"))
    return in_order_of(model, {doc_id: keys[doc_id] for doc_id in candidates}, limit)


def _events() -> Coalesce:
    """Return the number of events of the topic: a judgement's version counts its events."""
    versions = Judgement.objects.filter(NOT_WITHDRAWN, task__topic=OuterRef("topic")).order_by().values("task__topic")
    return Coalesce(Subquery(versions.annotate(total=Sum("version")).values("total")), 0)


def _proposed(order: AdaptiveOrder, events: int, candidates: Sequence[str], limit: int) -> list[str]:
    from pooling.adaptive import ADAPTIVE  # loads pandas

    strategy = ADAPTIVE[order.strategy](**order.parameters)
    rankings = _rankings(bytes(order.rankings))
    state = _stored_state(order, strategy, rankings)
    if state is None or order.caught_up != events:
        state = _catch_up(order, strategy, state or strategy.begin(rankings))
    wanted = set(candidates)
    exclude = [doc_id for doc_id in rankings.doc_ids if doc_id not in wanted]
    proposed: list[str] = []
    while len(proposed) < limit and (doc_id := strategy.next(state, exclude)) is not None:
        proposed.append(doc_id)
        exclude.append(doc_id)
    return proposed


@lru_cache(maxsize=CACHED_TOPICS)
def _rankings(data: bytes) -> "Rankings":
    """Return the rankings of these bytes. They never change, so each process caches the last ones."""
    from pooling.adaptive import Rankings  # loads pandas

    return Rankings.from_bytes(data)


def _stored_state(order: AdaptiveOrder, strategy: "Adaptive", rankings: "Rankings") -> "StrategyState | None":
    """Return the stored state; None if it comes from another version of the program and cannot be used."""
    from pooling.adaptive import State as StrategyState  # loads pandas

    try:
        state = StrategyState.from_bytes(bytes(order.state), rankings)
    except ValueError:
        return None
    return state if state.strategy == str(strategy) else None


def _catch_up(order: AdaptiveOrder, strategy: "Adaptive", state: "StrategyState") -> "StrategyState":
    """Return the state after all judgements so far, and store it.

    Nothing is locked during the computation. If another request stored a state in the meantime, perhaps with one
    judgement more or less, the state computed here is used this once and not stored.
    """
    decided, events = decided_documents(order.topic_id, order.rule, order.parameters["rel"])
    known = state.judged
    if any(doc_id not in decided for doc_id in known):  # undone: as if it had never been made
        state = strategy.begin(state.rankings)
        decided = {doc_id: decided[doc_id] for doc_id in known if doc_id in decided} | decided
    state = strategy.step(state, decided)
    same = {name: getattr(order, name) for name in ("pk", "strategy", "parameters", "rule", "caught_up")}
    AdaptiveOrder.objects.filter(**same).update(state=state.to_bytes(rankings=False), caught_up=events)
    return state
