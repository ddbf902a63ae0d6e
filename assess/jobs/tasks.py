"""The one task of the queue."""

from django_tasks import task

from assess.jobs.run import run


@task()
def run_job(job: int, attempt: int) -> None:
    """Run this attempt of a job."""
    run(job, attempt)
