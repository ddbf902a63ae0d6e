"""The phases of an exercise: not started, running, paused, ended; and what may be shown in which phase.

Every change of phase locks the exercise and starts from the values in the database. Judging in the exercise's
collection is open exactly while the exercise runs.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.models import Exercise, Member, Phase, Role, WorksheetAnswer
from assess.models.exercise import MAX_MINUTES
from assess.teaching.reveal.prepare import start_preparing
from assess.teaching.reveal.steps import STEPS

PAIR = "pair"  # the worksheet that shows students how their partner graded
CLOCK_FIELDS = (
    "phase",
    "minutes",
    "started_at",
    "ends_at",
    "left_ms",
    "reveal_step",
    "revealed_at",
    "worksheets_open",
    "reveal_options",
)


@dataclass(frozen=True)
class Clock:
    """The phase of an exercise. `left_seconds` is None unless it is running or paused."""

    phase: str
    left_seconds: int | None = None


class NotYet(Refused):
    """Shown only after judging has ended, or after the instructor has shown it."""


def check_range(label: str, value: int, minimum: int, maximum: int) -> None:
    """Refuse a number outside of its range."""
    if not minimum <= value <= maximum:
        raise Refused(f"{label} must be between {minimum:,} and {maximum:,}, not {value:,}.")


# ---- the current phase


def read_clock(exercise: Exercise) -> Clock:
    """Return the current phase and the time left. An exercise whose time is over is saved as ended."""
    if _is_time_over(exercise):
        with _locked(exercise):
            pass  # _locked ends the exercise, unless somebody has extended it in the meantime
    if exercise.phase == Phase.RUNNING:
        left = _end_of(exercise) - timezone.now()
        return Clock(exercise.phase, max(0, ceil(left.total_seconds())))
    return Clock(exercise.phase, ceil(_left_ms(exercise) / 1000) if exercise.phase == Phase.PAUSED else None)


def check_ended(exercise: Exercise, consequence: str) -> None:
    """Refuse while somebody may still judge. `consequence` says what happens later, such as "The reveal opens"."""
    if read_clock(exercise).phase != Phase.ENDED:
        raise NotYet(
            f"The exercise has not ended yet. {consequence} afterwards, so that nobody is "
            "influenced by the grades of others."
        )


def check_figures(member: Member) -> None:
    """Refuse the figures of an exercise's collection to its instructor until the exercise has ended."""
    if member.role != Role.INSTRUCTOR:
        return
    if exercise := Exercise.objects.select_related("collection").filter(collection=member.collection_id).first():
        check_ended(exercise, "Its figures are shown")


def _is_time_over(exercise: Exercise) -> bool:
    return exercise.phase == Phase.RUNNING and _end_of(exercise) <= timezone.now()


def _end_of(exercise: Exercise) -> datetime:
    """Return when a running exercise ends."""
    if exercise.ends_at is None:
        raise ValueError(f"exercise {exercise.code} is running without an end")
    return exercise.ends_at


def _left_ms(exercise: Exercise) -> int:
    """Return how much time is left in a paused exercise."""
    if exercise.left_ms is None:
        raise ValueError(f"exercise {exercise.code} is paused without a time left")
    return exercise.left_ms


# ---- changes of phase


@contextmanager
def _locked(exercise: Exercise) -> Iterator[None]:
    """Lock and reload the exercise, let the caller change it, and save it together with its collection."""
    with transaction.atomic():
        try:
            # Reloaded under the lock: an instructor's second tab may have changed the phase.
            exercise.refresh_from_db(fields=CLOCK_FIELDS, from_queryset=Exercise.objects.select_for_update())
        except Exercise.DoesNotExist:
            raise Refused("This exercise no longer exists: it was erased with all its data.") from None
        before = exercise.phase
        if _is_time_over(exercise):
            exercise.phase = Phase.ENDED
        _note_reveal(exercise)
        yield
        _note_reveal(exercise)
        exercise.save(update_fields=CLOCK_FIELDS)
        collection = exercise.collection
        # In the same transaction: judging is open exactly while the exercise runs.
        collection.judging_open, collection.judging_ends_at = exercise.phase == Phase.RUNNING, exercise.ends_at
        collection.save(update_fields=["judging_open", "judging_ends_at"])
        if exercise.phase == Phase.ENDED != before:
            start_preparing(exercise)


def _note_reveal(exercise: Exercise) -> None:
    """Record when students can first see other students' grades: in the reveal, or on the pair worksheet."""
    sees_partner = exercise.worksheets_open and PAIR in exercise.worksheets
    if exercise.phase == Phase.ENDED and (exercise.reveal_step or sees_partner):
        exercise.revealed_at = exercise.revealed_at or timezone.now()


def _check_phase(exercise: Exercise, participle: str, *phases: Phase) -> None:
    if exercise.phase not in phases:
        allowed = " or ".join(phase.label for phase in phases)
        raise Refused(
            f"The exercise cannot be {participle}: its state is “{Phase(exercise.phase).label}”, not “{allowed}”."
        )


def start(exercise: Exercise) -> None:
    with _locked(exercise):
        _check_phase(exercise, "started", Phase.WAITING)
        now = timezone.now()
        exercise.phase, exercise.started_at = Phase.RUNNING, now
        exercise.ends_at = now + timedelta(minutes=exercise.minutes)


def pause(exercise: Exercise) -> None:
    with _locked(exercise):
        _check_phase(exercise, "paused", Phase.RUNNING)
        left = _end_of(exercise) - timezone.now()
        exercise.phase, exercise.ends_at = Phase.PAUSED, None
        exercise.left_ms = max(1, int(left.total_seconds() * 1000))


def resume(exercise: Exercise) -> None:
    with _locked(exercise):
        _check_phase(exercise, "resumed", Phase.PAUSED)
        exercise.phase = Phase.RUNNING
        exercise.ends_at = timezone.now() + timedelta(milliseconds=_left_ms(exercise))
        exercise.left_ms = None


def extend(exercise: Exercise, minutes: int) -> None:
    """Add time. An exercise that has ended runs again, unless students could already see other students' grades."""
    check_range("Minutes", minutes, 1, MAX_MINUTES)
    with _locked(exercise):
        if exercise.revealed_at:
            raise Refused(
                "Judging cannot be reopened: the reveal has started, or partners could see their table, so students "
                "may know other students' grades."
            )
        if exercise.phase == Phase.WAITING:
            check_range("Minutes in total", exercise.minutes + minutes, 1, MAX_MINUTES)
            exercise.minutes += minutes
        elif exercise.phase == Phase.PAUSED:
            exercise.left_ms = _left_ms(exercise) + minutes * 60_000
        elif exercise.phase == Phase.RUNNING:
            exercise.ends_at = _end_of(exercise) + timedelta(minutes=minutes)
        else:
            exercise.phase, exercise.ends_at = Phase.RUNNING, timezone.now() + timedelta(minutes=minutes)
            # The partners' table changes with new judgements, so answers about the old table are deleted.
            WorksheetAnswer.objects.filter(seat__exercise=exercise, worksheet=PAIR).delete()


def end(exercise: Exercise) -> None:
    with _locked(exercise):
        _check_phase(exercise, "ended", Phase.RUNNING, Phase.PAUSED)
        exercise.phase, exercise.ends_at, exercise.left_ms = Phase.ENDED, timezone.now(), None


# ---- what students see afterwards


def reveal(exercise: Exercise, step: int) -> None:
    """Show the reveal up to a step, counted from 1. Step 0 closes it again, but `revealed_at` stays."""
    check_range("Step of the reveal", step, 0, len(STEPS))
    with _locked(exercise):
        _check_phase(exercise, "revealed", Phase.ENDED)
        exercise.reveal_step = step


def choose_options(exercise: Exercise, options: Mapping[str, str]) -> None:
    """Save the display options of the steps, which the class screen uses too. The caller has validated them."""
    with _locked(exercise):
        exercise.reveal_options = dict(options)


def open_worksheets(exercise: Exercise, is_open: bool) -> None:
    """Open or close the worksheets. After judging has ended, the pair worksheet shows the grades of partners."""
    with _locked(exercise):
        exercise.worksheets_open = is_open
