"""The worker that indexes is killed at random moments. The next one continues, and searches find what they found."""

import pytest

from assess.jobs import queue
from assess.models import Collection, Job, SearchIndex
from assess.search import index
from assess.search.engines import engine
from assess.search.grammar import parse
from assess.search.index import index_documents, ready_index
from tests.assess.jobs.killing import KILLS, Work, killed_and_continued
from tests.assess.search.found import add_documents
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.alone, pytest.mark.database]

DOCUMENTS, BATCH = 3_000, 200


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(index, "BATCH", BATCH)
    monkeypatch.setattr(index, "let_others_write", lambda: None)


def start(slug: str) -> Job:
    """A collection with a complete index of few documents, to which many were imported."""
    collection = small_collection(SMALL_RUNS, slug)
    index_documents(collection)
    text = "The brook that gave the mill its name had run dry by then. " * 5
    add_documents(collection, {f"n{number}": (f"Mill {number}", text) for number in range(DOCUMENTS)})
    return queue.start("index", collection, None, {})


def found(collection: Collection) -> tuple[int, int, bool]:
    """How many documents searches find by old and new words, and whether the index is complete."""
    row = ready_index(collection)
    table = SearchIndex.objects.get(collection=collection).table
    old, new = (engine().matches(table, parse(word), 1, 60)[1] for word in ("text", "mill"))
    return old, new, row.is_complete


WORK = Work("index", start, found)


def test_duration_of_the_indexing_that_nobody_kills():
    seconds, (old, new, is_complete) = WORK.unharmed()
    assert seconds > 0.05
    assert (old > 0, new, is_complete) == (True, DOCUMENTS, True)


@pytest.mark.parametrize("kill", range(KILLS))
def test_killed_indexing_is_continued(kill):
    killed_and_continued(WORK, kill)
