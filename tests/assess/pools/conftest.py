"""Fixtures of tests of the adaptive order."""

import pytest

from assess.models import Collection
from tests.assess.pools.adaptive import DEPTH, some_runs
from tests.factories import small_collection


@pytest.fixture
def adaptive(db) -> Collection:
    """A collection of two topics, 7 systems of up to 31 documents, pooled to depth 12."""
    collection = small_collection(some_runs(), depth=DEPTH)
    Collection.objects.filter(pk=collection.pk).update(seed=11)
    collection.refresh_from_db()
    return collection


@pytest.fixture
def topic(adaptive):
    return adaptive.topics.get(query_id="1")


@pytest.fixture
def ada(adaptive, join):
    return join(adaptive, "ada")
