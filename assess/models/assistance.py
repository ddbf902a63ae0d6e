"""Suggestions of a model that assessors saw, and the judgements that they made with one."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from assess.models.collection import Member
from assess.models.judgement import JudgementEvent
from assess.models.pool import Task


class ShownSuggestion(models.Model):
    """A grade of a model that was sent to an assessor with the document; `judge` is the name of the model.

    Every judgement of this document by the assessor is assisted from then on. The page names what it shows by the
    `public_id`.
    """

    public_id = models.UUIDField(unique=True, default=uuid4, editable=False)
    member = models.ForeignKey(Member, models.CASCADE, related_name="+", db_index=False)
    task = models.ForeignKey(Task, models.CASCADE, related_name="+")
    judge = models.CharField(max_length=80)
    grade = models.PositiveSmallIntegerField()
    shown_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "task", "judge", "grade"], name="suggestion_shown_once"),
        ]

    def __str__(self) -> str:
        return f"{self.judge} to {self.member_id}: {self.grade}"


class Assistance(models.Model):
    """The suggestion that an assessor had seen when they judged; `judge` is the name of the model.

    It belongs to an event of the ledger, whose hash covers it (`assess.judging.chain`), and is never changed. A
    judgement is assisted if its last event is.
    """

    # DO_NOTHING: an erasure deletes these rows first. Any other rule would make Django load all events to delete them.
    event = models.OneToOneField(JudgementEvent, models.DO_NOTHING, primary_key=True, related_name="assistance")
    judge = models.CharField(max_length=80)
    grade = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(judge=""), name="assistance_names_a_judge")]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.judge} suggested {self.grade}"
