"""manage.py forget_exercises: what is past its day goes, and the command says what."""

from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.utils import timezone

from assess.models import Exercise, Guess, Judgement, Tombstone
from assess.teaching import clock, exercises
from assess.teaching.code_throttle import WINDOW
from tests.assess.command_output import output_of, tables
from tests.assess.exercise_factories import join_all, judge_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db


@pytest.fixture
def lessons(db):
    """Of today, and two that are due: one of today's date and one that nobody came to."""
    iris, today = make_instructor(), timezone.localdate()
    kept, due, old = (pasted_exercise(iris, title=title, shared=6) for title in ("kept", "due", "old"))
    Exercise.objects.filter(pk=kept.pk).update(erase_on=today + timedelta(days=1))
    Exercise.objects.filter(pk=due.pk).update(erase_on=today)
    Exercise.objects.filter(pk=old.pk).update(erase_on=today - timedelta(days=400))
    clock.start(due)
    for seat in join_all(due, "ann", "bob"):
        judge_all(seat)
    return kept, due, old


def test_what_is_past_its_day_goes_and_nothing_else(lessons):
    kept, due, old = lessons
    today = timezone.localdate()
    assert output_of("forget_exercises") == [
        f"Erased {old.collection.slug} (due {today - timedelta(days=400)}): 0 people, 0 judgements, "
        "0 lines of the ledger.",
        f"Erased {due.collection.slug} (due {today}): 2 people, 12 judgements, 12 lines of the ledger.",
    ]
    assert list(Exercise.objects.all()) == [kept]
    assert not Judgement.objects.exists()
    assert {stone.reason for stone in Tombstone.objects.all()} == {"its time was over"}
    assert output_of("forget_exercises") == ["No exercise is past its day."]


def test_a_dry_run_tells_and_leaves_everything(lessons):
    _, due, old = lessons
    before, today = tables(), timezone.localdate()
    assert output_of("forget_exercises", "--dry-run") == [
        f"Would erase {old.collection.slug} (due {today - timedelta(days=400)}): 0 seats.",
        f"Would erase {due.collection.slug} (due {today}): 2 seats.",
    ]
    assert tables() == before


def test_old_guesses_go_along():
    for age in (WINDOW, WINDOW / 2):
        Guess.objects.create(address_hash="x", at=timezone.now() - age)
    output_of("forget_exercises")
    assert Guess.objects.count() == 1


def test_one_that_cannot_be_erased_keeps_no_other(lessons, monkeypatch):
    """The first one breaks: the second is erased all the same, and the command says so and fails."""
    _, due, old = lessons
    erase = exercises.erase

    def broken(exercise, reason):
        if exercise == old:
            raise RuntimeError("disk")
        return erase(exercise, reason)

    monkeypatch.setattr(exercises, "erase", broken)
    with pytest.raises(CommandError, match=f"{old.collection.slug} could not be erased"):
        output_of("forget_exercises")
    assert not Exercise.objects.filter(pk=due.pk).exists()
    assert Exercise.objects.filter(pk=old.pk).exists()
