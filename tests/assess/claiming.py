"""Helpers for tests of a pool that is open to claims."""

import uuid
from datetime import timedelta

from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.progress import Progress, progress_for
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, Judgement, Member, Task, Topic
from assess.pools.claims import open_to_claims
from assess.pools.slots import slot_problems
from tests.factories import small_collection


def open_pool(k: int, sizes=(20,), slug: str = "open", seed: int = 7, **rules) -> Collection:
    """Return a collection with topics of these sizes, open to k assessors per task."""
    runs = {"only": {str(n): [f"d{n}-{at:02}" for at in range(size)] for n, size in enumerate(sizes, start=1)}}
    collection = small_collection(runs, slug=slug, depth=max(sizes), seed=seed)
    for name, value in rules.items():
        setattr(collection, name, value)
    collection.save()
    open_to_claims(collection, k)
    return collection


def fresh(member: Member) -> Member:
    """Return the member as a new request reads it from the database."""
    return Member.objects.select_related("collection").get(pk=member.pk)


def topic_of(member: Member, query_id: str = "1") -> Topic:
    return Topic.objects.get(collection=member.collection_id, query_id=query_id)


def upcoming(member: Member, limit: int = 12, query_id: str = "1") -> list[str]:
    """Return the public ids of the next tasks."""
    return [card.task for card in worklist.upcoming(fresh(member), topic_of(member, query_id), limit=limit)]


def progress(member: Member) -> Progress:
    return progress_for(fresh(member))


def judge(member: Member, task: str, state: str = "judged", **fields):
    """Record a judgement of the task with this public id; by default grade 1."""
    grade = {"relevance": 1} if state == "judged" else {}
    reason = {"reason": "broken"} if state == "cannot_judge" else {}
    return record_judgement(
        fresh(member), uuid.UUID(task), JudgementInput(state, **grade, **reason, **fields), uuid.uuid4()
    )


def judge_all(member: Member, limit: int = 12, query_id: str = "1", at_once: int | None = None) -> list[str]:
    """Judge until no task is left; return the doc_ids in order. `at_once` of the `limit` tasks are judged in a row."""
    done = []
    while tasks := upcoming(member, limit, query_id):
        for task in tasks[:at_once]:
            judge(member, task)
            done.append(task)
    rows = Assignment.objects.filter(public_id__in=done).values_list("public_id", "task__document__doc_id")
    doc_ids = {str(public_id): doc_id for public_id, doc_id in rows}
    return [doc_ids[task] for task in done]


def pass_time(minutes: int) -> None:
    """Move the end of all claims that many minutes into the past."""
    for claim in Assignment.objects.filter(claimed_until__isnull=False):
        claim.claimed_until -= timedelta(minutes=minutes)
        claim.save()


def taken() -> list[int]:
    """Return the number of taken slots of each task, ordered by doc_id."""
    return list(Task.objects.order_by("document__doc_id").values_list("taken", flat=True))


def check(collection: Collection, k: int) -> None:
    """Assert that no task has more than k judges, nobody judged a task twice, and every slot is counted."""
    tasks = Task.objects.filter(topic__collection=collection)
    assert tasks.count() > 0
    assert all(taken <= wanted == k for taken, wanted in tasks.values_list("taken", "wanted"))
    judged = Judgement.objects.filter(task__in=tasks, state="judged", repeat=0, member__user__isnull=False)
    judges_of = {}
    for task, member in judged.values_list("task", "member"):
        judges_of.setdefault(task, []).append(member)
    for members in judges_of.values():
        assert len(members) == len(set(members)) <= k
    assert list(slot_problems(collection)) == []
