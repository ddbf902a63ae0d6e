"""Workers are killed at random moments: a job saves everything or nothing, and the next worker continues it."""

import random

import pytest

from assess.collections.members import add_member
from assess.jobs import queue
from assess.models import Assignment, Collection, Job, Role, Task
from tests.assess.jobs.killing import KILLS, Work, killed_and_continued
from tests.factories import small_collection

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.alone, pytest.mark.database]

TOPICS, DOCUMENTS, SYSTEMS, DEPTH = 2, 3_000, 4, 2_000
QUERY_IDS = [str(number) for number in range(1, TOPICS + 1)]


def start_pool(slug: str) -> Job:
    return queue.start("build_pool", pooled(slug, depth=1), None, {"depth": DEPTH})


def pool_size(collection: Collection) -> tuple[int, ...]:
    return Task.objects.filter(topic__collection=collection).count(), collection.pool_buildings.count()


def start_assigning(slug: str) -> Job:
    collection = pooled(slug, depth=DEPTH)
    for name in ("ann", "bob", "cem"):
        add_member(collection, name, Role.ASSESSOR)
    return queue.start("assign", collection, None, {"judges": 2})


def assignments(collection: Collection) -> tuple[int, ...]:
    return (Assignment.objects.filter(member__collection=collection).count(),)


def pooled(slug: str, depth: int) -> Collection:
    runs = {f"s{system}": dict.fromkeys(QUERY_IDS, retrieved(system)) for system in range(SYSTEMS)}
    return small_collection(runs, slug, depth=depth)


def retrieved(system: int) -> list[str]:
    """The documents of a system: the same for all systems, in an order of its own."""
    doc_ids = [f"d{number}" for number in range(DOCUMENTS)]
    random.Random(system).shuffle(doc_ids)
    return doc_ids


WORK = [Work("build_pool", start_pool, pool_size), Work("assign", start_assigning, assignments)]


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.kind)
def test_duration_of_the_job_that_nobody_kills(work):
    seconds, saved = work.unharmed()
    assert seconds > 0.05
    assert all(saved)


@pytest.mark.parametrize("kill", range(KILLS))
@pytest.mark.parametrize("work", WORK, ids=lambda work: work.kind)
def test_killed_job_saves_everything_or_nothing_and_is_continued(work, kill):
    killed_and_continued(work, kill)
