"""The phases of an exercise, when judging is open, and what may be shown in which phase."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.errors import Conflict, Refused
from assess.judging import ledger
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Collection, Exercise, Judgement, Phase, WorksheetAnswer
from assess.teaching import clock
from tests.assess.exercise_factories import assignments_of, join_all, make_instructor, pasted_exercise, record_grade

pytestmark = pytest.mark.django_db


@pytest.fixture
def instructor(db):
    return make_instructor()


@pytest.fixture
def exercise(instructor):
    return pasted_exercise(instructor)


@pytest.fixture
def running(exercise):
    clock.start(exercise)
    return exercise


def let_time_run_out(exercise) -> None:
    """Move the end of the exercise into the past."""
    past = timezone.now() - timedelta(seconds=1)
    Exercise.objects.filter(pk=exercise.pk).update(ends_at=past)
    Collection.objects.filter(pk=exercise.collection_id).update(judging_ends_at=past)
    exercise.refresh_from_db()


def fresh(exercise) -> Exercise:
    return Exercise.objects.select_related("collection").get(pk=exercise.pk)


def test_judging_is_open_while_the_exercise_runs(exercise):
    (ann,) = join_all(exercise, "ann")
    first, second, third, *_ = assignments_of(ann)
    with pytest.raises(Conflict, match="Judging is not open"):
        record_grade(ann, first, 1)
    clock.start(exercise)
    record_grade(ann, first, 1)
    clock.pause(exercise)
    with pytest.raises(Conflict, match="Judging is not open"):
        record_grade(ann, second, 1)
    clock.resume(exercise)
    record_grade(ann, second, 1)
    clock.end(exercise)
    with pytest.raises(Conflict, match=r"Judging ended at \d\d:\d\d \(UTC\)\. This judgement was not saved"):
        record_grade(ann, third, 1)
    assert Judgement.objects.count() == 2
    assert list(ledger.ledger_problems()) == []


@pytest.mark.parametrize("close", [clock.pause, clock.end])
def test_request_in_progress_is_refused_when_judging_closes(running, close):
    (ann,) = join_all(running, "ann")
    first = assignments_of(ann)[0]
    assert ann.member.collection.judging_open  # as the request read it before it waited for the lock
    close(running)
    with pytest.raises(Conflict, match="This judgement was not saved"):
        record_judgement(ann.member, first.public_id, JudgementInput("judged", 1), uuid.uuid4())
    assert not Judgement.objects.exists()


def test_exercise_ends_when_time_is_over(running):
    (ann,) = join_all(running, "ann")
    let_time_run_out(running)
    with pytest.raises(Conflict, match="Judging ended at"):
        record_grade(ann, assignments_of(ann)[0], 1)
    assert clock.read_clock(running) == clock.Clock(Phase.ENDED, None)
    saved = fresh(running)
    assert (saved.phase, saved.collection.judging_open) == (Phase.ENDED, False)


def test_repeated_request_is_answered_after_the_end(running):
    (ann,) = join_all(running, "ann")
    first, client_id = assignments_of(ann)[0], uuid.uuid4()
    event = record_grade(ann, first, 1, client_id)
    clock.end(running)
    assert record_grade(ann, first, 1, client_id) == event
    with pytest.raises(Conflict, match="already been used"):
        record_grade(ann, first, 0, client_id)


def test_judging_with_an_end_needs_no_further_query(running, django_assert_max_num_queries):
    ann, bob = join_all(running, "ann", "bob")
    with django_assert_max_num_queries(12) as ordinary:
        Collection.objects.filter(pk=running.collection_id).update(judging_open=True, judging_ends_at=None)
        record_grade(ann, assignments_of(ann)[0], 1)
    Collection.objects.filter(pk=running.collection_id).update(judging_ends_at=timezone.now() + timedelta(hours=1))
    with django_assert_max_num_queries(len(ordinary) - 1):
        record_grade(bob, assignments_of(bob)[0], 1)


def test_clock_stops_during_a_pause(running):
    assert 890 < clock.read_clock(running).left_seconds <= 900
    Exercise.objects.update(ends_at=timezone.now() + timedelta(minutes=5))
    clock.pause(running)
    Exercise.objects.update(started_at=timezone.now() - timedelta(hours=2))
    paused = clock.read_clock(fresh(running))
    assert paused.phase == Phase.PAUSED
    assert 290 < paused.left_seconds <= 300
    clock.resume(running)
    assert 290 < clock.read_clock(running).left_seconds <= 300


def test_clock_has_no_time_before_start_and_after_end(exercise):
    assert clock.read_clock(exercise) == clock.Clock(Phase.WAITING, None)
    clock.start(exercise)
    clock.end(exercise)
    assert clock.read_clock(exercise) == clock.Clock(Phase.ENDED, None)


def test_extending_in_every_phase(exercise):
    clock.extend(exercise, 5)
    assert fresh(exercise).minutes == 20
    clock.start(exercise)
    clock.extend(exercise, 1)
    assert 20 * 60 < clock.read_clock(exercise).left_seconds <= 21 * 60
    clock.pause(exercise)
    clock.extend(exercise, 2)
    assert 22 * 60 < clock.read_clock(exercise).left_seconds <= 23 * 60
    clock.end(exercise)
    clock.extend(exercise, 3)
    assert clock.read_clock(exercise).phase == Phase.RUNNING
    assert 2 * 60 < clock.read_clock(exercise).left_seconds <= 3 * 60
    assert fresh(exercise).collection.judging_open


@pytest.mark.parametrize("minutes", [0, -1, 1441])
def test_invalid_extension_is_refused(running, minutes):
    with pytest.raises(Refused, match="must be between 1 and 1,440"):
        clock.extend(running, minutes)


CHANGES_TO = {
    "waiting": [],
    "running": [clock.start],
    "paused": [clock.start, clock.pause],
    "ended": [clock.start, clock.end],
}
ALLOWED_PHASES = {
    clock.start: {"waiting"},
    clock.pause: {"running"},
    clock.resume: {"paused"},
    clock.end: {"running", "paused"},
}


@pytest.mark.parametrize("phase", CHANGES_TO)
@pytest.mark.parametrize("change", ALLOWED_PHASES, ids=lambda change: change.__name__)
def test_change_is_allowed_in_its_phases_only(exercise, change, phase):
    for step in CHANGES_TO[phase]:
        step(exercise)
    if phase in ALLOWED_PHASES[change]:
        change(exercise)
        assert exercise.phase == fresh(exercise).phase != phase
        return
    with pytest.raises(Refused, match=rf"The exercise cannot be \w+: its state is “{Phase(phase).label}”, not “"):
        change(exercise)
    assert fresh(exercise).phase == phase


def test_change_uses_the_phase_in_the_database(exercise):
    """The instructor has two tabs, and the second one does not know what the first one did."""
    other_tab = fresh(exercise)
    clock.start(exercise)
    with pytest.raises(Refused, match="cannot be started: its state is “running”, not “not started”"):
        clock.start(other_tab)
    clock.pause(other_tab)
    assert fresh(exercise).phase == Phase.PAUSED


def test_reveal_opens_after_the_end(running):
    from assess.teaching.reveal.steps import STEPS

    with pytest.raises(Refused, match="cannot be revealed: its state is “running”, not “ended”"):
        clock.reveal(running, 1)
    clock.end(running)
    clock.reveal(running, 1)
    assert fresh(running).reveal_step == 1
    clock.reveal(running, len(STEPS))
    for step in (-1, len(STEPS) + 1):
        with pytest.raises(Refused, match="Step of the reveal"):
            clock.reveal(running, step)
    clock.reveal(running, 0)
    with pytest.raises(
        Refused, match="Judging cannot be reopened: the reveal has started, or partners could see their table"
    ):
        clock.extend(running, 5)  # closed again, but students have seen it
    assert fresh(running).phase == Phase.ENDED


def test_judging_cannot_reopen_after_partners_could_see_their_table(instructor):
    exercise = pasted_exercise(instructor, worksheets=["pair"])
    clock.open_worksheets(exercise, True)
    clock.start(exercise)
    clock.extend(exercise, 5)  # there is no table while it is running
    let_time_run_out(exercise)
    with pytest.raises(Refused, match="partners could see their table"):
        clock.extend(exercise, 5)
    clock.open_worksheets(exercise, False)
    with pytest.raises(Refused, match="partners could see their table"):
        clock.extend(exercise, 5)
    assert clock.read_clock(exercise).phase == Phase.ENDED


def test_extending_deletes_answers_on_the_pair_worksheet(instructor):
    exercise = pasted_exercise(instructor, worksheets=["pair", "generated"])
    (ann,) = join_all(exercise, "ann")
    clock.start(exercise)
    clock.end(exercise)
    for worksheet in exercise.worksheets:
        WorksheetAnswer.objects.create(seat=ann, worksheet=worksheet, field="kappa", text="1")
    clock.extend(exercise, 5)
    assert list(WorksheetAnswer.objects.values_list("worksheet", flat=True)) == ["generated"]


def test_worksheets_are_opened_and_closed(exercise):
    clock.open_worksheets(exercise, True)
    assert fresh(exercise).worksheets_open
    clock.open_worksheets(exercise, False)
    assert not fresh(exercise).worksheets_open
