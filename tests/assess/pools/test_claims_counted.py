"""The progress of an assessor in a pool that is open to claims, and the number of claimable tasks."""

import math
import random
import re
from collections import Counter
from contextlib import suppress

import pytest

from assess.errors import Refused
from assess.judging import progress
from assess.judging.progress import progress_by_topic, progress_for
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Member, Task
from assess.pools.slots import NotNeeded
from tests.assess.claiming import (
    fresh,
    judge,
    open_pool,
    pass_time,
    topic_of,
    upcoming,
)
from tests.examples import IS_THOROUGH

SET_ASIDE = ("later", "undone")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4 if IS_THOROUGH else 1))
def test_progress_equals_a_count_row_by_row(db, add_assessors, seed):
    chance = random.Random(seed)
    collection = open_pool(2, sizes=(5, 4), repeat_share=0.4, claim_minutes=30)
    people = add_assessors(collection, "ada", "bob", "cy")
    for _ in range(60):
        member, query_id = chance.choice(people), chance.choice("12")
        if tasks := upcoming(member, limit=3, query_id=query_id):
            with suppress(NotNeeded, Refused):  # nothing to undo
                judge(member, chance.choice(tasks), chance.choice(["judged", "later", "undone", "cannot_judge"]))
        if chance.random() < 0.1:
            pass_time(31)
        for each in people:
            assert progress_by_topic(fresh(each)) == counted_row_by_row(each)


def counted_row_by_row(member: Member) -> dict[int, progress.Progress]:
    counts = {}
    for topic in member.collection.topics.all():
        rows = list(
            Assignment.objects.filter(member=member, topic=topic).exclude(state="lapsed").select_related("task")
        )
        first = {row.task_id: row for row in rows if row.repeat == 0}
        kept = [row for row in rows if not is_lost(row, first[row.task_id])]
        free = [task for task in Task.objects.filter(topic=topic) if task.taken < task.wanted and task.pk not in first]
        states = Counter(row.state for row in kept)
        if rows or free:
            counts[topic.pk] = counted_once(kept, states, len(free))
    return counts


def counted_once(kept: list[Assignment], states: Counter, to_claim: int) -> progress.Progress:
    """Count a document with a hidden repeat once. The share that is left is the same, but no postponed one is lost."""
    total = sum(row.repeat == 0 for row in kept)
    settled = states["judged"] + states["cannot_judge"]
    left = len(kept) - settled
    shown = math.floor(left * total / len(kept) + 0.5) if kept else 0
    shown = min(max(shown, states["later"] + (left > states["later"])), total)
    cannot_judge = min(sum(row.repeat == 0 and row.state == "cannot_judge" for row in kept), total - shown)
    judged = total - shown - cannot_judge
    return progress.Progress(total, judged, cannot_judge, min(states["later"], shown), to_claim)


def is_lost(row: Assignment, first: Assignment) -> bool:
    """Return whether the task was postponed or undone and others have judged it since."""
    is_full = row.task.taken >= row.task.wanted
    return row.state in ("", *SET_ASIDE) and first.state in SET_ASIDE and not first.holds_place and is_full


def test_claimable_tasks_are_counted_up_to_enough_or_all_in_one_topic(db, add_assessors, signed_in, monkeypatch):
    monkeypatch.setattr(progress, "ENOUGH", 3)
    collection = open_pool(1, sizes=(2, 5))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, limit=2, query_id="2")
    page = signed_in(bob).get(f"/c/{collection.slug}/judge/").content.decode()
    assert [part.to_claim for _, part in topics_with_progress(fresh(bob))] == [2, 3]
    assert "At least 5 more" in page
    assert re.findall(r'<td class="num">(\S+(?: or more)?)</td></tr>', re.sub(r">\s+<", "><", page)) == [
        "2",
        "3 or more",
    ]
    assert progress_for(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    monkeypatch.setattr(progress, "ENOUGH", 1)
    assert progress_for(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    assert [part.to_claim for _, part in topics_with_progress(fresh(ada))] == [1, 1]
