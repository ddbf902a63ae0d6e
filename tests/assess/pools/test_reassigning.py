"""Reassigning: the open tasks of one assessor move to others; judged ones stay."""

from collections import Counter

import pytest

from assess.errors import Refused
from assess.judging import worklist
from assess.judging.ledger import ledger_problems
from assess.models import Assignment, Judgement, Role
from assess.pools.assign import assign
from assess.pools.claims import close_to_claims
from assess.pools.reassign import reassign
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import check, fresh, judge, judge_all, open_pool, progress, taken, upcoming
from tests.assess.command_output import output_of, refusal, tables


def closed(size: int = 12):
    collection = open_pool(1, sizes=(size,))
    close_to_claims(collection)
    return collection


def loads(*members) -> list[int]:
    return [Assignment.objects.filter(member=member, repeat=0).count() for member in members]


def holders(collection) -> list[int]:
    """Return the number of assessors of each task, sorted."""
    rows = Assignment.objects.filter(topic__collection=collection, repeat=0)
    return sorted(Counter(rows.values_list("task", flat=True)).values())


def test_open_tasks_are_shared_evenly_and_judged_ones_stay(db, add_assessors):
    collection = closed(16)
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 1, share=0)
    Assignment.objects.update(member=ada)
    for state in ("judged", "judged", "cannot_judge", "later", "undone"):
        task = upcoming(ada)[0]
        if state == "undone":
            judge(ada, task)
        judge(ada, task, state)
    judged = set(Judgement.objects.filter(state__in=["judged", "cannot_judge"]).values_list("task", flat=True))
    done = reassign(collection, ada)
    assert (sorted(done.moved.values()), done.back, done.stay, done.settled) == ([6, 7], 0, 0, 3)
    assert set(Assignment.objects.filter(member=ada).values_list("task", flat=True)) == judged
    assert upcoming(ada) == []
    assert (progress(ada).done, progress(ada).left) == (3, 0)
    assert len(judge_all(bob)) + len(judge_all(cy)) == 13
    assert list(ledger_problems(collection)) == []


def test_nobody_gets_a_task_twice_and_tasks_without_a_taker_stay(db, add_assessors):
    collection = closed(10)
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 2)
    before = loads(ada)[0]
    done = reassign(collection, ada)
    assert sum(done.moved.values()) == before
    assert holders(collection) == [2] * 10
    assert loads(ada, bob, cy) == [0, 10, 10]
    again = reassign(collection, bob, [cy])
    assert (again.moved, again.stay) == ({}, 10)
    assert loads(ada, bob, cy) == [0, 10, 10]


def test_assessor_with_least_open_work_gets_most(db, add_assessors):
    collection = closed(12)
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 1)
    assert loads(ada, bob, cy) == [4, 4, 4]
    judge_all(cy)
    assert reassign(collection, ada).moved == {cy.name: 4}
    assert len(judge_all(cy)) == 4


def test_named_assessors_share_the_tasks(db, add_assessors):
    collection = closed(12)
    ada, bob, cy, di = add_assessors(collection, "ada", "bob", "cy", "di")
    assign(collection, 1)
    number = loads(ada)[0]
    moved = reassign(collection, ada, [cy]).moved
    assert moved == {cy.name: number}
    assert loads(bob, di) == [3, 3]


def test_assessor_with_an_imported_judgement_does_not_get_the_task(db, add_assessors):
    collection = closed(2)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, 1)
    Assignment.objects.update(member=ada)
    import_judgements(collection, b"1 0 d1-00 1\n", as_members=[bob.name])
    done = reassign(collection, ada)
    assert (done.moved, done.stay) == ({bob.name: 1}, 1)
    assert judge_all(bob) == ["d1-01"]


def test_old_public_id_is_gone_and_its_judgement_is_kept(db, add_assessors):
    collection = closed(3)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, 1)
    Assignment.objects.update(member=ada)
    task = upcoming(ada)[0]
    judge(ada, task, "later", comment="too long for today")
    reassign(collection, ada)
    with pytest.raises(Assignment.DoesNotExist):
        judge(ada, task)
    assert worklist.card(fresh(ada), task) is None
    assert Judgement.objects.get().comment == "too long for today"
    assert {card.comment for card in worklist.upcoming(fresh(bob), Assignment.objects.first().topic)} == {""}
    assert len(judge_all(bob)) == 3


def test_postponed_task_is_still_postponed_when_assigned_again(db, add_assessors):
    collection = closed(3)
    ada, _ = add_assessors(collection, "ada", "bob")
    assign(collection, 1)
    Assignment.objects.update(member=ada)
    judge(ada, upcoming(ada)[0], "later")
    reassign(collection, ada)
    assert assign(collection, 2).added == 3
    assert (progress(ada).later, progress(ada).total) == (1, 3)
    assert list(ledger_problems(collection)) == []


@pytest.mark.slow
def test_hidden_repeats_move_along_unless_they_were_seen(db, add_assessors):
    collection = closed(20)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, 1)
    Assignment.objects.update(member=ada)
    assign(collection, 1, repeats=0.5)
    assert Assignment.objects.filter(member=ada, repeat=1).count() == 10
    while not Judgement.objects.filter(repeat=1).exists():
        judge(ada, upcoming(ada)[0])
    first = Assignment.objects.get(task=Judgement.objects.get(repeat=1).task, member=ada, repeat=0)
    judge(ada, str(first.public_id), "undone")
    moved = sum(reassign(collection, ada).moved.values())
    assert moved == 20 - Judgement.objects.filter(repeat=0).count()
    repeats = {member: Assignment.objects.filter(member=member, repeat=1) for member in (ada, bob)}
    assert repeats[ada].count() + repeats[bob].count() == 10
    for again in repeats[bob]:
        assert Assignment.objects.get(member=bob, task=again.task, repeat=0).position < again.position
    assert Assignment.objects.filter(pk=first.pk).exists()
    assert len(judge_all(bob)) == moved + repeats[bob].count()
    assign(collection, 1, repeats=0.5)  # no repeat is created of a task that was never assigned


@pytest.mark.slow
def test_only_assessors_who_can_sign_in_take_over(db, add_assessors, join):
    collection = closed(3)
    (ada,) = add_assessors(collection, "ada")
    rosa = join(collection, "rosa", Role.RESEARCHER)
    assign(collection, 1)
    before = tables()
    with pytest.raises(Refused, match="has no other assessor who can sign in"):
        reassign(collection, ada)
    add_assessors(collection, "bob")
    with pytest.raises(Refused, match="only another assessor who can sign in can"):
        reassign(collection, ada, [rosa])
    with pytest.raises(Refused, match="only another assessor who can sign in can"):
        reassign(collection, ada, [ada])
    assert tables()["Assignment"] == before["Assignment"]


@pytest.mark.slow
def test_tasks_of_another_collection_are_not_moved(db, add_assessors):
    one, other = closed(4), open_pool(1, sizes=(4,), slug="other")
    close_to_claims(other)
    ada, bob = add_assessors(one, "ada", "bob")
    (cy,) = add_assessors(other, "cy")
    assign(one, 1)
    assign(other, 1)
    reassign(one, ada)
    assert loads(ada, bob, cy) == [0, 4, 4]


def test_claims_of_an_open_pool_are_released(db, add_assessors):
    collection = open_pool(1, sizes=(5,), repeat_share=1)
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    judge(ada, tasks[0])
    judge(ada, tasks[1])
    judge(ada, tasks[1], "undone")
    done = reassign(collection, ada)
    assert (done.moved, done.back) == ({}, 4)
    assert sum(taken()) == 1
    assert len(set(judge_all(bob))) == 4
    assert (progress(ada).done, progress(ada).total) == (0, 1)  # the hidden repeat of the document is open
    check(collection, 1)
    with pytest.raises(Refused, match="return to the pool and cannot be assigned to a named member"):
        reassign(collection, ada, [bob])


def test_command_reports_who_got_how_many(db, add_assessors):
    collection = closed(10)
    ada, bob, cy = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 1)
    Assignment.objects.update(member=ada)
    judge(ada, upcoming(ada)[0])
    Assignment.objects.create(
        task=Assignment.objects.first().task, topic=Assignment.objects.first().topic, member=bob, position=1
    )
    lines = output_of("reassign", "--collection", "open", "--from", ada.name, "--to", bob.name, cy.name)
    assert lines[0].startswith(f"Moved open assignments of {ada.name}: ")
    assert lines[-1] == f"Left with {ada.name}, because they are judged: 1 assignment."
    assert output_of("reassign", "--collection", "open", "--from", ada.name)[0] == (
        f"Moved open assignments of {ada.name}: none."
    )


def test_command_refuses_an_unknown_member(db, add_assessors):
    collection = closed(3)
    (ada,) = add_assessors(collection, "ada")
    assert refusal("reassign", "--collection", "open", "--from", "nobody") == (
        f"open has no member 'nobody'. Existing assessors: {ada.name}."
    )


def test_command_in_an_open_pool(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, _ = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    assert output_of("reassign", "--collection", "open", "--from", ada.name)[0] == (
        f"Released 3 claims of {ada.name}; any assessor can claim the documents now."
    )
