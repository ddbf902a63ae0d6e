"""An exercise with the judgements of a class, after judging has ended."""

from typing import Any

from assess.models import Exercise, Seat
from assess.teaching import clock, exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.reveal.query import RevealQuery, parse_query
from assess.teaching.reveal.reveal import own_results, step_result
from assess.teaching.reveal.steps import STEPS
from tests.assess.exercise_factories import assignments_of, join_all, judged_collection, make_instructor, record_grade
from tests.built_once import built_once

PAIR, CLASS, ALL, CONTESTED, PREVALENCE, RANKING = range(1, len(STEPS) + 1)
# The documents that each student finds relevant in both topics. Ann and Ben disagree on d03 and d10.
RELEVANT_BY_STUDENT = {
    "Ann": {"d01", "d02", "d03", "d07", "d08"},
    "Ben": {"d01", "d02", "d07", "d08", "d10"},
    "Cem": {"d01", "d02", "d03", "d04", "d05", "d06", "d07", "d08", "d09", "d10"},
}


def create_exercise(**options: Any) -> Exercise:
    source = judged_collection()
    settings = {"title": "Seminar", "source": source.slug, "shared": 24, "binary": True, **options}
    return exercises.make(make_instructor(source), ExerciseSpec(**settings))


def judge_relevant(seat: Seat, relevant: set[str], comment: str = "") -> None:
    for assignment in assignments_of(seat):
        doc_id = assignment.task.document.doc_id
        record_grade(seat, assignment, int(doc_id in relevant), comment=f"{comment} {doc_id}" if comment else "")


def end_exercise(exercise: Exercise) -> Exercise:
    clock.end(exercise)
    return reload(exercise)


def reload(exercise: Exercise) -> Exercise:
    return Exercise.objects.select_related("collection").get(pk=exercise.pk)


@built_once
def class_of_three(**options: Any) -> Exercise:
    exercise = create_exercise(**options)
    clock.start(exercise)
    for seat in join_all(exercise, *RELEVANT_BY_STUDENT):
        judge_relevant(seat, RELEVANT_BY_STUDENT[seat.nickname], comment=f"{seat.nickname.lower()}s words on")
    return end_exercise(exercise)


def seat_of(exercise: Exercise, nickname: str) -> Seat:
    return Seat.objects.select_related("exercise__collection").get(exercise=exercise, nickname=nickname)


def query_for(exercise: Exercise, rel: int | None = 1, **query: object) -> RevealQuery:
    return parse_query(exercise, {name: str(value) for name, value in query.items()}, rel)


def figures(exercise: Exercise, number: int, **query: Any) -> Any:
    """Return the figures of a step on the instructor's screen."""
    result = step_result(exercise, number, query_for(exercise, **query))
    assert not result.refusal, result.refusal
    return result.figures


def own_figures(exercise: Exercise, nickname: str, number: int) -> Any:
    """Return the figures of a step on a student's device."""
    result = next(each for each in own_results(seat_of(exercise, nickname)) if each.number == number)
    assert not result.refusal, result.refusal
    return result.figures


def reveal_all(exercise: Exercise) -> Exercise:
    clock.reveal(exercise, len(STEPS))
    return exercise
