"""A backup: the checksums of its files, the heads of its ledgers, and the ledger itself if it is a SQLite database."""

import tempfile
import zipfile
from pathlib import Path

from assay.verify.ledger import Database
from assay.verify.result import Head, Report
from assess.backups.archive import Archive, read_manifest, verified
from assess.backups.manifest import SQLITE_FILE, Manifest
from assess.errors import Refused
from pooling.words import count

EXPANSION, SMALL = 200, 1 << 30  # an archive that expands beyond both is no backup
NO_SQLITE = (
    "The database of this backup is a copy of PostgreSQL, which cannot be read without PostgreSQL, so the hashes of "
    "the events were not computed again: restore it, and run `assay verify_ledger`."
)
NO_TEXTS = (
    "The texts that judges saw were not compared with their hashes, nor the triggers of the database: `assay "
    "verify_ledger` does that after the backup is restored."
)


def verify_backup(path: Path, head: str | None = None) -> Report:
    """Check a backup of a site."""
    manifest = read_manifest(path)
    _refuse_expansion(path)
    report = Report(str(path), "backup", f"a backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC")
    for state in manifest.collections:
        report.heads.append(Head(f"the ledger of {state.slug} at the backup", state.checkpoint))
    try:
        with verified(path) as archive:
            report.checked.append(
                f"The size and checksum of {count(len(manifest.files), 'file')} are those of the manifest."
            )
            _ledger(report, archive, manifest)
    except Refused as problem:
        report.add(path.name, str(problem).removeprefix(f"{path} cannot be used: "))
    report.unchecked.append(NO_TEXTS)
    report.check_head(head)
    return report


def _refuse_expansion(path: Path) -> None:
    """Refuse an archive that would fill the disk, before it is unpacked."""
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > SMALL and size > EXPANSION * path.stat().st_size:
        raise Refused(f"{path}: its files expand to {size:,} bytes, {EXPANSION} times its own size or more.")


def _ledger(report: Report, archive: Archive, manifest: Manifest) -> None:
    if SQLITE_FILE not in manifest.files:
        report.unchecked.append(NO_SQLITE)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, SQLITE_FILE)
        archive.extract(SQLITE_FILE, file)
        with Database(file) as database:
            before = len(report.differences)
            for sentence in database.problems(manifest.collections):
                report.add(SQLITE_FILE, sentence)
            report.heads += database.other_heads({head.hash for head in report.heads})
            if len(report.differences) == before:
                report.checked.append(
                    f"The hashes of {count(database.events, 'event')} of the ledger were computed again, and its "
                    f"chains have the heads of {count(len(manifest.collections), 'collection')}; each judgement is "
                    "that of its last event."
                )
            if database.erased:
                report.unchecked.append(
                    f"{count(database.erased, 'comment')} were erased with their salts, so they cannot be compared "
                    "with their hashes."
                )
