"""The practice document of an exercise: one document with a known grade, which students grade before the clock starts.

It is either a document on which all earlier judges of the source agree, or entered by the instructor. It is stored
apart from the documents of the exercise, and so are the answers, so that they enter no figure.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from assess.collections.scale import lowest_relevant_grade
from assess.documents.display import displayed_text
from assess.errors import Refused
from assess.models import NOT_WITHDRAWN, Collection, Exercise, Grade, Judgement, Phase, Practice, Seat, State, Task
from assess.models.exercise import PRACTICE_TOPIC_LENGTH
from assess.teaching import sampling
from assess.teaching.clock import check_range, read_clock
from assess.teaching.exercise_sources import Material
from pooling.words import count

NONE, AGREED, OWN = "none", "agreed", "own"
CHOICES = (NONE, AGREED, OWN)
MAX_TEXT_LENGTH, MAX_EXPLANATION_LENGTH = 20_000, 2_000
AGREE_ON_IT = "agree on it."


@dataclass(frozen=True)
class PracticeSpec:
    """The choice of a practice document. `text`, `grade` and `topic` are used with OWN only."""

    choice: str = NONE
    text: str = ""
    grade: int | None = None
    topic: str = ""
    explanation: str = ""

    def check(self) -> None:
        """Raise Refused if a value is invalid."""
        if self.choice not in CHOICES:
            raise Refused(f"The practice document must be one of {', '.join(CHOICES)}, not {self.choice[:20]!r}.")
        check_range("Characters of the explanation", len(self.explanation), 0, MAX_EXPLANATION_LENGTH)
        check_range("Characters of the topic of the practice document", len(self.topic), 0, PRACTICE_TOPIC_LENGTH)
        if self.choice == OWN:
            check_range("Characters of the practice document", len(self.text.strip()), 1, MAX_TEXT_LENGTH)
        # Databases cannot store these.
        if any("\0" in text for text in (self.text, self.topic, self.explanation)):
            raise Refused("The practice document contains an invalid character (NUL).")


# ---- create


def missing_practice_warning(spec: PracticeSpec, source: Collection | None, material: Material, seed: int) -> str:
    """Return a warning if the exercise would have no practice document although one is wanted; otherwise empty."""
    if spec.choice != AGREED or (source is not None and _agreed_task(source, material, seed)):
        return ""
    return (
        "There is no practice document, because there is no other document of these topics on which all earlier "
        "judges agree. Choose fewer documents or more topics, or enter a practice document."
    )


def create_practice(exercise: Exercise, spec: PracticeSpec, source: Collection | None, material: Material) -> None:
    """Save the practice document of a new exercise, if it has one. `material` is that of the exercise."""
    if spec.choice == OWN:
        _create_own(exercise, spec)
    elif spec.choice == AGREED and source is not None:
        _create_agreed(exercise, spec, source, material)


def _create_own(exercise: Exercise, spec: PracticeSpec) -> None:
    grade = _checked_grade(exercise, spec.grade)
    Practice.objects.create(
        exercise=exercise, topic=spec.topic, text=spec.text, relevance=grade, explanation=spec.explanation
    )


def _create_agreed(exercise: Exercise, spec: PracticeSpec, source: Collection, material: Material) -> None:
    """Choose a document that all earlier judges graded the same. Without one, the exercise has no practice document."""
    task = _agreed_task(source, material, exercise.seed)
    if task is None or task.document.content is None:
        return
    grades = [grade for grade in _judgements(task).values_list("relevance", flat=True) if grade is not None]
    grade = int(grades[0] >= lowest_relevant_grade(source)) if _is_binary(material) else grades[0]
    Practice.objects.create(
        exercise=exercise,
        topic=task.topic.title[:PRACTICE_TOPIC_LENGTH],
        title=task.document.content.title[:PRACTICE_TOPIC_LENGTH],
        text=displayed_text(task.document.content)[:MAX_TEXT_LENGTH],
        relevance=grade,
        explanation=f"All {count(len(grades), 'earlier judge')} {AGREE_ON_IT} {spec.explanation}".strip(),
    )


def _is_binary(material: Material) -> bool:
    """Whether an exercise from a collection has the grades 0 and 1. The material of a binary exercise has no grades."""
    return not material.grades or {grade.value for grade in material.grades} == {0, 1}


def _agreed_task(source: Collection, material: Material, seed: int) -> Task | None:
    """Return the task of an agreed document of the exercise's topics; a relevant one, if there is one."""
    used = material.pairs()
    available = sampling.candidates(source, material.query_ids, seed, binary=_is_binary(material))
    for kind in (sampling.RELEVANT, sampling.NONRELEVANT):
        agreed = [each for each in available if each.kind == kind]
        tasks = Task.objects.select_related("topic", "document__content").in_bulk([each.task for each in agreed])
        for each in sorted(agreed, key=lambda each: each.draw):
            task = tasks[each.task]
            if (task.topic.query_id, task.document.doc_id) not in used:
                return task
    return None


def _judgements(task: Task) -> QuerySet[Judgement]:
    return Judgement.objects.filter(NOT_WITHDRAWN, task=task, repeat=0, state=State.JUDGED).order_by("pk")


def practice_spec(exercise: Exercise, choice: str) -> PracticeSpec:
    """Return the settings of the practice document, for a duplicate of an exercise with this stored choice.

    An exercise that does not store it gets its practice document as an entered text, so that nothing is lost.
    """
    document = practice_of(exercise)
    if document is None:
        return PracticeSpec(choice if choice == AGREED else NONE)
    if choice == AGREED:
        return PracticeSpec(AGREED, explanation=document.explanation.partition(AGREE_ON_IT)[2].strip())
    return PracticeSpec(OWN, document.text, document.relevance, document.topic, document.explanation)


# ---- show and answer


@dataclass(frozen=True)
class PracticePage:
    """The practice document with the grades of the scale. The expected grade is shown after the student's own."""

    document: Practice
    grades: list[Grade]
    own: Grade | None

    @property
    def expected(self) -> Grade | None:
        return next((grade for grade in self.grades if grade.value == self.document.relevance), None)

    @property
    def is_right(self) -> bool:
        return self.own == self.expected


def practice_page(seat: Seat) -> PracticePage | None:
    """Return what a student sees of the practice document, or None if the exercise has none."""
    document = practice_of(seat.exercise)
    if document is None:
        return None
    grades = list(seat.exercise.collection.grades.all())
    return PracticePage(document, grades, next((each for each in grades if each.value == seat.practice_grade), None))


def practice_of(exercise: Exercise) -> Practice | None:
    """Return the practice document of an exercise, or None."""
    return Practice.objects.filter(exercise=exercise).first()


def answer_practice(seat: Seat, grade: int) -> None:
    """Save a student's grade for the practice document. The first one stays, because the page then shows the answer."""
    if practice_of(seat.exercise) is None:
        raise Refused("This exercise has no practice document.")
    if read_clock(seat.exercise).phase != Phase.WAITING:
        raise Refused("The exercise has started, so the practice document is closed.")
    grade = _checked_grade(seat.exercise, grade)
    Seat.objects.filter(pk=seat.pk, practice_grade=None).update(practice_grade=grade)


def _checked_grade(exercise: Exercise, grade: int | None) -> int:
    grades = sorted(exercise.collection.grades.values_list("value", flat=True))
    if grade is None or grade not in grades:
        raise Refused(f"The grade of the practice document must be one of {', '.join(map(str, grades))}, not {grade}.")
    return grade
