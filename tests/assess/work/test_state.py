"""Judging is paused, closed and opened again; nothing is recorded in between, and nothing is lost."""

import threading
import uuid
from contextlib import contextmanager

import pytest
from django.db import connection, connections

from assess.errors import Closed, Paused, Refused
from assess.judging import record
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, AuditEvent, Collection, Judgement
from assess.pools.assign import assign
from assess.work.state import JudgingState, judging_state, set_judging_state
from tests.assess.claiming import fresh, judge, upcoming
from tests.assess.classroom import add_instructor, create_exercise
from tests.assess.command_output import output_of, tables


@pytest.fixture
def ada(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    assign(collection)
    return ada


@pytest.mark.parametrize(("state", "error"), [("paused", Paused), ("closed", Closed)])
def test_nothing_is_shown_or_recorded_until_judging_opens_again(collection, ada, state, error):
    first, *_ = upcoming(ada)
    as_read = fresh(ada)
    assert set_judging_state(collection, state)
    assert judging_state(Collection.objects.get()) == state
    assert upcoming(ada) == []
    client_id = uuid.uuid4()
    with pytest.raises(error, match="This judgement was not saved"):
        record_judgement(as_read, uuid.UUID(first), JudgementInput("judged", 1), client_id)
    assert not Judgement.objects.exists()
    set_judging_state(collection, "open")
    record_judgement(fresh(ada), uuid.UUID(first), JudgementInput("judged", 1), client_id)
    assert Judgement.objects.count() == 1


def test_closed_judging_can_be_paused_and_opened(collection):
    for state in ("closed", "paused", "open", "closed", "open"):
        set_judging_state(collection, state)
        assert judging_state(Collection.objects.get()) == state


def test_each_change_is_audited_and_no_change_is_not(collection):
    assert set_judging_state(collection, "paused")
    assert not set_judging_state(collection, "paused")
    events = AuditEvent.objects.filter(action__in=[Action.JUDGING_PAUSED, Action.JUDGING_OPENED])
    assert events.count() == 1


def test_recorded_judgement_is_answered_again_while_judging_is_closed(collection, ada):
    first, *_ = upcoming(ada)
    judgement, client_id = JudgementInput("judged", 1), uuid.uuid4()
    event = record_judgement(fresh(ada), uuid.UUID(first), judgement, client_id)
    set_judging_state(collection, "closed")
    assert record_judgement(fresh(ada), uuid.UUID(first), judgement, client_id) == event


def test_class_exercise_is_left_to_its_instructor(collection):
    exercise = create_exercise(collection, add_instructor(collection))
    with pytest.raises(Refused, match="is a class exercise"):
        set_judging_state(exercise.collection, JudgingState.PAUSED)


def test_unknown_state_changes_nothing(collection):
    before = tables()
    with pytest.raises(Refused, match="Judging can be open, paused, closed, not 'burnt'"):
        set_judging_state(collection, "burnt")
    assert tables() == before


def test_command_pauses_and_opens(collection):
    assert output_of("set_judging", "--collection", "small", "--state", "paused")[0] == "Judging is paused."
    assert output_of("set_judging", "--collection", "small", "--state", "open")[0] == "Judging is open."


@contextmanager
def in_thread(action):
    """Run an action in a thread with a connection of its own. Raises what it raised."""
    errors = []

    def run():
        try:
            action()
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    yield thread
    thread.join()
    if errors:
        raise errors[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="SQLite: a writing transaction locks the database")
def test_pause_waits_for_a_judgement_that_is_being_recorded(collection, ada, monkeypatch):
    """The pause returns only when the judgement is saved, so none is saved after it."""
    first, *_ = upcoming(ada)
    has_read, may_go_on, paused = threading.Event(), threading.Event(), threading.Event()
    run_checks = record.run_checks

    def wait_after_checks(attempt):
        run_checks(attempt)
        has_read.set()
        assert may_go_on.wait(10)

    monkeypatch.setattr(record, "run_checks", wait_after_checks)

    def pause():
        set_judging_state(Collection.objects.get(), "paused")
        paused.set()

    with in_thread(lambda: judge(ada, first)):
        assert has_read.wait(10)
        with in_thread(pause):
            assert not paused.wait(0.3)
            may_go_on.set()
    assert paused.is_set()
    assert Judgement.objects.count() == 1
    assert connection.vendor == "postgresql"
