"""assay purge deletes what has expired, and nothing else."""

import os
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from assess import audit
from assess.deletion import UNUSED_AFTER
from assess.models import (
    Action,
    AttemptCount,
    AuditEvent,
    Collection,
    ErasurePermit,
    Exercise,
    Invitation,
    Judgement,
    OwnerLink,
    Session,
    Tombstone,
    Upload,
    User,
)
from assess.people.owner_link import create_link
from assess.purge import TASK_DAYS
from assess.teaching import clock, exercises
from assess.transfer.uploads.storage import KEPT_FOR
from tests.assess.command_output import output_of, tables
from tests.assess.exercise_factories import join_all, judge_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db
NOTHING = [
    "Expired sessions: 0 deleted.",
    "Answers of the API: 0 deleted.",
    "Ended API tokens: 0 deleted.",
    "Counts of wrong passwords and codes: 0 deleted.",
    "Expired cookies of students: those that no longer count were deleted.",
    "Texts of interrupted imports: 0 deleted.",
    "Abandoned uploads: 0 deleted.",
    "Files of deleted runs: 0 deleted.",
    "Used or expired owner links: 0 deleted.",
    "Expired invitations: 0 deleted.",
    "Used or expired reset links: 0 deleted.",
    "Records of ended jobs in the queue: 0 deleted.",
    "Cached results of analyses: deleted.",
    "Old entries of the audit log: 0 deleted.",
]


@pytest.fixture
def lessons(db):
    """An exercise that is kept, one that is due today, and one that has long been due and that nobody joined."""
    iris, today = make_instructor(), timezone.localdate()
    kept, due, old = (pasted_exercise(iris, title=title, shared=6) for title in ("kept", "due", "old"))
    Exercise.objects.filter(pk=kept.pk).update(erase_on=today + timedelta(days=1))
    Exercise.objects.filter(pk=due.pk).update(erase_on=today)
    Exercise.objects.filter(pk=old.pk).update(erase_on=today - timedelta(days=400))
    clock.start(due)
    for seat in join_all(due, "ann", "bob"):
        judge_all(seat)
    return kept, due, old


def add_old_and_new() -> None:
    """Add an expired and a current row of each kind."""
    now, second = timezone.now(), timedelta(seconds=1)
    collection, user = Collection.objects.create(slug="purged"), User.objects.create_user("uploader")
    for name, age in (("old", second), ("new", -timedelta(hours=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=now - age)
        AttemptCount.objects.create(key_hash=name, ends_at=now - age)
        OwnerLink.objects.create(token_hash=name, expires_at=now - age)
        at = now - timedelta(days=settings.AUDIT_DAYS) - age
        AuditEvent.objects.create(at=at, action=Action.LINK_CREATED, subject=name)
        task = DBTaskResult.objects.create(
            status="SUCCESSFUL", args_kwargs={}, task_path=name, backend_name="default", run_after=now
        )
        DBTaskResult.objects.filter(pk=task.pk).update(enqueued_at=now - TASK_DAYS - age)
        touched_at = now - KEPT_FOR - age
        Upload.objects.create(collection=collection, user=user, name=name, size=1, touched_at=touched_at)
        run = settings.RUNS_DIR / f"{name}.parquet"
        run.parent.mkdir(exist_ok=True)
        run.touch()
        modified = (now - UNUSED_AFTER - age).timestamp()
        os.utime(run, (modified, modified))


def test_each_kind_of_expired_data_is_deleted():
    add_old_and_new()
    assert output_of("purge") == [
        "Expired sessions: 1 deleted.",
        "Answers of the API: 0 deleted.",
        "Ended API tokens: 0 deleted.",
        "Counts of wrong passwords and codes: 1 deleted.",
        "Expired cookies of students: those that no longer count were deleted.",
        "Texts of interrupted imports: 0 deleted.",
        "Abandoned uploads: 1 deleted.",
        "Files of deleted runs: 1 deleted.",
        "Used or expired owner links: 1 deleted.",
        "Expired invitations: 0 deleted.",
        "Used or expired reset links: 0 deleted.",
        "Records of ended jobs in the queue: 1 deleted.",
        "Cached results of analyses: deleted.",
        "Old entries of the audit log: 1 deleted.",
    ]
    for model, field in (
        (Session, "session_key"),
        (AttemptCount, "key_hash"),
        (OwnerLink, "token_hash"),
        (AuditEvent, "subject"),
        (DBTaskResult, "task_path"),
        (Upload, "name"),
    ):
        assert list(model.objects.values_list(field, flat=True)) == ["new"]
    assert [path.name for path in settings.RUNS_DIR.iterdir()] == ["new.parquet"]
    assert not ErasurePermit.objects.exists()
    assert output_of("purge") == NOTHING


def test_file_of_an_imported_run_stays(collection):
    for path in settings.RUNS_DIR.iterdir():
        os.utime(path, (0, 0))
    before = sorted(settings.RUNS_DIR.iterdir())
    output_of("purge")
    assert sorted(settings.RUNS_DIR.iterdir()) == before != []


def test_used_link_is_deleted():
    create_link()
    OwnerLink.objects.update(used_at=timezone.now())
    assert "Used or expired owner links: 1 deleted." in output_of("purge")


def test_invitation_is_kept_for_a_month_after_its_end(collection):
    for name, days in (("old", 30), ("new", 29)):
        ended = timezone.now() - timedelta(days=days)
        Invitation.objects.create(collection=collection, role="assessor", token_hash=name, expires_at=ended)
    assert "Expired invitations: 1 deleted." in output_of("purge")
    assert Invitation.objects.get().token_hash == "new"


def test_dry_run_counts_and_changes_nothing(lessons):
    _, due, old = lessons
    add_old_and_new()
    before, today = tables(), timezone.localdate()
    assert output_of("purge", "--dry-run") == [
        "Expired sessions: 1 would be deleted.",
        "Answers of the API: 0 would be deleted.",
        "Ended API tokens: 0 would be deleted.",
        "Counts of wrong passwords and codes: 1 would be deleted.",
        "Abandoned uploads: 1 would be deleted.",
        "Files of deleted runs: 1 would be deleted.",
        "Used or expired owner links: 1 would be deleted.",
        "Expired invitations: 0 would be deleted.",
        "Used or expired reset links: 0 would be deleted.",
        "Records of ended jobs in the queue: 1 would be deleted.",
        "Old entries of the audit log: 1 would be deleted.",
        f"Exercise {old.collection.slug}, due {today - timedelta(days=400)}: 0 seats would be erased.",
        f"Exercise {due.collection.slug}, due {today}: 2 seats would be erased.",
    ]
    assert tables() == before


@pytest.mark.in_ci
def test_only_due_exercises_are_erased(lessons):
    kept, due, old = lessons
    today = timezone.localdate()
    assert output_of("purge") == [
        *NOTHING,
        f"Exercise {old.collection.slug}, due {today - timedelta(days=400)}: "
        "erased with 0 seats, 0 judgements and 0 ledger events.",
        f"Exercise {due.collection.slug}, due {today}: erased with 2 seats, 12 judgements and 12 ledger events.",
    ]
    assert list(Exercise.objects.all()) == [kept]
    assert not Judgement.objects.exists()
    assert {stone.reason for stone in Tombstone.objects.all()} == {"it reached its erasure date"}
    assert output_of("purge") == NOTHING


@pytest.mark.in_ci
@pytest.mark.parametrize("name", ["expired_sessions", "spent_links", "delete_old_events", "throttle.delete_ended"])
def test_failed_step_does_not_stop_the_others(lessons, monkeypatch, name):
    """The command fails with a message, and everything else is deleted."""
    kept, _, _ = lessons
    add_old_and_new()

    def broken():
        raise RuntimeError("disk")

    monkeypatch.setattr(f"assess.purge.{name}", broken)
    with pytest.raises(CommandError, match="1 of the steps failed; the others were done"):
        output_of("purge")
    assert list(Exercise.objects.all()) == [kept]
    old = (
        Session.objects.filter(session_key="old"),
        AttemptCount.objects.filter(key_hash="old"),
        OwnerLink.objects.filter(token_hash="old"),
        AuditEvent.objects.filter(subject="old"),
    )
    assert [rows.exists() for rows in old].count(True) == 1


def test_failed_erasure_does_not_stop_the_others(lessons, monkeypatch):
    _, due, old = lessons
    erase = exercises.erase

    def broken(exercise, reason):
        if exercise == old:
            raise RuntimeError("disk")
        return erase(exercise, reason)

    monkeypatch.setattr(exercises, "erase", broken)
    with pytest.raises(CommandError, match="1 of the steps failed"):
        output_of("purge")
    assert not Exercise.objects.filter(pk=due.pk).exists()
    assert Exercise.objects.filter(pk=old.pk).exists()


def test_entries_of_a_year_are_kept():
    audit.record(Action.LINK_CREATED)
    output_of("purge")
    assert AuditEvent.objects.count() == 1
