"""The rules of judging in a collection, which its researchers set."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

MOST_JUDGES = 100  # for one task


class Order(models.TextChoices):
    """The order of documents for an assessor. No order depends on ranks."""

    SHUFFLED = "shuffled", "shuffled for each assessor"
    FIXED = "fixed", "by document id, the same for everyone"
    ADAPTIVE = "adaptive", "adaptive, depends on the judgements so far"


class Passages(models.TextChoices):
    """Whether assessors mark the passage that decided the judgement."""

    OFF = "off", "not requested"
    OPTIONAL = "optional", "may be marked"
    REQUIRED = "required", "required for relevant documents"


class JudgementKind(models.IntegerChoices):
    """What a judgement is for. It is stored as `repeat`, so that a member has one judgement of each kind on a task.

    Figures, golds and pools use regular judgements only. A hidden repeat is compared with the regular judgement. A
    decision settles a dispute. In a norming round, a group judges documents before and after it discusses them. New
    assessors practise on documents with known grades, and hidden checks compare later judgements with known grades.
    """

    REGULAR = 0, "regular"
    REPEAT = 1, "hidden repeat"
    DECISION = 2, "decision"
    NORMING_BEFORE = 3, "norming, before the discussion"
    NORMING_AFTER = 4, "norming, after the discussion"
    PRACTICE = 5, "practice"
    CHECK = 6, "hidden check"


class PracticeRule(models.TextChoices):
    """Whether new assessors practise first, and what happens below the threshold."""

    OFF = "off", "no practice"
    ADMIT = "admit", "must reach the threshold"
    NOTIFY = "notify", "threshold informs only"


class PracticeMeasure(models.TextChoices):
    """What the threshold of the practice limits."""

    HITS = "hits", "share of hits"
    KAPPA = "kappa", "pooled kappa"


class DuplicatesRule(models.TextChoices):
    """How assessors judge the documents of an accepted group of near-duplicates."""

    APART = "apart", "like other documents"
    TOGETHER = "together", "one after the other"
    ONCE = "once", "one judgement applies to all"


class JudgingRules(models.Model):
    """The rules of judging, stored with the collection.

    With `judges_per_task`, the pool is open to claims: any assessor takes the next task that fewer assessors have
    judged or claimed. If it is null, tasks are assigned beforehand. Judging is closed while `judging_open` is false,
    and after `judging_ends_at`, the end of a class exercise. With `judging_closed_at`, a researcher has closed it:
    it is not paused, but finished until somebody opens it again. If `continuous`, the documents of all topics are one
    queue. With `ask_marginal`, the page asks after a relevant grade whether the document adds something new.

    With `practice`, new assessors judge the practice documents first. With `hidden_checks`, every assessor gets the
    check documents of their topics among the others.
    """

    order = models.CharField(max_length=10, choices=Order.choices, default=Order.SHUFFLED)
    judges_per_task = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_JUDGES)]
    )
    judging_open = models.BooleanField(default=True)
    judging_ends_at = models.DateTimeField(null=True, blank=True)
    judging_closed_at = models.DateTimeField(null=True, blank=True)
    claim_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(24 * 60)]
    )
    repeat_share = models.FloatField(default=0, validators=[MinValueValidator(0), MaxValueValidator(1)])
    min_visible_ms = models.PositiveSmallIntegerField(
        default=150, db_column="painted_ms", validators=[MaxValueValidator(5_000)]
    )
    hide_doc_ids = models.BooleanField(default=False)
    snippet_first = models.BooleanField(default=False)
    ask_confidence = models.BooleanField(default=False)
    passages = models.CharField(max_length=8, choices=Passages.choices, default=Passages.OFF)
    ask_at_topic_end = models.BooleanField(default=True)
    practice = models.CharField(max_length=6, choices=PracticeRule.choices, default=PracticeRule.OFF)
    practice_measure = models.CharField(max_length=5, choices=PracticeMeasure.choices, default=PracticeMeasure.HITS)
    practice_threshold = models.FloatField(default=0.7, validators=[MinValueValidator(0), MaxValueValidator(1)])
    hidden_checks = models.BooleanField(default=False)
    continuous = models.BooleanField(default=False)
    ask_marginal = models.BooleanField(default=False)
    near_duplicates = models.CharField(max_length=8, choices=DuplicatesRule.choices, default=DuplicatesRule.APART)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(order__in=Order.values), name="order_known"),
            models.CheckConstraint(condition=Q(passages__in=Passages.values), name="passages_known"),
            models.CheckConstraint(
                condition=Q(near_duplicates__in=DuplicatesRule.values), name="duplicates_rule_known"
            ),
            models.CheckConstraint(condition=Q(practice__in=PracticeRule.values), name="practice_known"),
            models.CheckConstraint(
                condition=Q(practice_measure__in=PracticeMeasure.values), name="practice_measure_known"
            ),
            models.CheckConstraint(
                condition=Q(practice_threshold__gte=0, practice_threshold__lte=1), name="practice_threshold_is_a_share"
            ),
            models.CheckConstraint(condition=Q(repeat_share__gte=0, repeat_share__lte=1), name="share_is_a_share"),
        ]

    @property
    def open_to_claims(self) -> bool:
        return self.judges_per_task is not None

    @property
    def duplicates_rule(self) -> str:
        """The rule for near-duplicates, as it applies now.

        A passage is marked in one document and cannot be copied. So where passages are required, no judgement applies
        to several documents, and they are judged one after the other.
        """
        if self.near_duplicates == DuplicatesRule.ONCE and self.passages == Passages.REQUIRED:
            return DuplicatesRule.TOGETHER
        return self.near_duplicates

    @property
    def has_ended(self) -> bool:
        return self.judging_ends_at is not None and self.judging_ends_at <= timezone.now()

    @property
    def closed_because(self) -> str:
        """A sentence that says why judging is closed; empty if it is open."""
        if self.judging_ends_at and self.has_ended:
            return f"Judging ended at {self.judging_ends_at:%H:%M} ({self.judging_ends_at:%Z})."
        if self.judging_closed_at:
            return f"Judging was closed on {self.judging_closed_at:%Y-%m-%d}."
        return "" if self.judging_open else "Judging is not open."
