"""Creates an archive while people judge: first the checkpoints, then the copy of the database, then everything else.

So every judgement that was acknowledged before the checkpoint is in the archive. The archive gets its name when it is
complete, on the disk and verified: every file was read again. If the backup fails, there is no archive, and older ones
stay.
"""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Exists, OuterRef

from agreement.version import VERSION
from assess import audit
from assess.backups import manifest as manifests
from assess.backups import postgresql, sqlite
from assess.backups.archive import ArchiveWriter, Progress, no_progress, verified
from assess.backups.drafts import draft_folder
from assess.backups.manifest import FOLDER, CollectionState, Manifest
from assess.backups.stores import S3, Folder, Store, store_at
from assess.collections import runfiles
from assess.errors import Refused
from assess.judging.chain_format import covered_digest
from assess.judging.checkpoints import create_checkpoint
from assess.models import Action, Collection, JudgementEvent
from assess.people import erasure_list
from pooling.words import count

NAME = "assay-{:%Y%m%dT%H%M%SZ}.zip"
NAMES = re.compile(r"assay-(\d{8}T\d{6}Z)\.zip")  # what --keep and --keep-days count
REASON = "backup"


@dataclass(frozen=True)
class Backup:
    """A complete archive. `missing_runs` are checksums of run files that are missing or damaged on this site.

    `address` is a path or the address of an object in a bucket; `deleted` are the names of older archives.
    """

    address: str
    size: int
    collections: list[CollectionState]
    missing_runs: list[str]
    deleted: list[str]

    @property
    def problem(self) -> str:
        """What is missing in the archive, or an empty text."""
        if not self.missing_runs:
            return ""
        return (
            f"The backup has everything except {count(len(self.missing_runs), 'run file')} missing or damaged in the "
            f"data directory, such as {self.missing_runs[0]}. No older archive was deleted."
        )


@dataclass(frozen=True)
class Kept:
    """Which archives stay: the newest `number`, or those of the last `days`. None keeps all."""

    number: int | None = None
    days: int | None = None

    def surplus(self, names: Iterable[str], newest: str) -> list[str]:
        """Return the names of the older archives that do not stay. The newest always stays."""
        found = {name: match[1] for name in names if (match := NAMES.fullmatch(name)) and name != newest}
        others = sorted(found)
        surplus = set(others[: max(len(others) + 1 - self.number, 0)]) if self.number else set()
        if self.days and (now := NAMES.fullmatch(newest)):
            oldest = f"{_time(now[1]) - timedelta(days=self.days):{TIME}}"
            surplus |= {name for name, time in found.items() if time < oldest}
        return sorted(surplus)


TIME = "%Y%m%dT%H%M%SZ"


def _time(text: str) -> datetime:
    return datetime.strptime(text, TIME).replace(tzinfo=UTC)


def back_up(target: str | Path | None = None, kept: Kept | None = None, progress: Progress = no_progress) -> Backup:
    """Write an archive to a new file, or with a name of its own to a folder or a bucket.

    Without a target, archives go to ASSAY_BACKUP_DIR, or else to a folder in the data directory. Older archives there
    are deleted afterwards if `kept` says so.
    """
    now = datetime.now(UTC)
    store, name = _destination(target, now, kept)
    try:
        with draft_folder(store.drafts) as folder:
            draft = folder / "archive.zip"
            states, missing = _write(draft, folder, now, progress)
            _verify(draft, progress)
            store.upload(draft, name)  # before the transaction, which keeps others from writing
            size = draft.stat().st_size
            _publish(store, draft, name)
    except (sqlite3.Error, Error) as error:
        reason = " ".join(str(error).split())
        raise Refused(f"The database could not be copied: {reason}. No backup was made.") from None
    # An archive without some run files does not replace older ones, which may have them.
    surplus = kept.surplus(store.names(), name) if kept and not missing else []
    for each in surplus:
        store.delete(each)
    return Backup(store.address(name), size, states, missing, surplus)


def _destination(target: str | Path | None, now: datetime, kept: Kept | None) -> tuple[Store, str]:
    """Return the place of the archive, and its name there."""
    address = str(target or settings.BACKUP_DIR or Path(settings.DATA_DIR) / FOLDER)
    name = NAME.format(now)
    path = Path(address)
    if not target or address.startswith(S3):
        store = store_at(address)
    elif path.is_dir():
        store = Folder(path)
    elif kept:
        raise Refused(f"--keep and --keep-days count the archives in a folder, and {path} is not a folder.")
    elif path.suffix != ".zip" or not path.parent.is_dir():
        raise Refused(f"{path} is neither a folder nor a file in a folder whose name ends with .zip.")
    else:
        store, name = Folder(path.parent), path.name
    if name in store.names():
        raise Refused(f"{store.address(name)} exists already. No backup was made.")
    return store, name


def _verify(draft: Path, progress: Progress) -> None:
    try:
        with verified(draft, progress):
            pass
    except Refused as problem:
        raise Refused(
            f"The archive could not be read again after it was written: {problem} No backup was made."
        ) from None


def _publish(store: Store, draft: Path, name: str) -> None:
    """Give the archive its name and record it, in one transaction: the audit log has no backup without a name."""
    details = {"bytes": draft.stat().st_size, "verified": True, "place": store.kind}
    try:
        with transaction.atomic():
            audit.record(Action.BACKED_UP, subject=name[:200], details=details)
            store.publish(draft, name)
    except BaseException:
        store.withdraw(name)
        raise


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
