"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue, results
from assess.models import Collection, Job, JobState, Judgement, Pilot, Role, User

# Both take about 1.5 seconds.
RUN_LINES_AT_ONCE = 1_000_000
RATINGS_OF_PAIRS_AT_ONCE = 5_000_000
RETRY_AFTER = timedelta(minutes=1)


class Pending(Exception):  # noqa: N818 - not an error
    """A job computes the figures."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.job = job


@dataclass(frozen=True)
class Started:
    """The result of a job that computed figures: their key in the cache of results."""

    key: str


def shift_or_pending(collection: Collection, user: User, measure: str, reference: str | None) -> Any:
    """Return the ranking shift, or raise Pending if computing it takes more than a moment."""
    from assess.analysis import shift
    from assess.analysis.data import judgements_state

    if _is_small_for_shift(collection):
        return shift.collection_shift(collection, measure, reference=reference)
    state = judgements_state(collection, collection.runs.all())
    key = shift.shift_key(state, measure, reference=reference)
    return known_or_pending("shift", collection, user, key, {"measure": measure, "reference": reference})


def agreement_or_pending(collection: Collection, user: User, rel: int | None, pilot: Pilot | None = None) -> Any:
    """Return the figures of the agreement page, or raise Pending if computing them takes more than a moment."""
    from assess.analysis import agreement

    if pilot or _is_small_for_agreement(collection):
        return agreement.agreement_figures(collection, rel, pilot)
    key = agreement.agreement_key(collection, rel)
    return known_or_pending("agreement", collection, user, key, {"rel": rel})


def compute_shift(collection: Collection, key: str, measure: str, reference: str | None) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift import collection_shift

    collection_shift(collection, measure, reference=reference)
    return Started(key)


def compute_agreement(collection: Collection, key: str, rel: int | None) -> Started:
    """Compute the figures of the agreement page for the cache of results: the function of the job `agreement`."""
    from assess.analysis.agreement import agreement_figures

    results.keep(key, agreement_figures(collection, rel))
    return Started(key)


def known_or_pending(kind: str, collection: Collection, user: User, key: str, arguments: dict[str, Any]) -> Any:
    if (result := results.get(key)) is not None:
        return result
    latest = Job.objects.filter(collection=collection, kind=kind, input__key=key).first()
    if latest and latest.state in queue.UNFINISHED:
        raise Pending(latest)
    if latest and latest.state == JobState.FAILED and _has_just_ended(latest):
        raise Refused(latest.error)
    raise Pending(queue.start(kind, collection, user, {"key": key} | arguments))


def _has_just_ended(job: Job) -> bool:
    return job.ended_at is not None and job.ended_at > timezone.now() - RETRY_AFTER


def _is_small_for_shift(collection: Collection) -> bool:
    return sum(run.line_count for run in collection.runs.all()) <= RUN_LINES_AT_ONCE


def _is_small_for_agreement(collection: Collection) -> bool:
    """Whether few judgements are compared: each is compared with those of all other judges."""
    judgements = Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR, repeat=0)
    judges = collection.members.filter(role=Role.ASSESSOR).count()
    return judgements.count() * judges <= RATINGS_OF_PAIRS_AT_ONCE
