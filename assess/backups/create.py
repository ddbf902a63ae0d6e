"""Creates an archive while people judge: first the checkpoints, then the copy of the database, then everything else.

So every judgement that was acknowledged before the checkpoint is in the archive. The archive gets its name when it is
complete and on the disk. If the backup fails, there is no archive, and older ones stay.
"""

import re
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Exists, OuterRef

from agreement.version import VERSION
from assess import audit
from assess.backups import manifest as manifests
from assess.backups import postgresql, sqlite
from assess.backups.archive import ArchiveWriter, Progress, no_progress
from assess.backups.drafts import draft_folder, publish, sync
from assess.backups.manifest import FOLDER, CollectionState, Manifest
from assess.collections import runfiles
from assess.errors import Refused
from assess.judging.chain_format import covered_digest
from assess.judging.checkpoints import create_checkpoint
from assess.lib.private_files import PRIVATE_DIR
from assess.models import Action, Collection, JudgementEvent
from assess.people import erasure_list

NAME = "assay-{:%Y%m%dT%H%M%SZ}.zip"
NAMES = re.compile(r"assay-\d{8}T\d{6}Z\.zip")  # what --keep counts
REASON = "backup"


@dataclass(frozen=True)
class Backup:
    """A complete archive. `missing_runs` are checksums of run files that are missing or damaged on this site."""

    path: Path
    size: int
    collections: list[CollectionState]
    missing_runs: list[str]
    deleted: list[Path]


def back_up(target: Path | None = None, keep: int | None = None, progress: Progress = no_progress) -> Backup:
    """Write an archive to a new file, or with a name of its own to a folder. `keep` is how many stay in the folder."""
    now = datetime.now(UTC)
    path = _path(target, now, keep)
    try:
        with draft_folder(path.parent) as folder:
            draft = folder / "archive.zip"
            states, missing = _write(draft, folder, now, progress)
            sync(draft)  # before the transaction, which keeps others from writing
            with transaction.atomic():
                # With the renaming in one transaction: a backup that gets no name is not in the audit log.
                audit.record(Action.BACKED_UP, subject=path.name[:200], details={"bytes": draft.stat().st_size})
                publish(draft, path)
    except (sqlite3.Error, Error) as error:
        reason = " ".join(str(error).split())
        raise Refused(f"The database could not be copied: {reason}. No backup was made.") from None
    # An archive without some run files does not replace older ones, which may have them.
    deleted = _delete_old(path, keep) if keep and not missing else []
    return Backup(path, path.stat().st_size, states, missing, deleted)


def _path(target: Path | None, now: datetime, keep: int | None) -> Path:
    if target is None:
        target = Path(settings.DATA_DIR) / FOLDER
        target.mkdir(mode=PRIVATE_DIR, exist_ok=True)
    if target.is_dir():
        target /= NAME.format(now)
    elif keep:
        raise Refused(f"--keep counts the archives in a folder, and {target} is not a folder.")
    elif target.suffix != ".zip" or not target.parent.is_dir():
        raise Refused(f"{target} is neither a folder nor a file in a folder whose name ends with .zip.")
    if target.exists():
        raise Refused(f"{target} exists already. No backup was made.")
    return target


def _write(draft: Path, folder: Path, now: datetime, progress: Progress) -> tuple[list[CollectionState], list[str]]:
    # Before the copy, which then has every event that a checkpoint counts.
    states = _create_checkpoints()
    writer = ArchiveWriter(draft)
    try:
        if connection.vendor == "sqlite":
            copied = sqlite.add_database(writer, folder, progress)
        else:
            copied = postgresql.add_database(writer, progress)
        missing = _add_runs(writer, copied.runs, progress)
        writer.add(manifests.SECRET_KEY, [str(settings.SECRET_KEY).encode()])
        writer.add(manifests.ERASURES, [erasure_list.read()])
        writer.finish(
            Manifest(
                assay=VERSION,
                engine=connection.vendor,
                method=copied.method,
                migrations=copied.migrations,
                created_at=now,
                collections=states,
                files=writer.files,
            )
        )
    except BaseException:
        writer.abandon()
        raise
    return states, missing


def _create_checkpoints() -> list[CollectionState]:
    events = JudgementEvent.objects.filter(member__collection=OuterRef("pk"))
    states = []
    for collection in Collection.objects.filter(Exists(events)).order_by("slug"):
        checkpoint = create_checkpoint(collection, REASON)
        states.append(
            CollectionState(collection.slug, checkpoint.hash, checkpoint.chains, covered_digest(checkpoint.covered))
        )
    return states


def _add_runs(writer: ArchiveWriter, checksums: list[str], progress: Progress) -> list[str]:
    """Add the run files, and return the checksums of those that are missing or damaged."""
    missing = []
    for checksum in checksums:
        path = runfiles.path_of(checksum)
        if path.exists() and runfiles.checksum_of(path) == checksum:
            writer.add_file(f"runs/{path.name}", path, progress)
        else:
            missing.append(checksum)
    return missing


def _delete_old(newest: Path, keep: int) -> list[Path]:
    """Delete the oldest archives of this kind in the folder, so that `keep` stay with the newest."""
    others = sorted(path for path in newest.parent.iterdir() if NAMES.fullmatch(path.name) and path != newest)
    surplus = others[: max(len(others) + 1 - keep, 0)]
    for path in surplus:
        path.unlink(missing_ok=True)
    return surplus
