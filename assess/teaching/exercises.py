"""Class exercises: made in one step, judged for some minutes, revealed, and erased."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from assess.errors import Refused
from assess.models import (
    Collection,
    Exercise,
    Member,
    Phase,
    PoolBuilding,
    Provenance,
    Role,
    Run,
    Task,
    Tombstone,
    User,
    WorksheetAnswer,
)
from assess.models.collection import new_seed
from assess.models.exercise import CODE_LENGTH, LETTERS, new_code, still_kept
from assess.people import erasure
from assess.teaching import exercise_sources, pasted, seats
from assess.teaching.code_throttle import check_throttle, exercise_code_key, record_wrong_code
from assess.teaching.seats import seat_for
from pooling.errors import shown

INSTRUCTOR_NAME = "instructor"
MOST_SHARED, MOST_MORE = 100, 50
MOST_MINUTES, MOST_DAYS = 24 * 60, 365
MOST_WORKSHEETS, LONGEST_WORKSHEET = 40, 60
MOVING = ("phase", "minutes", "started_at", "ends_at", "left_ms", "reveal_step", "revealed_at", "worksheets_open")
PAIR = "pair"  # the worksheet that shows a student what another one said


# ---- made


@dataclass(frozen=True)
class ExerciseSpec:
    """What the instructor asks for: a collection's slug as `source`, with the `query_ids` of the topics that are wanted
    (all, where there are none), or topics and documents that were pasted."""

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

    def check(self) -> None:
        _check_title(self.title)
        _check_number("Documents that all judge", self.shared, 2, MOST_SHARED)
        _check_number("More documents for each student", self.more_each, 0, MOST_MORE)
        _check_number("Minutes", self.minutes, 1, MOST_MINUTES)
        _check_number("Days until it is erased", self.days, 1, MOST_DAYS)
        if len(self.worksheets) > MOST_WORKSHEETS or any(len(name) > LONGEST_WORKSHEET for name in self.worksheets):
            raise Refused(f"Worksheets are at most {MOST_WORKSHEETS} names of at most {LONGEST_WORKSHEET} characters.")


def _check_title(title: str) -> None:
    longest = Exercise._meta.get_field("title").max_length
    if not title.strip() or len(title.strip()) > longest or not title.strip().isprintable():
        raise Refused(f"The title {shown(title)} is none: it is one line of 1 to {longest} characters.")


def _check_number(what: str, came: int, least: int, most: int) -> None:
    if not least <= came <= most:
        raise Refused(f"{what}: {came:,} came; it is a whole number from {least:,} to {most:,}.")


def make(instructor: User, wish: ExerciseSpec) -> Exercise:
    """An exercise that waits to be started, with a collection of its own."""
    wish.check()
    if seat_for(instructor):
        raise Refused("A student's seat cannot make an exercise; sign in with a name and a password.")
    seed = new_seed()
    material = _material(instructor, wish, seed)
    with transaction.atomic():
        code = _free_code()
        collection = exercise_sources.write(f"exercise-{code.lower()}", wish.title.strip(), material, wish.binary, seed)
        Member.objects.create(collection=collection, user=instructor, role=Role.INSTRUCTOR, name=INSTRUCTOR_NAME)
        return Exercise.objects.create(
            collection=collection,
            instructor=instructor,
            title=wish.title.strip(),
            code=code,
            seed=seed,
            minutes=wish.minutes,
            shared=material.shared,
            more_each=wish.more_each,
            show_own=wish.show_own,
            show_comments=wish.show_comments,
            worksheets=list(wish.worksheets),
            erase_on=timezone.localdate() + timedelta(days=wish.days),
        )


def _material(instructor: User, wish: ExerciseSpec, seed: int) -> exercise_sources.Material:
    if bool(wish.source) == bool(wish.pasted_topics.strip() or wish.pasted_documents.strip()):
        came = "both came" if wish.source else "neither came"
        raise Refused(f"An exercise is made from a collection or from pasted topics and documents; {came}.")
    if wish.source:
        parts = (wish.source, wish.query_ids, wish.shared, wish.more_each, wish.binary)
        return exercise_sources.from_collection(instructor, *parts, seed)
    return pasted.material(wish.pasted_topics, wish.pasted_documents, wish.shared, wish.more_each, seed)


def _free_code() -> str:
    while Exercise.objects.filter(code=(code := new_code())).exists():
        pass
    return code


# ---- found


def exercises_for(user: User) -> QuerySet[Exercise]:
    """The user's own exercises, the newest first, with the number of seats."""
    own = Exercise.objects.filter(still_kept(), instructor=user).select_related("collection")
    return own.annotate(seat_count=Count("seats")).order_by("-created_at", "-pk")  # counting drops the model's order


def find(code: str, address: str = "") -> Exercise:
    """The exercise of a code, however it was typed. With the client's `address`, wrong codes are throttled."""
    door = exercise_code_key(address) if address else None
    if door:
        check_throttle(door)
    rows = Exercise.objects.select_related("collection", "instructor")
    if exercise := rows.filter(still_kept(), code=seats.plain_code(code)).first():
        return exercise
    if door:
        record_wrong_code(door)
    raise Refused(
        f"There is no exercise with the code {shown(code.strip())}; a code has {CODE_LENGTH} of the characters "
        f"{LETTERS}."
    )


# ---- its phases


@dataclass(frozen=True)
class Clock:
    """Where an exercise stands. `left_seconds` is told while it runs or is paused."""

    phase: str
    left_seconds: int | None = None


def clock(exercise: Exercise) -> Clock:
    """What the clock says now; whose time is over has ended, and the database is told so."""
    if exercise.phase == Phase.RUNNING and exercise.ends_at <= timezone.now():
        with _turn(exercise):
            pass  # settled by that alone; or extended by somebody in the meantime
    if exercise.phase == Phase.RUNNING:
        left = exercise.ends_at - timezone.now()
        return Clock(exercise.phase, max(0, ceil(left.total_seconds())))
    return Clock(exercise.phase, ceil(exercise.left_ms / 1000) if exercise.phase == Phase.PAUSED else None)


@contextmanager
def _turn(exercise: Exercise) -> Iterator[None]:
    """One change of phase at a time, each on what the database says; judging is open just while it runs."""
    with transaction.atomic():
        try:
            exercise.refresh_from_db(fields=MOVING, from_queryset=Exercise.objects.select_for_update())
        except Exercise.DoesNotExist:
            raise Refused("This exercise is gone: it was erased with all that was in it.") from None
        if exercise.phase == Phase.RUNNING and exercise.ends_at <= timezone.now():
            exercise.phase = Phase.ENDED
        _note_reveal(exercise)
        yield
        _note_reveal(exercise)
        exercise.save(update_fields=MOVING)
        collection = exercise.collection
        collection.judging_open, collection.judging_ends_at = exercise.phase == Phase.RUNNING, exercise.ends_at
        collection.save(update_fields=["judging_open", "judging_ends_at"])


def _note_reveal(exercise: Exercise) -> None:
    """Remember that students could see what others said: in the reveal, or in the table of two partners."""
    sees_partner = exercise.worksheets_open and PAIR in exercise.worksheets
    if exercise.phase == Phase.ENDED and (exercise.reveal_step or sees_partner):
        exercise.revealed_at = exercise.revealed_at or timezone.now()


class NotYet(Refused):
    """What is there once judging has ended, or once it is shown to whoever asks."""


def check_ended(exercise: Exercise, deed: str) -> None:
    """Refuse to show what was said while somebody may still judge."""
    if clock(exercise).phase != Phase.ENDED:
        raise NotYet(
            f"The exercise is {Phase(exercise.phase).label}; {deed} when it has ended, so that nobody judges by what "
            "others said."
        )


def check_figures(member: Member) -> None:
    """The same for the figures of a collection: an instructor sees those of an exercise when it has ended."""
    if member.role != Role.INSTRUCTOR:
        return
    if exercise := Exercise.objects.select_related("collection").filter(collection=member.collection_id).first():
        check_ended(exercise, "its figures are shown")


def _refuse_unless(exercise: Exercise, deed: str, *phases: Phase) -> None:
    if exercise.phase not in phases:
        possible = " or ".join(phase.label for phase in phases)
        raise Refused(f"The exercise is {Phase(exercise.phase).label}; {deed} one that is {possible}.")


def start(exercise: Exercise) -> None:
    with _turn(exercise):
        _refuse_unless(exercise, "one starts", Phase.WAITING)
        exercise.phase, exercise.started_at = Phase.RUNNING, timezone.now()
        exercise.ends_at = exercise.started_at + timedelta(minutes=exercise.minutes)


def pause(exercise: Exercise) -> None:
    with _turn(exercise):
        _refuse_unless(exercise, "one pauses", Phase.RUNNING)
        left = exercise.ends_at - timezone.now()
        exercise.phase, exercise.ends_at = Phase.PAUSED, None
        exercise.left_ms = max(1, int(left.total_seconds() * 1000))


def resume(exercise: Exercise) -> None:
    with _turn(exercise):
        _refuse_unless(exercise, "one goes on with", Phase.PAUSED)
        exercise.phase = Phase.RUNNING
        exercise.ends_at = timezone.now() + timedelta(milliseconds=exercise.left_ms)
        exercise.left_ms = None


def extend(exercise: Exercise, minutes: int) -> None:
    """More time; one that has ended runs again, as long as no student could see what others said."""
    _check_number("Minutes", minutes, 1, MOST_MINUTES)
    with _turn(exercise):
        if exercise.revealed_at:
            raise Refused(
                "The reveal has begun, or partners could see their table; judging stays closed, since its answers are "
                "known now."
            )
        more = timedelta(minutes=minutes)
        if exercise.phase == Phase.WAITING:
            _check_number("Minutes in all", exercise.minutes + minutes, 1, MOST_MINUTES)
            exercise.minutes += minutes
        elif exercise.phase == Phase.PAUSED:
            exercise.left_ms += minutes * 60_000
        elif exercise.phase == Phase.RUNNING:
            exercise.ends_at += more
        else:
            exercise.phase, exercise.ends_at = Phase.RUNNING, timezone.now() + more
            # Of a table that changes now.
            WorksheetAnswer.objects.filter(seat__exercise=exercise, worksheet=PAIR).delete()


def end(exercise: Exercise) -> None:
    with _turn(exercise):
        _refuse_unless(exercise, "one ends", Phase.RUNNING, Phase.PAUSED)
        exercise.phase, exercise.ends_at, exercise.left_ms = Phase.ENDED, timezone.now(), None


def reveal(exercise: Exercise, step: int) -> None:
    """Show the reveal up to a step, counted from 1; 0 closes it again, but does not make it unseen."""
    from assess.teaching.reveal.reveal import STEPS  # it is asked for by this deed alone

    _check_number("Step of the reveal", step, 0, len(STEPS))
    with _turn(exercise):
        _refuse_unless(exercise, "one reveals", Phase.ENDED)
        exercise.reveal_step = step


def open_worksheets(exercise: Exercise, is_open: bool) -> None:
    """Once judging has ended, they show each student the table of the own pair, where that is one of them."""
    with _turn(exercise):
        exercise.worksheets_open = is_open


# ---- erased


def erase(exercise: Exercise, reason: str = "asked by the instructor") -> Tombstone:
    """Remove the exercise with everything in it; what stays is the tombstone."""
    with transaction.atomic():
        if Exercise.objects.select_for_update().filter(pk=exercise.pk).first() is None:
            raise Refused("This exercise is gone already.")
        collection = Collection.objects.get(exercise=exercise.pk)
        people = collection.members.exclude(role=Role.INSTRUCTOR, user=exercise.instructor_id)
        tombstone = erasure.erase(people, reason, collection)
        Exercise.objects.filter(pk=exercise.pk).delete()
        _delete(collection)
    return tombstone


def _delete(collection: Collection) -> None:
    """A collection that nobody judged in any more. Run files stay: the source's runs lie in the same ones."""
    tasks = Task.objects.filter(topic__collection=collection)
    Provenance.objects.filter(task__in=tasks.values("pk")).delete()
    tasks.delete()
    for model in (PoolBuilding, Run):
        model.objects.filter(collection=collection).delete()
    collection.delete()


def forgotten(today=None) -> QuerySet[Exercise]:
    """The exercises whose time to be erased has come."""
    return Exercise.objects.filter(erase_on__lte=today or timezone.localdate()).order_by("erase_on", "pk")
