"""Making, listing and finding exercises: settings and codes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assess.errors import Refused
from assess.models import Collection, Exercise, Phase, Role, User
from assess.teaching import exercises
from assess.teaching.exercises import ExerciseSpec, exercises_for
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db


@pytest.fixture
def instructor(db):
    return make_instructor()


@pytest.fixture
def exercise(instructor):
    return pasted_exercise(instructor)


def fresh(exercise) -> Exercise:
    return Exercise.objects.select_related("collection").get(pk=exercise.pk)


# ---- make


def test_every_setting_is_saved(instructor):
    settings = {"minutes": 20, "show_own": False, "show_comments": True, "worksheets": ["kappa-8-2"], "days": 7}
    exercise = fresh(pasted_exercise(instructor, title="  Kappa, by hand ", shared=4, more_each=2, **settings))
    assert (exercise.title, exercise.instructor, exercise.phase) == ("Kappa, by hand", instructor, Phase.WAITING)
    assert (exercise.shared, exercise.more_each, exercise.minutes) == (4, 2, 20)
    assert (exercise.show_own, exercise.show_comments, exercise.worksheets) == (False, True, ["kappa-8-2"])
    assert exercise.erase_on == timezone.localdate() + timedelta(days=7)
    assert exercise.collection.slug == f"exercise-{exercise.code.lower()}"
    assert (exercise.collection.name, exercise.collection.judging_open) == ("Kappa, by hand", False)
    assert [(member.user, member.role) for member in exercise.collection.members.all()] == [
        (instructor, Role.INSTRUCTOR)
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"title": " "}, "The title must be one line of 1 to 120 characters, not ''."),
        ({"title": "a\nb"}, "one line"),
        ({"title": "x" * 121}, "1 to 120 characters"),
        ({"shared": 1}, "Documents that all students judge must be between 2 and 100, not 1."),
        ({"shared": 101}, "not 101"),
        ({"more_each": 51}, "must be between 0 and 50, not 51"),
        ({"minutes": 0}, "Minutes must be between 1 and 1,440, not 0."),
        ({"days": 366}, "between 1 and 365, not 366"),
        ({"worksheets": ["x" * 61]}, "The name of a worksheet can have at most 60 characters, not 61."),
        ({"source": "small"}, "from a collection or from pasted topics and documents; both were given"),
        ({"pasted_topics": "", "pasted_documents": " \n"}, "neither was given"),
    ],
)
def test_invalid_setting_is_refused(instructor, options, words):
    with pytest.raises(Refused, match=words):
        pasted_exercise(instructor, **options)
    assert not Exercise.objects.exists()
    assert not Collection.objects.exists()


def test_seat_cannot_make_an_exercise(exercise):
    (ann,) = join_all(exercise, "ann")
    with pytest.raises(Refused, match="A student's seat cannot create an exercise"):
        pasted_exercise(ann.member.user)


def test_list_contains_own_exercises_only(exercise, instructor, django_assert_num_queries):
    join_all(exercise, "ann", "bob")
    second = pasted_exercise(instructor, title="Second")
    with django_assert_num_queries(1):
        assert [(each.pk, each.seat_count, each.collection.name) for each in exercises_for(instructor)] == [
            (second.pk, 0, "Second"),
            (exercise.pk, 2, "Drinks"),
        ]
    assert list(exercises_for(make_instructor(name="other"))) == []


# ---- find


def test_code_is_found_in_any_spelling(exercise):
    code = exercise.code
    spaced, dashed = f" {code[:3]} {code[3:]}\n", f"{code[:2]}–{code[2:]}"
    for typed in (code, code.lower(), exercise.readable_code, spaced, dashed):
        assert exercises.find(typed) == exercise


def test_unknown_code_is_refused(exercise):
    with pytest.raises(Refused, match=r"no exercise with the code 'nope'\. A code has 10 of the characters ACD"):
        exercises.find(" nope ")


def test_expired_exercise_is_not_found(exercise):
    Exercise.objects.update(erase_on=timezone.localdate())
    with pytest.raises(Refused, match="no exercise"):
        exercises.find(exercise.code)


def test_exercises_keep_their_older_codes(exercise):
    Exercise.objects.update(code="ACD346")
    assert exercises.find("acd-346") == exercise
    assert fresh(exercise).readable_code == "ACD-346"


def test_defaults_of_a_spec():
    assert ExerciseSpec(title="x") == ExerciseSpec("x", "", "", "", (), 10, 0, False, 15, True, False, (), 30)


def test_making_an_exercise_creates_no_user(exercise, instructor):
    assert list(User.objects.all()) == [instructor]
