"""A rehearsal restores an archive to a database of its own, and leaves the site as it is."""

from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection

from assess.backups import create
from assess.backups import rehearse as rehearsing
from assess.backups.manifest import CollectionState
from assess.backups.rehearse import rehearse
from assess.backups.scratch import PREFIX
from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash, covered_digest
from assess.judging.checkpoints import create_checkpoint
from assess.models import AuditEvent, Judgement, JudgementEvent, Session, User
from tests.assess.backups.archives import rewritten
from tests.assess.command_output import output_of, refusal, tables

pytestmark = [pytest.mark.slow, pytest.mark.site, pytest.mark.database(slow=True)]


def databases() -> list[str]:
    """The scratch databases that are there."""
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        return [name for (name,) in cursor.fetchall()]


def state(site) -> dict:
    """Everything that a restore would change: rows without the audit log, and files."""
    files = {str(path.relative_to(site.data)): path.read_bytes() for path in site.data.rglob("*") if path.is_file()}
    return {"rows": {name: rows for name, rows in tables().items() if name != "AuditEvent"}, "files": files}


def test_rehearsal_changes_nothing(site):
    path = site.back_up()
    site.judge(site.ann)
    Session.objects.create(session_key="a" * 32, session_data="", expire_date="2100-01-01T00:00:00Z")
    before = state(site)
    rehearsal = rehearse(str(path))
    assert rehearsal.counts == {"users": User.objects.count(), "collections": 1, "judgements": 3}
    assert rehearsal.problems == []
    assert state(site) == before
    assert Judgement.objects.count() == 4
    assert databases() == []
    event = AuditEvent.objects.get(action="rehearsed")
    assert event.details["differences"] == 0


def test_command_takes_the_newest_archive(site, settings, tmp_path):
    settings.BACKUP_DIR = str(tmp_path / "archives")
    assert refusal("rehearse_restore") == f"{settings.BACKUP_DIR} has no archive yet."
    output_of("backup")
    first, checkpoint, last = output_of("rehearse_restore")
    (path,) = (tmp_path / "archives").iterdir()
    assert first.startswith(f"{path}: the backup of ")
    assert "has 3 users, 1 collection, 3 judgements." in first
    assert checkpoint.startswith("Checkpoint of small: ")
    assert last == "Verified the ledger and the run files: no differences. The site was not changed."


def test_archive_must_be_named_without_a_schedule(site, settings):
    settings.BACKUP_DIR = ""
    assert refusal("rehearse_restore") == "ASSAY_BACKUP_DIR is not set, so name the archive."


def test_file_that_is_not_there(site, tmp_path):
    assert refusal("rehearse_restore", tmp_path / "a.zip") == f"There is no file {tmp_path / 'a.zip'}."


def test_damaged_archive_is_refused(site):
    path = rewritten(site.back_up(), lambda _, manifest: manifest["files"]["secret_key"].update(sha256="0" * 64))
    with pytest.raises(Refused, match="the file secret_key is damaged"):
        rehearse(str(path))
    assert not AuditEvent.objects.filter(action="rehearsed").exists()


def test_checkpoint_that_the_database_does_not_match_is_a_problem(site, monkeypatch):
    """A restored ledger that lacks events of the manifest, such as one of a database that was copied too early."""
    checkpoint = create_checkpoint(site.collection, "backup")
    chains = [[*checkpoint.chains[0][:-1], "0" * 64], *checkpoint.chains[1:]]
    digest = covered_digest(checkpoint.covered)
    state = CollectionState("small", checkpoint_hash("small", chains, digest), chains, digest)
    monkeypatch.setattr(create, "_create_checkpoints", lambda: [state])
    path = site.back_up()
    with pytest.raises(CommandError, match="The archive has 1 problem"):
        output_of("rehearse_restore", path)
    assert databases() == []
    assert AuditEvent.objects.get(action="rehearsed").details["differences"] == 1


def test_missing_run_file_is_a_problem(site, settings):
    run = next(settings.RUNS_DIR.glob("*.parquet"))
    run.unlink()
    path = Path(site.full_backup().address)
    assert rehearse(str(path)).problems == [f"The run file {run.stem} is not in the archive."]


def test_scratch_database_is_dropped_after_an_error(site, monkeypatch):
    path = site.back_up()

    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(rehearsing, "prepare", fail)
    with pytest.raises(ZeroDivisionError):
        rehearse(str(path))
    assert databases() == []
    assert JudgementEvent.objects.count() == 3


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="SQLite has no roles")
def test_abandoned_scratch_databases_are_dropped(site):
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {PREFIX}abandoned")
    rehearse(str(site.back_up()))
    assert databases() == []
