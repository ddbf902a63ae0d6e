"""Computes the figures of the reveal when judging ends: a job of a worker, so that every step opens at once.

Without a worker, the pages compute the figures when they are shown.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assess.errors import Refused
from assess.jobs import queue, workers
from assess.lib.long_work import report
from assess.models import Collection, Exercise, Job

if TYPE_CHECKING:
    from assess.teaching.reveal.class_judgements import ClassJudgements

KIND = "reveal"
STAGE = "Computing the figures of the class"


@dataclass(frozen=True)
class Prepared:
    """The result of the job: the number of steps computed, for all choices of the lowest relevant grade."""

    steps: int


def start_preparing(exercise: Exercise) -> None:
    """Let a worker compute the figures. Call it in the transaction in which judging ends."""
    # If judging was reopened and has ended again, the pages compute what the first job does not.
    with suppress(queue.AlreadyRunning):
        queue.start(KIND, exercise.collection, exercise.instructor, {})


def preparing_job(exercise: Exercise) -> Job | None:
    """Return the job that computes the figures now, or None if it has ended or no worker is running."""
    jobs = Job.objects.filter(collection=exercise.collection_id, kind=KIND, state__in=queue.UNFINISHED)
    job = jobs.first()
    return job if job and workers.is_running() else None


def prepare_reveal(collection: Collection) -> Prepared:
    """Compute the figures of all steps for the cache of results: the function of the job."""
    from assess.analysis.query import ALL_GRADES, threshold_choices
    from assess.teaching.reveal.class_judgements import ClassJudgements  # loads pandas
    from assess.teaching.reveal.steps import STEPS

    exercise = Exercise.objects.select_related("collection").get(collection=collection)
    rels = [None if value == ALL_GRADES else int(value) for value, _ in threshold_choices(collection)]
    for place, rel in enumerate(rels):
        data = ClassJudgements(exercise, rel)
        for number, step in enumerate(STEPS):
            report(STAGE, place * len(STEPS) + number, len(rels) * len(STEPS))
            _prepare_step(data, step.slug)
    return Prepared(len(rels) * len(STEPS))


def _prepare_step(data: "ClassJudgements", slug: str) -> None:
    """Compute the figures of a step for the screen and for every student. Steps without figures are left out."""
    from assess.teaching.reveal.query import parse_query
    from assess.teaching.reveal.step_modules import STEP_MODULES  # loads pandas

    module = STEP_MODULES[slug]
    try:
        module.figures(data, parse_query(data.exercise, {}, data.rel))
    except Refused:
        return
    for participant in data.students.judged:
        try:
            module.own_figures(data, participant.seat)
        except Refused:
            continue
