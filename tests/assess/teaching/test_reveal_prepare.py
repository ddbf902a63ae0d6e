"""The reveal is computed by a job when judging ends, and its steps then come from the cache of results."""

from datetime import timedelta

import pytest
from django.utils import timezone

import agreement
from assess.jobs import results
from assess.models import Exercise, Job, JobState, Worker
from assess.teaching import clock, seats
from assess.teaching.reveal import prepare
from assess.teaching.reveal.reveal import all_step_results
from assess.teaching.reveal.steps import STEPS
from tests.assess.judged_exercises import class_of_three, query_for, seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise(db) -> Exercise:
    return class_of_three()


def jobs(exercise: Exercise):
    return Job.objects.filter(collection=exercise.collection, kind=prepare.KIND)


def test_job_starts_when_judging_ends(exercise):
    assert jobs(exercise).count() == 1
    clock.extend(exercise, 5)
    clock.end(exercise)
    assert jobs(exercise).count() == 1  # one at a time
    jobs(exercise).update(state=JobState.DONE, ended_at=timezone.now())
    clock.extend(exercise, 5)
    Exercise.objects.filter(pk=exercise.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    clock.read_clock(Exercise.objects.get(pk=exercise.pk))  # the time is over
    assert jobs(exercise).count() == 2


@pytest.mark.slow
def test_steps_are_not_computed_again_after_the_job(exercise, monkeypatch):
    assert prepare.prepare_reveal(exercise.collection).steps == len(STEPS)
    before = all_step_results(exercise, query_for(exercise))

    def fail(*_arguments, **_options):
        raise AssertionError("computed again")

    for name in ("pairwise", "mean_pairwise", "fleiss_kappa", "mixed_golds", "worked"):
        monkeypatch.setattr(agreement, name, fail)
    after = all_step_results(exercise, query_for(exercise))
    assert [each.figures.sentence for each in after] == [each.figures.sentence for each in before]


def test_pages_wait_for_the_job_only_while_a_worker_is_running(exercise):
    assert prepare.preparing_job(exercise) is None
    Worker.objects.create(name="worker")
    assert prepare.preparing_job(exercise) == jobs(exercise).get()
    jobs(exercise).update(state=JobState.FAILED, ended_at=timezone.now())
    assert prepare.preparing_job(exercise) is None


def test_erasing_a_seat_deletes_the_results(exercise, django_capture_on_commit_callbacks):
    results.keep("reveal:kept", "Cem")
    with django_capture_on_commit_callbacks(execute=True):
        seats.remove_seat(seat_of(exercise, "Cem"))
    assert results.get("reveal:kept") is None
