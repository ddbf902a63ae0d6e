"""Background jobs, and the workers that run them."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.collection import Collection


class JobState(models.TextChoices):
    WAITING = "waiting", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class Job(models.Model):
    """One call of a domain function in the background.

    `attempt` counts the workers that began it. A worker whose number is not the last one saves nothing. `saved_at` is
    set in the transaction that saves the result, so that a job which was killed afterwards is not repeated.
    `heartbeat_at` is the last sign of life: of the worker, or of the process that put the job into the queue.
    """

    public_id = models.UUIDField(unique=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=40)  # one of assess.jobs.kinds
    collection = models.ForeignKey(Collection, models.CASCADE, null=True, related_name="jobs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    input = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    attempt = models.PositiveSmallIntegerField(default=0)
    task_id = models.UUIDField(null=True)  # the row of the queue
    stage = models.CharField(max_length=80, blank=True)
    progress_done = models.PositiveBigIntegerField(default=0)
    progress_total = models.PositiveBigIntegerField(null=True)
    cancel_requested = models.BooleanField(default=False)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    saved_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("-pk",)
        # Finds silent jobs, for which every worker looks every ten seconds.
        indexes = (models.Index(fields=["state", "heartbeat_at"], name="job_state_heartbeat"),)
        constraints = (
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_is_known"),
            models.CheckConstraint(
                condition=Q(state__in=("waiting", "running"), ended_at__isnull=True)
                | Q(state__in=("done", "failed", "cancelled"), ended_at__isnull=False),
                name="job_ended_has_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class Worker(models.Model):
    """A process that runs jobs. A worker that was killed stays here with an old heartbeat."""

    name = models.CharField(max_length=64, unique=True)
    heartbeat_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name
