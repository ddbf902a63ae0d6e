"""Restores an archive: all of it, or nothing.

The order makes it safe to stop at any moment. Run files are named by their content, so they can be written first. So
can the list of erasures, which only grows. Then the database is replaced in one transaction; before that, or within it,
it is migrated, freed from sessions and links, erased from and verified. The secret key is last: without it, nothing is
lost, because all sessions have ended.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import Error, connection, transaction

from assess import audit
from assess.backups import manifest as manifests
from assess.backups import postgresql, sqlite
from assess.backups.archive import Archive, Progress, no_progress, verified
from assess.backups.drafts import draft_folder, publish
from assess.backups.erasures import due_entries, erase_again
from assess.backups.manifest import Manifest
from assess.backups.scratch import connected_to
from assess.backups.verify import state_differences
from assess.collections import runfiles
from assess.errors import Refused
from assess.jobs import results
from assess.jobs.run import end_unfinished
from assess.judging.ledger import chain_count, ledger_problems, ledger_size, record_verification
from assess.lib import earlier_migrations, tables
from assess.lib.outages import outage_reason
from assess.models import Action, ApiToken, Invitation, OwnerLink, ResetLink, SeatToken, Session
from assess.people import erasure_list
from assess.people.erasure_list import Entry

COUNTED = {"users": "assess_user", "collections": "assess_collection", "judgements": "assess_judgement"}


class PresentData(NamedTuple):
    """`counts` is None if the database cannot be read."""

    counts: dict[str, int] | None

    @property
    def is_empty(self) -> bool:
        return self.counts is not None and not (self.counts["users"] or self.counts["collections"])

    def describe(self) -> str:
        if self.counts is None:
            return "a database that cannot be read"
        return ", ".join(f"{count:,} {noun}" for noun, count in self.counts.items())


def present_data() -> PresentData:
    """Count what would be lost, whatever version of Assay the tables belong to."""
    path = tables.sqlite_path()
    if path and not path.exists():  # connecting would create the file
        return PresentData(dict.fromkeys(COUNTED, 0))
    try:
        with connection.cursor() as cursor:
            existing = connection.introspection.table_names(cursor)
            counts = dict.fromkeys(COUNTED, 0)
            for noun, table in COUNTED.items():
                if table in existing:
                    cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - one of COUNTED
                    (counts[noun],) = cursor.fetchone()
    except Error:
        return PresentData(None)
    return PresentData(counts)


# Everything that gives access without a password. A restored backup must not revive what was ended since.
ACCESS = (Session, ApiToken, OwnerLink, Invitation, ResetLink, SeatToken)
JOB_ENDED = "The site was restored from a backup of the time when this job was not finished. Nothing was changed by it."
ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass
class Restored:
    """What was done, and the differences between the ledger and its events or the archive's checkpoints."""

    manifest: Manifest
    ended: int = 0
    erased: int = 0
    problems: list[str] = field(default_factory=list)
    is_key_used: bool = True


class Damaged(Refused):
    """The ledger in the archive does not match its checkpoints or its events. Nothing was restored."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("The database was not changed, because the ledger in the archive is damaged.")
        self.problems = problems


class Restore:
    """An archive that this site can restore. `present` is what would be lost."""

    def __init__(self, archive: Archive) -> None:
        self._archive, self.manifest = archive, archive.manifest
        self.present: PresentData = present_data()

    def run(self, *, accept_damage: bool = False) -> Restored:
        """Restore everything, or raise. With `accept_damage`, a damaged ledger is restored too, and reported."""
        with draft_folder(Path(settings.DATA_DIR)) as folder:
            # Before the database, so that its runs have their files; names by checksum overwrite no other file.
            self._write_runs(folder)
            erasure_list.merge(self._archive.read(manifests.ERASURES))
            entries = due_entries(self.manifest.created_at)
            try:
                replace = _replace_sqlite if connection.vendor == "sqlite" else _replace_postgresql
                restored = replace(self._archive, folder, entries, accept_damage)
            except (sqlite3.Error, Error) as error:
                raise Refused(_explain(error)) from error
            try:
                restored.is_key_used = self._write_secret_key(folder)
            except OSError as error:  # the data are restored, so this must not look like a failure of everything
                restored.problems.append(f"The secret key could not be written ({error.strerror}). Restore it again.")
        # The cached figures are those of the replaced database, and may contain names of erased people.
        results.forget_all()
        return restored

    def _write_runs(self, folder: Path) -> None:
        settings.RUNS_DIR.mkdir(parents=True, exist_ok=True)
        for name in self._archive.names("runs"):
            path = runfiles.path_of(Path(name).stem)
            if not path.exists() or runfiles.checksum_of(path) != path.stem:
                self._archive.extract(name, folder / path.name)
                publish(folder / path.name, path)

    def _write_secret_key(self, folder: Path) -> bool:
        if os.environ.get("ASSAY_SECRET_KEY", "").strip():
            return False
        self._archive.extract(manifests.SECRET_KEY, folder / manifests.SECRET_KEY)
        publish(folder / manifests.SECRET_KEY, Path(settings.DATA_DIR) / manifests.SECRET_KEY)
        return True


@contextmanager
def opened(path: Path, progress: Progress = no_progress) -> Iterator[Restore]:
    """Yield what can be restored, after verifying the archive, or refuse it."""
    try:
        with verified(path, progress) as archive:
            check_compatible(path, archive.manifest)
            yield Restore(archive)
    except FileNotFoundError as error:
        if error.filename != str(path):
            raise
        raise Refused(f"There is no file {path}.") from None


def check_compatible(path: Path, manifest: Manifest) -> None:
    if manifest.engine != connection.vendor:
        theirs, ours = (ENGINES.get(engine, engine) for engine in (manifest.engine, connection.vendor))
        raise Refused(f"{path} is a backup of {theirs}, and the database of this site is {ours}.")
    if earlier_migrations.is_too_old(manifest.migrations):
        raise Refused(f"{path} cannot be restored. {earlier_migrations.TOO_OLD}")
    if newer := sorted(manifest.migrations - tables.known_migrations() - earlier_migrations.EARLIER):
        raise Refused(
            f"{path} was made by a newer version of Assay ({manifest.assay}): this version does not know the migration "
            f"{'.'.join(newer[0])}. Upgrade Assay to restore it."
        )


def _replace_sqlite(archive: Archive, folder: Path, entries: list[Entry], accept_damage: bool) -> Restored:
    """Prepare the database in another file, and then replace that of the site."""
    staged = sqlite.extract(archive, folder)
    with connected_to(str(staged)):
        restored = prepare(archive.manifest, entries, accept_damage)
    sqlite.replace_database(staged)
    return restored


def _replace_postgresql(archive: Archive, folder: Path, entries: list[Entry], accept_damage: bool) -> Restored:
    """Replace and prepare the tables in one transaction."""
    with transaction.atomic():
        postgresql.replace_tables(archive, folder)
        return prepare(archive.manifest, entries, accept_damage)


def prepare(manifest: Manifest, entries: list[Entry], accept_damage: bool) -> Restored:
    """Make the restored database one that may be used, and verify it."""
    ContentType.objects.clear_cache()  # the keys are those of the other database
    call_command("migrate", verbosity=0, interactive=False)
    connection.check_constraints()
    differences = list(state_differences(manifest.collections))
    ended = sum(model._default_manager.all().delete()[0] for model in ACCESS)
    end_unfinished(JOB_ENDED)
    erased, failures = erase_again(entries)
    found = list(ledger_problems())
    problems = [*differences, *failures, *found]
    if problems and not accept_damage:
        raise Damaged(problems)
    audit.record(
        Action.RESTORED,
        subject=f"backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC",
        details={"sessions_and_links": ended, "erasures": erased, "differences": len(problems)},
    )
    record_verification(chain_count(), ledger_size().events, len(differences) + len(found))
    return Restored(manifest, ended, erased, problems)


def _explain(error: Exception) -> str:
    reason = " ".join(str(error).split())
    if outage_reason(error) or "locked" in reason:
        return f"The database was not changed: {reason}. If a server is running, stop it, and run the command again."
    return f"The database was not changed: {reason}."
