"""Students come in with a nickname, get their documents, come back with a code, and are counted, never graded."""

import threading
from collections import Counter

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from assess.errors import Refused
from assess.judging.progress import progress_for
from assess.models import Assignment, Exercise, Member, Role, Seat, User
from assess.teaching import clock, exercises, seats
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.seats import seat_for
from tests.assess.exercise_factories import (
    given,
    instructor_of,
    joined,
    judge_all,
    judged_collection,
    pairs,
    pasted_exercise,
    say,
    shown_to,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise(db):
    return pasted_exercise(instructor_of(), shared=6)


@pytest.fixture
def wide(db):
    """Eight documents for everybody and three more for each, of twenty-four."""
    source = judged_collection()
    return exercises.make(instructor_of(source), ExerciseSpec("Class", "source", shared=8, more_each=3))


# ---- in


def test_a_student_is_a_pseudonymous_assessor_and_nothing_else(exercise):
    (seat,) = joined(exercise, "  Ann  of Oz ")
    user, member = seat.member.user, seat.member
    assert (seat.nickname, member.name, member.role) == ("Ann of Oz", "Ann of Oz", Role.ASSESSOR)
    assert member.collection == exercise.collection
    assert user.username.startswith("seat-")
    assert not user.has_usable_password()
    assert (user.email, user.first_name, user.last_name, user.is_staff) == ("", "", "", False)
    assert not user.check_password("")
    assert len(seat.reentry_code) == 10


@pytest.mark.parametrize(
    ("nickname", "kept"),
    [
        ("x", "x"),
        ("a" * 24, "a" * 24),
        ("Ｂｏｂ", "Bob"),
        ("Zoë\u00a0K.", "Zoë K."),
        ("=1+1", "=1+1"),
        ("王小明", "王小明"),
        ("🦊", "🦊"),
        ("<b>", "<b>"),
    ],
)
def test_nicknames_that_are_fine(exercise, nickname, kept):
    assert joined(exercise, nickname)[0].nickname == kept


@pytest.mark.parametrize(
    ("nickname", "words"),
    [
        ("", "The nickname is empty. Enter 1 to 24 visible characters"),
        (" \u00a0 ", "The nickname is empty"),
        ("\u3164", "The nickname is empty"),
        ("\u0301", "The nickname is empty"),
        ("a" * 25, "The nickname must have at most 24 characters, not 25"),
        ("a" * 100_000, "at most 24 characters, not 100000"),
        ("\ufdfa" * 2, "at most 24 characters, not 3."),  # each stands for a sentence of 18
        ("a\nb", r"the control character U\+000A"),
        ("a\x00b", r"the control character U\+0000"),
        ("a\u200bb", "contains an invisible character"),
        ("a\u202eb", "contains an invisible character"),
        ("a\ud800", "contains an invisible character"),
    ],
)
def test_nicknames_that_are_none(exercise, nickname, words):
    with pytest.raises(Refused, match=words):
        seats.join(exercise, nickname)
    assert not Seat.objects.exists()
    assert User.objects.count() == 1


@pytest.mark.parametrize("again", ["Ann", "ANN", "ａｎｎ", " ann ", "ſtrasse", "STRASSE", "Instructor"])
def test_a_nickname_is_taken_once_however_it_is_written(exercise, again):
    joined(exercise, "ann", "straße")
    with pytest.raises(Refused, match=r"The nickname .* is already taken. Choose another nickname"):
        seats.join(exercise, again)
    assert Seat.objects.count() == 2


@pytest.mark.parametrize(
    "unseen", ["\u034f", "\u180b", "\u180f", "\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef", "\u2800"]
)
@pytest.mark.parametrize("again", ["an{}n", "ann{}", "A{}nn"])
def test_a_nickname_is_taken_though_what_cannot_be_seen_was_put_in(exercise, again, unseen):
    joined(exercise, "ann")
    with pytest.raises(Refused, match=r"is already taken|invisible character"):
        seats.join(exercise, again.format(unseen))
    assert Seat.objects.count() == 1


def test_the_same_nickname_in_two_exercises(exercise):
    other = pasted_exercise(instructor_of())
    joined(exercise, "ann")
    joined(other, "ann")
    assert Seat.objects.count() == 2


def test_the_database_itself_lets_nobody_have_two_keys(exercise):
    ann, bob = joined(exercise, "ann", "bob")
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(pk=bob.pk).update(nickname_key=ann.nickname_key)


def test_one_joins_until_the_end(exercise):
    joined(exercise, "early")
    clock.start(exercise)
    joined(exercise, "in time")
    clock.pause(exercise)
    joined(exercise, "in the break")
    clock.resume(exercise)
    clock.end(exercise)
    with pytest.raises(Refused, match="This exercise has ended, so nobody can join"):
        seats.join(exercise, "late")


def test_nor_once_the_time_is_over(exercise):
    clock.start(exercise)
    Exercise.objects.update(ends_at=timezone.now())
    with pytest.raises(Refused, match="This exercise has ended"):
        seats.join(exercise, "late")


def test_a_full_room(exercise, monkeypatch):
    monkeypatch.setattr(seats, "MAX_SEATS", 2)
    joined(exercise, "ann", "bob")
    with pytest.raises(Refused, match="All 2 seats of this exercise are taken"):
        seats.join(exercise, "cyd")


def test_nobody_joins_what_was_erased(exercise):
    exercises.erase(Exercise.objects.get())
    with pytest.raises(Refused, match="This exercise no longer exists"):
        seats.join(exercise, "ann")


# ---- what they judge


def test_all_judge_the_shared_slice_each_in_an_order_of_their_own(exercise):
    people = joined(exercise, *"abcdef")
    assert all(Counter(pairs(seat)) == Counter(pairs(people[0])) for seat in people)
    assert len(pairs(people[0])) == 6
    assert len({tuple(pairs(seat)) for seat in people}) > 1
    assert shown_to(people[0]) == []
    clock.start(exercise)
    assert shown_to(Seat.objects.get(pk=people[0].pk)) == [doc_id for _, doc_id in pairs(people[0])]
    for seat in people:
        for query_id in ("1", "T2"):
            own = [each.position for each in given(seat) if each.task.topic.query_id == query_id]
            assert own == [0, 1, 2]


def test_everybody_gets_others_besides_as_different_as_can_be(wide):
    people = joined(wide, *"abcdefgh")
    shared = set(seats.shared_task_ids(wide))
    assert len(shared) == 8
    own = {seat.pk: {each.task_id for each in given(seat)} for seat in people}
    assert all(len(tasks) == 11 and shared < tasks for tasks in own.values())
    counted = Counter(task for tasks in own.values() for task in tasks - shared)
    # 8 seats x 3 more = 24 places on the 16 others: each is given once or twice.
    assert set(counted.values()) == {1, 2}
    assert len(counted) == 16


def test_the_seats_chance_is_its_seed(exercise):
    (ann,) = joined(exercise, "ann")
    order = pairs(ann)
    Assignment.objects.all().delete()
    seats._assign_tasks(Seat.objects.get(pk=ann.pk))
    assert pairs(ann) == order


def test_the_ordinary_judging_page_knows_what_to_do(exercise):
    (ann,) = joined(exercise, "ann")
    clock.start(exercise)
    say(ann, given(ann)[0], 2)
    assert progress_for(ann.member).to_dict() == {
        "total": 6, "judged": 1, "cannot_judge": 0, "later": 0, "to_claim": 0, "done": 1, "left": 5,
    }  # fmt: skip


def test_joining_costs_the_same_in_a_full_room(wide, django_assert_max_num_queries):
    joined(wide, *"abcdefgh")
    with django_assert_max_num_queries(12):
        seats.join(wide, "late")


# ---- back


def test_a_student_comes_back_with_the_code_after_the_end_too(exercise, django_assert_num_queries):
    ann, _ = joined(exercise, "ann", "bob")
    clock.start(exercise)
    clock.end(exercise)
    code = ann.reentry_code
    for typed in (code, code.lower(), f" {code[:5]}-{code[5:]} "):
        with django_assert_num_queries(1):
            back = seats.rejoin(exercise, typed)
            assert (back, back.member.user, back.exercise) == (ann, ann.member.user, exercise)


def test_a_code_of_another_exercise_is_none(exercise):
    (ann,) = joined(exercise, "ann")
    other = pasted_exercise(instructor_of())
    with pytest.raises(Refused, match="No seat of this exercise has the code"):
        seats.rejoin(other, ann.reentry_code)


def test_whose_seat_is_it(exercise, django_user_model, django_assert_num_queries):
    from django.contrib.auth.models import AnonymousUser

    ann, _ = joined(exercise, "ann", "bob")
    with django_assert_num_queries(1):
        seat = seat_for(ann.member.user)
        assert (seat, seat.exercise.collection, seat.member.collection) == (
            ann,
            exercise.collection,
            exercise.collection,
        )
    assert seat_for(exercise.instructor) is None
    with django_assert_num_queries(0):
        assert seat_for(AnonymousUser()) is None


# ---- how far


def test_progress_counts_and_never_grades(exercise, django_assert_num_queries):
    ann, bob, cyd = joined(exercise, "ann", "bob", "cyd")
    clock.start(exercise)
    judge_all(ann)
    event = say(bob, given(bob)[0], 0)
    come = timezone.now() + timezone.timedelta(minutes=1)
    User.objects.filter(pk=cyd.member.user_id).update(last_login=come)
    with django_assert_num_queries(3):
        rows = seats.seat_progress(exercise)
        told = [(row.seat.nickname, row.judged, row.of) for row in rows]
    assert told == [("ann", 6, 6), ("bob", 1, 6), ("cyd", 0, 6)]
    assert [row.last_seen for row in rows][1:] == [event.at, come]
    assert set(vars(rows[0])) == {"seat", "judged", "of", "last_seen"}


def test_progress_of_an_empty_room(exercise):
    assert seats.seat_progress(exercise) == []


def test_what_is_put_off_is_not_counted_and_what_cannot_be_judged_is(exercise):
    (ann,) = joined(exercise, "ann")
    Assignment.objects.filter(pk=given(ann)[0].pk).update(state="later")
    Assignment.objects.filter(pk=given(ann)[1].pk).update(state="cannot_judge")
    (row,) = seats.seat_progress(exercise)
    assert (row.judged, row.of) == (1, 6)


@pytest.mark.django_db(transaction=True)
def test_forty_students_join_at_once_and_no_nickname_twice(request):
    """Twenty nicknames, each asked for by two at the same time."""
    exercise = pasted_exercise(instructor_of(), shared=6)
    told = Counter()

    def student(number: int) -> None:
        try:
            seats.join(exercise, f"student {number // 2}")
            told["joined"] += 1
        except Refused as refusal:
            told[str(refusal).partition("already")[1]] += 1
        finally:
            connection.close()

    threads = [threading.Thread(target=student, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {"joined": 20, "already": 20}
    assert Seat.objects.count() == Member.objects.filter(role=Role.ASSESSOR).count() == 20
    assert Assignment.objects.count() == 120
