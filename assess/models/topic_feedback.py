"""The answer to the question at the end of a topic."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from assess.models.collection import Member, Topic


class TopicFeedback(models.Model):
    """How difficult a topic was for an assessor, from 1 (easy) to 5 (very difficult), with a comment."""

    member = models.ForeignKey(Member, models.PROTECT, related_name="exit_answers")
    topic = models.ForeignKey(Topic, models.PROTECT, related_name="exit_answers")
    difficulty = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    comment = models.TextField(blank=True)
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "assess_exitanswer"  # the model's name before 0.2
        constraints = [
            models.UniqueConstraint(fields=["member", "topic"], name="exit_answer_once"),
            models.CheckConstraint(
                condition=Q(difficulty__isnull=True) | Q(difficulty__gte=1, difficulty__lte=5),
                name="difficulty_1_to_5",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} on {self.topic_id}: {self.difficulty}"
