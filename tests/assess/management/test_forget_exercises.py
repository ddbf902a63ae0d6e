"""forget_exercises erases the exercises that are due, and reports them."""

from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.utils import timezone

from assess.models import Exercise, Judgement, SeatToken, Tombstone, WrongCodeCount
from assess.teaching import clock, exercises
from tests.assess.command_output import output_of, tables
from tests.assess.exercise_factories import join_all, judge_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db


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


def test_only_due_exercises_are_erased(lessons):
    kept, due, old = lessons
    today = timezone.localdate()
    assert output_of("forget_exercises") == [
        f"Erased {old.collection.slug} (due {today - timedelta(days=400)}): 0 people, 0 judgements, 0 ledger events.",
        f"Erased {due.collection.slug} (due {today}): 2 people, 12 judgements, 12 ledger events.",
    ]
    assert list(Exercise.objects.all()) == [kept]
    assert not Judgement.objects.exists()
    assert {stone.reason for stone in Tombstone.objects.all()} == {"it reached its erasure date"}
    assert output_of("forget_exercises") == ["No exercise is due for erasure."]


def test_dry_run_lists_exercises_and_changes_nothing(lessons):
    _, due, old = lessons
    before, today = tables(), timezone.localdate()
    assert output_of("forget_exercises", "--dry-run") == [
        f"Would erase {old.collection.slug} (due {today - timedelta(days=400)}): 0 seats.",
        f"Would erase {due.collection.slug} (due {today}): 2 seats.",
    ]
    assert tables() == before


def test_old_counts_and_tokens_are_deleted(lessons):
    (seat,) = join_all(lessons[0], "cem")
    for name, minutes in (("old", -1), ("new", 1)):
        at = timezone.now() + timedelta(minutes=minutes)
        WrongCodeCount.objects.create(key_hash=name, ends_at=at)
        SeatToken.objects.create(seat=seat, token_hash=name, expires_at=at)
    output_of("forget_exercises")
    assert WrongCodeCount.objects.get().key_hash == "new"
    assert SeatToken.objects.get().token_hash == "new"


def test_failed_erasure_does_not_stop_the_others(lessons, monkeypatch):
    """The first erasure fails. The second exercise is still erased, and the command fails with a message."""
    _, due, old = lessons
    erase = exercises.erase

    def broken(exercise, reason):
        if exercise == old:
            raise RuntimeError("disk")
        return erase(exercise, reason)

    monkeypatch.setattr(exercises, "erase", broken)
    with pytest.raises(CommandError, match=f"Could not erase {old.collection.slug}"):
        output_of("forget_exercises")
    assert not Exercise.objects.filter(pk=due.pk).exists()
    assert Exercise.objects.filter(pk=old.pk).exists()
