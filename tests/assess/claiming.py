"""A pool that is open to claims, and what its assessors do there."""

import uuid
from datetime import timedelta
from unittest.mock import patch

import assess.judging.progress
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, Judgement, Member, Task, Topic
from assess.pools.claims import open_to_claims
from assess.pools.slots import slot_problems
from tests.factories import small_collection


def open_pool(k: int, sizes=(20,), slug: str = "open", seed: int = 7, **rules) -> Collection:
    """A collection with topics of so many documents, open to k assessors a task."""
    runs = {"only": {str(n): [f"d{n}-{at:02}" for at in range(size)] for n, size in enumerate(sizes, start=1)}}
    with patch("assess.models.collection.secrets.randbelow", return_value=seed):
        collection = small_collection(runs, slug=slug, depth=max(sizes))
    for name, value in rules.items():
        setattr(collection, name, value)
    collection.save()
    open_to_claims(collection, k)
    return collection


def fresh(member: Member) -> Member:
    """As a request finds the member: nothing in memory is older than the database."""
    return Member.objects.select_related("collection").get(pk=member.pk)


def topic_of(member: Member, query_id: str = "1") -> Topic:
    return Topic.objects.get(collection=member.collection_id, query_id=query_id)


def upcoming(member: Member, limit: int = 12, query_id: str = "1") -> list[str]:
    """The addresses of what comes up next."""
    return [card.task for card in worklist.upcoming(fresh(member), topic_of(member, query_id), limit=limit)]


def progress(member: Member) -> assess.judging.progress.Progress:
    return assess.judging.progress.of(fresh(member))


def say(member: Member, task: str, state: str = "judged", **saying):
    grade = {"relevance": 1} if state == "judged" else {}
    reason = {"reason": "broken"} if state == "cannot_judge" else {}
    return record_judgement(
        fresh(member), uuid.UUID(task), JudgementInput(state, **grade, **reason, **saying), uuid.uuid4()
    )


def judge_all(member: Member, limit: int = 12, query_id: str = "1") -> list[str]:
    """Judge until nothing comes up any more; the doc_ids in order."""
    done = []
    while tasks := upcoming(member, limit, query_id):
        say(member, tasks[0])
        done.append(Assignment.objects.get(public_id=tasks[0]).task.document.doc_id)
    return done


def pass_time(minutes: int) -> None:
    """Let that much time pass for all claims."""
    for claim in Assignment.objects.filter(claimed_until__isnull=False):
        claim.claimed_until -= timedelta(minutes=minutes)
        claim.save()


def taken() -> list[int]:
    return list(Task.objects.order_by("document__doc_id").values_list("taken", flat=True))


def check(collection: Collection, k: int) -> None:
    """What must hold at any moment: no task over k, nobody twice, and every place counted."""
    tasks = Task.objects.filter(topic__collection=collection)
    assert tasks.count() > 0
    for task in tasks:
        assert task.taken <= task.wanted == k
        judged = Judgement.objects.filter(task=task, state="judged", repeat=0, member__user__isnull=False)
        assert judged.count() <= k
        assert judged.count() == judged.values("member").distinct().count()
    assert list(slot_problems(collection)) == []
