"""The cast and the stage that all tests share."""

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.db.backends.base.operations import BaseDatabaseOperations
from hypothesis import settings as hypothesis_settings

from assess.collections.members import add_member
from assess.models import ErasurePermit, Member, Role
from tests.factories import SMALL_RUNS, small_collection

# The same examples at every run, and no clock: a busy machine must not fail a test.
hypothesis_settings.register_profile("assay", deadline=None, derandomize=True, max_examples=50)
hypothesis_settings.load_profile("assay")


@pytest.fixture(autouse=True)
def isolated_storage(settings, tmp_path):
    """Run files of one test are not seen by another, nor is anything that was kept."""
    settings.RUNS_DIR = tmp_path / "runs"
    cache.clear()


@pytest.fixture(autouse=True, scope="session")
def allow_table_flush():
    """Tests without a transaction end with every table emptied; the ledger lets that happen through its one door.
    Yields the emptying as it is in life."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def flush_with_permit(operations, statements, tries=5):
        try:
            ErasurePermit.objects.using(operations.connection.alias).create()
            # SQLite empties one table after the other: the door's own comes last.
            flush(operations, sorted(statements, key=lambda statement: "assess_erasing" in statement))
        except OperationalError:  # PostgreSQL: a request of the browser that just closed was still at work
            if tries == 1:
                raise
            flush_with_permit(operations, statements, tries - 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush_with_permit)
        yield flush


@pytest.fixture
def collection(db):
    """A collection of two topics and three systems, its pool built to depth 2, with texts."""
    return small_collection(SMALL_RUNS)


@pytest.fixture
def join(db, django_user_model):
    """A function that gives a new person a role in a collection."""

    def join(collection, name: str, role: Role = Role.ASSESSOR) -> Member:
        return add_member(collection, name, role)[0]

    return join


@pytest.fixture
def add_assessors(join):
    """A function that gives a collection assessors."""

    def add_assessors(collection, *names: str):
        return [join(collection, name) for name in names]

    return add_assessors


@pytest.fixture
def signed_in(client):
    """A function that signs the test's browser in as a member."""

    def signed_in(member: Member):
        client.force_login(member.user, backend="assess.people.backend.AccountBackend")
        return client

    return signed_in
