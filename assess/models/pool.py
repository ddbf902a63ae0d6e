"""What is to be judged, where it came from, and by whom."""

import uuid

from django.db import models

from assess.models.collection import Collection, Document, Member, Topic


class PoolBuilding(models.Model):
    """One `build_pool`: by which strategy, from which runs. Pools grow; what was pooled stays pooled."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="pool_buildings")
    strategy = models.CharField(max_length=40)
    parameters = models.JSONField()
    run_checksums = models.JSONField()
    tasks_added = models.PositiveIntegerField()
    built_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.collection} {self.strategy} {self.parameters}"


class Task(models.Model):
    """A topic-document pair to be judged. Its address is random, so that it tells nothing of rank or order."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    topic = models.ForeignKey(Topic, models.PROTECT, related_name="tasks")
    document = models.ForeignKey(Document, models.PROTECT, related_name="tasks")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "document"], name="task_once")]

    def __str__(self) -> str:
        return str(self.public_id)


class Provenance(models.Model):
    """Which systems brought a pooled task, and its best rank. A table of its own, that judging never reads.

    A task without provenance was not pooled: it came with imported judgements.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True)
    systems = models.JSONField()
    best_rank = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.task_id} rank {self.best_rank}"


class Assignment(models.Model):
    """A task given to an assessor. `position` is its place in the assessor's own order of the topic."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="assignments")
    member = models.ForeignKey(Member, models.PROTECT, related_name="assignments")
    position = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "member"], name="assignment_once")]
        # The queue of one assessor, in order.
        indexes = [models.Index(fields=["member", "position"], name="assignment_queue")]

    def __str__(self) -> str:
        return f"{self.task_id} to {self.member_id}"
