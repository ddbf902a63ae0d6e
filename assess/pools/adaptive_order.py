"""The adaptive order: which document of a topic is judged next, by what was found relevant so far.

`begin` puts the runs' rankings of every pooled topic and a state of a strategy of `pooling.adaptive` into the database;
`chosen` lets the state catch up with what was judged since and asks the strategy. Nothing is kept between two requests
but there, so any worker may serve the next one.

The strategy learns what a named gold rule makes of the topic's judgements, cut in two at a grade. What the rule does
not decide yet, the strategy may propose again. A verdict that changed counts as if it had been so from the beginning;
one that was taken back, as if it had never been.

`chosen` gives doc_ids and nothing else: what the strategy makes of the runs stays here. numpy and pandas are loaded
when the first order is asked for, not when the application starts.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache

from django.db import transaction
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from assess.collections import check_threshold, locked, relevant_from
from assess.errors import Refused
from assess.models import AdaptiveOrder, Collection, Judgement, Order, Role, State, Topic

DEFAULT_RULE = "union"  # decides at the first judgement of a document
JUDGE = "judge:"
TOPICS_IN_MIND = 8

logger = logging.getLogger(__name__)


# ---- begun and ended by a researcher


def begin(
    collection: Collection, strategy: str, rule: str = DEFAULT_RULE, rel: int | None = None, **parameters
) -> list[str]:
    """Let a strategy say from now on what is judged next; returns the query_ids of the topics it does that for.

    They are those that have a pool and runs at this moment; others are judged in each assessor's own order. What is
    judged already is learnt at once. Where an order had been begun, it is begun anew.
    """
    rel = relevant_from(collection) if rel is None else rel
    check_threshold(collection, rel)
    _check_rule(collection, rule)
    strategy = _strategy(collection, strategy, rel, parameters)
    orders = list(_begun(collection, strategy, rule))
    with transaction.atomic():
        locked(collection)
        AdaptiveOrder.objects.filter(topic__collection=collection).delete()
        AdaptiveOrder.objects.bulk_create(orders, batch_size=20)  # each is as large as the topic's runs
        _set(collection, Order.ADAPTIVE)
    for order in orders:
        chosen(order.topic, [], 0)  # catches up, so that the first assessor need not wait for it
    return [order.topic.query_id for order in orders]


@transaction.atomic
def end(collection: Collection, order: str = Order.SHUFFLED) -> None:
    """Back to an order that does not learn; what the strategy knew is deleted, what was judged stays."""
    allowed = [each.value for each in Order if each != Order.ADAPTIVE]
    if order not in allowed:
        raise Refused(f"Order {order!r} cannot follow an adaptive one; it is one of {', '.join(allowed)}.")
    locked(collection)
    AdaptiveOrder.objects.filter(topic__collection=collection).delete()
    _set(collection, order)


def strategies() -> list[str]:
    """The names of the strategies that can be asked while people judge."""
    from pooling.adaptive import ADAPTIVE

    return [name for name in ADAPTIVE if name != "cal"]


def _set(collection: Collection, order: str) -> None:
    collection.order = order
    collection.save(update_fields=["order"])


def _strategy(collection: Collection, name: str, rel: int, parameters: dict):
    """The strategy of a name; what draws, draws from the collection's seed."""
    from pooling.adaptive import ADAPTIVE
    from pooling.evaluation.replay_order import adaptive_strategy

    if name == "cal":
        raise Refused(
            "Strategy 'cal' reads the text of every document of the runs, and a collection has those of its pool "
            f"alone: it can be replayed, not followed. Live are {', '.join(strategies())}."
        )
    if name not in ADAPTIVE:
        raise Refused(f"Strategy {name!r} is not known; there are {', '.join(strategies())}.")
    seed = collection.seed if "seed" in {field.name for field in fields(ADAPTIVE[name])} else None
    try:
        return adaptive_strategy(name, seed, rel, parameters)
    except ValueError as error:
        raise Refused(f"{error}.") from None


def _check_rule(collection: Collection, rule: str) -> None:
    from agreement.golds.rules import RULES, decision

    if rule == "dawid_skene":
        others = ", ".join([f"{JUDGE}NAME", *(name for name in RULES if name != rule), "at_least:N"])
        raise Refused(
            f"Rule {rule!r} decides every document anew after each judgement, too late for who is waiting; live are "
            f"{others}."
        )
    try:
        decision(rule)
    except ValueError as error:
        raise Refused(str(error)) from None
    if rule.startswith(JUDGE):
        names = list(collection.members.filter(role=Role.ASSESSOR).values_list("name", flat=True))
        if rule.removeprefix(JUDGE) not in names:
            raise Refused(f"Rule {rule!r} names no assessor of {collection}; there are {', '.join(names) or 'none'}.")


def _begun(collection: Collection, strategy, rule: str) -> Iterator[AdaptiveOrder]:
    """An order for every topic that has both a pool and runs."""
    from assess.collections import runfiles
    from pooling.adaptive import rankings_of
    from pooling.ranking import prepare

    runs = collection.runs.all()
    topics = list(collection.topics.filter(tasks__provenance__isnull=False).distinct().order_by("pk"))
    if not runs or not topics:
        lacking = "runs (import_runs)" if not runs else "pool (build_pool)"
        raise Refused(f"{collection} has no {lacking} yet, and an adaptive order needs both.")
    parameters = {field.name: getattr(strategy, field.name) for field in fields(strategy)}
    prepared = prepare(map(runfiles.load, runs))
    for topic in topics:
        if topic.query_id in prepared.query_ids:
            rankings = rankings_of(prepared, topic.query_id, strategy.depth)
            yield AdaptiveOrder(
                topic=topic,
                strategy=strategy.name,
                parameters=parameters,
                rule=rule,
                rankings=rankings.to_bytes(),
                state=strategy.begin(rankings).to_bytes(rankings=False),
            )


# ---- followed while people judge


def chosen(topic: Topic, candidates: Sequence[str], limit: int) -> list[str]:
    """The first `limit` of these doc_ids, in the order in which they should be judged.

    Those that the strategy proposes come first; behind them, in the order given, what no run has, and what is decided
    already and teaches nothing more.
    """
    order = AdaptiveOrder.objects.filter(topic=topic).annotate(events=_events()).first()
    if order is None:  # the topic had no pool when the order was begun
        return list(candidates[:limit])
    try:
        proposed = _proposed(order, candidates, limit)
    except (KeyError, TypeError, ValueError):
        # A strategy or a parameter that is gone, or bytes that nobody can read any more, keep nobody from judging.
        logger.exception("The adaptive order of topic %s cannot be followed; begin it anew (adapt_order)", topic)
        proposed = []
    known = set(proposed)
    return [*proposed, *(doc_id for doc_id in candidates if doc_id not in known)][:limit]


def _events() -> Coalesce:
    """How many events the topic's judgements have: a judgement's version counts its own."""
    versions = Judgement.objects.filter(task__topic=OuterRef("topic")).order_by().values("task__topic")
    return Coalesce(Subquery(versions.annotate(events=Sum("version")).values("events")), 0)


def _proposed(order: AdaptiveOrder, candidates: Sequence[str], limit: int) -> list[str]:
    from pooling.adaptive import ADAPTIVE

    strategy = ADAPTIVE[order.strategy](**order.parameters)
    rankings = _rankings(bytes(order.rankings))
    state = _kept(order, strategy, rankings)
    if state is None or order.caught_up != order.events:
        state = _catch_up(order, strategy, state or strategy.begin(rankings))
    wanted = set(candidates)
    exclude = [doc_id for doc_id in rankings.doc_ids if doc_id not in wanted]
    proposed = []
    while len(proposed) < limit and (doc_id := strategy.next(state, exclude)) is not None:
        proposed.append(doc_id)
        exclude.append(doc_id)
    return proposed


@lru_cache(maxsize=TOPICS_IN_MIND)
def _rankings(data: bytes):
    """The rankings of these very bytes. They never change, so a process may keep those that it read last."""
    from pooling.adaptive import Rankings

    return Rankings.from_bytes(data)


def _kept(order: AdaptiveOrder, strategy, rankings):
    """The state that was stored; None where another version of the program cannot go on with it."""
    from pooling.adaptive import State as Standing

    try:
        state = Standing.from_bytes(bytes(order.state), rankings)
    except ValueError:
        return None
    return state if state.strategy == str(strategy) else None


def _catch_up(order: AdaptiveOrder, strategy, state):
    """The state after all that is judged by now, stored for the next who asks.

    Nothing is locked while it is worked out. Whoever stored another state in between did the same work, perhaps with
    one judgement more or less; the state here is as good for this once, and is not stored.
    """
    decided, events = _decided(order)
    known = state.judged
    if any(doc_id not in decided for doc_id in known):  # taken back: as if it had never been
        state = strategy.begin(state.rankings)
        decided = {doc_id: decided[doc_id] for doc_id in known if doc_id in decided} | decided
    state = strategy.step(state, decided)
    same = {name: getattr(order, name) for name in ("pk", "strategy", "parameters", "rule", "caught_up")}
    AdaptiveOrder.objects.filter(**same).update(state=state.to_bytes(rankings=False), caught_up=events)
    return state


def _decided(order: AdaptiveOrder) -> tuple[Mapping[str, float], int]:
    """What the rule says by now, in the order in which documents were first judged: the strategy's `rel` where
    relevant, else 0; and of how many events that is."""
    rows = (
        Judgement.objects.filter(task__topic=order.topic_id)
        .order_by("judged_at", "pk")
        .values_list(
            "version", "state", "repeat", "member__role", "member__name", "task__document__doc_id", "relevance"
        )
    )
    rel, named = order.parameters["rel"], order.rule.removeprefix(JUDGE) if order.rule.startswith(JUDGE) else None
    events, votes = 0, {}
    for version, *kind, name, doc_id, grade in rows:
        events += version
        if kind == [State.JUDGED, 0, Role.ASSESSOR] and named in (None, name):
            votes.setdefault(doc_id, []).append(grade)
    verdicts = {doc_id: _verdict(order.rule, rel, tuple(sorted(grades))) for doc_id, grades in votes.items()}
    return {doc_id: rel * verdict for doc_id, verdict in verdicts.items() if verdict is not None}, events


@lru_cache(maxsize=10_000)
def _verdict(rule: str, rel: int, grades: tuple[int, ...]) -> int | None:
    """What the rule makes of one document's grades: 1 relevant, 0 not, None not decided.

    The rules that are let in decide each document by its own grades, so there are few different questions, and each
    is put to `agreement` once.
    """
    import pandas as pd

    from agreement.golds.make_gold import make_gold

    names = [str(number) for number in range(len(grades))]
    frame = pd.DataFrame({"assessor": names, "query_id": "", "doc_id": "", "relevance": grades})
    rule = f"{JUDGE}0" if rule.startswith(JUDGE) else rule  # only that judge's grade has come so far
    decided = make_gold(frame, rule, rel)["relevance"]
    return int(decided.iloc[0]) if len(decided) else None
