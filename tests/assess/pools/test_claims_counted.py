"""How far an assessor is where tasks are claimed, and how much is left to claim."""

import random
import re
from collections import Counter
from contextlib import suppress

import pytest

from assess.errors import Refused
from assess.judging import progress as counting
from assess.judging import worklist
from assess.models import Assignment, Member, Task
from assess.pools.slots import NotNeeded
from tests.assess.claiming import (
    fresh,
    open_pool,
    pass_time,
    say,
    topic_of,
    upcoming,
)
from tests.html import compact

OFF = ("later", "undone")  # put off, or taken back


@pytest.mark.parametrize("seed", range(4))
def test_progress_is_as_somebody_counts_who_looks_at_every_row(db, add_assessors, seed):
    chance = random.Random(seed)
    collection = open_pool(2, sizes=(5, 4), repeat_share=0.4, claim_minutes=30)
    people = add_assessors(collection, "ada", "bob", "cy")
    for _ in range(60):
        member, query_id = chance.choice(people), chance.choice("12")
        if tasks := upcoming(member, limit=3, query_id=query_id):
            with suppress(NotNeeded, Refused):  # nothing to take back
                say(member, chance.choice(tasks), chance.choice(["judged", "later", "undone", "cannot_judge"]))
        if chance.random() < 0.1:
            pass_time(31)
        for each in people:
            assert counting.by_topic(fresh(each)) == counted_row_by_row(each)


def counted_row_by_row(member: Member) -> dict[int, counting.Progress]:
    found = {}
    for topic in member.collection.topics.all():
        rows = list(
            Assignment.objects.filter(member=member, topic=topic).exclude(state="lapsed").select_related("task")
        )
        given = {row.task_id: row for row in rows if row.repeat == 0}
        kept = [row for row in rows if not is_lost(row, given[row.task_id])]
        free = [task for task in Task.objects.filter(topic=topic) if task.taken < task.wanted and task.pk not in given]
        states = Counter(row.state for row in kept)
        if rows or free:
            found[topic.pk] = counting.Progress(
                len(kept), states["judged"], states["cannot_judge"], states["later"], len(free)
            )
    return found


def is_lost(row: Assignment, given: Assignment) -> bool:
    """It is open, and was put off or taken back while others judged it."""
    is_full = row.task.taken >= row.task.wanted
    return row.state in ("", *OFF) and given.state in OFF and not given.holds_place and is_full


def test_what_may_be_claimed_is_counted_up_to_enough_in_each_topic_and_whole_in_one(
    db, add_assessors, signed_in, monkeypatch
):
    monkeypatch.setattr(counting, "ENOUGH", 3)
    collection = open_pool(1, sizes=(2, 5))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, limit=2, query_id="2")
    page = compact(signed_in(bob).get(f"/c/{collection.slug}/judge/").content.decode())
    assert [part.to_claim for _, part in worklist.topics(fresh(bob))] == [2, 3]
    assert "At least 5 more documents can be claimed." in page
    assert re.findall(r'<td class="num">(\S+(?: or more)?)</td></tr>', page) == [
        "2",
        "3 or more",
    ]
    assert counting.of(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    monkeypatch.setattr(counting, "ENOUGH", 1)
    assert counting.of(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    assert [part.to_claim for _, part in worklist.topics(fresh(ada))] == [1, 1]
