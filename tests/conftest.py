"""The cast and the stage that all tests share."""

import pytest
from django.core.cache import cache
from hypothesis import settings as hypothesis_settings

from assess import collections
from assess.models import Member, Role
from tests.world import SMALL_RUNS, small_collection

# The same examples at every run, and no clock: a busy machine must not fail a test.
hypothesis_settings.register_profile("assay", deadline=None, derandomize=True)
hypothesis_settings.load_profile("assay")


@pytest.fixture(autouse=True)
def stage(settings, tmp_path):
    """Run files of one test are not seen by another, nor is anything that was kept."""
    settings.RUNS_DIR = tmp_path / "runs"
    cache.clear()


@pytest.fixture
def collection(db):
    """A collection of two topics and three systems, its pool built to depth 2, with texts."""
    return small_collection(SMALL_RUNS)


@pytest.fixture
def join(db, django_user_model):
    """A function that gives a new person a role in a collection."""

    def join(collection, name: str, role: Role = Role.ASSESSOR) -> Member:
        return collections.add_member(collection, name, role)[0]

    return join


@pytest.fixture
def signed_in(client):
    """A function that signs the test's browser in as a member."""

    def signed_in(member: Member):
        client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in
