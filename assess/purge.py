"""The nightly purge: deletes what has expired. Each step is independent, so that one that fails stops no other."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from assess import throttle
from assess.deletion import delete_unused_run_files, unused_run_files
from assess.documents.contents import delete_unused_contents
from assess.errors import Refused
from assess.jobs import results
from assess.models import Exercise
from assess.people.audit import delete_old_events, old_events
from assess.people.invitations import old_invitations
from assess.people.owner_link import spent_links
from assess.people.sessions import expired_sessions
from assess.people.sign_in.reset_links import spent_reset_links
from assess.people.tokens import ended_tokens, old_writes
from assess.teaching import exercises
from assess.teaching.seats import delete_expired_tokens
from assess.transfer.uploads.storage import abandoned_uploads, delete_abandoned
from pooling.words import count

TASK_DAYS = timedelta(days=7)  # longer than any job runs
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Step:
    """One kind of data. `due` counts what would be deleted; without it, the number is not known in advance."""

    label: str
    delete: Callable[[], str]
    due: Callable[[], int] | None = None
    consequence: str = "would be deleted"


@dataclass(frozen=True)
class Outcome:
    """What happened in one step, as a sentence."""

    sentence: str
    is_failure: bool = False


def purge() -> Iterator[Outcome]:
    """Delete what has expired, and yield what happened, step by step."""
    for step in (*_steps(), *_exercise_steps()):
        yield _run(step)


def _run(step: Step) -> Outcome:
    try:
        return Outcome(f"{step.label}: {step.delete()}.")
    # Of any kind, so that the other steps still run; the log has the traceback.
    except Exception:
        logger.exception("The purge failed at: %s", step.label)
        return Outcome(f"{step.label}: failed. The log has the reason.", is_failure=True)


def due() -> Iterator[Outcome]:
    """Yield what `purge` would delete now. Nothing is changed."""
    for step in (*_steps(), *_exercise_steps()):
        if step.due:
            yield Outcome(f"{step.label}: {step.due():,} {step.consequence}.")


def _steps() -> list[Step]:
    return [
        Step("Expired sessions", lambda: _deleted(expired_sessions().delete()[0]), lambda: expired_sessions().count()),
        Step("Answers of the API", lambda: _deleted(old_writes().delete()[0]), lambda: old_writes().count()),
        Step("Ended API tokens", lambda: _deleted(ended_tokens().delete()[0]), lambda: ended_tokens().count()),
        Step(
            "Counts of wrong passwords and codes",
            lambda: _deleted(throttle.delete_ended()),
            lambda: throttle.ended().count(),
        ),
        Step("Expired cookies of students", _delete_tokens),
        Step("Texts of interrupted imports", lambda: _deleted(delete_unused_contents())),
        Step("Abandoned uploads", lambda: _deleted(delete_abandoned()), lambda: abandoned_uploads().count()),
        Step("Files of deleted runs", lambda: _deleted(delete_unused_run_files()), lambda: len(unused_run_files())),
        Step("Used or expired owner links", lambda: _deleted(spent_links().delete()[0]), lambda: spent_links().count()),
        Step("Expired invitations", lambda: _deleted(old_invitations().delete()[0]), lambda: old_invitations().count()),
        Step(
            "Used or expired reset links",
            lambda: _deleted(spent_reset_links().delete()[0]),
            lambda: spent_reset_links().count(),
        ),
        Step(
            "Records of ended jobs in the queue",
            lambda: _deleted(_old_tasks().delete()[0]),
            lambda: _old_tasks().count(),
        ),
        Step("Cached results of analyses", _forget_results),
        Step("Old entries of the audit log", lambda: _deleted(delete_old_events()), lambda: old_events().count()),
    ]


def _deleted(count: int) -> str:
    return f"{count:,} deleted"


def _delete_tokens() -> str:
    delete_expired_tokens()
    return "those that no longer count were deleted"


def _forget_results() -> str:
    results.forget_all()
    return "deleted"


def _old_tasks() -> QuerySet[DBTaskResult[..., Any]]:
    """Return the rows of the queue that no worker needs any more. The jobs themselves stay."""
    # Rows that are READY belong to jobs that still wait, however old they are.
    return DBTaskResult.objects.exclude(status="READY").filter(enqueued_at__lt=timezone.now() - TASK_DAYS)


def _exercise_steps() -> Iterator[Step]:
    """Yield one step for each expired exercise, since each is erased in its own transaction."""
    for exercise in exercises.expired_exercises().select_related("collection"):
        yield Step(
            f"Exercise {exercise.collection.slug}, due {exercise.erase_on}",
            partial(_erase, exercise),
            exercise.seats.count,
            "seats would be erased",
        )


def _erase(exercise: Exercise) -> str:
    try:
        erased = exercises.erase(exercise, "it reached its erasure date")
    except Refused:
        return "the instructor erased it in the meantime"
    return (
        f"erased with {count(erased.members, 'seat')}, {count(erased.judgements, 'judgement')} and "
        f"{count(erased.events, 'ledger event')}"
    )
