"""Open claiming: whoever comes next takes the next task, wide before deep, and nobody ever exceeds k."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Judgement, JudgementEvent, Member, Order, Role, Task
from assess.pools import claims
from assess.pools.slots import NotNeeded
from assess.transfer.judgement_import import import_judgements
from tests.assess.claiming import (
    check,
    fresh,
    judge_all,
    open_pool,
    pass_time,
    progress,
    say,
    taken,
    topic_of,
    upcoming,
)

# ---- claiming


@pytest.mark.parametrize("k", [1, 2, 3])
def test_every_task_is_judged_by_k_different_assessors_and_by_no_more(db, add_assessors, k):
    collection = open_pool(k)
    people = add_assessors(collection, "ada", "bob", "cy")
    busy = list(people)
    while busy:
        for member in list(busy):
            if tasks := upcoming(member, limit=3):
                say(member, tasks[0])
            else:
                busy.remove(member)
            check(collection, k)
    assert taken() == [k] * 20
    assert Judgement.objects.count() == 20 * k


def test_nobody_is_given_a_task_while_another_one_that_they_may_judge_has_fewer(db, add_assessors):
    collection = open_pool(3)
    people = add_assessors(collection, "ada", "bob", "cy")
    for turn in range(60):
        member = people[(turn // 7 + turn) % 3]  # by no steady turns
        may = Task.objects.exclude(assignments__member=member).order_by("taken")
        fewest = may.values_list("taken", flat=True).first()
        for task in upcoming(member, limit=1):
            assert Task.objects.get(assignments__public_id=task).taken == fewest + 1
            say(member, task)
    for member in people:
        judge_all(member)
    assert set(taken()) == {3}


def test_all_have_one_before_any_has_two(db, add_assessors):
    collection = open_pool(2)
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, limit=12)
    upcoming(bob, limit=8)
    assert taken() == [1] * 20
    upcoming(bob, limit=12)
    assert sorted(taken()) == [1] * 16 + [2] * 4


def test_one_assessor_alone_goes_no_deeper_than_one(db, add_assessors):
    collection = open_pool(2)
    (ada,) = add_assessors(collection, "ada")
    assert len(judge_all(ada)) == 20
    assert taken() == [1] * 20
    assert progress(ada).to_dict() | {"later": 0} == progress(ada).to_dict()
    assert (progress(ada).done, progress(ada).left, progress(ada).to_claim) == (20, 0, 0)


def test_who_comes_late_finds_nothing_where_all_is_claimed(db, add_assessors):
    collection = open_pool(1, sizes=(5,))
    ada, bob = add_assessors(collection, "ada", "bob")
    assert len(upcoming(ada)) == 5
    assert upcoming(bob) == []
    assert (progress(ada).total, progress(bob).total, progress(bob).to_claim) == (5, 0, 0)


def test_what_is_claimed_ahead_is_no_more_than_asked_for_and_is_filled_up(db, add_assessors):
    collection = open_pool(1)
    (ada,) = add_assessors(collection, "ada")
    first = upcoming(ada, limit=4)
    assert len(first) == Assignment.objects.count() == 4
    assert upcoming(ada, limit=4) == first
    assert Assignment.objects.count() == 4
    say(ada, first[0])
    assert upcoming(ada, limit=4)[:3] == first[1:]
    assert Assignment.objects.count() == 5


def test_each_has_an_order_of_their_own_and_the_same_seed_gives_it_again(db, add_assessors):
    orders = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8)):
        collection = open_pool(2, slug=slug, seed=seed)
        orders.append([judge_all(member) for member in add_assessors(collection, "ada", "bob")])
    assert orders[0] == orders[1] != orders[2]
    ada, bob = orders[0]
    assert sorted(ada) == sorted(bob) not in (ada, bob)
    pairs = [(first, second) for at, first in enumerate(ada) for second in ada[at + 1 :]]
    turned = sum(bob.index(first) > bob.index(second) for first, second in pairs)
    assert 0.25 * len(pairs) < turned < 0.75 * len(pairs)  # no mere turn of the same circle, nor its reverse


def test_the_database_gives_no_place_away_twice_whatever_the_program_believes(db):
    open_pool(1, sizes=(2,))
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.update(taken=2)


def test_topics_are_claimed_apart(db, add_assessors):
    collection = open_pool(1, sizes=(3, 4))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada, query_id="2")
    found = {topic.query_id: part for topic, part in topics_with_progress(fresh(ada))}
    assert {query_id: (part.total, part.to_claim) for query_id, part in found.items()} == {"1": (0, 3), "2": (4, 0)}
    assert [topic.query_id for topic, part in topics_with_progress(fresh(bob)) if part.to_claim] == ["1"]


def test_judges_without_user_and_researchers_have_nothing_to_do_with_it(db, add_assessors, join):
    collection = open_pool(1, sizes=(3,))
    import_judgements(collection, b"1 0 d1-00 1\n", assessor="model")
    join(collection, "rosa", Role.RESEARCHER)
    (ada,) = add_assessors(collection, "ada")
    assert len(judge_all(ada)) == 3
    check(collection, 1)


# ---- later, cannot judge, undo


@pytest.mark.parametrize("state", ["later", "cannot_judge"])
def test_later_and_cannot_judge_never_use_up_one_of_the_k(db, add_assessors, state):
    collection = open_pool(2, sizes=(4,))
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    for task in upcoming(ada):
        say(ada, task, state)
        check(collection, 2)
    assert taken() == [0] * 4
    assert len(judge_all(bob)) == len(judge_all(cy)) == 4
    check(collection, 2)


def test_later_comes_back_at_the_end_while_a_place_is_free(db, add_assessors):
    collection = open_pool(1, sizes=(6,))
    (ada,) = add_assessors(collection, "ada")
    put_off = upcoming(ada, limit=2)[0]
    say(ada, put_off, "later")
    assert put_off not in upcoming(ada, limit=2)
    for _ in range(5):
        say(ada, upcoming(ada, limit=2)[0])
    assert upcoming(ada, limit=2) == [put_off]
    say(ada, put_off)
    assert upcoming(ada) == []
    assert progress(ada).judged == 6
    check(collection, 1)


def test_later_vanishes_quietly_once_others_judged_it(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    say(ada, tasks[0], "later")
    say(ada, tasks[1])
    assert (progress(ada).later, progress(ada).left) == (1, 2)
    assert judge_all(bob)
    assert upcoming(ada) == [tasks[2]]
    say(ada, tasks[2])
    found = progress(ada)
    assert (found.total, found.done, found.left, found.later) == (2, 2, 0, 0)
    with pytest.raises(NotNeeded):
        say(ada, tasks[0])
    assert Judgement.objects.get(task__assignments__public_id=tasks[0], member=ada).state == "later"
    check(collection, 1)


def test_undo_keeps_the_place_for_as_long_as_a_claim_and_not_longer(db, add_assessors):
    collection = open_pool(1, sizes=(1,), claim_minutes=30)
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task)
    say(ada, task, "undone")
    pass_time(29)
    assert upcoming(bob) == []
    pass_time(2)
    (other,) = upcoming(bob)
    assert upcoming(ada) == []
    assert progress(ada).total == 0
    say(bob, other)
    with pytest.raises(NotNeeded):
        say(ada, task)
    check(collection, 1)


def test_what_was_taken_back_and_lapsed_is_judged_again_while_nobody_has_it(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, _ = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task)
    say(ada, task, "undone")
    pass_time(31)
    claims.release_lapsed(collection)
    assert upcoming(ada) == [task]
    say(ada, task)
    assert taken() == [1]
    check(collection, 1)


def test_undo_of_cannot_judge_takes_a_place_again_where_one_is_free(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task, "cannot_judge")
    say(ada, task, "undone")
    assert taken() == [1]
    assert upcoming(bob) == []
    check(collection, 1)


def test_a_judgement_that_becomes_cannot_judge_makes_room_and_cannot_come_back_over_k(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    ada, bob = add_assessors(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task)
    say(ada, task, "cannot_judge")
    (other,) = upcoming(bob)
    say(bob, other)
    with pytest.raises(NotNeeded):
        say(ada, task)
    assert Judgement.objects.get(member=ada).state == "cannot_judge"
    check(collection, 1)


def test_a_revision_holds_no_second_place(db, add_assessors):
    collection = open_pool(2, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)
    for _ in range(3):
        say(ada, task)
    assert taken() == [1]
    check(collection, 2)


# ---- in one order for all


def test_the_fixed_order_is_that_of_the_bytes_and_still_wide_before_deep(db, add_assessors):
    collection = open_pool(2, sizes=(6,), order=Order.FIXED)
    ada, bob = add_assessors(collection, "ada", "bob")
    in_order = [f"d1-{at:02}" for at in range(6)]
    assert judge_all(ada, limit=2) == in_order
    assert judge_all(bob, limit=2) == in_order


# ---- queries


def test_the_number_of_queries_does_not_grow(db, add_assessors, django_assert_num_queries):
    for slug, size in (("few", 20), ("many", 60)):
        collection = open_pool(2, sizes=(size,), slug=slug)
        (ada,) = (fresh(member) for member in add_assessors(collection, f"ada-{slug}"))
        topic = topic_of(ada)
        with django_assert_num_queries(15):
            assert len(worklist.upcoming(ada, topic)) == 16
        with django_assert_num_queries(3):
            worklist.upcoming(ada, topic)
        with django_assert_num_queries(2):  # one for the member; and one more once something was put off or taken back
            progress(ada)
    assert Member.objects.count() == 2


# ---- by way of the page


def test_what_is_not_needed_any_more_is_answered_409_and_to_be_dropped(db, add_assessors, signed_in):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    task = upcoming(ada)[0]
    pass_time(31)
    judge_all(bob)
    address = reverse("judge:record", args=[collection.slug, task])
    said = {"state": "judged", "relevance": "1", "client_id": str(uuid.uuid4()), "member": ada.pk}
    response = signed_in(ada).post(address, said, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["drop"], response.json()["wait"]) == (409, True, False)
    assert "all its judgements by now" in response.json()["error"]
    assert not JudgementEvent.objects.filter(member=ada).exists()


def test_a_topic_to_claim_from_is_open_to_who_has_nothing_yet_and_closed_to_others(db, add_assessors, signed_in):
    collection, other = open_pool(1, sizes=(3,)), open_pool(1, sizes=(3,), slug="other")
    ada, *_ = add_assessors(collection, "ada")
    http = signed_in(ada)
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(ada).pk])).status_code == 200
    assert Assignment.objects.filter(member=ada).count() == 3
    (cy,) = add_assessors(other, "cy")
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(cy).pk])).status_code == 404
    assert http.get(reverse("judge:topic", args=[other.slug, topic_of(cy).pk])).status_code == 404
