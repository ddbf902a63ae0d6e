"""What a request read a moment ago is not what holds now: rules change, claims lapse, files arrive meanwhile."""

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
from assess.pools import adaptive_order, free_tasks, reassign
from assess.pools.adaptive_order import begin_adaptive_order, next_documents
from assess.pools.assign import assign
from assess.pools.claims import close_to_claims, open_to_claims
from assess.pools.free_tasks import claim_order
from assess.pools.slots import NotNeeded, slot_problems
from assess.pools.tasks import LAPSED
from assess.transfer import judgement_import
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


def now(collection) -> Collection:
    """The collection as another request finds it."""
    return Collection.objects.get(pk=collection.pk)


def given_out(size: int, **rules) -> Collection:
    collection = open_pool(1, sizes=(size,), **rules)
    close_to_claims(collection)
    return collection


# ---- opened or closed while a judgement is on its way


def test_a_judgement_read_before_the_pool_was_opened_takes_its_place(db, add_assessors):
    collection = given_out(1)
    ada, *_ = add_assessors(collection, "ada")
    assign(collection)
    (task,) = upcoming(ada)
    say(ada, task, "later")
    as_read = fresh(ada)
    open_to_claims(now(collection), 1)
    record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4())
    (bob,) = add_assessors(collection, "bob")
    assert upcoming(bob) == []
    assert taken() == [1]
    assert list(ledger_problems()) == []
    check(collection, 1)


def test_one_too_many_read_before_the_pool_was_opened_is_not_needed(db, add_assessors):
    collection = given_out(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, judges=2)
    (task,) = upcoming(ada)
    say(ada, task, "later")
    as_read = fresh(ada)
    open_to_claims(now(collection), 1)
    judge_all(bob)
    with pytest.raises(NotNeeded):
        record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4())
    check(collection, 1)


def test_what_is_taken_back_lapses_by_the_minutes_of_now(db, add_assessors):
    collection = open_pool(1, sizes=(1,), claim_minutes=30)
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)
    say(ada, task)
    as_read = fresh(ada)
    Collection.objects.update(claim_minutes=1_000)
    event = record_judgement(as_read, uuid.UUID(task), JudgementInput("undone"), uuid.uuid4())
    held = Assignment.objects.get().claimed_until - event.at
    assert 900 < held.total_seconds() / 60 <= 1_000


# ---- a file read meanwhile


ZOE = b"assessor,query_id,doc_id,relevance\nzoe,1,d1-00,1\n"


def test_an_import_does_not_undo_rules_that_changed_while_its_file_was_read(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    as_read = now(collection)
    change_rules(now(collection), judges_per_task=3, claim_minutes=5)
    import_judgements(as_read, ZOE)
    assert (now(collection).judges_per_task, now(collection).claim_minutes) == (3, 5)


def test_an_import_does_not_open_what_was_closed_while_its_file_was_read(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    as_read = now(collection)
    change_rules(now(collection), judges_per_task=None)
    import_judgements(as_read, ZOE)
    assert not now(collection).open_to_claims
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


def test_an_import_counts_the_places_of_what_was_opened_while_its_file_was_read(db, add_assessors):
    collection = given_out(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    as_read = now(collection)
    open_to_claims(now(collection), 1)
    upcoming(ada)
    import_judgements(as_read, b"1 0 d1-00 1\n", assessor=ada.name)
    assert list(ledger_problems()) == []
    pass_time(31)
    assert upcoming(bob) == []
    check(collection, 1)


def test_a_judgement_whose_place_would_lapse_is_told(db, add_assessors):
    collection = open_pool(1, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    upcoming(ada)
    Assignment.objects.update(state="judged")
    (told,) = slot_problems(collection)
    assert told.endswith("judged it, but the slot can still expire.")


def test_a_clash_that_the_database_finds_is_a_refusal(db, monkeypatch):
    def clash(*_):
        raise IntegrityError("judgement_once")

    monkeypatch.setattr(judgement_import, "record_imported", clash)
    with pytest.raises(Refused, match=r"saved here in the meantime; nothing was imported\. Run it again\.$"):
        import_judgements(open_pool(1, sizes=(1,)), ZOE)
    assert not Member.objects.filter(name="zoe").exists()


# ---- said before


def test_what_was_recorded_is_answered_again_after_the_rules_have_changed(db, add_assessors):
    collection = given_out(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    task, client_id = uuid.UUID(upcoming(ada)[0]), uuid.uuid4()
    first = record_judgement(fresh(ada), task, JudgementInput("judged", 1), client_id)
    change_rules(now(collection), passages="required")
    assert record_judgement(fresh(ada), task, JudgementInput("judged", 1), client_id) == first
    with pytest.raises(Refused, match="Mark the passage"):
        record_judgement(fresh(ada), task, JudgementInput("judged", 1), uuid.uuid4())


def test_what_was_recorded_is_answered_again_after_the_task_went_to_somebody_else(db, add_assessors):
    collection = given_out(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    add_assessors(collection, "bob")
    task, client_id = uuid.UUID(upcoming(ada)[0]), uuid.uuid4()
    first = record_judgement(fresh(ada), task, JudgementInput("later"), client_id)
    reassign.reassign(now(collection), ada)
    assert record_judgement(fresh(ada), task, JudgementInput("later"), client_id) == first
    for saying, again in ((JudgementInput("judged", 1), client_id), (JudgementInput("later"), uuid.uuid4())):
        with pytest.raises(Assignment.DoesNotExist):
            record_judgement(fresh(ada), task, saying, again)
    assert JudgementEvent.objects.count() == 1


# ---- lapsed, and the pool closed


def lapsed(collection, ada, bob) -> list[str]:
    """What ada had claimed, and bob has now as well."""
    tasks = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    assert Assignment.objects.filter(member=ada, state=LAPSED).count() == len(tasks) > 0
    return tasks


def test_what_lapsed_before_the_pool_was_closed_is_still_taken(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = lapsed(collection, ada, bob)
    close_to_claims(now(collection))
    assert (upcoming(ada), progress(ada).total, topics_with_progress(fresh(ada))) == ([], 0, [])
    say(ada, tasks[0])
    assert (progress(ada).total, progress(ada).judged) == (1, 1)
    assert list(ledger_problems()) == []


def test_what_lapsed_before_the_pool_was_closed_can_be_given_out(db, add_assessors):
    collection = open_pool(2, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = lapsed(collection, ada, bob)
    close_to_claims(now(collection))
    assert assign(now(collection), judges=2).added == 3
    assert sorted(upcoming(ada)) == sorted(tasks)
    assert progress(ada).total == 3


# ---- put off, and claimed again


def test_what_was_put_off_and_is_claimed_anew_holds_no_place(db, add_assessors):
    collection = given_out(4)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    for task in upcoming(ada)[:2]:
        say(ada, task, "later")
    (bob,) = add_assessors(collection, "bob")
    reassign.reassign(now(collection), ada)
    Assignment.objects.filter(member=bob).delete()
    open_to_claims(now(collection), 1)
    assert len(upcoming(ada, limit=2)) == 2
    states = list(Assignment.objects.order_by("state").values_list("state", "holds_place"))
    assert states[:2] == [("", True)] * 2  # the two that were asked for, whatever was put off
    assert set(states[2:]) <= {("later", False)}
    check(collection, 1)
    pass_time(31)
    assert len(judge_all(bob)) == 4
    check(collection, 1)


# ---- hidden repeats


def test_what_lapsed_and_is_judged_all_the_same_comes_again_like_the_others(db, add_assessors):
    collection = open_pool(2, sizes=(4,), repeat_share=1.0)
    ada, bob = add_assessors(collection, "ada", "bob")
    for task in lapsed(collection, ada, bob):
        say(ada, task)
    assert Assignment.objects.filter(member=ada, repeat=1).count() == 4
    check(collection, 2)


def test_a_repeat_is_not_kept_while_its_first_is_taken_back(db, add_assessors):
    collection = open_pool(1, sizes=(1,), repeat_share=1.0)
    (ada,) = add_assessors(collection, "ada")
    (first,) = upcoming(ada)
    say(ada, first)
    (again,) = upcoming(ada)
    say(ada, first, "undone")
    with pytest.raises(NotNeeded, match="is shown again later"):
        say(ada, again)
    assert not Judgement.objects.filter(repeat=1).exists()
    say(ada, first)
    assert upcoming(ada) == [again]
    say(ada, again)
    say(ada, first, "undone")
    say(ada, again, comment="said again")  # what was judged in its turn may be revised at any time
    assert Judgement.objects.get(repeat=1).comment == "said again"


# ---- at once


@contextmanager
def at_once(*deeds):
    """Do these in threads of their own while the block runs; what they raised is raised behind it."""
    errors = []

    def do(deed):
        try:
            deed()
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=do, args=[deed]) for deed in deeds]
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
    """Until so many others wait for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    for _ in range(20_000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it saw first
            cursor.execute(waiting)
            if cursor.fetchone()[0] >= number:
                return
    raise AssertionError("Nobody waits.")


only_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no locks of rows")


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_two_who_wait_for_the_same_tasks_do_not_wait_for_each_other(add_assessors):
    collection = open_pool(2, sizes=(2,))
    people = add_assessors(collection, *"abcdefgh")
    topic = topic_of(people[0])

    def order(member):
        free = free_tasks.claimable(fresh(member), topic)
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

    with at_once(
        *(lambda pk=pk, event=event: take_last(pk, event) for pk, event in zip(order(one), held, strict=True))
    ):
        for event in held:
            event.wait(60)
        with at_once(lambda: upcoming(one), lambda: upcoming(other)):
            try:
                await_blocked(2)
            finally:
                free_again.set()
    assert not Assignment.objects.exists()


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_file_waits_for_a_judgement_that_is_just_being_saved(add_assessors):
    collection = open_pool(1, sizes=(1,))
    (ada,) = add_assessors(collection, "ada")
    (task,) = upcoming(ada)

    def import_it():
        import_judgements(now(collection), b"1 0 d1-00 1\n", assessor=ada.name)

    with transaction.atomic():
        say(ada, task)
        importing = at_once(import_it)
        importing.__enter__()
        await_blocked(1)
    importing.__exit__(None, None, None)
    assert JudgementEvent.objects.count() == 1
    check(collection, 1)


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_judgement_that_waits_for_the_opening_is_under_its_rules(add_assessors):
    collection = given_out(1)
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    (task,) = upcoming(ada)
    say(ada, task, "later")
    with transaction.atomic():
        open_to_claims(now(collection), 1)
        judging = at_once(lambda: say(ada, task))
        judging.__enter__()
        await_blocked(1)
    judging.__exit__(None, None, None)
    assert taken() == [1]
    check(collection, 1)


@pytest.mark.django_db(transaction=True)
def test_a_strategy_thinks_before_the_claim_begins_and_not_while_others_wait_for_it(add_assessors, monkeypatch):
    collection = open_pool(2, sizes=(20,))
    begin_adaptive_order(now(collection), adaptive_order.strategies()[0])
    (ada,) = add_assessors(collection, "ada")
    within, chosen = [], next_documents

    def watched(*arguments):
        within.append(connection.in_atomic_block)
        return chosen(*arguments)

    monkeypatch.setattr(adaptive_order, "chosen", watched)
    assert len(upcoming(ada)) == 12
    assert within
    assert not any(within)
    check(collection, 2)
