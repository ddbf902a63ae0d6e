"""Open claiming: whoever comes next takes the next task, wide before deep, and nobody ever exceeds k."""

import random
import re
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import IntegrityError, connections, transaction
from django.urls import reverse

from assess import claims, judgement_import, pools, worklist
from assess import progress as counting
from assess.errors import Refused
from assess.models import Assignment, Collection, Judgement, JudgementEvent, Member, Order, Role, Task
from assess.places import NotNeeded
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
from tests.assess.shell import refusal

OFF = ("later", "undone")  # put off, or taken back


@pytest.fixture
def crew(join):
    """A function that gives a collection assessors."""

    def crew(collection, *names: str):
        return [join(collection, name) for name in names]

    return crew


# ---- claiming


@pytest.mark.parametrize("k", [1, 2, 3])
def test_every_task_is_judged_by_k_different_assessors_and_by_no_more(db, crew, k):
    collection = open_pool(k)
    people = crew(collection, "ada", "bob", "cy")
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


def test_nobody_is_given_a_task_while_another_one_that_they_may_judge_has_fewer(db, crew):
    collection = open_pool(3)
    people = crew(collection, "ada", "bob", "cy")
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


def test_all_have_one_before_any_has_two(db, crew):
    collection = open_pool(2)
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada, limit=12)
    upcoming(bob, limit=8)
    assert taken() == [1] * 20
    upcoming(bob, limit=12)
    assert sorted(taken()) == [1] * 16 + [2] * 4


def test_one_assessor_alone_goes_no_deeper_than_one(db, crew):
    collection = open_pool(2)
    (ada,) = crew(collection, "ada")
    assert len(judge_all(ada)) == 20
    assert taken() == [1] * 20
    assert progress(ada).to_dict() | {"later": 0} == progress(ada).to_dict()
    assert (progress(ada).done, progress(ada).left, progress(ada).to_claim) == (20, 0, 0)


def test_who_comes_late_finds_nothing_where_all_is_claimed(db, crew):
    collection = open_pool(1, sizes=(5,))
    ada, bob = crew(collection, "ada", "bob")
    assert len(upcoming(ada)) == 5
    assert upcoming(bob) == []
    assert (progress(ada).total, progress(bob).total, progress(bob).to_claim) == (5, 0, 0)


def test_what_is_claimed_ahead_is_no_more_than_asked_for_and_is_filled_up(db, crew):
    collection = open_pool(1)
    (ada,) = crew(collection, "ada")
    first = upcoming(ada, limit=4)
    assert len(first) == Assignment.objects.count() == 4
    assert upcoming(ada, limit=4) == first
    assert Assignment.objects.count() == 4
    say(ada, first[0])
    assert upcoming(ada, limit=4)[:3] == first[1:]
    assert Assignment.objects.count() == 5


def test_each_has_an_order_of_their_own_and_the_same_seed_gives_it_again(db, crew):
    orders = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8)):
        collection = open_pool(2, slug=slug, seed=seed)
        orders.append([judge_all(member) for member in crew(collection, "ada", "bob")])
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


def test_topics_are_claimed_apart(db, crew):
    collection = open_pool(1, sizes=(3, 4))
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada, query_id="2")
    found = {topic.query_id: part for topic, part in worklist.topics(fresh(ada))}
    assert {query_id: (part.total, part.to_claim) for query_id, part in found.items()} == {"1": (0, 3), "2": (4, 0)}
    assert [topic.query_id for topic, part in worklist.topics(fresh(bob)) if part.to_claim] == ["1"]


def test_judges_without_user_and_researchers_have_nothing_to_do_with_it(db, crew, join):
    collection = open_pool(1, sizes=(3,))
    judgement_import.judgements(collection, b"1 0 d1-00 1\n", assessor="model")
    join(collection, "rosa", Role.RESEARCHER)
    (ada,) = crew(collection, "ada")
    assert len(judge_all(ada)) == 3
    check(collection, 1)


# ---- lapsing


def test_a_claim_lapses_and_goes_to_somebody_else(db, crew):
    collection = open_pool(1, sizes=(5,), claim_minutes=30)
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada)
    pass_time(29)
    assert upcoming(bob) == []
    pass_time(2)
    assert len(upcoming(bob)) == 5
    assert upcoming(ada) == []
    assert (progress(ada).total, progress(bob).total) == (0, 5)
    check(collection, 1)


def test_who_goes_on_working_keeps_what_is_claimed(db, crew):
    collection = open_pool(1, sizes=(5,), claim_minutes=30)
    ada, bob = crew(collection, "ada", "bob")
    for _ in range(4):
        tasks = upcoming(ada)
        pass_time(20)
    assert upcoming(ada) == tasks
    assert upcoming(bob) == []


def test_what_lapsed_and_was_wanted_by_nobody_comes_again_at_the_same_address(db, crew):
    collection = open_pool(2, sizes=(5,))
    ada, bob = crew(collection, "ada", "bob")
    before = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    assert Assignment.objects.filter(member=ada, state=claims.LAPSED).count() == 5
    assert sorted(upcoming(ada)) == sorted(before)
    assert taken() == [2] * 5
    check(collection, 2)


def test_a_judgement_of_a_lapsed_claim_counts_where_a_place_is_free(db, crew):
    collection = open_pool(2, sizes=(5,))
    ada, bob = crew(collection, "ada", "bob")
    tasks = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    say(ada, tasks[0])
    assert Assignment.objects.get(public_id=tasks[0]).holds_place
    assert progress(ada).judged == 1
    check(collection, 2)


def test_a_judgement_of_a_lapsed_claim_is_not_kept_where_others_judged(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
    tasks = upcoming(ada)
    pass_time(31)
    judge_all(bob)
    with pytest.raises(NotNeeded, match="all its judgements by now"):
        say(ada, tasks[0])
    assert not Judgement.objects.filter(member=ada).exists()
    assert not JudgementEvent.objects.filter(member=ada).exists()
    assert Assignment.objects.get(public_id=tasks[0]).state == claims.LAPSED
    check(collection, 1)


def test_a_lapsed_claim_is_shown_as_one_that_nothing_was_said_of(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, ben = crew(collection, "ada", "ben")
    first = upcoming(ada)[0]
    pass_time(31)
    upcoming(ben)
    assert Assignment.objects.get(public_id=first).state == claims.LAPSED
    card = worklist.card(fresh(ada), first)
    assert (card.state, card.version) == ("", 0)


def test_a_lapsed_claim_that_nobody_took_is_judged_as_if_it_had_not_lapsed(db, crew):
    collection = open_pool(1, sizes=(3,))
    (ada,) = crew(collection, "ada")
    tasks = upcoming(ada)
    pass_time(31)
    say(ada, tasks[0])
    check(collection, 1)
    assert taken().count(1) == 3


def test_judgements_never_lapse(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
    judge_all(ada)
    pass_time(10_000)
    assert claims.release_lapsed(collection) == 0
    assert upcoming(bob) == []


def test_claims_of_who_can_sign_in_no_more_go_back_like_any_other(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
    say(ada, upcoming(ada)[0])
    ada.user.is_active = False
    ada.user.save()
    pass_time(31)
    assert len(judge_all(bob)) == 2
    check(collection, 1)


@pytest.mark.parametrize("seed", range(4))
def test_progress_is_as_somebody_counts_who_looks_at_every_row(db, crew, seed):
    chance = random.Random(seed)
    collection = open_pool(2, sizes=(5, 4), repeat_share=0.4, claim_minutes=30)
    people = crew(collection, "ada", "bob", "cy")
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


def test_what_may_be_claimed_is_counted_up_to_enough_in_each_topic_and_whole_in_one(db, crew, signed_in, monkeypatch):
    monkeypatch.setattr(counting, "ENOUGH", 3)
    collection = open_pool(1, sizes=(2, 5))
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada, limit=2, query_id="2")
    page = signed_in(bob).get(f"/c/{collection.slug}/judge/").content.decode()
    assert [part.to_claim for _, part in worklist.topics(fresh(bob))] == [2, 3]
    assert "and at least 5 more for whoever comes first" in page
    assert re.findall(r'<td class="num">(\S+(?: or more)?)</td></tr>', re.sub(r">\s+<", "><", page)) == [
        "2",
        "3 or more",
    ]
    assert counting.of(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    monkeypatch.setattr(counting, "ENOUGH", 1)
    assert counting.of(fresh(bob), topic_of(bob, "2").pk).to_claim == 3
    assert [part.to_claim for _, part in worklist.topics(fresh(ada))] == [1, 1]


def test_a_request_gives_back_only_so_many_and_the_next_one_the_others(db, crew, monkeypatch):
    monkeypatch.setattr(claims, "LAPSING_AT_ONCE", 4)
    collection = open_pool(1, sizes=(10,))
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada)
    pass_time(31)
    assert [len(upcoming(bob)) for _ in range(3)] == [4, 8, 10]
    check(collection, 1)


def test_the_topics_page_gives_back_what_lapsed_so_that_others_see_it(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada)
    pass_time(31)
    assert [part.to_claim for _, part in worklist.topics(fresh(bob))] == [3]


# ---- later, cannot judge, undo


@pytest.mark.parametrize("state", ["later", "cannot_judge"])
def test_later_and_cannot_judge_never_use_up_one_of_the_k(db, crew, state):
    collection = open_pool(2, sizes=(4,))
    ada, bob, cy = crew(collection, "ada", "bob", "cy")
    for task in upcoming(ada):
        say(ada, task, state)
        check(collection, 2)
    assert taken() == [0] * 4
    assert len(judge_all(bob)) == len(judge_all(cy)) == 4
    check(collection, 2)


def test_later_comes_back_at_the_end_while_a_place_is_free(db, crew):
    collection = open_pool(1, sizes=(6,))
    (ada,) = crew(collection, "ada")
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


def test_later_vanishes_quietly_once_others_judged_it(db, crew):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
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


def test_undo_keeps_the_place_for_as_long_as_a_claim_and_not_longer(db, crew):
    collection = open_pool(1, sizes=(1,), claim_minutes=30)
    ada, bob = crew(collection, "ada", "bob")
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


def test_what_was_taken_back_and_lapsed_is_judged_again_while_nobody_has_it(db, crew):
    collection = open_pool(1, sizes=(1,))
    ada, _ = crew(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task)
    say(ada, task, "undone")
    pass_time(31)
    claims.release_lapsed(collection)
    assert upcoming(ada) == [task]
    say(ada, task)
    assert taken() == [1]
    check(collection, 1)


def test_undo_of_cannot_judge_takes_a_place_again_where_one_is_free(db, crew):
    collection = open_pool(1, sizes=(1,))
    ada, bob = crew(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task, "cannot_judge")
    say(ada, task, "undone")
    assert taken() == [1]
    assert upcoming(bob) == []
    check(collection, 1)


def test_a_judgement_that_becomes_cannot_judge_makes_room_and_cannot_come_back_over_k(db, crew):
    collection = open_pool(1, sizes=(1,))
    ada, bob = crew(collection, "ada", "bob")
    (task,) = upcoming(ada)
    say(ada, task)
    say(ada, task, "cannot_judge")
    (other,) = upcoming(bob)
    say(bob, other)
    with pytest.raises(NotNeeded):
        say(ada, task)
    assert Judgement.objects.get(member=ada).state == "cannot_judge"
    check(collection, 1)


def test_a_revision_holds_no_second_place(db, crew):
    collection = open_pool(2, sizes=(1,))
    (ada,) = crew(collection, "ada")
    (task,) = upcoming(ada)
    for _ in range(3):
        say(ada, task)
    assert taken() == [1]
    check(collection, 2)


# ---- opening, changing, closing


def test_opening_turns_what_was_given_out_into_claims(db, crew):
    collection = open_pool(1, sizes=(6,))
    claims.close(collection)
    ada, bob = crew(collection, "ada", "bob")
    pools.assign(collection, judges=1)
    states = ["judged", "cannot_judge", "later"]
    for state in states:
        say(ada, upcoming(ada)[0], state)
    opened = claims.open(collection, 1)
    assert (opened.more, opened.claims) == (0, 3)
    check(collection, 1)
    assert sum(taken()) == 4
    assert len(upcoming(bob)) == 5  # their own three, and what ada put off and could not judge
    pass_time(31)
    assert sum(map(len, (judge_all(bob), judge_all(ada)))) == 5
    check(collection, 1)


def test_tasks_with_more_assessors_than_k_keep_those_and_get_no_others(db, crew):
    collection = open_pool(3, sizes=(4,))
    ada, bob, cy, di = crew(collection, "ada", "bob", "cy", "di")
    tasks = {member: upcoming(member) for member in (ada, bob, cy)}
    say(ada, tasks[ada][0])
    opened = claims.open(collection, 2)
    assert opened.more == 4
    assert list(Task.objects.values_list("wanted", "taken")) == [(3, 3)] * 4
    say(bob, tasks[bob][0], "later")  # that place is gone: two others have the task
    assert upcoming(di) == []
    pass_time(31)
    claims.release_lapsed(collection)
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    for member in (di, cy, bob):
        judge_all(member)
    check(collection, 2)
    assert taken() == [2] * 4


def test_a_larger_k_opens_finished_tasks_again(db, crew):
    collection = open_pool(1, sizes=(4,))
    ada, bob = crew(collection, "ada", "bob")
    judge_all(ada)
    assert upcoming(bob) == []
    assert claims.open(collection, 2).more == 0
    assert len(judge_all(bob)) == 4
    assert upcoming(ada) == []
    check(collection, 2)


def test_opening_twice_changes_nothing(db, crew):
    collection = open_pool(2, sizes=(4,))
    ada, bob = crew(collection, "ada", "bob")
    tasks = upcoming(ada)
    say(ada, tasks[0])
    say(ada, tasks[1], "later")
    say(ada, tasks[2])
    say(ada, tasks[2], "undone")
    upcoming(bob, limit=2)
    rows = (Assignment, Task)
    before = [list(model.objects.order_by("pk").values_list()) for model in rows]
    claims.open(collection, 2)
    assert [list(model.objects.order_by("pk").values_list()) for model in rows] == before


def test_closing_leaves_claims_with_their_assessors(db, crew):
    collection = open_pool(2, sizes=(4,))
    ada, bob = crew(collection, "ada", "bob")
    tasks = upcoming(ada)
    say(ada, tasks[0])
    upcoming(bob, limit=2)
    lapsed = upcoming(bob, limit=3)[2]
    Assignment.objects.filter(public_id=lapsed).update(claimed_until="2020-01-01T00:00Z")
    claims.release_lapsed(collection)
    assert claims.close(collection) == 3 + 2
    assert Assignment.objects.get(public_id=lapsed).state == claims.LAPSED  # it may be judged without a connection
    assert set(Task.objects.values_list("wanted", "taken")) == {(0, 0)}
    assert not Assignment.objects.filter(holds_place=True).exists()
    assert (upcoming(ada), len(upcoming(bob))) == (tasks[1:], 2)
    pass_time(1_000)
    say(bob, upcoming(bob)[0])
    assert progress(bob).to_claim == 0


def test_what_begins_open_and_ends_closed_is_kept(db, crew, monkeypatch):
    """The request found the collection open; it was closed before the judgement was written."""
    collection = open_pool(1, sizes=(2,))
    (ada,) = crew(collection, "ada")
    task = upcoming(ada)[0]
    member = fresh(ada)
    claims.close(collection)
    monkeypatch.setattr("tests.assess.claiming.fresh", lambda _: member)
    say(ada, task)
    assert Judgement.objects.get().state == "judged"
    assert Assignment.objects.get(public_id=task).holds_place is False


def test_a_pool_that_grows_while_open_is_open_to_claims_too(collection, crew):
    claims.open(collection, 2)
    ada, _ = crew(collection, "ada", "bob")
    judgement_import.judgements(collection, b"1 0 c 1\n", assessor="model")
    assert Task.objects.get(document__doc_id="c").wanted == 0
    before = len(judge_all(ada))
    assert pools.build(collection, 3).added == 2
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    assert before == 5 - 1
    assert len(judge_all(ada)) == 2
    check(collection, 2)


def test_a_closed_pool_that_grows_stays_closed(collection):
    pools.build(collection, 3)
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


def test_what_an_assessor_judged_elsewhere_is_claimed_by_them_no_second_time(db, crew):
    collection = open_pool(2, sizes=(4,))
    ada, bob = crew(collection, "ada", "bob")
    judgement_import.judgements(collection, b"1 0 d1-00 1\n1 0 d1-01 1\n", assessor=ada.name)
    assert sorted(judge_all(ada)) == ["d1-02", "d1-03"]
    assert progress(ada).judged == 4
    assert len(judge_all(bob)) == 4
    check(collection, 2)


def test_an_import_may_bring_more_than_k_and_is_counted(db, crew):
    collection = open_pool(1, sizes=(2,))
    ada, bob = crew(collection, "ada", "bob")
    judge_all(bob)
    judgement_import.judgements(collection, b"1 0 d1-00 1\n", assessor=ada.name)
    assert taken() == [2, 1]
    assert list(Task.objects.order_by("document__doc_id").values_list("wanted", flat=True)) == [2, 1]


def test_an_import_settles_a_claim(db, crew):
    collection = open_pool(1, sizes=(2,))
    ada, bob = crew(collection, "ada", "bob")
    upcoming(ada)
    judgement_import.judgements(collection, b"1 0 d1-00 1\n", assessor=ada.name)
    pass_time(31)
    assert len(judge_all(bob)) == 1
    check(collection, 1)


def test_giving_out_in_an_open_pool_is_refused(db, crew):
    collection = open_pool(1)
    crew(collection, "ada")
    assert refusal("assign", "--collection", "open", "--judges", 1) == (
        "open is open to claims: its assessors take the next task by themselves. "
        "Close it before giving tasks out (set_judging --assigned-only)."
    )


# ---- in one order for all


def test_the_fixed_order_is_that_of_the_bytes_and_still_wide_before_deep(db, crew):
    collection = open_pool(2, sizes=(6,), order=Order.FIXED)
    ada, bob = crew(collection, "ada", "bob")
    in_order = [f"d1-{at:02}" for at in range(6)]
    assert judge_all(ada, limit=2) == in_order
    assert judge_all(bob, limit=2) == in_order


# ---- at once


def _at_once(deeds) -> list:
    """Do these in as many threads, each with a connection of its own."""

    def do(deed):
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return [future.result() for future in [pool.submit(do, deed) for deed in deeds]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("k", [1, 3])
def test_eight_who_claim_and_judge_at_once_never_exceed_k(crew, k):
    collection = open_pool(k, sizes=(24,))
    people = crew(collection, *(f"p{n}" for n in range(8)))
    done = _at_once([lambda member=member: judge_all(member, limit=3) for member in people])
    check(collection, k)
    assert taken() == [k] * 24
    assert sum(map(len, done)) == 24 * k
    assert all(len(set(each)) == len(each) for each in done)


@pytest.mark.django_db(transaction=True)
def test_eight_who_claim_at_once_go_wide_before_deep(crew):
    collection = open_pool(3, sizes=(24,))
    people = crew(collection, *(f"p{n}" for n in range(8)))
    _at_once([lambda member=member: upcoming(member, limit=3) for member in people])
    check(collection, 3)
    assert taken() == [1] * 24


@pytest.mark.django_db(transaction=True)
def test_two_pages_of_one_assessor_claim_nothing_twice(crew):
    collection = open_pool(2, sizes=(10,))
    (ada,) = crew(collection, "ada")
    _at_once([lambda: upcoming(ada, limit=4) for _ in range(6)])
    assert Assignment.objects.filter(member=ada).count() == 4
    check(collection, 2)


@pytest.mark.django_db(transaction=True)
def test_lapsing_judging_and_claiming_at_once_leave_every_place_counted(crew):
    collection = open_pool(2, sizes=(12,))
    people = crew(collection, *(f"p{n}" for n in range(8)))
    tasks = {member.pk: upcoming(member, limit=3) for member in people}
    pass_time(31)

    def go_on(member):
        for number, task in enumerate(tasks[member.pk]):
            with suppress(NotNeeded):
                say(member, task, "later" if number == 1 else "judged")
            upcoming(member, limit=3)
        while True:
            with suppress(NotNeeded):  # what is put off holds no place: somebody else may be quicker
                return judge_all(member, limit=3)

    _at_once([lambda member=member: go_on(member) for member in people])
    check(collection, 2)
    assert taken() == [2] * 12


@pytest.mark.django_db(transaction=True)
def test_changing_k_while_people_judge_leaves_every_place_counted(crew):
    collection = open_pool(1, sizes=(16,))
    people = crew(collection, *(f"p{n}" for n in range(4)))

    def change():
        for k in (2, 3, 2, 3):
            claims.open(Collection.objects.get(pk=collection.pk), k)

    _at_once([change, *(lambda member=member: judge_all(member, limit=3) for member in people)])
    for member in people:
        judge_all(member)
    check(collection, 3)
    assert taken() == [3] * 16


# ---- queries


def test_the_number_of_queries_does_not_grow(db, crew, django_assert_num_queries):
    for slug, size in (("few", 20), ("many", 60)):
        collection = open_pool(2, sizes=(size,), slug=slug)
        (ada,) = (fresh(member) for member in crew(collection, f"ada-{slug}"))
        topic = topic_of(ada)
        with django_assert_num_queries(16):
            assert len(worklist.upcoming(ada, topic)) == 16
        with django_assert_num_queries(3):
            worklist.upcoming(ada, topic)
        with django_assert_num_queries(2):  # one for the member; and one more once something was put off or taken back
            progress(ada)
    assert Member.objects.count() == 2


# ---- by way of the page


def test_what_is_not_needed_any_more_is_answered_409_and_to_be_dropped(db, crew, signed_in):
    collection = open_pool(1, sizes=(3,))
    ada, bob = crew(collection, "ada", "bob")
    task = upcoming(ada)[0]
    pass_time(31)
    judge_all(bob)
    address = reverse("judge:record", args=[collection.slug, task])
    said = {"state": "judged", "relevance": "1", "client_id": str(uuid.uuid4()), "member": ada.pk}
    response = signed_in(ada).post(address, said, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["drop"], response.json()["wait"]) == (409, True, False)
    assert "all its judgements by now" in response.json()["error"]
    assert not JudgementEvent.objects.filter(member=ada).exists()


def test_a_topic_to_claim_from_is_open_to_who_has_nothing_yet_and_closed_to_others(db, crew, signed_in):
    collection, other = open_pool(1, sizes=(3,)), open_pool(1, sizes=(3,), slug="other")
    ada, *_ = crew(collection, "ada")
    http = signed_in(ada)
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(ada).pk])).status_code == 200
    assert Assignment.objects.filter(member=ada).count() == 3
    (cy,) = crew(other, "cy")
    assert http.get(reverse("judge:topic", args=[collection.slug, topic_of(cy).pk])).status_code == 404
    assert http.get(reverse("judge:topic", args=[other.slug, topic_of(cy).pk])).status_code == 404
