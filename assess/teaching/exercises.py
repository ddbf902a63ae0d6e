"""Class exercises: how they are created, found, listed and erased. `assess.teaching.clock` runs them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from assess import audit, throttle
from assess.deletion import delete_rows
from assess.documents.contents import delete_contents
from assess.errors import Refused
from assess.models import (
    Action,
    Collection,
    Exercise,
    Member,
    Role,
    Tombstone,
    User,
)
from assess.models.collection import new_seed
from assess.models.exercise import (
    CODE_LENGTH,
    LETTERS,
    MAX_MINUTES,
    OLD_CODE_LENGTH,
    TITLE_LENGTH,
    WORKSHEET_KEY_LENGTH,
    new_code,
    not_expired,
)
from assess.people import erasure, erasure_list
from assess.teaching import exercise_sources, pasted
from assess.teaching.clock import check_range
from assess.teaching.code_throttle import Visitor, WrongCode, exercise_code_limits
from assess.teaching.codes import is_code, plain_code
from assess.teaching.lesson.practice import PracticeSpec, create_practice
from assess.teaching.seats import seat_for
from pooling.errors import shown

INSTRUCTOR_NAME = "instructor"
MAX_SHARED, MAX_MORE_EACH = 100, 50
MAX_DAYS = 365
MAX_WORKSHEETS = 40


# ---- create


@dataclass(frozen=True)
class ExerciseSpec:
    """The settings of a new exercise.

    The documents come either from a collection or from pasted text. `source` is the slug of the collection, and
    `query_ids` are its topics to use; without any, all topics are used. `pasted_topics` and `pasted_documents` are
    described in `assess.teaching.pasted`. `days` is the time until the exercise is erased, and `practice` chooses the
    practice document.
    """

    title: str
    source: str = ""
    pasted_topics: str = ""
    pasted_documents: str = ""
    query_ids: Sequence[str] = ()
    shared: int = 10
    more_each: int = 0
    binary: bool = False
    minutes: int = 15
    show_own: bool = True
    show_comments: bool = False
    worksheets: Sequence[str] = ()
    days: int = 30
    practice: PracticeSpec = field(default_factory=PracticeSpec)

    def check(self) -> None:
        """Raise Refused if a setting is invalid."""
        _check_title(self.title)
        check_range("Documents that all students judge", self.shared, 2, MAX_SHARED)
        check_range("More documents for each student", self.more_each, 0, MAX_MORE_EACH)
        check_range("Minutes", self.minutes, 1, MAX_MINUTES)
        check_range("Days until the exercise is erased", self.days, 1, MAX_DAYS)
        self.practice.check()
        if len(self.worksheets) > MAX_WORKSHEETS:
            raise Refused(f"An exercise can have at most {MAX_WORKSHEETS} worksheets, not {len(self.worksheets):,}.")
        if too_long := next((key for key in self.worksheets if len(key) > WORKSHEET_KEY_LENGTH), None):
            raise Refused(
                f"The name of a worksheet can have at most {WORKSHEET_KEY_LENGTH} characters, not {len(too_long):,}."
            )


def _check_title(title: str) -> None:
    title = title.strip()
    if not title or len(title) > TITLE_LENGTH or not title.isprintable():
        raise Refused(f"The title must be one line of 1 to {TITLE_LENGTH} characters, not {shown(title)}.")


def make(instructor: User, spec: ExerciseSpec, seed: int | None = None) -> Exercise:
    """Create an exercise that has not started yet, with its own collection. Without a seed, it gets a new one."""
    spec.check()
    if seat_for(instructor):
        raise Refused("A student's seat cannot create an exercise. Sign in with a name and a password.")
    seed = new_seed() if seed is None else seed
    material = material_for(instructor, spec, seed)
    title = spec.title.strip()
    with transaction.atomic():
        code = _free_code()
        collection = exercise_sources.create_collection(
            f"exercise-{code.lower()}", title, material, spec.binary, seed, {"practice": spec.practice.choice}
        )
        Member.objects.create(collection=collection, user=instructor, role=Role.INSTRUCTOR, name=INSTRUCTOR_NAME)
        audit.record(Action.EXERCISE_CREATED, actor=instructor, collection=collection)
        exercise = Exercise.objects.create(
            collection=collection,
            instructor=instructor,
            title=title,
            code=code,
            seed=seed,
            minutes=spec.minutes,
            shared=material.shared,
            more_each=spec.more_each,
            show_own=spec.show_own,
            show_comments=spec.show_comments,
            worksheets=list(spec.worksheets),
            erase_on=timezone.localdate() + timedelta(days=spec.days),
        )
        create_practice(exercise, spec.practice, source_of(spec), material)
        return exercise


def source_of(spec: ExerciseSpec) -> Collection | None:
    """Return the collection that the documents of a new exercise come from; None for pasted text."""
    return Collection.objects.filter(slug=spec.source).first() if spec.source else None


def material_for(instructor: User, spec: ExerciseSpec, seed: int) -> exercise_sources.Material:
    """Return the unsaved topics, documents and tasks of an exercise, or raise Refused."""
    has_text = bool(spec.pasted_topics.strip() or spec.pasted_documents.strip())
    if bool(spec.source) == has_text:
        problem = "both were given" if spec.source else "neither was given"
        raise Refused(f"An exercise is created from a collection or from pasted topics and documents; {problem}.")
    if spec.source:
        return exercise_sources.material_from_collection(
            instructor, spec.source, spec.query_ids, spec.shared, spec.more_each, spec.binary, seed
        )
    return pasted.material_from_text(spec.pasted_topics, spec.pasted_documents, spec.shared, spec.more_each, seed)


def _free_code() -> str:
    while Exercise.objects.filter(code=(code := new_code())).exists():
        pass
    return code


def origin_of(exercise: Exercise) -> str:
    """Return the slug of the collection that the documents come from; empty or unknown for pasted text."""
    return str(_pool_parameters(exercise).get("from", ""))


def practice_choice(exercise: Exercise) -> str:
    """Return the choice of the practice document; empty if the exercise does not store it."""
    return str(_pool_parameters(exercise).get("practice", ""))


def _pool_parameters(exercise: Exercise) -> dict[str, Any]:
    building = exercise.collection.pool_buildings.first()
    return dict(building.parameters) if building else {}


# ---- find and list


def exercises_for(user: User) -> QuerySet[Exercise]:
    """Return the exercises of an instructor, newest first, each with its `seat_count`."""
    rows = Exercise.objects.filter(not_expired(), instructor=user).select_related("collection")
    # Django drops the model's own ordering from a query with an aggregate.
    return rows.annotate(seat_count=Count("seats")).order_by("-created_at", "-pk")


def find(typed: str, visitor: Visitor | None = None) -> Exercise:
    """Return the exercise with this code, in any spelling. The wrong codes of a visitor are limited."""
    code = plain_code(typed)
    if is_code(code, CODE_LENGTH, OLD_CODE_LENGTH):
        limits = exercise_code_limits(visitor, len(code)) if visitor else []
        throttle.check(limits)
        rows = Exercise.objects.select_related("collection", "instructor")
        if exercise := rows.filter(not_expired(), code=code).first():
            return exercise
        throttle.count(limits)
    raise WrongCode(
        f"There is no exercise with the code {shown(typed.strip())}. A code has {CODE_LENGTH} of the characters "
        f"{LETTERS}."
    )


# ---- erase


def erase(
    exercise: Exercise,
    reason: str = "requested by the instructor",
    actor: User | None = None,
    *,
    add_to_list: bool = True,
) -> Tombstone:
    """Delete the exercise and everything in it. Only the tombstone and the entries of the audit log remain.

    The erasure is added to the list of erasures, unless `add_to_list` is false because it is there already.
    """
    with transaction.atomic():
        row = Exercise.objects.select_for_update().filter(pk=exercise.pk).first()
        if row is None:
            raise Refused("This exercise is already erased.")
        collection = Collection.objects.get(exercise=exercise.pk)
        members = collection.members.exclude(role=Role.INSTRUCTOR, user=exercise.instructor_id)
        tombstone = erasure.erase(members, reason, collection, actor, add_to_list=False)
        Exercise.objects.filter(pk=exercise.pk).delete()
        contents = delete_rows(collection)
        collection.delete()
        delete_contents(contents)
        if add_to_list:
            erasure_list.add_exercise(collection.slug, row, reason)
    return tombstone


def expired_exercises(today: date | None = None) -> QuerySet[Exercise]:
    """Return the exercises that have reached their erasure date."""
    return Exercise.objects.filter(erase_on__lte=today or timezone.localdate()).order_by("erase_on", "pk")
