"""The current judgements, the ledger from which they can be rebuilt, and answers to the question at a topic's end."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.collection import Collection, Member, Role, Topic
from assess.models.pool import Task
from assess.models.rules import JudgementKind

MOST_CONFIDENT = 3  # 1 unsure, 2 fairly sure, 3 sure
GRADE_FIELDS = ("state", "relevance", "reason", "comment", "confidence", "passages")  # the judgement itself
CONTEXT_FIELDS = ("highlights", "input", "guidelines_version", "label_confidence")  # how it was made
TIME_FIELDS = ("active_ms", "away_ms")
# For judgements of members of every role. Those who ask for assessors only need not ask for this.
NOT_WITHDRAWN = ~Q(member__role=Role.WITHDRAWN)
SHARED_FIELDS = (*GRADE_FIELDS, *CONTEXT_FIELDS)
ALL_FIELDS = (*SHARED_FIELDS, *TIME_FIELDS)  # all of JudgementFields


class State(models.TextChoices):
    """The state of a task for one assessor. Only JUDGED has a grade, and only it counts towards a task's judges."""

    JUDGED = "judged"
    CANNOT_JUDGE = "cannot_judge"
    LATER = "later"
    UNDONE = "undone"


class Reason(models.TextChoices):
    """Why a document cannot be judged; OTHER requires a comment."""

    BROKEN = "broken", "The document is broken"
    LANGUAGE = "language", "I cannot read the language"
    EXPERTISE = "expertise", "I do not have the expertise"
    TOPIC = "topic", "The topic is unclear"
    OTHER = "other", "Another reason"


class Input(models.TextChoices):
    """How a judgement was entered. One by group was not: a near-duplicate was judged."""

    KEY = "key"
    POINTER = "pointer"
    FORM = "form"
    GROUP = "group"


def is_complete(prefix: str) -> models.CheckConstraint:
    """Only a judged document has a grade, and only one that cannot be judged has a reason."""
    judged = Q(state=State.JUDGED, relevance__isnull=False, reason="")
    cannot = Q(state=State.CANNOT_JUDGE, relevance__isnull=True, reason__in=Reason.values)
    open_again = Q(state__in=[State.LATER, State.UNDONE], relevance__isnull=True, reason="")
    return models.CheckConstraint(condition=judged | cannot | open_again, name=f"{prefix}_is_complete")


def confidence_is_known(prefix: str) -> models.CheckConstraint:
    condition = Q(confidence__isnull=True) | Q(confidence__gte=1, confidence__lte=MOST_CONFIDENT)
    return models.CheckConstraint(condition=condition, name=f"{prefix}_confidence_known")


class JudgementFields(models.Model):
    """The fields that a judgement and its events have in common.

    `passages` are [start, end) offsets in characters of the displayed text. `highlights` says whether the words of the
    query were highlighted; null if this is not known. `confidence` is that of an assessor. `label_confidence` is the
    one that an imported label carries, such as a model's probability: a number from 0.
    """

    state = models.CharField(max_length=12, choices=State.choices)
    relevance = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=12, blank=True)
    comment = models.TextField(blank=True)
    guidelines_version = models.PositiveIntegerField(null=True)
    confidence = models.PositiveSmallIntegerField(null=True)
    passages = models.JSONField(default=list)
    active_ms = models.PositiveIntegerField(default=0)
    away_ms = models.PositiveIntegerField(default=0)
    highlights = models.BooleanField(null=True)
    input = models.CharField(max_length=7, blank=True)
    label_confidence = models.FloatField(null=True)

    class Meta:
        abstract = True


class Judgement(JudgementFields):
    """The current judgement of one member on one task; `repeat` is its kind.

    `active_ms` and `away_ms` are the sums over its events, at most a day; `version` counts the events. Besides the
    constraints here, a trigger refuses a grade that is not on the collection's scale (migration 0002).
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="judgements")
    member = models.ForeignKey(Member, models.PROTECT, related_name="judgements")
    repeat = models.PositiveSmallIntegerField(default=JudgementKind.REGULAR)
    version = models.PositiveIntegerField(default=1)
    judged_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "member", "repeat"], name="judgement_once"),
            models.CheckConstraint(condition=Q(repeat__in=JudgementKind.values), name="judgement_kind_known"),
            # A decision that was undone or postponed does not count.
            models.UniqueConstraint(
                fields=["task"], condition=Q(repeat=JudgementKind.DECISION, state=State.JUDGED), name="decided_once"
            ),
            is_complete("judgement"),
            confidence_is_known("judgement"),
        ]
        # The last judgement of one assessor, for undo.
        indexes = [models.Index(fields=["member", "judged_at"], name="judgement_last")]

    def __str__(self) -> str:
        return f"{self.task_id} by {self.member_id}: {self.state} {self.relevance}"


class JudgementEvent(JudgementFields):
    """One event of the ledger, which is append-only. The client id makes a repeated request harmless.

    `version` counts the events of a judgement from 1. `seen_version` is the version that the page knew: if it is not
    the one before this event, the page was stale.

    The events of a member are a chain: `position` counts them from 1, and `hash` covers the fields of the event and
    the hash of the previous one (`assess.judging.chain`). `comment_hash` is the hash of salt and comment. The hashes of
    what was displayed are null if that is unknown, as for imported judgements, and if nothing was.
    """

    class Source(models.TextChoices):
        PAGE = "page"
        IMPORT = "import"
        MODEL = "model"
        # A researcher asked for another judgement, because the text was replaced. Nothing was displayed.
        REPLACED = "replaced", "text replaced"

    judgement = models.ForeignKey(Judgement, models.PROTECT, related_name="events")
    member = models.ForeignKey(Member, models.PROTECT, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    source = models.CharField(max_length=8, choices=Source.choices)
    client_id = models.UUIDField(null=True)
    version = models.PositiveIntegerField(default=1)
    seen_version = models.PositiveIntegerField(null=True)
    before_state = models.CharField(max_length=12, blank=True)
    before_relevance = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()
    recorded_at = models.DateTimeField(default=timezone.now)
    position = models.PositiveIntegerField(null=True)
    hash = models.BinaryField(max_length=32, null=True)
    comment_salt = models.BinaryField(max_length=16, null=True)
    comment_hash = models.BinaryField(max_length=32, null=True)
    document_hash = models.BinaryField(max_length=32, null=True)
    topic_hash = models.BinaryField(max_length=32, null=True)
    scale_hash = models.BinaryField(max_length=32, null=True)
    guidelines_hash = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "client_id"], name="client_id_once"),
            models.UniqueConstraint(fields=["judgement", "version"], name="event_version_once"),
            # With a condition, SQLite creates an index, and does not remake the table.
            models.UniqueConstraint(
                fields=["member", "position"], condition=Q(position__isnull=False), name="chain_position_once"
            ),
            is_complete("event"),
            confidence_is_known("event"),
        ]

    def __str__(self) -> str:
        return f"{self.judgement_id} at {self.at}: {self.state} {self.relevance}"


class MarginalAnswer(models.Model):
    """Whether a relevant document adds to the relevant ones that the assessor had seen in the topic.

    It belongs to an event of the ledger, whose hash covers it (`assess.judging.chain`), and is never changed. The
    answer of a judgement is that of its last event, so that undo takes it back. `repeats` are the doc_ids of the
    documents that it repeats, in ascending order.
    """

    class Answer(models.TextChoices):
        NEW = "new", "Something new"
        PARTLY = "partly", "Partly new"
        NOTHING = "nothing", "Nothing new"

    # DO_NOTHING: an erasure deletes the answers first. Any other rule would make Django load all events to delete them.
    event = models.OneToOneField(JudgementEvent, models.DO_NOTHING, primary_key=True, related_name="marginal")
    answer = models.CharField(max_length=7, choices=Answer.choices)
    repeats = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(answer__in=["new", "partly", "nothing"]), name="marginal_answer_known"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.answer}"


class Checkpoint(models.Model):
    """The length and head of every chain of a collection at a time.

    `chains` has [member's primary key, number of events, hash of the last one] for each chain. `covered` is what else
    it covers, and null in version 1 (`assess.judging.covered`); `salts` are those of the pseudonyms, by the key of the
    member. `hash` covers `chains`, `covered` and the collection's slug, as hexadecimal digits, so that it can be
    printed and kept elsewhere.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="checkpoints")
    chains = models.JSONField()
    events = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now)
    covered = models.JSONField(null=True)
    salts = models.JSONField(null=True)

    class Meta:
        ordering = ["pk"]
        # Exports, releases and archives name a checkpoint by its hash.
        indexes = [models.Index(fields=["hash"], name="checkpoint_by_hash")]

    def __str__(self) -> str:
        return f"{self.collection} {self.created_at:%Y-%m-%d %H:%M} {self.hash[:12]}"


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


class ErasurePermit(models.Model):
    """While this row exists, the ledger's triggers allow the member's events to be deleted.

    If `member` is null, they allow it for everyone. A row is created and deleted within the transaction that erases,
    so no other transaction sees it.
    """

    member = models.ForeignKey(Member, models.CASCADE, null=True, related_name="+")

    class Meta:
        db_table = "assess_erasing"  # the triggers of the ledger read this table

    def __str__(self) -> str:
        return f"erasing {self.member_id}"
