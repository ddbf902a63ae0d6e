"""Workers are killed at random moments: a job saves everything or nothing, and the next worker continues it."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.utils import timezone

from assess.collections.members import add_member
from assess.jobs import queue
from assess.jobs.recovery import SILENCE, recover
from assess.jobs.run import run
from assess.models import Assignment, Collection, Job, JobState, Role, Task
from tests.factories import small_collection
from tests.processes import kill_in_process

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

KILLS = 10
TOPICS, DOCUMENTS, SYSTEMS, DEPTH = 2, 3_000, 4, 2_000
QUERY_IDS = [str(number) for number in range(1, TOPICS + 1)]


@dataclass(frozen=True)
class Work:
    """A kind of job: its input, how the collection is prepared for it, and what it saves."""

    kind: str
    arguments: dict[str, Any]
    prepare: Callable[[Collection], object]
    saved: Callable[[Collection], tuple[int, ...]]


def add_assessors(collection: Collection) -> None:
    for name in ("ann", "bob", "cem"):
        add_member(collection, name, Role.ASSESSOR)


def pool_size(collection: Collection) -> tuple[int, ...]:
    return Task.objects.filter(topic__collection=collection).count(), collection.pool_buildings.count()


def assignments(collection: Collection) -> tuple[int, ...]:
    return (Assignment.objects.filter(member__collection=collection).count(),)


WORK = {
    "build_pool": Work("build_pool", {"depth": DEPTH}, lambda _: None, pool_size),
    "assign": Work("assign", {"judges": 2}, add_assessors, assignments),
}
DEPTH_BEFORE = {"build_pool": 1, "assign": DEPTH}


def retrieved(system: int) -> list[str]:
    """The documents of a system: the same for all systems, in an order of its own."""
    doc_ids = [f"d{number}" for number in range(DOCUMENTS)]
    random.Random(system).shuffle(doc_ids)
    return doc_ids


def start(work: Work, slug: str) -> Job:
    runs = {f"s{system}": dict.fromkeys(QUERY_IDS, retrieved(system)) for system in range(SYSTEMS)}
    collection = small_collection(runs, slug, depth=DEPTH_BEFORE[work.kind])
    work.prepare(collection)
    return queue.start(work.kind, collection, None, work.arguments)


@cache
def unharmed(kind: str) -> tuple[float, tuple[int, ...]]:
    """The seconds that the job takes, and what is saved at the end."""
    job = start(WORK[kind], "unharmed")
    started = time.monotonic()
    assert kill_in_process(lambda: run(job.pk, 1), 600).signal is None
    seconds = time.monotonic() - started
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return seconds, WORK[kind].saved(job.collection)


@pytest.mark.parametrize("kind", WORK)
def test_duration_of_the_job_that_nobody_kills(kind):
    seconds, saved = unharmed(kind)
    assert seconds > 0.05
    assert all(saved)


@pytest.mark.parametrize("kill", range(KILLS))
@pytest.mark.parametrize("kind", WORK)
def test_killed_job_saves_everything_or_nothing_and_is_continued(kind, kill):
    seconds, complete = unharmed(kind)
    job = start(WORK[kind], "killed")
    before = WORK[kind].saved(job.collection)
    moment = seconds * (kill + random.Random(f"{kind} {kill}").random()) / KILLS
    kill_in_process(lambda: run(job.pk, 1), moment)
    job.refresh_from_db()
    assert WORK[kind].saved(job.collection) == (complete if job.saved_at else before)
    Job.objects.update(heartbeat_at=timezone.now() - 2 * SILENCE)
    recover()
    job.refresh_from_db()
    if job.state == JobState.WAITING:
        run(job.pk, job.attempt + 1)
        job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    assert WORK[kind].saved(job.collection) == complete
