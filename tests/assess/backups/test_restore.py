"""A restored site is the one that was backed up, without its sessions and links, and verified."""

import errno
import io
import os
import sqlite3
import stat
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from assess.backups import create, pg_dump, restore
from assess.collections import runfiles
from assess.jobs import queue
from assess.judging.chain_format import checkpoint_hash
from assess.judging.checkpoints import create_checkpoint
from assess.judging.ledger import ledger_problems
from assess.lib import earlier_migrations, tables
from assess.models import (
    AuditEvent,
    Collection,
    Invitation,
    Job,
    JobState,
    JudgementEvent,
    OwnerLink,
    Run,
    SeatToken,
    Session,
    User,
)
from assess.people.sessions import SessionStore
from assess.search.index import index_documents, ready_index
from tests.assess.backups.archives import rewritten
from tests.assess.command_output import output_of, refusal
from tests.assess.command_output import tables as all_rows
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.outages import impatient_connections, locked_database

pytestmark = [pytest.mark.slow, pytest.mark.site]
UNSTABLE = {"AuditEvent", "Checkpoint", "Session", "OwnerLink", "Invitation", "SeatToken"}


METHODS = ["pg_dump", "copy"] if connection.vendor == "postgresql" else ["sqlite"]


@pytest.fixture(params=[METHODS[0], *(pytest.param(method, marks=pytest.mark.soak) for method in METHODS[1:])])
def method(request, monkeypatch):
    """Each way in which the database can be copied."""
    if request.param == "copy":
        monkeypatch.setattr(pg_dump, "suitable_program", lambda: None)


def rows() -> dict:
    return {name: content for name, content in all_rows().items() if name not in UNSTABLE}


def failure(*words) -> tuple[str, list[str]]:
    """Return the error of `assay restore`, and what it printed before."""
    out = io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command("restore", *map(str, words), stdout=out)
    return str(error.value), out.getvalue().splitlines()


# ---- what comes back


@pytest.mark.parametrize("method", METHODS, indirect=True)
def test_everything_is_as_it_was(site, method):
    path, before, files = site.back_up(), rows(), sorted(site.data.glob("runs/*"))
    site.judge(site.ann, 2)
    Collection.objects.filter(pk=site.collection.pk).update(name="Another name")
    User.objects.create(username="later")
    files[0].unlink()
    files[1].write_bytes(b"damaged")
    assert rows() != before
    lines = output_of("restore", path, "--yes")
    assert rows() == before
    assert all(runfiles.load(run) is not None for run in Run.objects.all())
    assert list(ledger_problems()) == []
    assert tables.state() is tables.State.CURRENT
    assert lines[0].startswith(f"Restored {path}, the backup of ")
    assert lines[-1] == "Verified the ledger: no differences. If a server is running, restart it."
    site.judge(site.ann, 1)  # the ledger goes on
    assert list(ledger_problems()) == []


def test_triggers_and_keys_are_those_of_a_migrated_database(site, method):
    last = User.objects.create(username="last").pk
    User.objects.filter(pk=last).delete()
    path = site.back_up()
    output_of("restore", path, "--yes")
    assert User.objects.create(username="next").pk > last  # a key is never used again
    for statement in ("UPDATE assess_judgementevent SET relevance = 0", "DELETE FROM assess_auditevent"):
        with pytest.raises(Exception, match="append-only"), connection.cursor() as cursor:
            cursor.execute(statement)


def test_restored_twice(site, method):
    path, before = site.back_up(), rows()
    for _ in range(2):
        output_of("restore", path, "--yes")
    assert rows() == before


def test_files_are_private(site):
    output_of("restore", site.back_up(), "--yes")
    files = [path for path in site.data.rglob("*") if path.is_file() and path.parent.name != "runs"]
    assert {path.name for path in files} == {"secret_key"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)


def test_entry_in_the_audit_log(site):
    path = site.back_up()
    output_of("restore", path, "--yes")
    event, verified = AuditEvent.objects.order_by("pk")[AuditEvent.objects.count() - 2 :]
    assert event.action == "restored"
    assert event.details == {"sessions_and_links": 0, "erasures": 0, "differences": 0}
    assert (verified.action, verified.collection) == ("ledger_verified", None)
    assert verified.details["differences"] == 0


# ---- access


def test_sessions_and_links_end(site, method):
    iris = make_instructor()
    exercise = pasted_exercise(iris)
    (seat,) = join_all(exercise, "Annabella")
    SessionStore().save()
    later = timezone.now() + timedelta(hours=1)
    OwnerLink.objects.create(token_hash="a" * 64, expires_at=later)
    Invitation.objects.create(collection=site.collection, role="assessor", token_hash="c" * 64, expires_at=later)
    SeatToken.objects.create(seat=seat, token_hash="b" * 64, expires_at=later)
    path = site.back_up()
    lines = output_of("restore", path, "--yes")
    assert not any(model.objects.exists() for model in (Session, OwnerLink, Invitation, SeatToken))
    assert lines[1].startswith("Ended ")


def test_unfinished_jobs_end(site):
    job = queue.start("build_pool", site.collection, None, {"depth": 1})
    path = site.back_up()
    output_of("restore", path, "--yes")
    job.refresh_from_db()
    assert (job.state, job.ended_at is not None) == (JobState.FAILED, True)
    assert job.error.startswith("The site was restored from a backup")
    call_command("worker", once=True, verbosity=0)
    assert Job.objects.get().attempt == 0


def test_every_kind_of_access_is_known():
    """A model with a token or a session key belongs to ACCESS, so that a restored one does not work again."""
    from django.apps import apps

    names = {"token_hash", "session_key"}
    models = {
        model
        for model in apps.get_models()
        if names & {field.name for field in model._meta.get_fields()} and _own(model)
    }
    assert models == set(restore.ACCESS)


def _own(model) -> bool:
    return model._meta.app_label == "assess"


def test_secret_key_of_the_archive_is_used(site, settings):
    settings.SECRET_KEY = "that of the archive"
    path = site.back_up()
    settings.SECRET_KEY = "another"
    output_of("restore", path, "--yes")
    key = site.data / "secret_key"
    assert key.read_text() == "that of the archive"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_secret_key_of_the_environment_stays(site, monkeypatch):
    path = site.back_up()
    monkeypatch.setenv("ASSAY_SECRET_KEY", "from the environment")
    lines = output_of("restore", path, "--yes")
    assert not (site.data / "secret_key").exists()
    assert "ASSAY_SECRET_KEY is set, so the archive's secret key was not used." in lines


# ---- asking


def test_existing_data_need_yes(site):
    path = site.back_up()
    site.judge(site.bob, 1)
    before = all_rows()
    error, (summary,) = failure(path)
    assert error == "Nothing was restored: confirm with --yes."
    assert "the data of this site (3 users, 1 collections, 4 judgements)" in summary
    assert all_rows() == before


@pytest.mark.parametrize(("answer", "is_restored"), [("replace", True), ("yes", False), ("", False)])
def test_question_on_a_terminal(site, monkeypatch, answer, is_restored):
    path = site.back_up()
    site.judge(site.bob, 1)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    if is_restored:
        output_of("restore", path)
    else:
        assert failure(path)[0] == "Nothing was restored."
    assert JudgementEvent.objects.count() == (3 if is_restored else 4)


def test_empty_site_needs_no_confirmation(site, monkeypatch):
    path, before = site.back_up(), rows()
    with monkeypatch.context() as patch:
        patch.setattr(restore, "present_data", lambda: restore.PresentData({"users": 0, "collections": 0}))
        output_of("restore", path)
    assert rows() == before


# ---- damaged ledgers


@contextmanager
def archived_database(files: dict, folder: Path):
    """Change the SQLite database of an archive with SQL, which its triggers do not refuse."""
    path = folder / "archived.sqlite3"
    path.write_bytes(files["database.sqlite3"])
    with closing(sqlite3.connect(path)) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        yield database
        for _, statement in triggers:
            database.execute(statement)
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files["database.sqlite3"] = path.read_bytes()


def truncate(files: dict, _manifest: dict, folder: Path) -> None:
    """Delete the last event from the archived database, with its judgement, so that only the checkpoint shows it."""
    if "database.sqlite3" in files:
        with archived_database(files, folder) as database:
            (judgement,) = database.execute(
                "SELECT judgement_id FROM assess_judgementevent ORDER BY id DESC LIMIT 1"
            ).fetchone()
            for table, column in (("judgementevent", "judgement_id"), ("judgement", "id")):
                database.execute(f"DELETE FROM assess_{table} WHERE {column} = {judgement}")
            database.execute(
                "UPDATE assess_assignment SET state = '' WHERE id = (SELECT max(id) FROM assess_assignment)"
            )
        return
    for name in ("tables/assess_judgementevent.copy", "tables/assess_judgement.copy"):
        files[name] = b"".join(sorted(files[name].splitlines(keepends=True))[:-1])


@pytest.fixture
def truncated(site, monkeypatch, tmp_path) -> Path:
    monkeypatch.setattr(pg_dump, "suitable_program", lambda: None)
    return rewritten(site.back_up(), lambda *given: truncate(*given, tmp_path), fix=True)


def test_truncated_ledger_is_reported_and_not_restored(site, truncated):
    before = all_rows()
    error, lines = failure(truncated, "--yes")
    assert error == (
        "The database was not changed, because the ledger in the archive is damaged. `--damaged` restores it all the "
        "same."
    )
    assert any("and the last 1 are missing" in line or "missing without a tombstone" in line for line in lines)
    assert all_rows() == before


def test_truncated_ledger_is_restored_on_request(site, truncated):
    error, _ = failure(truncated, "--yes", "--damaged")
    assert error.startswith("The archive was restored with ")
    assert JudgementEvent.objects.count() == 2


def test_collection_that_is_missing_is_reported(site):
    def change(_, manifest):
        chains = [[1, 1, "ab"]]
        manifest["collections"].append(
            {"slug": "gone", "chains": chains, "checkpoint": checkpoint_hash("gone", chains)}
        )

    _, lines = failure(rewritten(site.back_up(), change), "--yes")
    assert [line.partition(" of ")[2] for line in lines] == ["gone: the collection is missing without a tombstone."]


# ---- failures


@pytest.mark.parametrize("name", ["prepare", "ledger_problems", "erase_again", "state_differences"])
def test_failure_before_the_end_changes_nothing(site, method, monkeypatch, name):
    path = site.back_up()
    site.judge(site.bob, 1)
    before = all_rows()

    def fail(*_arguments):
        raise RuntimeError("interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(restore, name, fail)
        with pytest.raises(RuntimeError):
            output_of("restore", path, "--yes")
    assert all_rows() == before
    assert [path.name for path in site.data.glob(".assay-draft-*")] == []


def test_locked_database(site, monkeypatch, settings):
    path, before = site.back_up(), all_rows()
    settings.LOCK_SECONDS = 0.1
    with impatient_connections(), locked_database():
        error, _ = failure(path, "--yes")
    assert error.startswith("The database was not changed: ")
    assert error.endswith("If a server is running, stop it, and run the command again.")
    assert all_rows() == before


def test_secret_key_that_cannot_be_written_is_reported(site, monkeypatch):
    path, before = site.back_up(), rows()
    site.judge(site.bob, 1)

    def fail(*_arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(restore.Restore, "_write_secret_key", fail)
        error, lines = failure(path, "--yes")
    assert error == "The archive was restored with 1 problems."
    assert "The secret key could not be written (No space left on device). Restore it again." in lines
    assert rows() == before


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_damaged_database_is_set_aside(site):
    path, before = site.back_up(), rows()
    connection.close()
    live = Path(connection.settings_dict["NAME"])
    for suffix in ("-wal", "-shm"):
        live.with_name(live.name + suffix).unlink(missing_ok=True)
    live.write_bytes(b"no database at all, but long enough to be read as one" * 100)
    error, (summary,) = failure(path)
    assert error == "Nothing was restored: confirm with --yes."
    assert "a database that cannot be read" in summary
    output_of("restore", path, "--yes")
    assert rows() == before
    (damaged,) = live.parent.glob(f"{live.stem}-damaged-*.sqlite3")
    assert damaged.read_bytes().startswith(b"no database at all")
    damaged.unlink()


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_damaged_database_in_the_archive(site):
    def change(files, _):
        files["database.sqlite3"] = files["database.sqlite3"][:5000]

    path, before = rewritten(site.back_up(), change, fix=True), all_rows()
    assert failure(path, "--yes")[0].startswith("The database in the archive is damaged: ")
    assert all_rows() == before


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_readers_and_open_connections_of_a_server_go_on(site):
    path = site.back_up()
    site.judge(site.bob, 1)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as reader:
        reader.execute("BEGIN")
        count = "SELECT count(*) FROM assess_judgementevent"
        assert reader.execute(count).fetchone() == (4,)
        output_of("restore", path, "--yes")
        assert reader.execute(count).fetchone() == (4,)
        reader.execute("COMMIT")
        assert reader.execute(count).fetchone() == (3,)


# ---- older archives


def test_archive_of_an_earlier_version_is_migrated(site, method, monkeypatch):
    """The archive is made from a database without the last migration, whose tables a backup does not need."""
    *_, previous, _ = sorted(name for app, name in tables.known_migrations() if app == "assess")
    before = JudgementEvent.objects.count()
    call_command("migrate", "assess", previous, verbosity=0)
    with monkeypatch.context() as patch:
        patch.setattr(create.audit, "record", lambda *_, **__: None)
        patch.setattr(create, "_create_checkpoints", list)
        path = site.back_up()
    call_command("migrate", verbosity=0)
    output_of("restore", path, "--yes")
    assert tables.state() is tables.State.CURRENT
    assert JudgementEvent.objects.count() == before
    assert list(ledger_problems()) == []


@pytest.mark.parametrize("method", METHODS, indirect=True)
def test_search_index_is_built_again_after_a_restore(site, method):
    """On PostgreSQL, the archive does not contain it. On SQLite it is part of the database."""
    index_documents(site.collection)
    path = site.back_up()
    index_documents(site.collection)
    output_of("restore", path, "--yes")
    if connection.vendor == "postgresql":
        assert ready_index(site.collection) is None
    assert index_documents(site.collection).is_complete
    assert ready_index(site.collection).documents == site.collection.documents.count()


def record_migrations(names) -> None:
    """Record these migrations instead of the present ones, as in a database of an earlier version."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app="assess").delete()
    for app, name in names:
        recorder.record_applied(app, name)


def archive_with(migrations, site):
    """An archive of a database with the tables that the earlier migrations left, and the names of these migrations.

    The database of the test keeps its own.
    """
    checkpoint = create_checkpoint(site.collection, "backup", only_chains=True)  # earlier versions made no others
    state = create.CollectionState(site.collection.slug, checkpoint.hash, checkpoint.chains)
    call_command("migrate", "assess", max(earlier_migrations.THE_TWO)[1], verbosity=0)
    record_migrations(migrations)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(create, "_create_checkpoints", lambda: [state])
            return site.back_up()
    finally:
        record_migrations(earlier_migrations.THE_TWO)
        call_command("migrate", verbosity=0)


def test_archive_of_the_earlier_migrations_is_taken_over(site, method):
    path, before = archive_with(earlier_migrations.EARLIER, site), rows()
    output_of("restore", path, "--yes")
    assert tables.state() is tables.State.CURRENT
    assert set(MigrationRecorder(connection).applied_migrations()) == tables.known_migrations()
    assert rows() == before


def test_older_archive_is_refused_with_the_commit_to_stop_at(site):
    path = archive_with(sorted(earlier_migrations.EARLIER)[:-1], site)
    assert refusal("restore", path, "--yes") == f"{path} cannot be restored. {earlier_migrations.TOO_OLD}"
