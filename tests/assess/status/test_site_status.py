"""The state of a site: its figures, what needs somebody to act, and how many queries that takes."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from agreement.version import VERSION
from assess.models import AuditEvent, Collection, JobState, Session, Worker
from assess.pools.assign import assign
from assess.status import sections, site_status, storage
from assess.status.words import age, size
from tests.assess.claiming import judge, upcoming
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.assess.status.well import add_job, back_up, make_well, verify

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def well(settings, db):
    make_well(settings)


def problems() -> list[str]:
    return [each.sentence for each in site_status().problems]


def rows(name: str) -> dict[str, str]:
    return next(dict(section.rows) for section in sections(site_status()) if section.name == name)


def use_disk(monkeypatch, **bytes_) -> None:
    monkeypatch.setattr(storage.shutil, "disk_usage", lambda _: SimpleNamespace(**bytes_))


def recent_end():
    """The end of a session that is used now."""
    return timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)


def test_well(well):
    status = site_status()
    assert status.problems == []
    assert status.sentence == "The site is well: nothing needs somebody to act."
    assert [section.advice for section in sections(status)] == [[]] * 7


def test_number_of_queries_does_not_grow(well, collection, django_assert_num_queries):
    on_postgresql = connection.vendor == "postgresql"
    with django_assert_num_queries(9 + on_postgresql):
        sections(site_status())
    for kind in ("assign", "build_pool", "send_mail"):
        add_job(JobState.DONE, kind)
        add_job(JobState.WAITING, kind)
        Worker.objects.create(name=kind)
        back_up()
    with django_assert_num_queries(9 + on_postgresql):
        sections(site_status())


# ---- jobs


def test_jobs_by_kind_and_state(well, collection):
    for state in (JobState.WAITING, JobState.WAITING, JobState.RUNNING, JobState.FAILED):
        add_job(state)
    add_job(JobState.WAITING, "build_pool", 2 * HOUR)
    add_job(JobState.DONE, age=8 * DAY)
    table = rows("jobs")
    assert table["waiting"] == "3, the oldest for 2 hours"
    assert (table["running"], table["failed in the last 7 days"]) == ("1", "1")
    assert table["job “Assign the tasks”"] == "1 failed, 1 running, 2 waiting"
    assert table["worker web-1:42"] == "running"
    assert problems() == []


def test_kind_of_an_earlier_version_is_shown(well):
    add_job(JobState.DONE, "forgotten")
    assert rows("jobs")["job “forgotten”"] == "1 done"


def test_without_a_worker(well):
    Worker.objects.update(heartbeat_at=timezone.now() - HOUR)
    assert problems() == ["No worker is running."]
    add_job(JobState.WAITING)
    assert problems() == ["No worker is running, and 1 job waits."]
    add_job(JobState.WAITING)
    assert problems() == ["No worker is running, and 2 jobs wait."]
    assert rows("jobs")["worker web-1:42"] == "last sign of life 1 hour ago"
    Worker.objects.all().delete()
    assert rows("jobs")["workers"] == "none"


def test_job_that_waits_too_long(well):
    add_job(JobState.WAITING, age=4 * HOUR)
    assert problems() == ["A job has waited for 4 hours."]


# ---- email


def test_site_without_a_mail_server(well):
    assert rows("mail") == {"mail server": "none; ASSAY_EMAIL_URL names one"}


def test_emails(well, settings):
    settings.MAIL_CONFIGURED = True
    for state, ago in (("done", HOUR), ("done", 2 * DAY), ("failed", 2 * DAY), ("waiting", HOUR), ("done", 8 * DAY)):
        add_job(JobState(state), "send_mail", ago)
    assert rows("mail") == {
        "mail server": "configured",
        "waiting": "1",
        "sent in the last 7 days": "2",
        "failed in the last 7 days": "1",
    }
    assert problems() == []
    add_job(JobState.FAILED, "send_mail")
    assert problems() == ["1 email failed in the last day, and 1 was sent."]


# ---- disk and database


def test_full_disk(well, settings, monkeypatch):
    settings.MIN_FREE_MB = 500
    use_disk(monkeypatch, free=500_000_000, total=10**12)
    assert problems() == []
    use_disk(monkeypatch, free=499_999_999, total=10**12)
    assert problems() == ["The disk has 500.0 MB of free space; the minimum is 500.0 MB."]
    assert rows("storage")["free space"] == "500.0 MB of 1.0 TB"


def test_missing_data_directory(well, settings):
    settings.DATA_DIR = "/no/such/directory"
    assert problems() == ["The data directory cannot be read."]


def test_sizes_of_folders(settings, tmp_path, monkeypatch, well):
    settings.UPLOADS_DIR = tmp_path
    (tmp_path / "a").write_bytes(b"1234")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"123")
    assert rows("storage")["uploaded files"] == "7 bytes"
    monkeypatch.setattr(storage, "MOST_FILES", 1)
    assert rows("storage")["uploaded files"] == "unknown"
    assert storage.folder_size(tmp_path / "none") == 0


def test_size_of_the_database(well):
    assert (storage.database_size() or 0) > 100_000


# ---- backup and ledger


@pytest.mark.parametrize(
    ("folder", "hours", "is_old"), [(None, 150, False), (None, 170, True), ("/b", 25, False), ("/b", 27, True)]
)
def test_age_of_the_backup(db, settings, folder, hours, is_old):
    settings.BACKUP_DIR = folder
    settings.MIN_FREE_MB = 1
    Worker.objects.create(name="worker")
    back_up(timedelta(hours=hours))
    assert problems() == (
        [f"The newest backup is {age(timezone.now() - timedelta(hours=hours), timezone.now())} old."] if is_old else []
    )


def test_newest_backup_counts(well):
    back_up(bytes=1_234)
    assert rows("backup")["size"] == "1.2 kB"
    assert rows("backup")["verified"] == "yes"
    assert rows("backup")["place"] == "/srv/backups"
    back_up(verified=False)
    assert problems() == ["The newest backup failed its verification."]


def test_backup_of_an_earlier_version_has_less_details(well):
    AuditEvent.objects.create(action="backed_up", details={})
    assert rows("backup").keys() == {"newest backup", "size"}
    assert rows("backup")["size"] == "unknown"
    assert problems() == []


def test_site_with_judgements_needs_a_backup(collection, join, settings):
    settings.MIN_FREE_MB = 1
    Worker.objects.create(name="worker")
    assert problems() == []
    ada = join(collection, "ada")
    assign(collection, judges=1)
    judge(ada, upcoming(ada)[0])
    assert problems() == ["There is no backup of this site."]
    assert rows("backup") == {"newest backup": "none"}


def test_last_verification_of_the_ledger(well, collection):
    assert rows("ledger")["verified"] == "7 events in 2 chains"
    verify(differences=3)
    assert problems() == ["The ledger of judgements has 3 differences."]
    AuditEvent.objects.create(
        action="ledger_verified", collection=collection, details={"chains": 1, "events": 1, "differences": 0}
    )
    assert problems() == ["The ledger of judgements has 3 differences."]  # one collection is not the whole ledger


def test_ledger_that_was_never_verified(db):
    assert rows("ledger") == {"last verification": "never; run assay verify_ledger"}


# ---- use and versions


def test_people_and_collections(well, collection, join):
    for member in (join(collection, "ada"), join(collection, "bob"), join(collection, "cyd")):
        Client().force_login(member.user, backend="assess.people.backend.AccountBackend")
    (seat,) = join_all(pasted_exercise(make_instructor()), "Annabella")
    Session.objects.create(session_key="seat", expire_date=recent_end(), user=seat.member.user)
    quiet = Session.objects.get(user__username="bob")
    quiet.expire_date -= timedelta(minutes=16)
    quiet.save()
    now = timezone.now()
    for slug, fields in {
        "ended": {"judging_ends_at": now - HOUR},
        "paused": {"judging_open": False},
        "closed": {"judging_closed_at": now},
        "archived": {"archived_at": now},
        "exercise": {"judging_ends_at": now + HOUR},
    }.items():
        Collection.objects.create(slug=slug, name=slug, **fields)
    assert rows("activity") == {
        "people active in the last few minutes": "2",
        "collections open for judging": "2",
        "judgements": "0",
    }


def test_versions(well):
    versions = rows("versions")
    assert versions["Assay"] == VERSION
    assert versions["last migration"].startswith("00")
    assert versions["database"].split()[0] in ("SQLite", "PostgreSQL")


def test_missing_migration(well):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'assess' AND name LIKE '0005%'")
    assert problems() == ["The database is not up to date with this version of Assay."]


# ---- words


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "unknown"),
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (12_345_678, "12.3 MB"),
        (10**16, "10000.0 TB"),
    ],
)
def test_sizes(number, text):
    assert size(number) == text


@pytest.mark.parametrize(
    ("ago", "text"), [(59 * HOUR / 3600, "less than a minute"), (HOUR, "1 hour"), (50 * HOUR, "2 days")]
)
def test_ages(ago, text):
    now = timezone.now()
    assert age(now - ago, now) == text
