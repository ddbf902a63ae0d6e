"""A backup is complete and private, or there is none. Older ones stay until it is complete."""

import errno
import os
import stat
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import connection

from assess.backups import create, drafts, pg_dump
from assess.backups.archive import ArchiveWriter
from assess.backups.create import back_up
from assess.errors import Refused
from assess.lib.tables import known_migrations
from assess.models import AuditEvent, Checkpoint, Run
from tests.assess.backups.archives import content_of, manifest_of
from tests.assess.command_output import output_of, refusal

pytestmark = [pytest.mark.slow, pytest.mark.site]


@pytest.fixture
def clock(monkeypatch):
    """Each backup is a second later than the last one."""

    class Clock:
        second = 0

        @classmethod
        def now(cls, zone):
            cls.second += 1
            return datetime(2026, 5, 4, 12, 0, cls.second, tzinfo=zone)

    monkeypatch.setattr(create, "datetime", Clock)


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_archive_has_everything(site):
    backup = site.full_backup()
    manifest = manifest_of(backup.address)
    checkpoint = Checkpoint.objects.get()
    assert (checkpoint.reason, checkpoint.events) == ("backup", 3)
    assert [(each.slug, each.checkpoint) for each in backup.collections] == [("small", checkpoint.hash)]
    assert manifest.collections[0].chains == checkpoint.chains
    assert (manifest.engine, manifest.migrations) == (connection.vendor, known_migrations())
    content = content_of(backup.address)
    runs = {f"runs/{checksum}.parquet" for checksum in Run.objects.values_list("file_checksum", flat=True)}
    assert len(runs) == 3
    assert {name for name in content if name.startswith("runs/")} == runs
    assert content["secret_key"] == settings.SECRET_KEY.encode()
    assert content["erasures.jsonl"] == b""
    assert stat.S_IMODE(Path(backup.address).stat().st_mode) == 0o600
    assert files_in(site.data.parent) == ["backup.zip", "data"]


def test_entry_in_the_audit_log(site):
    path = site.back_up()
    event = AuditEvent.objects.order_by("pk").last()
    details = {"bytes": path.stat().st_size, "verified": True, "place": "folder"}
    assert (event.action, event.subject, event.details) == ("backed_up", path.name, details)


def test_output_of_the_command(site, clock):
    lines = output_of("backup")
    path = site.data / "backups" / "assay-20260504T120001Z.zip"
    assert lines == [
        f"Wrote {path} ({path.stat().st_size:,} bytes), and verified it.",
        f"Checkpoint of small: {Checkpoint.objects.get().hash}",
    ]
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.skipif("connection.vendor != 'postgresql'")
@pytest.mark.parametrize("version", [None, "pg_dump (PostgreSQL) 9.6"])
def test_copy_without_a_suitable_pg_dump(site, monkeypatch, tmp_path, version):
    assert manifest_of(site.back_up()).method == "pg_dump"
    program = tmp_path / "bin" / "pg_dump"
    program.parent.mkdir()
    if version:
        program.write_text(f"#!/bin/sh\necho '{version}'\n")
        program.chmod(0o700)
    monkeypatch.setattr(pg_dump.shutil, "which", lambda _: str(program) if version else None)
    assert manifest_of(site.back_up("second.zip")).method == "copy"


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_failure_of_pg_dump_is_one_sentence(site, monkeypatch, tmp_path):
    program = tmp_path / "pg_dump"
    program.write_text(
        "#!/bin/sh\n[ $1 = --version ] && exec echo 'pg_dump (PostgreSQL) 99'\necho broken >&2\nexit 3\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(pg_dump.shutil, "which", lambda _: str(program))
    assert refused(site.data) == "pg_dump failed: broken"


# ---- keep


def test_keep_deletes_the_oldest_archives_of_this_kind(site, clock, tmp_path):
    folder = tmp_path / "archives"
    folder.mkdir()
    for name in ("notes.zip", "assay-old.zip", "assay-20250101T000000Z.zip.part"):
        (folder / name).touch()
    for _ in range(4):
        lines = output_of("backup", folder, "--keep", 2)
    assert files_in(folder) == [
        "assay-20250101T000000Z.zip.part",
        "assay-20260504T120003Z.zip",
        "assay-20260504T120004Z.zip",
        "assay-old.zip",
        "notes.zip",
    ]
    assert lines[-1] == "Deleted 1 older archives."


def test_new_archive_stays_even_if_the_clock_went_back(site, clock, tmp_path):
    folder = tmp_path / "archives"
    folder.mkdir()
    (folder / "assay-20990101T000000Z.zip").touch()
    output_of("backup", folder, "--keep", 1)
    assert files_in(folder) == ["assay-20260504T120001Z.zip"]


# ---- refused


def refused(target: Path, keep: int | None = None) -> str:
    before = files_in(target) if target.is_dir() else None
    with pytest.raises(Refused) as refusal:
        back_up(target, keep)
    if before is not None:
        assert files_in(target) == before
    return str(refusal.value).removesuffix(".")


def test_existing_file_is_not_overwritten(site):
    path = site.back_up()
    assert refused(path) == f"{path} exists already. No backup was made"


def test_targets(site, tmp_path):
    nowhere = tmp_path / "nowhere"
    sentence = "is neither a folder nor a file in a folder whose name ends with .zip"
    assert refused(nowhere) == f"{nowhere} {sentence}"
    assert refused(nowhere / "a.zip") == f"{nowhere / 'a.zip'} {sentence}"
    path = tmp_path / "a.zip"
    assert refused(path, keep=3) == f"--keep and --keep-days count the archives in a folder, and {path} is not a folder"


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_keep_is_a_number_from_1(site, number):
    assert f"'{number}' is not a whole number from 1" in refusal("backup", f"--keep={number}")


def test_missing_run_file_is_reported_and_keeps_older_archives(site, clock, tmp_path):
    folder = tmp_path / "archives"
    folder.mkdir()
    output_of("backup", folder, "--keep", 1)
    lost, damaged, _ = sorted((site.data / "runs").iterdir())
    lost.unlink()
    damaged.write_bytes(b"damaged")
    with pytest.raises(CommandError, match="everything except 2 run files missing or damaged"):
        output_of("backup", folder, "--keep", 1)
    assert len(files_in(folder)) == 2


# ---- failures


def fail(*_arguments, **_options):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (ArchiveWriter, "__init__"),
        (ArchiveWriter, "add"),
        (ArchiveWriter, "add_file"),
        (ArchiveWriter, "finish"),
        (drafts, "sync"),
        (drafts.os, "replace"),
    ],
)
def test_full_disk_leaves_nothing_and_deletes_nothing(site, clock, tmp_path, monkeypatch, owner, name):
    folder = tmp_path / "archives"
    folder.mkdir()
    output_of("backup", folder)
    events = AuditEvent.objects.count()
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, fail)
        with pytest.raises(CommandError, match="No space left on device"):
            output_of("backup", folder, "--keep", 1)
    assert files_in(folder) == ["assay-20260504T120001Z.zip"]
    assert AuditEvent.objects.count() == events
    output_of("backup", folder, "--keep", 1)
    assert files_in(folder) == ["assay-20260504T120003Z.zip"]


def test_abandoned_drafts_are_deleted_after_a_day(site, tmp_path):
    old, new = (tmp_path / f"{drafts.PREFIX}{name}" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir()
        (folder / "archive.zip").touch()
    os.utime(old, (0, 0))
    site.back_up()
    assert (old.exists(), new.exists()) == (False, True)
