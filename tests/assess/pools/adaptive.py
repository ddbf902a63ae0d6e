"""A collection with an adaptive order, and helpers that judge in it."""

import random
import uuid

import pandas as pd

from assess.collections import runfiles
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import AdaptiveOrder, Assignment, Collection, Task
from assess.pools.adaptive_order import next_documents
from pooling.adaptive import ADAPTIVE

SYSTEMS, DOCUMENTS, DEPTH = 7, 40, 12
RELEVANT = {f"d{number:02}" for number in range(0, DOCUMENTS, 3)}
LIVE = [name for name in ADAPTIVE if name not in ("cal", "active_sampling")]


def some_runs(seed: int = 3) -> dict:
    """Systems of growing skill: the later ones have more of the relevant documents early."""
    chance = random.Random(seed)
    runs = {}
    for number in range(SYSTEMS):
        liking = {f"d{d:02}": chance.random() + 0.15 * number * (f"d{d:02}" in RELEVANT) for d in range(DOCUMENTS)}
        ranked = sorted(liking, key=liking.get, reverse=True)
        runs[f"canary-{number}"] = {"1": ranked[: 25 + number], "2": ranked[3:8]}
    return runs


def fresh(member):
    """Return the member as a new request reads it from the database."""
    return type(member).objects.select_related("collection").get(pk=member.pk)


def doc_ids(member, topic, limit=worklist.AHEAD) -> list[str]:
    return [card.doc_id for card in worklist.upcoming(fresh(member), topic, limit=limit)]


def judge(member, topic, doc_id: str, relevance: int | None = None, state="judged", repeat=0) -> None:
    assignment = Assignment.objects.get(member=member, topic=topic, task__document__doc_id=doc_id, repeat=repeat)
    if state == "judged" and relevance is None:
        relevance = int(doc_id in RELEVANT)
    record_judgement(fresh(member), assignment.public_id, JudgementInput(state, relevance), uuid.uuid4())


def judge_next(member, topic) -> str:
    doc_id = doc_ids(member, topic, limit=1)[0]
    judge(member, topic, doc_id)
    return doc_id


def judge_all(member, topic) -> list[str]:
    judged = []
    while upcoming := doc_ids(member, topic, limit=1):
        judge(member, topic, upcoming[0])
        judged += upcoming
    return judged


def frames(collection) -> list[pd.DataFrame]:
    return [runfiles.load(run) for run in collection.runs.all()]


def pooled(topic) -> list[str]:
    tasks = Task.objects.filter(topic=topic, provenance__isnull=False)
    return sorted(tasks.values_list("document__doc_id", flat=True))


def strategy_of(topic):
    row = AdaptiveOrder.objects.get(topic=topic)
    return ADAPTIVE[row.strategy](**row.parameters)


def proposals(topic, judged: dict[str, int], limit=1, among=None) -> list[str]:
    """Return what the library proposes after these judgements."""
    strategy = strategy_of(topic)
    state = strategy.step(strategy.start(frames(topic.collection), topic.query_id), judged)
    others = set(state.rankings.doc_ids) - set(pooled(topic) if among is None else among)
    proposed = []
    while len(proposed) < limit and (doc_id := strategy.next(state, [*others, *proposed])) is not None:
        proposed.append(doc_id)
    return proposed


def open_to_claims(collection, judges: int) -> None:
    Collection.objects.filter(pk=collection.pk).update(judges_per_task=judges)
    Task.objects.filter(topic__collection=collection).update(wanted=judges)
    collection.refresh_from_db()


def stored_state(topic):
    """Update the state and return it as it is stored."""
    from pooling.adaptive import Rankings, State

    next_documents(topic, [], 0)
    row = AdaptiveOrder.objects.get(topic=topic)
    return State.from_bytes(bytes(row.state), Rankings.from_bytes(bytes(row.rankings)))
