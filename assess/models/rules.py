"""How a collection is judged: the settings that its researchers choose and its assessors work under."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

MOST_JUDGES = 100  # of one task


class Order(models.TextChoices):
    """In which order an assessor meets the documents of a topic. None of them follows a rank."""

    SHUFFLED = "shuffled", "shuffled for each assessor"
    FIXED = "fixed", "by document id, the same for everybody"
    ADAPTIVE = "adaptive", "live, by what was found relevant so far"


class Passages(models.TextChoices):
    """Whether an assessor marks the passage that decided the judgement."""

    OFF = "off", "not asked for"
    OPTIONAL = "optional", "may be marked"
    REQUIRED = "required", "must be marked where the grade says relevant"


class JudgingRules(models.Model):
    """Columns of a collection. `judges_per_task` opens the pool: any assessor takes the next task that fewer than so
    many have judged or claimed; null means that every task is given out beforehand. Nothing is judged while
    `judging_open` is false, nor after `judging_ends_at`."""

    order = models.CharField(max_length=10, choices=Order.choices, default=Order.SHUFFLED)
    judges_per_task = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_JUDGES)]
    )
    judging_open = models.BooleanField(default=True)
    judging_ends_at = models.DateTimeField(null=True, blank=True)
    claim_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(24 * 60)]
    )
    repeat_share = models.FloatField(default=0, validators=[MinValueValidator(0), MaxValueValidator(1)])
    painted_ms = models.PositiveSmallIntegerField(default=150, validators=[MaxValueValidator(5_000)])
    hide_doc_ids = models.BooleanField(default=False)
    snippet_first = models.BooleanField(default=False)
    ask_confidence = models.BooleanField(default=False)
    passages = models.CharField(max_length=8, choices=Passages.choices, default=Passages.OFF)
    ask_at_topic_end = models.BooleanField(default=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(order__in=Order.values), name="order_known"),
            models.CheckConstraint(condition=Q(passages__in=Passages.values), name="passages_known"),
            models.CheckConstraint(condition=Q(repeat_share__gte=0, repeat_share__lte=1), name="share_is_a_share"),
        ]

    @property
    def open_to_claims(self) -> bool:
        return self.judges_per_task is not None

    @property
    def closed_because(self) -> str:
        """Why nothing can be judged now, in a sentence; empty where it can."""
        if self.judging_ends_at and self.judging_ends_at <= timezone.now():
            return f"Judging ended at {self.judging_ends_at:%H:%M} ({self.judging_ends_at:%Z})."
        return "" if self.judging_open else "Judging is paused, or has not begun."
