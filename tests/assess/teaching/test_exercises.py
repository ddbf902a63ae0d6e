"""An exercise from its making to its reveal: what may be asked for, and when judging is open."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.errors import Conflict, Refused
from assess.judging import ledger
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Collection, Exercise, Guess, Judgement, Phase, Role, User, WorksheetAnswer
from assess.teaching import clock, code_throttle, exercises, seats
from assess.teaching.code_throttle import MAX_WRONG_REENTRY_CODES, WINDOW
from assess.teaching.exercises import ExerciseSpec, exercises_for
from tests.assess.exercise_factories import given, instructor_of, joined, pasted_exercise, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def iris(db):
    return instructor_of()


@pytest.fixture
def exercise(iris):
    return pasted_exercise(iris)


@pytest.fixture
def running(exercise):
    clock.start(exercise)
    return exercise


def time_is_over(exercise) -> None:
    """As if the clock had gone on."""
    past = timezone.now() - timedelta(seconds=1)
    Exercise.objects.filter(pk=exercise.pk).update(ends_at=past)
    Collection.objects.filter(pk=exercise.collection_id).update(judging_ends_at=past)
    exercise.refresh_from_db()


def fresh(exercise) -> Exercise:
    return Exercise.objects.select_related("collection").get(pk=exercise.pk)


# ---- made


def test_every_wish_is_kept(iris):
    wish = {"minutes": 20, "show_own": False, "show_comments": True, "worksheets": ["kappa-8-2"], "days": 7}
    made = fresh(pasted_exercise(iris, title="  Kappa, by hand ", shared=4, more_each=2, **wish))
    assert (made.title, made.instructor, made.phase) == ("Kappa, by hand", iris, Phase.WAITING)
    assert (made.shared, made.more_each, made.minutes) == (4, 2, 20)
    assert (made.show_own, made.show_comments, made.worksheets) == (False, True, ["kappa-8-2"])
    assert made.erase_on == timezone.localdate() + timedelta(days=7)
    assert made.collection.slug == f"exercise-{made.code.lower()}"
    assert (made.collection.name, made.collection.judging_open) == ("Kappa, by hand", False)
    assert [(member.user, member.role) for member in made.collection.members.all()] == [(iris, Role.INSTRUCTOR)]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"title": " "}, "The title must be one line of 1 to 120 characters, not ''."),
        ({"title": "a\nb"}, "one line"),
        ({"title": "x" * 121}, "1 to 120 characters"),
        ({"shared": 1}, "Documents that all judge must be between 2 and 100, not 1."),
        ({"shared": 101}, "not 101"),
        ({"more_each": 51}, "must be between 0 and 50, not 51"),
        ({"minutes": 0}, "Minutes must be between 1 and 1,440, not 0."),
        ({"days": 366}, "between 1 and 365, not 366"),
        ({"worksheets": ["x" * 61]}, "The name of a worksheet can have at most 60 characters, not 61."),
        ({"source": "small"}, "from a collection or from pasted topics and documents; both were given"),
        ({"pasted_topics": "", "pasted_documents": " \n"}, "neither was given"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_made(iris, asked, words):
    with pytest.raises(Refused, match=words):
        pasted_exercise(iris, **asked)
    assert not Exercise.objects.exists()
    assert not Collection.objects.exists()


def test_a_seat_makes_no_exercise(exercise):
    (ann,) = joined(exercise, "ann")
    with pytest.raises(Refused, match="A student's seat cannot make an exercise"):
        pasted_exercise(ann.member.user)


def test_ones_own_exercises_and_nobody_elses(exercise, iris, django_assert_num_queries):
    joined(exercise, "ann", "bob")
    second = pasted_exercise(iris, title="Second")
    with django_assert_num_queries(1):
        assert [(each.pk, each.seat_count, each.collection.name) for each in exercises_for(iris)] == [
            (second.pk, 0, "Second"),
            (exercise.pk, 2, "Drinks"),
        ]
    assert list(exercises_for(instructor_of(name="other"))) == []


# ---- found


def test_a_code_is_found_however_it_was_typed(exercise):
    code = exercise.code
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]}\n", f"{code[:3]}-{code[3:]}", f"{code[:2]}–{code[2:]}"):
        assert exercises.find(typed) == exercise


def test_another_code_is_refused_with_what_a_code_is(exercise):
    with pytest.raises(Refused, match=r"no exercise with the code 'nope'\. A code has 6 of the characters ACD"):
        exercises.find(" nope ")


def test_an_exercise_past_its_day_is_not_found_any_more(exercise):
    Exercise.objects.update(erase_on=timezone.localdate())
    with pytest.raises(Refused, match="no exercise"):
        exercises.find(exercise.code)


def test_a_class_that_mistypes_shuts_nobody_out(exercise):
    for _ in range(3 * MAX_WRONG_REENTRY_CODES):
        with pytest.raises(Refused, match="no exercise"):
            exercises.find("wrong", "10.0.0.1")
    assert exercises.find(exercise.code, "10.0.0.1") == exercise
    (ann,) = joined(exercise, "ann")
    assert seats.rejoin(exercise, ann.reentry_code, "10.0.0.1") == ann


def test_wrong_re_entry_codes_close_the_seats_of_that_exercise_for_that_address_alone(exercise, iris):
    other = pasted_exercise(iris)
    (ann,), (ben,) = joined(exercise, "ann"), joined(other, "ben")
    for _ in range(MAX_WRONG_REENTRY_CODES):
        assert seats.rejoin(exercise, ann.reentry_code, "10.0.0.1") == ann  # right ones never count
        with pytest.raises(Refused, match="No seat"):
            seats.rejoin(exercise, "wrong", "10.0.0.1")
    with pytest.raises(Refused, match=r"Too many wrong codes were entered from your address\. Try again in 10 minutes"):
        seats.rejoin(exercise, ann.reentry_code, "10.0.0.1")
    assert seats.rejoin(exercise, ann.reentry_code, "10.0.0.2") == ann
    assert seats.rejoin(other, ben.reentry_code, "10.0.0.1") == ben
    assert exercises.find(exercise.code, "10.0.0.1") == exercise


def test_as_many_wrong_codes_as_a_machine_tries_close_the_entrance_for_that_address_alone(exercise, monkeypatch):
    assert code_throttle.MAX_WRONG_CODES == 300
    monkeypatch.setattr(code_throttle, "MAX_WRONG_CODES", 5)
    for _ in range(5):
        assert exercises.find(exercise.code, "10.0.0.1") == exercise  # right ones never count
        with pytest.raises(Refused, match="no exercise"):
            exercises.find("wrong", "10.0.0.1")
    with pytest.raises(Refused, match=r"Too many wrong codes were entered from your address\. Try again in 10 minutes"):
        exercises.find(exercise.code, "10.0.0.1")
    assert exercises.find(exercise.code, "10.0.0.2") == exercise


def test_the_door_opens_again_and_old_guesses_are_forgotten(exercise, monkeypatch):
    monkeypatch.setattr(code_throttle, "MAX_WRONG_CODES", 5)
    for _ in range(5):
        with pytest.raises(Refused, match="no exercise"):
            exercises.find("wrong", "10.0.0.1")
    first = Guess.objects.order_by("pk").first()
    Guess.objects.filter(pk=first.pk).update(at=timezone.now() - WINDOW)
    with pytest.raises(Refused, match="no exercise"):
        exercises.find("wrong", "10.0.0.1")
    assert Guess.objects.count() == 5
    assert not Guess.objects.filter(address_hash__contains="10.0.0.1").exists()
    Guess.objects.update(at=timezone.now() - WINDOW + timedelta(seconds=30))
    with pytest.raises(Refused, match="Try again in a minute"):
        exercises.find(exercise.code, "10.0.0.1")


# ---- its phases


def test_judging_is_open_while_the_exercise_runs(exercise):
    (ann,) = joined(exercise, "ann")
    first, second, third, *_ = given(ann)
    with pytest.raises(Conflict, match="Judging is paused, or has not begun"):
        say(ann, first, 1)
    clock.start(exercise)
    say(ann, first, 1)
    clock.pause(exercise)
    with pytest.raises(Conflict, match="Judging is paused"):
        say(ann, second, 1)
    clock.resume(exercise)
    say(ann, second, 1)
    clock.end(exercise)
    with pytest.raises(Conflict, match=r"Judging ended at \d\d:\d\d \(UTC\)\. This was not saved"):
        say(ann, third, 1)
    assert Judgement.objects.count() == 2
    assert list(ledger.differences()) == []


@pytest.mark.parametrize("close", [clock.pause, clock.end])
def test_a_request_that_was_under_way_when_judging_was_closed_comes_too_late(running, close):
    (ann,) = joined(running, "ann")
    first = given(ann)[0]
    assert ann.member.collection.judging_open  # as the request read it, before it waited for its turn
    close(running)
    with pytest.raises(Conflict, match="This was not saved"):
        record_judgement(ann.member, first.public_id, JudgementInput("judged", 1), uuid.uuid4())
    assert not Judgement.objects.exists()


def test_nobody_has_to_press_a_button_when_time_is_over(running):
    (ann,) = joined(running, "ann")
    time_is_over(running)
    with pytest.raises(Conflict, match="Judging ended at"):
        say(ann, given(ann)[0], 1)
    assert clock.read_clock(running) == clock.Clock(Phase.ENDED, None)
    kept = fresh(running)
    assert (kept.phase, kept.collection.judging_open) == (Phase.ENDED, False)


def test_what_was_recorded_in_time_is_answered_again_after_the_end(running):
    (ann,) = joined(running, "ann")
    first, client_id = given(ann)[0], uuid.uuid4()
    event = say(ann, first, 1, client_id)
    clock.end(running)
    assert say(ann, first, 1, client_id) == event
    with pytest.raises(Conflict, match="already been used"):
        say(ann, first, 0, client_id)


def test_a_judgement_costs_no_query_more(running, django_assert_max_num_queries):
    ann, bob = joined(running, "ann", "bob")
    with django_assert_max_num_queries(12) as ordinary:
        Collection.objects.filter(pk=running.collection_id).update(judging_open=True, judging_ends_at=None)
        say(ann, given(ann)[0], 1)
    Collection.objects.filter(pk=running.collection_id).update(judging_ends_at=timezone.now() + timedelta(hours=1))
    with django_assert_max_num_queries(len(ordinary) - 1):
        say(bob, given(bob)[0], 1)


def test_the_clock_stands_still_in_a_pause(running):
    assert 890 < clock.read_clock(running).left_seconds <= 900
    Exercise.objects.update(ends_at=timezone.now() + timedelta(minutes=5))
    clock.pause(running)
    Exercise.objects.update(started_at=timezone.now() - timedelta(hours=2))
    paused = clock.read_clock(fresh(running))
    assert paused.phase == Phase.PAUSED
    assert 290 < paused.left_seconds <= 300
    clock.resume(running)
    assert 290 < clock.read_clock(running).left_seconds <= 300


def test_before_the_start_and_after_the_end_the_clock_tells_no_time(exercise):
    assert clock.read_clock(exercise) == clock.Clock(Phase.WAITING, None)
    clock.start(exercise)
    clock.end(exercise)
    assert clock.read_clock(exercise) == clock.Clock(Phase.ENDED, None)


def test_more_time_in_every_phase(exercise):
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
def test_more_time_is_a_number_of_minutes(running, minutes):
    with pytest.raises(Refused, match="must be between 1 and 1,440"):
        clock.extend(running, minutes)


WAYS = {
    "waiting": [],
    "running": [clock.start],
    "paused": [clock.start, clock.pause],
    "ended": [clock.start, clock.end],
}
POSSIBLE = {
    clock.start: {"waiting"},
    clock.pause: {"running"},
    clock.resume: {"paused"},
    clock.end: {"running", "paused"},
}


@pytest.mark.parametrize("phase", WAYS)
@pytest.mark.parametrize("deed", POSSIBLE, ids=lambda deed: deed.__name__)
def test_each_deed_has_its_phases(exercise, deed, phase):
    for step in WAYS[phase]:
        step(exercise)
    if phase in POSSIBLE[deed]:
        deed(exercise)
        assert exercise.phase == fresh(exercise).phase != phase
        return
    with pytest.raises(Refused, match=rf"The exercise is {Phase(phase).label}\. Only an exercise that is "):
        deed(exercise)
    assert fresh(exercise).phase == phase


def test_a_deed_goes_by_what_the_database_says(exercise):
    """Two tabs of the instructor: the second one knows nothing of what the first one did."""
    other_tab = fresh(exercise)
    clock.start(exercise)
    with pytest.raises(Refused, match=r"The exercise is running\. Only an exercise that is not started can be started"):
        clock.start(other_tab)
    clock.pause(other_tab)
    assert fresh(exercise).phase == Phase.PAUSED


def test_the_reveal_goes_step_by_step_once_judging_has_ended(running):
    from assess.teaching.reveal.steps import STEPS

    with pytest.raises(Refused, match=r"The exercise is running\. Only an exercise that is ended can be revealed"):
        clock.reveal(running, 1)
    clock.end(running)
    clock.reveal(running, 1)
    assert fresh(running).reveal_step == 1
    clock.reveal(running, len(STEPS))
    for step in (-1, len(STEPS) + 1):
        with pytest.raises(Refused, match="Step of the reveal"):
            clock.reveal(running, step)
    clock.reveal(running, 0)
    with pytest.raises(Refused, match="Judging cannot reopen: the reveal has begun, or partners could see their table"):
        clock.extend(running, 5)  # closed again, but seen
    assert fresh(running).phase == Phase.ENDED


def test_judging_stays_closed_once_partners_could_see_their_table(iris):
    exercise = pasted_exercise(iris, worksheets=["pair"])
    clock.open_worksheets(exercise, True)
    clock.start(exercise)
    clock.extend(exercise, 5)  # no table is there while it runs
    time_is_over(exercise)
    with pytest.raises(Refused, match="partners could see their table"):
        clock.extend(exercise, 5)
    clock.open_worksheets(exercise, False)
    with pytest.raises(Refused, match="partners could see their table"):
        clock.extend(exercise, 5)
    assert clock.read_clock(exercise).phase == Phase.ENDED


def test_going_on_forgets_what_was_written_of_the_pair_s_table(iris):
    exercise = pasted_exercise(iris, worksheets=["pair", "generated"])
    (ann,) = joined(exercise, "ann")
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


def test_the_wish_has_the_defaults_of_a_lesson():
    assert ExerciseSpec(title="x") == ExerciseSpec("x", "", "", "", (), 10, 0, False, 15, True, False, (), 30)


def test_making_an_exercise_makes_no_user(exercise, iris):
    assert list(User.objects.all()) == [iris]
