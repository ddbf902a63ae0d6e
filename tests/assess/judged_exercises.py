"""A class that has judged: what each student finds relevant, and the exercise when its time is over."""

from assess.models import Exercise, Seat
from assess.teaching import clock, exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.reveal.steps import STEPS
from tests.assess.exercise_factories import given, instructor_of, joined, judged_collection, say

PAIR, CLASS, ALL, CONTESTED, PREVALENCE, RANKING = range(1, len(STEPS) + 1)
# Who finds which documents relevant, in both topics: Ann and Ben differ on d03 and d10, Cem finds most relevant.
HABITS = {
    "Ann": {"d01", "d02", "d03", "d07", "d08"},
    "Ben": {"d01", "d02", "d07", "d08", "d10"},
    "Cem": {"d01", "d02", "d03", "d04", "d05", "d06", "d07", "d08", "d09", "d10"},
}


def made(**wish) -> Exercise:
    source = judged_collection()
    wished = {"title": "Seminar", "source": source.slug, "shared": 24, "binary": True, **wish}
    return exercises.make(instructor_of(source), ExerciseSpec(**wished))


def judge(seat: Seat, relevant: set[str], comment: str = "") -> None:
    for assignment in given(seat):
        doc_id = assignment.task.document.doc_id
        say(seat, assignment, int(doc_id in relevant), comment=f"{comment} {doc_id}" if comment else "")


def ended(exercise: Exercise) -> Exercise:
    clock.end(exercise)
    return fresh(exercise)


def fresh(exercise: Exercise) -> Exercise:
    return Exercise.objects.select_related("collection").get(pk=exercise.pk)


def class_of_three(**wish) -> Exercise:
    exercise = made(**wish)
    clock.start(exercise)
    for seat in joined(exercise, *HABITS):
        judge(seat, HABITS[seat.nickname], comment=f"{seat.nickname.lower()}s words on")
    return ended(exercise)
