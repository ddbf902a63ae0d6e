"""A filled site of each release goes to each later schema: its judgements, ledger and checkpoints stay as they are.

`tests/data/releases` has, for each release and kind of database, an archive of `assay backup`, and what it contains.
`python -m tests.release_archives` makes them for the version that is being released.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from assess.backups import postgresql, sqlite
from assess.backups.archive import verified
from assess.judging.checkpoints import find_checkpoint, problems_with
from assess.judging.ledger import ledger_problems
from assess.lib import tables
from assess.models import Run
from tests.assess.command_output import output_of
from tests.assess.models.schema import schema
from tests.assess.models.test_migrations import connected_to_another
from tests.release_archives import RELEASES

VERSIONS = sorted(folder.name for folder in RELEASES.iterdir() if folder.is_dir())

pytestmark = [pytest.mark.slow, pytest.mark.database(slow=True)]


@pytest.fixture(params=VERSIONS)
def archive(request) -> Path:
    return RELEASES / request.param / f"{connection.vendor}.zip"


@pytest.fixture
def facts(archive) -> dict:
    return json.loads(archive.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.fixture
def released(archive, transactional_db, tmp_path):
    """Connect this process to the database of a release. Yields the schema of the tests' database."""
    new = schema()
    with connected_to_another(tmp_path), verified(archive) as content:
        load(content, tmp_path)
        yield new


def load(content, folder: Path) -> None:
    if connection.vendor == "sqlite":
        sqlite.extract(content, folder).replace(connection.settings_dict["NAME"])
        return
    with transaction.atomic():
        postgresql.replace_tables(content, folder)


def later_migrations(facts: dict) -> Iterator[str]:
    known = {name for app, name in tables.known_migrations() if app == "assess"}
    yield from sorted(known - set(facts["migrations"]))


def events() -> list[str]:
    """The hashes of the ledger's events, read without the models, which are those of the newest schema."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT hash FROM assess_judgementevent")
        return sorted(bytes(row).hex() for (row,) in cursor.fetchall())


def rows(facts: dict) -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for name in facts["rows"]:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")
            (counts[name],) = cursor.fetchone()
        return counts


def test_releases_are_all_there():
    assert "0.1.0" in VERSIONS


def test_database_has_the_migrations_of_the_release(released, facts):
    applied = {name for app, name in MigrationRecorder(connection).applied_migrations() if app == "assess"}
    assert applied == set(facts["migrations"])
    assert len(facts["events"]) > 20
    assert facts["rows"]["assess_judgement"] > 10


def test_no_migration_changes_judgements_or_their_events(released, facts):
    for name in later_migrations(facts):
        MigrationExecutor(connection).migrate([("assess", name)])
        assert events() == facts["events"], name
        assert rows(facts)["assess_judgement"] == facts["rows"]["assess_judgement"], name
    assert events() == facts["events"]


def test_newest_schema_keeps_everything(released, facts):
    call_command("migrate", verbosity=0)
    assert tables.state() is tables.State.CURRENT
    assert schema() == released
    assert rows(facts) == facts["rows"]
    assert events() == facts["events"]
    assert list(ledger_problems()) == []
    assert list(problems_with(find_checkpoint(facts["checkpoint"]))) == []


def test_archive_is_restored(archive, facts, transactional_db, settings, tmp_path, monkeypatch):
    monkeypatch.delenv("ASSAY_SECRET_KEY", raising=False)
    settings.DATA_DIR = tmp_path / "data"
    settings.RUNS_DIR = settings.DATA_DIR / "runs"
    settings.ERASURE_LIST = settings.DATA_DIR / "erasures.jsonl"
    settings.RUNS_DIR.mkdir(parents=True)
    output_of("restore", archive, "--yes")
    assert events() == facts["events"]
    assert {path.stem for path in settings.RUNS_DIR.iterdir()} == set(
        Run.objects.values_list("file_checksum", flat=True)
    )
    assert output_of("verify_ledger")[-1].endswith("no differences.")


def test_a_migration_that_loses_a_judgement_would_be_noticed(released, facts):
    """The comparisons fail if a migration deletes an event or a judgement."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
        else:
            cursor.execute("ALTER TABLE assess_judgementevent DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM assess_judgementevent WHERE id = (SELECT max(id) FROM assess_judgementevent)")
    assert events() != facts["events"]
