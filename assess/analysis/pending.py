"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.module_loading import import_string

from assess.analysis.selection import Selection
from assess.errors import Refused
from assess.jobs import queue, results
from assess.models import Collection, Exercise, Job, JobState, Judgement, Role, User

# Both take between 1 and 2 seconds.
RUN_LINES_AT_ONCE = 1_000_000
RATINGS_OF_PAIRS_AT_ONCE = 6_000_000
RETRY_AFTER = timedelta(minutes=1)
CLASS_SECONDS = 120  # the figures of a class contain nicknames
AGREEMENT_PAGES = {
    "agreement": "assess.analysis.agreement.agreement_figures",
    "topics": "assess.analysis.agreement.topics_frame",
    "judges": "assess.analysis.judges.habits.judges_figures",
    "time": "assess.analysis.judges.time.time_frame",
}


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
    return _known_or_pending("shift", collection, user, key, {"measure": measure, "reference": reference})


def agreement_or_pending(
    collection: Collection, user: User, page: str, selection: Selection, reference: str | None = None
) -> Any:
    """Return the figures of one of the agreement pages, or raise Pending if computing them takes more than a moment.

    `page` is a key of `AGREEMENT_PAGES`.
    """
    from assess.analysis.agreement import agreement_key

    key = agreement_key(collection, selection, page, reference)
    if (result := results.get(key)) is not None:
        return result
    if _is_small_for_agreement(collection):
        return _compute_page(collection, key, page, selection, reference)
    arguments = {"page": page, "selection": selection.to_input(), "reference": reference}
    return _known_or_pending("agreement", collection, user, key, arguments)


def compute_shift(collection: Collection, key: str, measure: str, reference: str | None) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift import collection_shift

    collection_shift(collection, measure, reference=reference)
    return Started(key)


def compute_agreement(
    collection: Collection, key: str, page: str, selection: dict[str, Any], reference: str | None
) -> Started:
    """Compute the figures of an agreement page for the cache of results: the function of the job `agreement`."""
    _compute_page(collection, key, page, Selection.from_input(selection), reference)
    return Started(key)


def _compute_page(collection: Collection, key: str, page: str, selection: Selection, reference: str | None) -> Any:
    figures = import_string(AGREEMENT_PAGES[page])(collection, selection, reference)
    is_class = Exercise.objects.filter(collection=collection).exists()
    results.keep(key, figures, CLASS_SECONDS if is_class else results.SECONDS)
    return figures


def _known_or_pending(kind: str, collection: Collection, user: User, key: str, arguments: dict[str, Any]) -> Any:
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
