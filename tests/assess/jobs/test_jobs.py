"""Jobs run once, save all or nothing, show their progress, can be cancelled, and survive the death of a worker."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from assess.errors import Refused
from assess.jobs import queue, workers
from assess.jobs import run as heartbeat
from assess.jobs.kinds import KINDS, Kind
from assess.jobs.recovery import MAX_ATTEMPTS, recover
from assess.jobs.run import run
from assess.lib import long_work
from assess.models import Assignment, Collection, Job, JobState, Task, Worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

DEEPER = {"depth": 3}


@dataclass(frozen=True)
class Written:
    title: str


def write_title(collection: Collection, title: str = "saved") -> Written:
    """A domain function: it reports its progress and saves in one transaction."""
    long_work.report("Reading", 1, 2)
    with transaction.atomic():
        Collection.objects.select_for_update().get(pk=collection.pk)
        long_work.about_to_save()
        Collection.objects.filter(pk=collection.pk).update(name=title)
    return Written(title)


@pytest.fixture
def kind(monkeypatch):
    """A function that makes a kind of job from a function."""

    def kind(function, name: str = "test") -> str:
        monkeypatch.setattr(Kind, "function", lambda self: function if self.path == name else original(self))
        monkeypatch.setitem(KINDS, name, Kind("Test", name))
        return name

    original = Kind.function
    return kind


@pytest.fixture
def started(collection, kind):
    """A function that starts a job with a function."""

    def started(function=write_title, **arguments) -> Job:
        return queue.start(kind(function), collection, None, arguments)

    return started


def work() -> None:
    """Run what is waiting, as `assay worker` does, and end."""
    call_command("worker", once=True, verbosity=0)


def age(job: Job, seconds: int = 61) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))


def title() -> str:
    return Collection.objects.get().name


# ---- a job


def test_pool_is_built_as_by_the_command(collection):
    job = queue.start("build_pool", collection, None, DEEPER)
    assert (job.state, Task.objects.count()) == (JobState.WAITING, 7)
    work()
    job.refresh_from_db()
    assert (job.state, job.error, job.attempt) == (JobState.DONE, "", 1)
    assert job.result["added"] == Task.objects.count() - 7 > 0
    assert job.saved_at <= job.ended_at


def test_result_may_have_times(started):
    job = started(lambda _collection: {"at": timezone.now().replace(2026, 3, 1, 9, 0, 0, 0)})
    work()
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"at": "2026-03-01T09:00:00Z"})


def test_result_that_is_no_json_is_an_error_of_the_job(started, caplog):
    job = started(lambda _collection: {"set": {1}})
    work()
    job.refresh_from_db()
    assert job.state == JobState.FAILED  # and not running until it is taken for dead
    assert "not JSON serializable" in caplog.text


def test_tasks_are_assigned(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    job = queue.start("assign", collection, None, {"judges": 2})
    work()
    job.refresh_from_db()
    assert job.result["added"] == Assignment.objects.count() == 14


def test_refusal_is_the_error_of_the_job(collection):
    job = queue.start("assign", collection, None, {"judges": 2})
    work()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "2 judges per task require as many assessors" in job.error


def test_unexpected_error_reveals_nothing(started, caplog):
    def fail(_collection):
        raise RuntimeError("the secret")

    job = started(fail)
    work()
    job.refresh_from_db()
    assert job.error == (
        f"An error occurred, and nothing was changed. The log of the worker has the details, as job-{job.pk}."
    )
    assert "the secret" in caplog.text


def test_error_after_saving_is_not_a_failure(started):
    def save_and_fail(collection):
        write_title(collection)
        raise RuntimeError

    job = started(save_and_fail)
    work()
    job.refresh_from_db()
    assert (job.state, job.error, title()) == (JobState.DONE, "", "saved")


def test_one_unfinished_job_of_a_kind(collection, started):
    started()
    with pytest.raises(Refused, match="is waiting or running already"):
        started()
    assert Job.objects.count() == DBTaskResult.objects.count() == 1
    work()
    started()


def test_job_and_its_place_in_the_queue_are_created_together(collection, kind):
    with transaction.atomic():
        queue.start(kind(write_title), collection, None, {})
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_attempt_runs_once(started):
    calls = []
    job = started(lambda collection: calls.append(collection))
    for _ in range(2):
        run(job.pk, attempt=1)
    assert len(calls) == 1


# ---- progress and cancellation


def test_progress_is_visible_while_the_job_runs(started, monkeypatch):
    monkeypatch.setattr(heartbeat.Heartbeat.__init__, "__defaults__", (0.01,))
    seen = []

    def wait_until_visible(collection):
        long_work.report("Reading", 3, 10)
        while not (row := Job.objects.get()).stage:
            pass
        seen.append((row.state, row.stage, row.progress_done, row.progress_total))

    started(wait_until_visible)
    work()
    assert seen == [("running", "Reading", 3, 10)]


def test_pool_reports_the_runs_that_were_read(collection, monkeypatch):
    reports = []
    monkeypatch.setattr(heartbeat.Heartbeat, "report", lambda _, *progress: reports.append(progress))
    queue.start("build_pool", collection, None, DEEPER)
    work()
    runs = [("Reading runs", number, 3) for number in range(3)]
    stages = [("Selecting the documents", 0, None), ("Saving the pool", 0, None)]
    assert reports == [*runs, *stages]


def test_waiting_job_is_cancelled_at_once(started):
    job = started()
    queue.cancel(job)
    work()
    job.refresh_from_db()
    assert (job.state, title()) == (JobState.CANCELLED, "Small")


def test_running_job_stops_at_its_next_report(started, monkeypatch):
    monkeypatch.setattr(heartbeat.Heartbeat.__init__, "__defaults__", (0.01,))

    def report_forever(collection):
        queue.cancel(Job.objects.get())
        while True:
            long_work.report("Reading")

    job = started(report_forever)
    work()
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_cancelled_job_does_not_save(started):
    def cancel_and_save(collection):
        queue.cancel(Job.objects.get())
        return write_title(collection)

    job = started(cancel_and_save)
    work()
    job.refresh_from_db()
    assert (job.state, job.saved_at, title()) == (JobState.CANCELLED, None, "Small")


def test_saved_job_is_not_cancelled(started):
    def save_and_cancel(collection):
        written = write_title(collection)
        queue.cancel(Job.objects.get())
        return written

    job = started(save_and_cancel)
    work()
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"title": "saved"})


# ---- killed workers


def killed(started) -> Job:
    """A job whose worker was killed while it ran."""

    class Kill(BaseException):
        pass

    def die(_collection):
        raise Kill

    job = started(die)
    with pytest.raises(Kill):
        run(job.pk, attempt=1)
    DBTaskResult.objects.update(status="RUNNING")
    return job


def test_silent_job_continues(started, kind):
    job = killed(started)
    kind(write_title)
    assert recover() == 0  # it may still be running
    age(job)
    assert recover() == 1
    assert recover() == 0
    work()
    job.refresh_from_db()
    assert (job.state, job.attempt, title()) == (JobState.DONE, 2, "saved")


def test_job_that_always_dies_fails(started):
    job = killed(started)
    Job.objects.update(attempt=MAX_ATTEMPTS)
    age(job)
    recover()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "stopped without a reason 3 times" in job.error


@pytest.mark.parametrize(
    ("values", "state"),
    [({"saved_at": timezone.now()}, JobState.DONE), ({"cancel_requested": True}, JobState.CANCELLED)],
)
def test_silent_job_that_was_saved_or_cancelled_ends(started, values, state):
    job = killed(started)
    Job.objects.update(**values)
    age(job)
    recover()
    job.refresh_from_db()
    assert (job.state, job.attempt) == (state, 1)


def test_worker_killed_before_it_began_the_job(started):
    job = started()
    age(job)
    assert recover() == 0  # it waits for a worker
    DBTaskResult.objects.update(status="RUNNING")
    assert recover() == 1
    work()
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_worker_that_was_taken_for_dead_saves_nothing(started):
    def outlive(collection):
        age(Job.objects.get())
        recover()
        return write_title(collection, "from the first attempt")

    job = started(outlive)
    run(job.pk, attempt=1)
    job.refresh_from_db()
    assert (job.state, job.attempt, title()) == (JobState.WAITING, 1, "Small")


# ---- workers


def test_workers_are_registered_while_they_run(db):
    assert not workers.is_running()
    with workers.registered():
        assert workers.is_running()
    assert not Worker.objects.exists()
    Worker.objects.create(name="killed", heartbeat_at=timezone.now() - timedelta(minutes=1))
    assert not workers.is_running()


def test_worker_recovers_silent_jobs_when_it_starts(started, kind):
    job = killed(started)
    kind(write_title)
    age(job)
    work()
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert connection.is_usable()


def test_kind_that_saves_in_steps_is_run_again(started, kind, monkeypatch):
    job = killed(started)
    kind(write_title)
    monkeypatch.setitem(KINDS, "test", Kind("Test", "test", is_resumed=True))
    Job.objects.update(saved_at=timezone.now())
    age(job)
    recover()
    work()
    job.refresh_from_db()
    assert (job.state, job.attempt, title()) == (JobState.DONE, 2, "saved")


def test_kind_that_saves_in_steps_fails_if_a_step_fails(started, kind, monkeypatch):
    def fail(_collection, **_):
        with transaction.atomic():
            long_work.about_to_save()
        raise RuntimeError("the second step")

    job = started(fail)
    monkeypatch.setitem(KINDS, "test", Kind("Test", "test", is_resumed=True))
    work()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "after a part was changed. Start it again" in job.error
