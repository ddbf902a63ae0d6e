"""The migrations match the models, and a filled database of the commit before they became two is taken over.

`tests/data/earlier_database` has a dump for each kind of database, made at `earlier_migrations.LAST_COMMIT`: the demo
with other texts, six documents judged by its assessor (one again, one undone), an invitation and a checkpoint.
"""

import gzip
import sqlite3
import uuid
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems, ledger_size
from assess.judging.record import record_judgement
from assess.lib import earlier_migrations, tables
from assess.models import Assignment, DocumentContent, JudgementEvent, Member
from tests.assess.command_output import refusal
from tests.assess.models.schema import schema

DUMPS = Path(__file__).resolve().parents[2] / "data" / "earlier_database"
COUNTS = {
    "User": 3,
    "Collection": 1,
    "Grade": 4,
    "Guidelines": 1,
    "Member": 6,
    "Topic": 12,
    "DocumentContent": 281,
    "Document": 281,
    "Run": 5,
    "PoolBuilding": 1,
    "Task": 311,
    "Provenance": 311,
    "PoolChange": 311,
    "Assignment": 311,
    "AuditEvent": 5,
    "ImportRecord": 6,
    "ImportedJudge": 3,
    "ImportedFile": 3,
    "JudgementImport": 3,
    "Judgement": 938,
    "JudgementEvent": 940,
    "Checkpoint": 1,
    "Invitation": 1,
}

pytestmark = [pytest.mark.slow, pytest.mark.database(slow=True)]


@pytest.fixture
def earlier(transactional_db, tmp_path):
    """Connect this process to a database of the last commit with the earlier migrations.

    Yields the schema of the tests' database, which the present migrations created."""
    dump, new = gzip.decompress((DUMPS / f"{connection.vendor}.sql.gz").read_bytes()).decode(), schema()
    with connected_to_another(tmp_path):
        load(dump)
        yield new


@pytest.fixture
def empty(transactional_db, tmp_path):
    """Connect this process to an empty database. Yields the schema of the tests' database."""
    new = schema()
    with connected_to_another(tmp_path):
        yield new


@contextmanager
def connected_to_another(folder: Path):
    own = connection.settings_dict["NAME"]
    name = f"{own}_earlier" if connection.vendor == "postgresql" else str(folder / "earlier.sqlite3")
    connection.close()
    if connection.vendor == "postgresql":
        administer(f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}"')
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own
        if connection.vendor == "postgresql":
            administer(f'DROP DATABASE "{name}"')


def administer(*statements: str) -> None:
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def load(dump: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(dump)
        connection.close()  # the dump changed the search path
        return
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
        database.executescript(dump)


def applied() -> set[str]:
    return {name for app, name in MigrationRecorder(connection).applied_migrations() if app == "assess"}


def counts() -> dict[str, int]:
    """Count the rows of the tables of this version that exist."""
    existing = connection.introspection.table_names()
    models = [model for model in apps.get_app_config("assess").get_models() if model._meta.db_table in existing]
    return {model.__name__: count for model in models if (count := model._default_manager.count())}


def present_names() -> set[str]:
    return {name for app, name in tables.known_migrations() if app == "assess"}


def forget(name: str) -> None:
    MigrationRecorder(connection).migration_qs.filter(app="assess", name=name).delete()


@pytest.mark.django_db
def test_models_need_no_further_migration():
    call_command("makemigrations", "assess", check=True, dry_run=True, verbosity=0)


def test_the_two_are_the_first_of_the_files():
    assert [("assess", name) for name in sorted(present_names())[:2]] == sorted(earlier_migrations.THE_TWO)


def test_database_of_the_last_commit_is_taken_over(earlier):
    assert tables.state() is tables.State.BEHIND
    before = counts()
    call_command("migrate", verbosity=0)
    assert tables.state() is tables.State.CURRENT
    assert applied() == present_names()
    assert counts() == before == COUNTS
    assert ledger_size() == (938, 940)
    assert list(ledger_problems()) == []


def test_schema_is_that_of_a_new_database(earlier):
    call_command("migrate", verbosity=0)
    assert schema() == earlier
    assert len([each for each in earlier if each.startswith("trigger ")]) == 9


def test_judging_continues(earlier):
    call_command("migrate", verbosity=0)
    member = Member.objects.get(user__username="assessor")
    assignment = Assignment.objects.filter(member=member, state="").earliest("pk")
    record_judgement(member, assignment.public_id, JudgementInput("judged", 2), uuid.uuid4(), actor=member.user)
    assert JudgementEvent.objects.filter(member=member).latest("pk").position == 8
    assert list(ledger_problems()) == []
    with pytest.raises(IntegrityError, match="append-only ledger"), transaction.atomic():
        JudgementEvent.objects.update(relevance=0)


def test_migrations_create_what_a_new_database_has(empty):
    """A new SQLite database is created from the models, without running the migrations one by one."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    assert schema() == empty


def test_new_database_is_current_and_has_the_rows_of_the_migrations(empty):
    call_command("migrate", verbosity=0)
    assert tables.state() is tables.State.CURRENT
    assert set(MigrationRecorder(connection).applied_migrations()) == tables.known_migrations()
    assert list(ledger_problems()) == []
    models = [model._meta.model_name for model in apps.get_app_config("assess").get_models()]
    assert ContentType.objects.filter(app_label="assess", model__in=models).count() == len(models)


def test_plan_and_check_change_nothing(earlier):
    with pytest.raises(SystemExit) as end:
        call_command("migrate", check_unapplied=True, verbosity=0)
    assert end.value.code == 1
    with pytest.raises(SystemExit) as end:
        call_command("migrate", plan=True, verbosity=0)
    assert end.value.code == 0
    assert applied() == {name for _, name in earlier_migrations.EARLIER}


def test_html_without_sanitised_text_is_refused_with_the_command_to_run(earlier):
    content = DocumentContent.objects.filter(document__isnull=False).earliest("pk")
    DocumentContent.objects.filter(pk=content.pk).update(format="html")
    assert refusal("migrate") == earlier_migrations.NOT_SANITISED
    DocumentContent.objects.filter(pk=content.pk).update(sanitised="x", sanitiser_version=1)
    call_command("migrate", verbosity=0)
    assert tables.state() is tables.State.CURRENT


@pytest.mark.parametrize("missing", ["0040_reference", "0001_tables"])
def test_older_database_is_refused_with_the_commit_to_stop_at(earlier, missing):
    forget(missing)
    assert tables.state() is tables.State.TOO_OLD
    assert refusal("migrate") == earlier_migrations.TOO_OLD
    with pytest.raises(CommandError, match=f"Check out the commit {earlier_migrations.LAST_COMMIT}, run"):
        tables.ensure("assay")
    assert len(applied()) == len(earlier_migrations.EARLIER) - 1
