"""Races: the rules change, claims lapse, or files are imported after a request has read the collection."""

import threading
import uuid
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import F

from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.judging.rules import change_rules
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Collection, Judgement, JudgementEvent, Member, Task
from assess.pools import adaptive_order, reassign
from assess.pools.adaptive_order import begin_adaptive_order, next_documents
from assess.pools.assign import assign
from assess.pools.claims import close_to_claims, open_to_claims
from assess.pools.free_tasks import claim_order
from assess.pools.slots import NotNeeded, slot_problems
from assess.pools.tasks import LAPSED, claimable
from assess.transfer import judgements
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


def now(collection) -> Collection:
    """Return the collection as another request reads it."""
    return Collection.objects.get(pk=collection.pk)


def closed_pool(size: int, **rules) -> Collection:
    collection = open_pool(1, sizes=(size,), **rules)
    close_to_claims(collection)
    return collection


# ---- opened or closed while a judgement is being recorded


@pytest.mark.in_ci
def test_judgement_read_before_opening_takes_a_slot(db, add_assessors):
    collection = closed_pool(1)
    ada, *_ = add_assessors(collection, "ada")
    assign(collection)
    (task,) = upcoming(ada)
    judge(ada, task, "later")
    as_read = fresh(ada)
    open_to_claims(now(collection), 1)
    record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4())
    (bob,) = add_assessors(collection, "bob")
    assert upcoming(bob) == []
    assert taken() == [1]
    assert list(ledger_problems()) == []
    check(collection, 1)


def test_surplus_judgement_read_before_opening_is_not_needed(db, add_assessors):
    collection = closed_pool(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, judges=2)
    (task,) = upcoming(ada)
    judge(ada, task, "later")
    as_read = fresh(ada)
    open_to_claims(now(collection), 1)
    judge_all(bob)
    with pytest.raises(NotNeeded):
        record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4())
    check(collection, 1)


def test_undone_judgement_lapses_by_the_current_claim_minutes(db, add_assessors):
    collection = open_pool(1, sizes=(1,), claim_minutes=30)
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)
    judge(ada, task)
    as_read = fresh(ada)
    Collection.objects.update(claim_minutes=1_000)
    event = record_judgement(as_read, uuid.UUID(task), JudgementInput("undone"), uuid.uuid4())
    held = Assignment.objects.get().claimed_until - event.at
    assert 900 < held.total_seconds() / 60 <= 1_000


# ---- imports of files


ZOE = b"assessor,query_id,doc_id,relevance\nzoe,1,d1-00,1\n"


@pytest.mark.in_ci
def test_import_keeps_rules_that_changed_meanwhile(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    as_read = now(collection)
    change_rules(now(collection), judges_per_task=3, claim_minutes=5)
    import_judgements(as_read, ZOE)
    assert (now(collection).judges_per_task, now(collection).claim_minutes) == (3, 5)


def test_import_does_not_reopen_a_pool_that_was_closed_meanwhile(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    as_read = now(collection)
    change_rules(now(collection), judges_per_task=None)
    import_judgements(as_read, ZOE)
    assert not now(collection).open_to_claims
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


def test_import_counts_slots_of_a_pool_that_was_opened_meanwhile(db, add_assessors):
    collection = closed_pool(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    as_read = now(collection)
    open_to_claims(now(collection), 1)
    upcoming(ada)
    import_judgements(as_read, b"1 0 d1-00 1\n", as_members=[ada.name])
    assert list(ledger_problems()) == []
    pass_time(31)
    assert upcoming(bob) == []
    check(collection, 1)


def test_judgement_whose_slot_would_lapse_is_reported(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    upcoming(ada)
    Assignment.objects.update(state="judged")
    (problem,) = slot_problems(collection)
    assert problem.endswith("judged it, but the slot can still expire.")


def test_conflict_in_the_database_is_a_refusal(db, monkeypatch):
    def clash(*_):
        raise IntegrityError("judgement_once")

    monkeypatch.setattr(judgements, "record_staged", clash)
    with pytest.raises(Refused, match=r"at the same time; nothing was imported\. Run the import again\.$"):
        import_judgements(open_pool(1, sizes=(1,)), ZOE)
    assert not Member.objects.filter(name="zoe").exists()


# ---- repeated requests


def test_repeated_request_is_answered_after_the_rules_changed(db, add_assessors):
    collection = closed_pool(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    task, client_id = uuid.UUID(upcoming(ada)[0]), uuid.uuid4()
    first = record_judgement(fresh(ada), task, JudgementInput("judged", 1), client_id)
    change_rules(now(collection), passages="required")
    assert record_judgement(fresh(ada), task, JudgementInput("judged", 1), client_id) == first
    with pytest.raises(Refused, match="Mark the passage"):
        record_judgement(fresh(ada), task, JudgementInput("judged", 1), uuid.uuid4())


def test_repeated_request_is_answered_after_reassigning(db, add_assessors):
    collection = closed_pool(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    add_assessors(collection, "bob")
    task, client_id = uuid.UUID(upcoming(ada)[0]), uuid.uuid4()
    first = record_judgement(fresh(ada), task, JudgementInput("later"), client_id)
    reassign.reassign(now(collection), ada)
    assert record_judgement(fresh(ada), task, JudgementInput("later"), client_id) == first
    for judgement_input, again in ((JudgementInput("judged", 1), client_id), (JudgementInput("later"), uuid.uuid4())):
        with pytest.raises(Assignment.DoesNotExist):
            record_judgement(fresh(ada), task, judgement_input, again)
    assert JudgementEvent.objects.count() == 1


# ---- lapsed claims of a closed pool


def lapsed(collection, ada, bob) -> list[str]:
    """Return ada's lapsed claims, whose tasks bob has claimed too."""
    tasks = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    assert Assignment.objects.filter(member=ada, state=LAPSED).count() == len(tasks) > 0
    return tasks


def test_judgement_of_a_claim_that_lapsed_before_closing_is_saved(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = lapsed(collection, ada, bob)
    close_to_claims(now(collection))
    assert (upcoming(ada), progress(ada).total, topics_with_progress(fresh(ada))) == ([], 0, [])
    judge(ada, tasks[0])
    assert (progress(ada).total, progress(ada).judged) == (1, 1)
    assert list(ledger_problems()) == []


@pytest.mark.in_ci
def test_claim_that_lapsed_before_closing_can_be_assigned(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = lapsed(collection, ada, bob)
    close_to_claims(now(collection))
    assert assign(now(collection), judges=2).added == 3
    assert sorted(upcoming(ada)) == sorted(tasks)
    assert progress(ada).total == 3


# ---- postponed and claimed again


@pytest.mark.in_ci
def test_postponed_task_that_is_claimed_again_holds_no_slot(db, add_assessors):
    collection = closed_pool(4)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    for task in upcoming(ada)[:2]:
        judge(ada, task, "later")
    (bob,) = add_assessors(collection, "bob")
    reassign.reassign(now(collection), ada)
    Assignment.objects.filter(member=bob).delete()
    open_to_claims(now(collection), 1)
    assert len(upcoming(ada, limit=2)) == 2
    states = list(Assignment.objects.order_by("state").values_list("state", "holds_place"))
    assert states[:2] == [("", True)] * 2  # the two that were requested, in addition to postponed ones
    assert set(states[2:]) <= {("later", False)}
    check(collection, 1)
    pass_time(31)
    assert len(judge_all(bob)) == 4
    check(collection, 1)


# ---- hidden repeats


def test_judged_lapsed_claim_is_repeated_like_others(db, add_assessors):
    collection = open_pool(2, sizes=(4,), repeat_share=1.0)
    ada, bob = add_assessors(collection, "ada", "bob")
    for task in lapsed(collection, ada, bob):
        judge(ada, task)
    assert Assignment.objects.filter(member=ada, repeat=1).count() == 4
    check(collection, 2)


@pytest.mark.in_ci
def test_repeat_is_not_saved_while_its_first_judgement_is_undone(db, add_assessors):
    collection = open_pool(1, sizes=(1,), repeat_share=1.0)
    (ada,) = add_assessors(collection, "ada")
    (first,) = upcoming(ada)
    judge(ada, first)
    (again,) = upcoming(ada)
    judge(ada, first, "undone")
    with pytest.raises(NotNeeded, match="is shown again later"):
        judge(ada, again)
    assert not Judgement.objects.filter(repeat=1).exists()
    judge(ada, first)
    assert upcoming(ada) == [again]
    judge(ada, again)
    judge(ada, first, "undone")
    judge(ada, again, comment="revised")  # a repeat that was judged in its turn may be revised at any time
    assert Judgement.objects.get(repeat=1).comment == "revised"


# ---- concurrent requests


@contextmanager
def run_concurrently(*calls):
    """Run each call in its own thread during the block; raise the first exception after it."""
    errors = []

    def run(call):
        try:
            call()
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]


def await_blocked(number: int) -> None:
    """Wait until this number of other connections wait for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    for _ in range(20_000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # otherwise a transaction keeps seeing its first snapshot
            cursor.execute(waiting)
            if cursor.fetchone()[0] >= number:
                return
    raise AssertionError("No connection waits for a lock.")


only_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no locks of rows")


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_concurrent_claims_do_not_deadlock(add_assessors):
    collection = open_pool(2, sizes=(2,))
    people = add_assessors(collection, *"abcdefgh")
    topic = topic_of(people[0])

    def order(member):
        free = claimable(fresh(member), topic)
        return list(free.order_by(*claim_order(fresh(member), topic)).values_list("pk", flat=True))

    one, other = people[0], next(member for member in people if order(member) != order(people[0]))
    Task.objects.update(taken=1)
    held = [threading.Event(), threading.Event()]
    free_again = threading.Event()

    def take_last(pk, event):
        with transaction.atomic():
            Task.objects.filter(pk=pk).update(taken=F("taken") + 1)
            event.set()
            free_again.wait(60)

    with run_concurrently(
        *(lambda pk=pk, event=event: take_last(pk, event) for pk, event in zip(order(one), held, strict=True))
    ):
        for event in held:
            event.wait(60)
        with run_concurrently(lambda: upcoming(one), lambda: upcoming(other)):
            try:
                await_blocked(2)
            finally:
                free_again.set()
    assert not Assignment.objects.exists()


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_import_waits_for_a_judgement_that_is_being_saved(add_assessors):
    collection = open_pool(1, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)

    def import_it():
        import_judgements(now(collection), b"1 0 d1-00 1\n", as_members=[ada.name])

    with transaction.atomic():
        judge(ada, task)
        importing = run_concurrently(import_it)
        importing.__enter__()
        await_blocked(1)
    importing.__exit__(None, None, None)
    assert JudgementEvent.objects.count() == 1
    check(collection, 1)


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_judgement_that_waits_for_the_opening_follows_the_new_rules(add_assessors):
    collection = closed_pool(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    (task,) = upcoming(ada)
    judge(ada, task, "later")
    with transaction.atomic():
        open_to_claims(now(collection), 1)
        judging = run_concurrently(lambda: judge(ada, task))
        judging.__enter__()
        await_blocked(1)
    judging.__exit__(None, None, None)
    assert taken() == [1]
    check(collection, 1)


@pytest.mark.django_db(transaction=True)
def test_strategy_is_computed_outside_the_transaction_of_the_claim(add_assessors, monkeypatch):
    collection = open_pool(2, sizes=(20,))
    begin_adaptive_order(now(collection), adaptive_order.strategies()[0])
    (ada,) = add_assessors(collection, "ada")
    within = []

    def watched(*arguments):
        within.append(connection.in_atomic_block)
        return next_documents(*arguments)

    monkeypatch.setattr(adaptive_order, "next_documents", watched)
    assert len(upcoming(ada)) == 12
    assert within
    assert not any(within)
    check(collection, 2)
