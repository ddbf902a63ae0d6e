"""Fixtures that all tests share."""

import gc
import os
from unittest.mock import Mock

import pytest
from django.core.management.commands import flush as flush_command
from django.db import OperationalError, connection
from django.db.backends.base.operations import BaseDatabaseOperations

from assess.collections.members import add_member
from assess.jobs import results
from assess.models import ErasurePermit, Member, Role
from tests import examples  # noqa: F401 - loads the profile of hypothesis
from tests.factories import SMALL_RUNS, small_collection


def pytest_xdist_auto_num_workers(config) -> int:
    """One for each core, or two more if tests wait for the timers of a browser or for PostgreSQL."""
    waits = "DATABASE_URL" in os.environ or any("browser" in argument for argument in config.args)
    return (os.cpu_count() or 1) + (2 if waits else 0)


def pytest_configure():
    """Thousands of modules and tests are created and none is freed until collection ends."""
    gc.disable()


def pytest_collection_finish():
    """Exclude what collection created from garbage collection: thousands of tests are traversed again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Start from a copy of a migrated database."""
    from tests.migrated_once import migrated_once  # not for Windows, where only the libraries are tested

    with migrated_once():
        yield


@pytest.fixture
def isolated_storage(settings, tmp_path):
    """Give a test its own files, list of erasures and an empty cache. All tests of the web application use it."""
    settings.RUNS_DIR = tmp_path / "runs"
    settings.UPLOADS_DIR = tmp_path / "uploads"
    settings.ERASURE_LIST = tmp_path / "erasures.jsonl"
    results.forget_all()


@pytest.fixture(autouse=True, scope="session")
def allow_table_flush():
    """Let tests without a transaction empty all tables at the end, which the ledger's triggers allow with a permit.

    Yields the original flush."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def flush_with_permit(operations, statements, tries=5):
        try:
            ErasurePermit.objects.using(operations.connection.alias).create()
            if operations.connection.vendor == "postgresql":
                statements = deletions(operations.connection)
            # One table is emptied after the other; the table of permits comes last.
            flush(operations, sorted(statements, key=lambda statement: "assess_erasing" in statement))
        except OperationalError:  # PostgreSQL: a request of the closed browser is still running
            if tries == 1:
                raise
            flush_with_permit(operations, statements, tries - 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush_with_permit)
        # It would create the permissions and content types again, which nothing uses: nine tenths of a flush.
        patch.setattr(flush_command, "emit_post_migrate_signal", Mock())
        yield flush


def deletions(database) -> list[str]:
    """Statements that empty the tables with rows: TRUNCATE writes new files for all, and waits for the disk."""
    tables = database.introspection.django_table_names(only_existing=True, include_views=False)
    with database.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables))
        return [f"DELETE FROM {table}" for (table,) in cursor.fetchall()]


@pytest.fixture(autouse=True, scope="module")
def vacuum_after_each_module(django_db_blocker):
    """PostgreSQL keeps the rows of tests that were rolled back, and reads them again and again until it vacuums."""
    yield
    if connection.vendor == "postgresql" and connection.settings_dict["NAME"].startswith("test_"):
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("VACUUM")


@pytest.fixture
def collection(db):
    """A collection with two topics, three systems, a pool of depth 2, and texts."""
    return small_collection(SMALL_RUNS)


@pytest.fixture
def join(db, django_user_model):
    """A function that gives a new person a role in a collection."""

    def join(collection, name: str, role: Role = Role.ASSESSOR) -> Member:
        return add_member(collection, name, role)[0]

    return join


@pytest.fixture
def add_assessors(join):
    """A function that adds assessors to a collection."""

    def add_assessors(collection, *names: str):
        return [join(collection, name) for name in names]

    return add_assessors


@pytest.fixture
def signed_in(client):
    """A function that signs the test client in as a member."""

    def signed_in(member: Member):
        client.force_login(member.user, backend="assess.people.backend.AccountBackend")
        return client

    return signed_in
