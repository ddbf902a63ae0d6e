"""Backups once a day: one job a day, whatever the number of workers, and archives are kept for some days."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from assess.backups import create
from assess.backups.archive import verified
from assess.backups.create import Kept
from assess.backups.schedule import start_if_due
from assess.jobs.run import run
from assess.lib.environment import time_of_day
from assess.models import AuditEvent, Job, JobState, Worker
from tests.load.server import PROJECT, prepared

NIGHT = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)


@pytest.fixture
def folder(settings, tmp_path):
    settings.BACKUP_DIR = str(tmp_path / "archives")
    settings.BACKUP_TIME = clock_time(3)
    settings.BACKUP_DAYS = 14
    return tmp_path / "archives"


@pytest.mark.django_db
def test_nothing_is_scheduled_without_a_place(settings):
    settings.BACKUP_DIR = ""
    assert start_if_due() is None


@pytest.mark.django_db
def test_one_job_a_day(folder):
    days = [start_if_due(NIGHT + timedelta(hours=hours)) for hours in (-1, 0, 1, 20, 23.9, 24)]
    assert [job and job.input["day"] for job in days] == ["2026-05-03", "2026-05-04", None, None, None, "2026-05-05"]


@pytest.mark.django_db
def test_job_that_failed_is_not_started_again_on_the_same_day(folder):
    job = start_if_due(NIGHT)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, ended_at=timezone.now())
    assert start_if_due(NIGHT + timedelta(hours=5)) is None


@pytest.mark.slow
@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_several_workers_one_starts_it(folder):
    Worker.objects.create(name="one")
    Worker.objects.create(name="two")
    barrier, started = threading.Barrier(4), []

    def look():
        barrier.wait()
        started.append(start_if_due(NIGHT))
        connection.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(job is not None for job in started) == Job.objects.count() == 1


@pytest.mark.slow
@pytest.mark.site
def test_job_writes_a_verified_archive(site, folder):
    job = start_if_due()
    run(job.pk, 1)
    job.refresh_from_db()
    (path,) = folder.iterdir()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert job.result == {"address": str(path), "size": path.stat().st_size, "deleted": 0}
    assert folder.stat().st_mode & 0o777 == 0o700
    with verified(path) as archive:
        assert archive.manifest.collections[0].slug == "small"


@pytest.mark.slow
@pytest.mark.site
def test_failed_job_is_tried_again_and_says_why(site, folder, monkeypatch):
    job = start_if_due()
    folder.write_text("not a folder")
    run(job.pk, 1)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.WAITING, 1)
    assert job.error == f"{folder}: Not a directory. No backup was made."
    folder.unlink()
    run(job.pk, 2)
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.slow
@pytest.mark.site
def test_archive_that_cannot_be_read_again_gets_no_name(site, folder, monkeypatch):
    original = create._write

    def damage(draft, *arguments):
        result = original(draft, *arguments)
        data = bytearray(draft.read_bytes())
        data[len(data) // 2] ^= 255
        draft.write_bytes(data)
        return result

    monkeypatch.setattr(create, "_write", damage)
    job = start_if_due()
    run(job.pk, 1)
    job.refresh_from_db()
    assert job.error.startswith("The archive could not be read again after it was written: ")
    assert list(folder.iterdir()) == []
    assert not AuditEvent.objects.filter(action="backed_up").exists()


@pytest.mark.slow
@pytest.mark.site
def test_missing_run_file_is_an_error_and_nothing_is_deleted(site, folder, settings):
    folder.mkdir()
    old = folder / "assay-20200101T030000Z.zip"
    old.write_text("old")
    next(settings.RUNS_DIR.glob("*.parquet")).unlink()
    job = start_if_due()
    run(job.pk, 1)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "has everything except 1 run file" in job.error
    assert old.exists()


NAMES = [f"assay-202605{day:02}T030000Z.zip" for day in range(1, 11)]


@pytest.mark.parametrize(
    ("kept", "surplus"),
    [
        (Kept(), []),
        (Kept(number=3), NAMES[:7]),
        (Kept(number=1), NAMES[:9]),
        (Kept(days=2), NAMES[:7]),
        (Kept(days=100), []),
        (Kept(number=5, days=2), NAMES[:7]),
        (Kept(number=2, days=5), NAMES[:8]),
    ],
)
def test_kept_archives(kept, surplus):
    others = ["notes.txt", "assay-20260101T030000Z.zip.part", "assay-.zip"]
    assert kept.surplus([*NAMES, *others], NAMES[-1]) == surplus


@pytest.mark.parametrize("text", ["3", "24:00", "03:60", "night", "03:00:00"])
def test_time_of_day_is_checked(monkeypatch, text):
    monkeypatch.setenv("ASSAY_BACKUP_TIME", text)
    with pytest.raises(ImproperlyConfigured, match="must be a time between 00:00 and 23:59, not '"):
        time_of_day("ASSAY_BACKUP_TIME", "03:00")


STUCK_WORKER = """
import time
import django
django.setup()
from assess.backups import create
create._verify = lambda *_: time.sleep(60)
from django.core.management import call_command
call_command("worker")
"""
MAKE_SILENT = """
import django
django.setup()
from datetime import timedelta
from django.utils import timezone
from assess.models import Job
Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2))
"""


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.django_db(transaction=False)
def test_next_worker_backs_up_after_one_was_killed(tmp_path):
    archives = tmp_path / "archives"
    with prepared(tmp_path, os.environ.get("DATABASE_URL")) as server:
        server.environment["ASSAY_BACKUP_DIR"] = str(archives)
        worker = subprocess.Popen([sys.executable, "-c", STUCK_WORKER], cwd=PROJECT, env=server.environment)
        deadline = time.monotonic() + 60
        while not list(archives.glob(".assay-draft-*/archive.zip")) and time.monotonic() < deadline:
            time.sleep(0.1)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        assert list(archives.glob("*.zip")) == []
        server.run("-c", MAKE_SILENT)
        server.run("manage.py", "worker", "--once")
        (path,) = archives.glob("*.zip")
        with verified(path) as archive:
            assert archive.manifest.method in ("sqlite", "pg_dump", "copy")
