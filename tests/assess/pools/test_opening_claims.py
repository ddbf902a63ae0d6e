"""A pool is opened to claims, changed and closed while people judge."""

import pytest

from assess.judging.rules import change_rules
from assess.models import Assignment, Judgement, Task
from assess.pools import claims
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.claims import close_to_claims, open_to_claims
from assess.pools.slots import slot_problems
from assess.pools.tasks import LAPSED
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
    upcoming,
)
from tests.assess.command_output import refusal
from tests.factories import add_missing_texts


def test_opening_turns_assignments_into_claims(db, add_assessors):
    collection = open_pool(1, sizes=(6,))
    close_to_claims(collection)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, judges=1)
    states = ["judged", "cannot_judge", "later"]
    for state in states:
        judge(ada, upcoming(ada)[0], state)
    opened = open_to_claims(collection, 1)
    assert (opened.more, opened.claims) == (0, 3)
    check(collection, 1)
    assert sum(taken()) == 4
    assert len(upcoming(bob)) == 5  # their own three, and those that ada postponed or could not judge
    pass_time(31)
    assert sum(map(len, (judge_all(bob), judge_all(ada)))) == 5
    check(collection, 1)


def test_tasks_with_more_than_k_assessors_keep_them_and_get_no_others(db, add_assessors):
    collection = open_pool(3, sizes=(4,))
    ada, bob, cy, di = add_assessors(collection, "ada", "bob", "cy", "di")
    tasks = {member: upcoming(member) for member in (ada, bob, cy)}
    judge(ada, tasks[ada][0])
    opened = open_to_claims(collection, 2)
    assert opened.more == 4
    assert list(Task.objects.values_list("wanted", "taken")) == [(3, 3)] * 4
    judge(bob, tasks[bob][0], "later")  # that slot is gone: two others have the task
    assert upcoming(di) == []
    pass_time(31)
    claims.release_lapsed(collection)
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    for member in (di, cy, bob):
        judge_all(member)
    check(collection, 2)
    assert taken() == [2] * 4


@pytest.mark.slow
def test_larger_k_opens_finished_tasks_again(db, add_assessors):
    collection = open_pool(1, sizes=(4,))
    ada, bob = add_assessors(collection, "ada", "bob")
    judge_all(ada)
    assert upcoming(bob) == []
    assert open_to_claims(collection, 2).more == 0
    assert len(judge_all(bob)) == 4
    assert upcoming(ada) == []
    check(collection, 2)


@pytest.mark.slow
def test_opening_twice_changes_nothing(db, add_assessors):
    collection = open_pool(2, sizes=(4,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    judge(ada, tasks[0])
    judge(ada, tasks[1], "later")
    judge(ada, tasks[2])
    judge(ada, tasks[2], "undone")
    upcoming(bob, limit=2)
    rows = (Assignment, Task)
    before = [list(model.objects.order_by("pk").values_list()) for model in rows]
    open_to_claims(collection, 2)
    assert [list(model.objects.order_by("pk").values_list()) for model in rows] == before


def test_closing_leaves_claims_with_their_assessors(db, add_assessors):
    collection = open_pool(2, sizes=(4,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    judge(ada, tasks[0])
    upcoming(bob, limit=2)
    lapsed = upcoming(bob, limit=3)[2]
    Assignment.objects.filter(public_id=lapsed).update(claimed_until="2020-01-01T00:00Z")
    claims.release_lapsed(collection)
    assert close_to_claims(collection).claims == 3 + 2
    assert Assignment.objects.get(public_id=lapsed).state == LAPSED  # it may be judged without a connection
    assert set(Task.objects.values_list("wanted", "taken")) == {(0, 0)}
    assert not Assignment.objects.filter(holds_place=True).exists()
    assert (upcoming(ada), len(upcoming(bob))) == (tasks[1:], 2)
    pass_time(1_000)
    judge(bob, upcoming(bob)[0])
    assert progress(bob).to_claim == 0


def test_judgement_is_kept_if_the_pool_closes_during_the_request(db, add_assessors, monkeypatch):
    """The collection was open when the request began and closed before the judgement was written."""
    collection = open_pool(1, sizes=(2,))
    (ada,) = add_assessors(collection, "ada")
    task = upcoming(ada)[0]
    member = fresh(ada)
    close_to_claims(collection)
    monkeypatch.setattr("tests.assess.claiming.fresh", lambda _: member)
    judge(ada, task)
    assert Judgement.objects.get().state == "judged"
    assert Assignment.objects.get(public_id=task).holds_place is False


@pytest.mark.slow
def test_new_tasks_of_an_open_pool_can_be_claimed(collection, add_assessors):
    open_to_claims(collection, 2)
    ada, _ = add_assessors(collection, "ada", "bob")
    import_judgements(collection, b"1 0 c 1\n", assessor="model")
    assert Task.objects.get(document__doc_id="c").wanted == 0
    before = len(judge_all(ada))
    assert build_pool(collection, depth=3).added == 2
    add_missing_texts(collection)
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    assert before == 5 - 1
    assert len(judge_all(ada)) == 2
    check(collection, 2)


@pytest.mark.slow
def test_new_tasks_of_a_closed_pool_cannot_be_claimed(collection):
    build_pool(collection, depth=3)
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


def test_assessor_does_not_claim_imported_judgements_again(db, add_assessors):
    collection = open_pool(2, sizes=(4,))
    ada, bob = add_assessors(collection, "ada", "bob")
    import_judgements(collection, b"1 0 d1-00 1\n1 0 d1-01 1\n", as_members=[ada.name])
    assert sorted(judge_all(ada)) == ["d1-02", "d1-03"]
    assert progress(ada).judged == 4
    assert len(judge_all(bob)) == 4
    check(collection, 2)


def test_imported_judgements_beyond_k_are_counted(db, add_assessors):
    collection = open_pool(1, sizes=(2,))
    ada, bob = add_assessors(collection, "ada", "bob")
    judge_all(bob)
    import_judgements(collection, b"1 0 d1-00 1\n", as_members=[ada.name])
    assert taken() == [2, 1]
    assert list(Task.objects.order_by("document__doc_id").values_list("wanted", flat=True)) == [2, 1]


def test_import_settles_a_claim(db, add_assessors):
    collection = open_pool(1, sizes=(2,))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    import_judgements(collection, b"1 0 d1-00 1\n", as_members=[ada.name])
    pass_time(31)
    assert len(judge_all(bob)) == 1
    check(collection, 1)


def test_assigning_in_an_open_pool_is_refused(db, add_assessors):
    collection = open_pool(1)
    add_assessors(collection, "ada")
    assert refusal("assign", "--collection", "open", "--judges", 1) == (
        "open is open to claims: assessors claim the tasks themselves. Close it to claims before you assign tasks."
    )


def interrupt_after_one_batch(monkeypatch):
    def stop():
        raise InterruptedError

    monkeypatch.setattr(claims, "SHORT_BATCH", 2)
    monkeypatch.setattr(claims, "let_others_write", stop)


def wanted():
    return list(Task.objects.order_by("pk").values_list("wanted", flat=True))


def test_each_transaction_changes_few_tasks(db, monkeypatch):
    collection = open_pool(1, sizes=(5,))
    numbers = []
    update = claims._update_batch
    monkeypatch.setattr(claims, "SHORT_BATCH", 2)
    monkeypatch.setattr(claims, "_update_batch", lambda *batch: numbers.append(len(batch[1])) or update(*batch))
    change_rules(collection, judges_per_task=2)
    assert (numbers, wanted()) == ([2, 2, 1], [2] * 5)


def test_an_interrupted_opening_is_completed_by_the_next_change(db, add_assessors, monkeypatch):
    collection = open_pool(1, sizes=(4,))
    (ada,) = add_assessors(collection, "ada")
    judge(ada, upcoming(ada)[0])
    change_rules(collection, judges_per_task=None)
    with monkeypatch.context() as patch:
        interrupt_after_one_batch(patch)
        with pytest.raises(InterruptedError):
            change_rules(collection, judges_per_task=3)
    assert (wanted(), list(slot_problems(collection))) == ([3, 3, 0, 0], [])
    collection.refresh_from_db()
    assert claims.is_behind(collection)
    assert change_rules(collection, judges_per_task=3).rules == []
    check(collection, 3)
    assert wanted() == [3] * 4
    assert not claims.is_behind(collection)


def test_people_judge_while_tasks_are_updated(db, add_assessors, monkeypatch):
    collection = open_pool(1, sizes=(4,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    waiting = iter(tasks)
    monkeypatch.setattr(claims, "SHORT_BATCH", 1)
    monkeypatch.setattr(claims, "let_others_write", lambda: judge(ada, next(waiting)))
    change_rules(collection, judges_per_task=2)
    check(collection, 2)
    assert taken() == [1] * 4
    assert len(upcoming(bob)) == 4
