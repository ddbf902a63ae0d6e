"""Open claiming: assessors take the next task themselves, and no task gets more than k judges."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Judgement, JudgementEvent, Member, Order, Role, Task
from assess.pools import claims
from assess.pools.slots import NotNeeded
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import (
    check,
    fresh,
    judge,
    judge_all,
    open_pool,
    pass_time,
    progress,
    taken,
    topic_of,
    upcoming,
)

pytestmark = pytest.mark.database

# ---- claiming


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 3])
def test_every_task_is_judged_by_exactly_k_assessors(db, add_assessors, k):
    collection = open_pool(k)
    people = add_assessors(collection, "ada", "bob", "cy")
    busy = list(people)
    while busy:
        for member in list(busy):
            if tasks := upcoming(member, limit=3):
                judge(member, tasks[0])
            else:
                busy.remove(member)
            check(collection, k)
    assert taken() == [k] * 20
    assert Judgement.objects.count() == 20 * k


@pytest.mark.soak
def test_task_with_fewest_assessors_is_claimed_first(db, add_assessors):
    collection = open_pool(3)
    people = add_assessors(collection, "ada", "bob", "cy")
    for turn in range(60):
        member = people[(turn // 7 + turn) % 3]  # in irregular turns
        may = Task.objects.exclude(assignments__member=member).order_by("taken")
        fewest = may.values_list("taken", flat=True).first()
        for task in upcoming(member, limit=1):
            assert Task.objects.get(assignments__public_id=task).taken == fewest + 1
            judge(member, task)
    for member in people:
        judge_all(member)
    assert set(taken()) == {3}


def test_all_tasks_have_one_assessor_before_any_has_two(db, add_assessors):
    collection = open_pool(2)
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, limit=12)
    upcoming(bob, limit=8)
    assert taken() == [1] * 20
    upcoming(bob, limit=12)
    assert sorted(taken()) == [1] * 16 + [2] * 4


def test_one_assessor_takes_one_slot_of_each_task(db, add_assessors):
    collection = open_pool(2)
    (ada,) = add_assessors(collection, "ada")
    assert len(judge_all(ada)) == 20
    assert taken() == [1] * 20
    assert progress(ada).to_dict() | {"later": 0} == progress(ada).to_dict()
    assert (progress(ada).done, progress(ada).left, progress(ada).to_claim) == (20, 0, 0)


def test_late_assessor_gets_nothing_if_all_is_claimed(db, add_assessors):
    collection = open_pool(1, sizes=(5,))
    ada, bob = add_assessors(collection, "ada", "bob")
    assert len(upcoming(ada)) == 5
    assert upcoming(bob) == []
    assert (progress(ada).total, progress(bob).total, progress(bob).to_claim) == (5, 0, 0)


def test_claims_are_limited_and_refilled(db, add_assessors):
    collection = open_pool(1)
    (ada,) = add_assessors(collection, "ada")
    first = upcoming(ada, limit=4)
    assert len(first) == Assignment.objects.count() == 4
    assert upcoming(ada, limit=4) == first
    assert Assignment.objects.count() == 4
    judge(ada, first[0])
    assert upcoming(ada, limit=4)[:3] == first[1:]
    assert Assignment.objects.count() == 5


@pytest.mark.slow
def test_each_assessor_has_an_individual_reproducible_order(db, add_assessors):
    orders = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8)):
        collection = open_pool(2, slug=slug, seed=seed)
        orders.append([judge_all(member) for member in add_assessors(collection, "ada", "bob")])
    assert orders[0] == orders[1] != orders[2]
    ada, bob = orders[0]
    assert sorted(ada) == sorted(bob) not in (ada, bob)
    pairs = [(first, second) for at, first in enumerate(ada) for second in ada[at + 1 :]]
    swapped = sum(bob.index(first) > bob.index(second) for first, second in pairs)
    assert 0.25 * len(pairs) < swapped < 0.75 * len(pairs)  # neither a rotation of the same order nor its reverse


def test_database_refuses_more_slots_than_wanted(db):
    open_pool(1, sizes=(2,))
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.update(taken=2)


def test_topics_are_claimed_separately(db, add_assessors):
    collection = open_pool(1, sizes=(3, 4))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, query_id="2")
    parts = {topic.query_id: part for topic, part in topics_with_progress(fresh(ada))}
    assert {query_id: (part.total, part.to_claim) for query_id, part in parts.items()} == {"1": (0, 3), "2": (4, 0)}
    assert [topic.query_id for topic, part in topics_with_progress(fresh(bob)) if part.to_claim] == ["1"]


def test_imported_judges_and_researchers_take_no_slots(db, add_assessors, join):
    collection = open_pool(1, sizes=(3,))
    import_judgements(collection, b"1 0 d1-00 1\n", assessor="model")
    join(collection, "rosa", Role.RESEARCHER)
    (ada,) = add_assessors(collection, "ada")
    assert len(judge_all(ada)) == 3
    check(collection, 1)


# ---- later, cannot judge, undo


@pytest.mark.parametrize("state", ["later", "cannot_judge"])
def test_later_and_cannot_judge_take_no_slot(db, add_assessors, state):
    collection = open_pool(2, sizes=(4,))
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    for task in upcoming(ada):
        judge(ada, task, state)
        check(collection, 2)
    assert taken() == [0] * 4
    assert len(judge_all(bob)) == len(judge_all(cy)) == 4
    check(collection, 2)


def test_postponed_task_comes_last_while_a_slot_is_free(db, add_assessors):
    collection = open_pool(1, sizes=(6,))
    (ada,) = add_assessors(collection, "ada")
    postponed = upcoming(ada, limit=2)[0]
    judge(ada, postponed, "later")
    assert postponed not in upcoming(ada, limit=2)
    for _ in range(5):
        judge(ada, upcoming(ada, limit=2)[0])
    assert upcoming(ada, limit=2) == [postponed]
    judge(ada, postponed)
    assert upcoming(ada) == []
    assert progress(ada).judged == 6
    check(collection, 1)


def test_postponed_task_disappears_once_others_judged_it(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    judge(ada, tasks[0], "later")
    judge(ada, tasks[1])
    assert (progress(ada).later, progress(ada).left) == (1, 2)
    assert judge_all(bob)
    assert upcoming(ada) == [tasks[2]]
    judge(ada, tasks[2])
    after = progress(ada)
    assert (after.total, after.done, after.left, after.later) == (2, 2, 0, 0)
    with pytest.raises(NotNeeded):
        judge(ada, tasks[0])
    assert Judgement.objects.get(task__assignments__public_id=tasks[0], member=ada).state == "later"
    check(collection, 1)


def test_undo_keeps_the_slot_as_long_as_a_claim(db, add_assessors):
    collection = open_pool(1, sizes=(1,), claim_minutes=30)
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    judge(ada, task)
    judge(ada, task, "undone")
    pass_time(29)
    assert upcoming(bob) == []
    pass_time(2)
    (other,) = upcoming(bob)
    assert upcoming(ada) == []
    assert progress(ada).total == 0
    judge(bob, other)
    with pytest.raises(NotNeeded):
        judge(ada, task)
    check(collection, 1)


def test_lapsed_undone_task_can_be_judged_again_while_it_is_free(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, _ = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    judge(ada, task)
    judge(ada, task, "undone")
    pass_time(31)
    claims.release_lapsed(collection)
    assert upcoming(ada) == [task]
    judge(ada, task)
    assert taken() == [1]
    check(collection, 1)


def test_undo_of_cannot_judge_takes_a_free_slot_again(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    judge(ada, task, "cannot_judge")
    judge(ada, task, "undone")
    assert taken() == [1]
    assert upcoming(bob) == []
    check(collection, 1)


def test_cannot_judge_releases_the_slot_for_good(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    judge(ada, task)
    judge(ada, task, "cannot_judge")
    (other,) = upcoming(bob)
    judge(bob, other)
    with pytest.raises(NotNeeded):
        judge(ada, task)
    assert Judgement.objects.get(member=ada).state == "cannot_judge"
    check(collection, 1)


def test_revision_takes_no_second_slot(db, add_assessors):
    collection = open_pool(2, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)
    for _ in range(3):
        judge(ada, task)
    assert taken() == [1]
    check(collection, 2)


# ---- the fixed order


def test_fixed_order_follows_the_bytes_within_each_level(db, add_assessors):
    collection = open_pool(2, sizes=(6,), order=Order.FIXED)
    ada, bob = add_assessors(collection, "ada", "bob")
    in_order = [f"d1-{at:02}" for at in range(6)]
    assert judge_all(ada, limit=2) == in_order
    assert judge_all(bob, limit=2) == in_order


# ---- queries


def test_number_of_queries_does_not_grow(db, add_assessors, django_assert_num_queries):
    for slug, size in (("few", 20), ("many", 60)):
        collection = open_pool(2, sizes=(size,), slug=slug)
        (ada,) = (fresh(member) for member in add_assessors(collection, f"ada-{slug}"))
        topic = topic_of(ada)
        with django_assert_num_queries(18):
            assert len(worklist.upcoming(ada, topic)) == 16
        with django_assert_num_queries(5):
            worklist.upcoming(ada, topic)
        with django_assert_num_queries(2):  # one for the member; and one more if a task was postponed or undone
            progress(ada)
    assert Member.objects.count() == 2


# ---- through the page


def test_judgement_that_is_not_needed_is_answered_409_and_dropped(db, add_assessors, signed_in):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    task = upcoming(ada)[0]
    pass_time(31)
    judge_all(bob)
    address = reverse("judge:record", args=[collection.slug, task])
    fields = {"state": "judged", "relevance": "1", "client_id": str(uuid.uuid4()), "member": ada.pk}
    response = signed_in(ada).post(address, fields, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["drop"], response.json()["wait"]) == (409, True, False)
    assert "This document already has all the judgements it needs" in response.json()["error"]
    assert not JudgementEvent.objects.filter(member=ada).exists()


def test_claimable_topic_is_open_to_members_only(db, add_assessors, signed_in):
    collection, other = open_pool(1, sizes=(3,)), open_pool(1, sizes=(3,), slug="other")
    ada, *_ = add_assessors(collection, "ada")
    http = signed_in(ada)
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(ada).pk])).status_code == 200
    assert Assignment.objects.filter(member=ada).count() == 3
    (cy,) = add_assessors(other, "cy")
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(cy).pk])).status_code == 404
    assert http.get(reverse("judge:topic", args=[other.slug, topic_of(cy).pk])).status_code == 404
