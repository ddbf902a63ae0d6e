"""Continues jobs whose worker was killed, so that none is running forever.

A job is silent if its heartbeat is a minute old. It saved everything or nothing, or it saves in steps that can be
repeated, so it can be run again. Only an email cannot be taken back: it is not sent again, because it may have arrived.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from assess.jobs.kinds import KINDS
from assess.jobs.queue import enqueue
from assess.jobs.run import finish
from assess.models import Job, JobState

SILENCE = timedelta(seconds=60)
# A job that needs more memory than there is would otherwise kill one worker after the other.
MAX_ATTEMPTS = 3
GAVE_UP = "The job stopped without a reason {attempts} times, and nothing was changed. Is there enough memory?"

UNKNOWN = "The worker stopped before it knew whether this was done. Do it again if it is missing."
INCOMPLETE = "The job stopped without a reason {attempts} times, and only a part was changed. Start it again."


def recover() -> int:
    """Continue or end all silent jobs, and return their number."""
    silent = Job.objects.filter(heartbeat_at__lt=timezone.now() - SILENCE)
    jobs = silent.filter(state__in=(JobState.RUNNING, JobState.WAITING)).values_list("pk", flat=True)
    return sum(_recover(pk) for pk in list(jobs))


@transaction.atomic
def _recover(pk: int) -> bool:
    # The condition again, under the lock: another worker may have recovered the job since it was listed.
    job = Job.objects.select_for_update().filter(pk=pk, heartbeat_at__lt=timezone.now() - SILENCE).first()
    if not job or (job.state == JobState.WAITING and _is_queued(job)):
        return False
    is_saved = job.saved_at is not None and not KINDS[job.kind].is_resumed
    if job.state == JobState.RUNNING and (is_saved or job.cancel_requested):
        finish(job, JobState.DONE if is_saved else JobState.CANCELLED)
    elif job.state == JobState.RUNNING and KINDS[job.kind].is_run_once:
        finish(job, JobState.FAILED, error=UNKNOWN)
    elif job.state == JobState.RUNNING and job.attempt >= MAX_ATTEMPTS:
        gave_up = INCOMPLETE if job.saved_at else GAVE_UP
        finish(job, JobState.FAILED, error=gave_up.format(attempts=job.attempt))
    elif job.state in (JobState.RUNNING, JobState.WAITING):
        job.state = JobState.WAITING
        job.save(update_fields=["state"])
        enqueue(job)
    return True


def _is_queued(job: Job) -> bool:
    """Whether a worker will take the job, now or later. If not, a worker took it and was killed before it began."""
    return job.task_id is not None and DBTaskResult.objects.filter(pk=job.task_id, status="READY").exists()
