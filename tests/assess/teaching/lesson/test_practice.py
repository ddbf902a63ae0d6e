"""The practice document: chosen or entered, graded before the clock starts, and in no figure."""

import pytest

from assess.errors import Refused
from assess.models import Exercise, Judgement, Practice, Task
from assess.teaching import clock
from assess.teaching.lesson.practice import AGREED, OWN, PracticeSpec, answer_practice, practice_page
from assess.teaching.reveal.class_judgements import ClassJudgements
from tests.assess.exercise_factories import (
    DISPUTED,
    DISPUTED_IF_BINARY,
    RELEVANT,
    join_all,
    make_instructor,
    pasted_exercise,
)
from tests.assess.judged_exercises import create_exercise, seat_of

pytestmark = pytest.mark.django_db
RELEVANT_IF_BINARY = DISPUTED - DISPUTED_IF_BINARY
OWN_TEXT = PracticeSpec(OWN, text="Green tea.", grade=1, topic="tea", explanation="It is about tea.")


@pytest.fixture
def exercise(db) -> Exercise:
    exercise = create_exercise(shared=6, practice=PracticeSpec(AGREED, explanation="It helps."))
    join_all(exercise, "Ann", "Ben")
    return exercise


def test_a_document_on_which_all_earlier_judges_agree_is_chosen(exercise):
    practice = exercise.practice
    judged = Task.objects.filter(topic__collection=exercise.collection)
    assert practice.relevance == 1
    assert practice.explanation == "All 3 earlier judges agree on it. It helps."
    assert practice.topic in exercise.collection.topics.values_list("title", flat=True)
    assert not judged.filter(topic__title=practice.topic, document__content__text=practice.text).exists()
    assert any(doc_id in practice.text for doc_id in RELEVANT | RELEVANT_IF_BINARY)


def test_graded_exercise_expects_the_grade_of_the_judges():
    exercise = create_exercise(shared=6, binary=False, practice=PracticeSpec(AGREED))
    assert exercise.practice.relevance == 2  # of d07 to d09


def test_source_without_another_agreed_document_gives_none():
    exercise = create_exercise(shared=24, practice=PracticeSpec(AGREED))
    assert not Practice.objects.filter(exercise=exercise).exists()


def test_instructor_can_enter_a_document():
    exercise = pasted_exercise(make_instructor(), shared=6, binary=True, practice=OWN_TEXT)
    practice = exercise.practice
    assert (practice.text, practice.relevance, practice.topic) == ("Green tea.", 1, "tea")


@pytest.mark.parametrize(
    ("practice", "message"),
    [
        (PracticeSpec("other"), "must be one of none, agreed, own"),
        (PracticeSpec(OWN, text=" ", grade=1), "between 1 and 20,000, not 0"),
        (PracticeSpec(OWN, text="x" * 20_001, grade=1), "not 20,001"),
        (PracticeSpec(OWN, text="x", grade=7), "must be one of 0, 1, not 7"),
        (PracticeSpec(OWN, text="x"), "must be one of 0, 1, not None"),
        (PracticeSpec(OWN, text="x\0", grade=1), "invalid character"),
    ],
)
def test_invalid_document_creates_nothing(practice, message):
    with pytest.raises(Refused, match=message):
        pasted_exercise(make_instructor(), shared=6, binary=True, practice=practice)
    assert not Exercise.objects.exists()


def test_student_sees_what_was_expected_after_grading(exercise):
    ann = seat_of(exercise, "Ann")
    assert practice_page(ann).own is None
    answer_practice(ann, 0)
    page = practice_page(seat_of(exercise, "Ann"))
    assert (page.own.value, page.expected.value, page.is_right) == (0, 1, False)
    answer_practice(ann, 1)  # the expected grade is known now
    assert seat_of(exercise, "Ann").practice_grade == 0
    assert seat_of(exercise, "Ben").practice_grade is None


def test_practice_enters_no_figure(exercise):
    for name in ("Ann", "Ben"):
        answer_practice(seat_of(exercise, name), 1)
    assert not Judgement.objects.filter(member__collection=exercise.collection).exists()
    assert ClassJudgements(exercise, 1).judgements.empty


def test_practice_closes_when_the_clock_starts(exercise):
    clock.start(exercise)
    with pytest.raises(Refused, match="has started"):
        answer_practice(seat_of(exercise, "Ann"), 1)


def test_grade_must_be_on_the_scale_and_a_document_must_exist(exercise):
    with pytest.raises(Refused, match="one of 0, 1, not 9"):
        answer_practice(seat_of(exercise, "Ann"), 9)
    Practice.objects.all().delete()
    with pytest.raises(Refused, match="no practice document"):
        answer_practice(seat_of(exercise, "Ann"), 1)
