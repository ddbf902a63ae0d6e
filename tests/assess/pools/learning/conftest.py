"""Fixtures of tests of the learner."""

import pytest

from tests.assess.pools.learning.whole import whole_collection


@pytest.fixture
def whole(db):
    """A collection of two topics and 90 documents, open to claims by one judge per task, without a pool."""
    return whole_collection()


@pytest.fixture
def topic(whole):
    return whole.topics.get(query_id="1")


@pytest.fixture
def ada(whole, join):
    return join(whole, "ada")


@pytest.fixture
def bob(whole, join):
    return join(whole, "bob")


@pytest.fixture
def at_once(settings):
    """Requests train the next model and wait for it."""
    settings.TRAIN_AT_ONCE = True
