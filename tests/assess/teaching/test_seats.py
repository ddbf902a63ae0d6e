"""Students join with a nickname, get their assignments, return with a code; progress shows counts without grades."""

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
    assigned_pairs,
    assignments_of,
    displayed_doc_ids,
    join_all,
    judge_all,
    judged_collection,
    make_instructor,
    pasted_exercise,
    record_grade,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def exercise(db):
    return pasted_exercise(make_instructor(), shared=6)


@pytest.fixture
def wide(db):
    """Eight documents for everybody and three more for each, of twenty-four."""
    source = judged_collection()
    return exercises.make(make_instructor(source), ExerciseSpec("Class", "source", shared=8, more_each=3))


# ---- join


def test_student_is_a_pseudonymous_assessor(exercise):
    (seat,) = join_all(exercise, "  Ann  of Oz ")
    user, member = seat.member.user, seat.member
    assert (seat.nickname, member.name, member.role) == ("Ann of Oz", "Ann of Oz", Role.ASSESSOR)
    assert member.collection == exercise.collection
    assert user.username.startswith("seat-")
    assert not user.has_usable_password()
    assert (user.email, user.first_name, user.last_name, user.is_staff) == ("", "", "", False)
    assert not user.check_password("")
    assert len(seat.reentry_code) == 10


@pytest.mark.parametrize(
    ("nickname", "stored"),
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
def test_valid_nicknames(exercise, nickname, stored):
    assert join_all(exercise, nickname)[0].nickname == stored


@pytest.mark.parametrize(
    ("nickname", "words"),
    [
        ("", "The nickname is empty. Enter 1 to 24 visible characters"),
        (" \u00a0 ", "The nickname is empty"),
        ("\u3164", "The nickname is empty"),
        ("\u0301", "The nickname is empty"),
        ("a" * 25, "The nickname must have at most 24 characters, not 25"),
        ("a" * 100_000, "at most 24 characters, not 100000"),
        ("\ufdfa" * 2, "at most 24 characters, not 3."),  # NFKC turns each into 18 characters
        ("a\nb", r"the control character U\+000A"),
        ("a\x00b", r"the control character U\+0000"),
        ("a\u200bb", "contains an invisible character"),
        ("a\u202eb", "contains an invisible character"),
        ("a\ud800", "contains an invisible character"),
    ],
)
def test_invalid_nicknames_are_refused(exercise, nickname, words):
    with pytest.raises(Refused, match=words):
        seats.join(exercise, nickname)
    assert not Seat.objects.exists()
    assert User.objects.count() == 1


@pytest.mark.parametrize("again", ["Ann", "ANN", "ａｎｎ", " ann ", "ſtrasse", "STRASSE", "Instructor"])
def test_nickname_is_unique_in_any_spelling(exercise, again):
    join_all(exercise, "ann", "straße")
    with pytest.raises(Refused, match=r"The nickname .* is already taken. Choose another nickname"):
        seats.join(exercise, again)
    assert Seat.objects.count() == 2


@pytest.mark.parametrize(
    "unseen", ["\u034f", "\u180b", "\u180f", "\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef", "\u2800"]
)
@pytest.mark.parametrize("again", ["an{}n", "ann{}", "A{}nn"])
def test_nickname_is_unique_with_invisible_characters(exercise, again, unseen):
    join_all(exercise, "ann")
    with pytest.raises(Refused, match=r"is already taken|invisible character"):
        seats.join(exercise, again.format(unseen))
    assert Seat.objects.count() == 1


def test_same_nickname_in_two_exercises(exercise):
    other = pasted_exercise(make_instructor())
    join_all(exercise, "ann")
    join_all(other, "ann")
    assert Seat.objects.count() == 2


def test_database_refuses_duplicate_nickname_keys(exercise):
    ann, bob = join_all(exercise, "ann", "bob")
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(pk=bob.pk).update(nickname_key=ann.nickname_key)


def test_students_can_join_until_the_end(exercise):
    join_all(exercise, "early")
    clock.start(exercise)
    join_all(exercise, "in time")
    clock.pause(exercise)
    join_all(exercise, "during a pause")
    clock.resume(exercise)
    clock.end(exercise)
    with pytest.raises(Refused, match="This exercise has ended, so nobody can join"):
        seats.join(exercise, "late")


def test_nobody_can_join_when_time_is_over(exercise):
    clock.start(exercise)
    Exercise.objects.update(ends_at=timezone.now())
    with pytest.raises(Refused, match="This exercise has ended"):
        seats.join(exercise, "late")


def test_full_exercise_is_refused(exercise, monkeypatch):
    monkeypatch.setattr(seats, "MAX_SEATS", 2)
    join_all(exercise, "ann", "bob")
    with pytest.raises(Refused, match="All 2 seats of this exercise are taken"):
        seats.join(exercise, "cyd")


def test_nobody_can_join_an_erased_exercise(exercise):
    exercises.erase(Exercise.objects.get())
    with pytest.raises(Refused, match="This exercise no longer exists"):
        seats.join(exercise, "ann")


# ---- assignments


def test_all_seats_judge_shared_tasks_in_different_orders(exercise):
    class_seats = join_all(exercise, *"abcdef")
    assert all(Counter(assigned_pairs(seat)) == Counter(assigned_pairs(class_seats[0])) for seat in class_seats)
    assert len(assigned_pairs(class_seats[0])) == 6
    assert len({tuple(assigned_pairs(seat)) for seat in class_seats}) > 1
    assert displayed_doc_ids(class_seats[0]) == []
    clock.start(exercise)
    assert displayed_doc_ids(Seat.objects.get(pk=class_seats[0].pk)) == [
        doc_id for _, doc_id in assigned_pairs(class_seats[0])
    ]
    for seat in class_seats:
        for query_id in ("1", "T2"):
            positions = [each.position for each in assignments_of(seat) if each.task.topic.query_id == query_id]
            assert positions == [0, 1, 2]


def test_further_tasks_are_spread_over_seats(wide):
    class_seats = join_all(wide, *"abcdefgh")
    first, *others = ({each.task_id for each in assignments_of(seat)} for seat in class_seats)
    shared = first.intersection(*others)
    assert len(shared) == 8
    tasks_by_seat = {seat.pk: {each.task_id for each in assignments_of(seat)} for seat in class_seats}
    assert all(len(tasks) == 11 and shared < tasks for tasks in tasks_by_seat.values())
    counted = Counter(task for tasks in tasks_by_seat.values() for task in tasks - shared)
    # 8 seats x 3 more = 24 assignments of 16 other tasks: each is assigned once or twice.
    assert set(counted.values()) == {1, 2}
    assert len(counted) == 16


def test_order_depends_on_the_seat_seed(exercise):
    (ann,) = join_all(exercise, "ann")
    order = assigned_pairs(ann)
    Assignment.objects.all().delete()
    seats._assign_tasks(Seat.objects.get(pk=ann.pk))
    assert assigned_pairs(ann) == order


def test_seat_has_progress_like_any_assessor(exercise):
    (ann,) = join_all(exercise, "ann")
    clock.start(exercise)
    record_grade(ann, assignments_of(ann)[0], 2)
    assert progress_for(ann.member).to_dict() == {
        "total": 6, "judged": 1, "cannot_judge": 0, "later": 0, "to_claim": 0, "done": 1, "left": 5,
    }  # fmt: skip


def test_number_of_queries_to_join_is_constant(wide, django_assert_max_num_queries):
    join_all(wide, *"abcdefgh")
    with django_assert_max_num_queries(12):
        seats.join(wide, "late")


# ---- return


def test_student_rejoins_with_code_after_the_end(exercise, django_assert_num_queries):
    ann, _ = join_all(exercise, "ann", "bob")
    clock.start(exercise)
    clock.end(exercise)
    code = ann.reentry_code
    for typed in (code, code.lower(), f" {code[:5]}-{code[5:]} "):
        with django_assert_num_queries(1):
            back = seats.rejoin(exercise, typed)
            assert (back, back.member.user, back.exercise) == (ann, ann.member.user, exercise)


def test_code_of_another_exercise_is_refused(exercise):
    (ann,) = join_all(exercise, "ann")
    other = pasted_exercise(make_instructor())
    with pytest.raises(Refused, match="No seat of this exercise has the code"):
        seats.rejoin(other, ann.reentry_code)


def test_seat_for_user(exercise, django_user_model, django_assert_num_queries):
    from django.contrib.auth.models import AnonymousUser

    ann, _ = join_all(exercise, "ann", "bob")
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


# ---- progress


def test_progress_contains_counts_without_grades(exercise, django_assert_num_queries):
    ann, bob, cyd = join_all(exercise, "ann", "bob", "cyd")
    clock.start(exercise)
    judge_all(ann)
    event = record_grade(bob, assignments_of(bob)[0], 0)
    last_login = timezone.now() + timezone.timedelta(minutes=1)
    User.objects.filter(pk=cyd.member.user_id).update(last_login=last_login)
    with django_assert_num_queries(3):
        rows = seats.seat_progress(exercise)
        counts = [(row.seat.nickname, row.judged, row.of) for row in rows]
    assert counts == [("ann", 6, 6), ("bob", 1, 6), ("cyd", 0, 6)]
    assert [row.last_seen for row in rows][1:] == [event.at, last_login]
    assert set(vars(rows[0])) == {"seat", "judged", "of", "last_seen", "steps_done"}


def test_progress_without_seats(exercise):
    assert seats.seat_progress(exercise) == []


def test_progress_counts_cannot_judge_but_not_later(exercise):
    (ann,) = join_all(exercise, "ann")
    Assignment.objects.filter(pk=assignments_of(ann)[0].pk).update(state="later")
    Assignment.objects.filter(pk=assignments_of(ann)[1].pk).update(state="cannot_judge")
    (row,) = seats.seat_progress(exercise)
    assert (row.judged, row.of) == (1, 6)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_forty_students_join_at_once_without_duplicate_nicknames(request):
    """There are twenty nicknames, and two students ask for each at the same time."""
    exercise = pasted_exercise(make_instructor(), shared=6)
    outcomes = Counter()

    def student(number: int) -> None:
        try:
            seats.join(exercise, f"student {number // 2}")
            outcomes["joined"] += 1
        except Refused as refusal:
            outcomes[str(refusal).partition("already")[1]] += 1
        finally:
            connection.close()

    threads = [threading.Thread(target=student, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {"joined": 20, "already": 20}
    assert Seat.objects.count() == Member.objects.filter(role=Role.ASSESSOR).count() == 20
    assert Assignment.objects.count() == 120
