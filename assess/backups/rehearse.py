"""Rehearses a restore: an archive is restored to a database of its own, verified there, and the database is deleted.

The site keeps its database, run files, secret key and list of erasures. Only the audit log says that it happened.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import Error, connection, transaction

from assess import audit
from assess.backups import postgresql, sqlite
from assess.backups.archive import Archive, Progress, no_progress, verified
from assess.backups.create import NAMES
from assess.backups.drafts import draft_folder
from assess.backups.manifest import Manifest
from assess.backups.restore import check_compatible, prepare, present_data
from assess.backups.scratch import connected_to, scratch_database
from assess.backups.stores import local_file, store_at
from assess.errors import Refused
from assess.models import Action, Run


@dataclass(frozen=True)
class Rehearsal:
    """What a restore would give: numbers of rows by their noun, and the problems of ledger, checkpoints and runs."""

    address: str
    manifest: Manifest
    counts: dict[str, int]
    problems: list[str]
    seconds: float


def rehearse(address: str | None = None, progress: Progress = no_progress) -> Rehearsal:
    """Restore an archive to a scratch database, or refuse it. Without an address, the newest of ASSAY_BACKUP_DIR."""
    began = time.monotonic()
    address = address or newest_archive()
    with local_file(address) as path:
        try:
            with verified(path, progress) as archive:
                check_compatible(path, archive.manifest)
                counts, problems = _try(archive)
        except FileNotFoundError as error:
            if error.filename != str(path):
                raise
            raise Refused(f"There is no file {path}.") from None
    rehearsal = Rehearsal(address, archive.manifest, counts, problems, time.monotonic() - began)
    _record(rehearsal)
    return rehearsal


def newest_archive() -> str:
    """Return the address of the newest archive in ASSAY_BACKUP_DIR."""
    if not settings.BACKUP_DIR:
        raise Refused("ASSAY_BACKUP_DIR is not set, so name the archive.")
    store = store_at(settings.BACKUP_DIR)
    names = sorted(name for name in store.names() if NAMES.fullmatch(name))
    if not names:
        raise Refused(f"{settings.BACKUP_DIR} has no archive yet.")
    return store.address(names[-1])


def _try(archive: Archive) -> tuple[dict[str, int], list[str]]:
    with draft_folder(Path(settings.DATA_DIR)) as folder:
        try:
            if connection.vendor == "sqlite":
                with connected_to(str(sqlite.extract(archive, folder))):
                    return _verify(archive)
            with scratch_database(), transaction.atomic():
                postgresql.replace_tables(archive, folder)
                return _verify(archive)
        except Error as error:
            raise Refused(f"The archive cannot be restored: {' '.join(str(error).split())}.") from error


def _verify(archive: Archive) -> tuple[dict[str, int], list[str]]:
    """Do in the scratch database what a restore does, except that nobody is erased again."""
    problems = prepare(archive.manifest, entries=[], accept_damage=True).problems
    files = {Path(name).stem for name in archive.names("runs")}
    missing = sorted(set(Run.objects.values_list("file_checksum", flat=True)) - files)
    problems += [f"The run file {checksum} is not in the archive." for checksum in missing]
    return present_data().counts or {}, problems


def _record(rehearsal: Rehearsal) -> None:
    details = {"differences": len(rehearsal.problems), "seconds": round(rehearsal.seconds)}
    made = f"backup of {rehearsal.manifest.created_at:%Y-%m-%d %H:%M} UTC"
    audit.record(Action.REHEARSED, subject=made, details=details)
