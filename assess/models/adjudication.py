"""Adjudications of disputed documents, norming rounds, who opened the grades of a document, and known grades."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from assess.models.collection import Collection, Member
from assess.models.pool import Task

LONGEST_EXPLANATION = 2_000


class Adjudication(models.Model):
    """Disputed documents that somebody decides who did not judge them. Adjudications are numbered from 1.

    `selection` says how the documents were chosen. With `shows_grades`, adjudicators see the grades of the judges
    without their names; otherwise they see none. The decisions are judgements of the kind DECISION.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="adjudications")
    number = models.PositiveSmallIntegerField()
    selection = models.CharField(max_length=300)
    shows_grades = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["collection", "number"], name="adjudication_number_once"),)

    def __str__(self) -> str:
        return f"adjudication {self.number}"


class AdjudicatedTask(models.Model):
    """A task in an adjudication, and the adjudicator who decides it. A task is in one adjudication at most."""

    adjudication = models.ForeignKey(Adjudication, models.CASCADE, related_name="tasks")
    task = models.OneToOneField(Task, models.PROTECT, related_name="adjudicated")
    adjudicator = models.ForeignKey(Member, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.adjudication_id}: {self.task_id} by {self.adjudicator_id}"


class GradesOpening(models.Model):
    """A member saw the grades of a task for the first time. A decision that they made later is not blind."""

    member = models.ForeignKey(Member, models.CASCADE, related_name="grades_openings")
    task = models.ForeignKey(Task, models.CASCADE, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["member", "task"], name="grades_opening_once"),)

    def __str__(self) -> str:
        return f"{self.task_id} by {self.member_id}"


class NormingRound(models.Model):
    """A group judges the same documents, sees the votes, discusses, and judges again. Rounds are numbered from 1."""

    class Phase(models.TextChoices):
        BEFORE = "before", "judging before the discussion"
        DISCUSSION = "discussion", "discussing the votes"
        AFTER = "after", "judging after the discussion"
        ENDED = "ended", "ended"

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="norming_rounds")
    number = models.PositiveSmallIntegerField()
    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.BEFORE)
    tasks = models.ManyToManyField(Task, related_name="norming_rounds")
    members = models.ManyToManyField(Member, related_name="norming_rounds")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["collection", "number"], name="norming_number_once"),
            models.CheckConstraint(
                condition=models.Q(phase__in=["before", "discussion", "after", "ended"]), name="norming_phase_known"
            ),
        )

    def __str__(self) -> str:
        return f"norming round {self.number}"


class KnownGrade(models.Model):
    """The grade that a document is known to have for a topic, and why.

    Assessors see grade and explanation of a practice document after they have judged it, and those of a check never.
    """

    class Use(models.TextChoices):
        PRACTICE = "practice", "practice"
        CHECK = "check", "hidden check"

    task = models.OneToOneField(Task, models.PROTECT, related_name="known_grade")
    use = models.CharField(max_length=8, choices=Use.choices)
    relevance = models.PositiveSmallIntegerField()
    explanation = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(condition=models.Q(use__in=["practice", "check"]), name="known_grade_use_known"),
        )

    def __str__(self) -> str:
        return f"{self.task_id}: {self.relevance} ({self.use})"


class Admission(models.Model):
    """An assessor may judge regular documents. `admitted_by` is null if the practice or a command admitted them.

    `below` says that the practice was below a threshold that only informs the researchers.
    """

    member = models.OneToOneField(Member, models.CASCADE, related_name="admission")
    admitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    below = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.member_id} since {self.at:%Y-%m-%d}"
