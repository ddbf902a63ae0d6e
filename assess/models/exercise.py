"""A class exercise: its settings, the seats of its students, and their answers on worksheets."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.collection import Collection, Member, new_seed

# Characters that are easily confused are left out: 0 O, 1 I L, 5 S, 2 Z, 8 B, U V.
LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = REENTRY_LENGTH = 10  # so many codes that no server can check enough: see assess.teaching.code_throttle
OLD_CODE_LENGTH = 6  # of exercises that were created when codes were shorter
MAX_SEATS = 200  # in one exercise
NICKNAME_LENGTH = 24
TITLE_LENGTH = 120
ANSWER_LENGTH = 200
PRACTICE_TOPIC_LENGTH = 500
WORKSHEET_KEY_LENGTH = 60
MAX_MINUTES = 24 * 60


def _random_code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_code() -> str:
    return _random_code(CODE_LENGTH)


def new_reentry_code() -> str:
    return _random_code(REENTRY_LENGTH)


class Phase(models.TextChoices):
    """The phase of an exercise. Students can judge only while it is running and its time is not over."""

    WAITING = "waiting", "not started"
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    ENDED = "ended", "ended"


def not_expired(prefix: str = "") -> Q:
    """Return the condition that an exercise has not reached its erasure date.

    `prefix` is the lookup path from another model to the exercise, such as "exercise__". Pages treat an expired
    exercise as erased from the first minute of that date, before the nightly job deletes it.
    """
    return Q(**{f"{prefix}erase_on__gt": timezone.localdate()})


class Exercise(models.Model):
    """One exercise with a class.

    `collection` belongs to this exercise alone; its assessors are the seats. The first `shared` tasks of the
    collection, ordered by primary key, are assigned to every seat. Each seat also gets `more_each` of the other tasks.

    While the exercise is paused, `ends_at` is null and `left_ms` is the time left. `reveal_step` is the last step of
    the reveal that the instructor has shown; 0 shows nothing. `revealed_at` is when students could first see other
    students' grades. It is never reset, and judging cannot reopen after it. `show_own` and `show_comments` are chosen
    when the exercise is made. `reveal_options` are the display options of the steps, which the class screen uses too.
    """

    collection = models.OneToOneField(Collection, models.PROTECT, related_name="exercise")
    instructor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="exercises")
    title = models.CharField(max_length=TITLE_LENGTH)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    seed = models.PositiveIntegerField(default=new_seed)
    phase = models.CharField(max_length=8, choices=Phase.choices, default=Phase.WAITING)
    minutes = models.PositiveSmallIntegerField(
        default=15, validators=[MinValueValidator(1), MaxValueValidator(MAX_MINUTES)]
    )
    started_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    left_ms = models.PositiveIntegerField(null=True)
    shared = models.PositiveSmallIntegerField(default=0)
    more_each = models.PositiveSmallIntegerField(default=0)
    reveal_step = models.PositiveSmallIntegerField(default=0)
    revealed_at = models.DateTimeField(null=True)
    show_own = models.BooleanField(default=True)
    show_comments = models.BooleanField(default=False)
    worksheets_open = models.BooleanField(default=False)
    worksheets = models.JSONField(default=list)
    reveal_options = models.JSONField(null=True)
    erase_on = models.DateField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.CheckConstraint(condition=Q(phase__in=Phase.values), name="phase_known")]

    def __str__(self) -> str:
        return f"{self.title} ({self.code})"

    @property
    def readable_code(self) -> str:
        """The code with a hyphen in the middle, which students may type or leave out."""
        middle = len(self.code) // 2
        return f"{self.code[:middle]}-{self.code[middle:]}"


class Practice(models.Model):
    """The practice document of an exercise, with the grade that is expected and why.

    Students grade it before the clock starts. It is not in the exercise's collection, so it is left out of all figures.
    """

    exercise = models.OneToOneField(Exercise, models.CASCADE, related_name="practice")
    topic = models.CharField(max_length=PRACTICE_TOPIC_LENGTH, blank=True)
    title = models.CharField(max_length=PRACTICE_TOPIC_LENGTH, blank=True)
    text = models.TextField()
    relevance = models.SmallIntegerField()
    explanation = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.exercise_id}: {self.relevance}"


class Seat(models.Model):
    """A student in an exercise: a nickname, a pseudonymous assessor, a re-entry code and a seed for their numbers.

    `practice_grade` is the grade that the student gave to the practice document, and `predicted_kappa` the mean kappa
    that the student expects. Both may be missing.
    """

    exercise = models.ForeignKey(Exercise, models.CASCADE, related_name="seats")
    member = models.OneToOneField(Member, models.CASCADE, related_name="seat")
    nickname = models.CharField(max_length=NICKNAME_LENGTH)
    nickname_key = models.CharField(max_length=4 * NICKNAME_LENGTH)
    reentry_code = models.CharField(max_length=REENTRY_LENGTH, default=new_reentry_code)
    seed = models.PositiveIntegerField(default=new_seed)
    practice_grade = models.SmallIntegerField(null=True)
    predicted_kappa = models.FloatField(null=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["exercise", "nickname_key"], name="nickname_once"),
            models.UniqueConstraint(fields=["exercise", "reentry_code"], name="reentry_code_once"),
        ]

    def __str__(self) -> str:
        return self.nickname


class WorksheetAnswer(models.Model):
    """The last answer of a seat in one field of a worksheet.

    `shown` is true once the student has asked for the solution of the step, which costs its marks. `tries` counts the
    different non-empty answers that were checked.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="answers")
    worksheet = models.CharField(max_length=WORKSHEET_KEY_LENGTH)
    field = models.CharField(max_length=60)
    text = models.CharField(max_length=ANSWER_LENGTH, blank=True)
    right = models.BooleanField(default=False)
    shown = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "worksheet", "field"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.worksheet}.{self.field}: {self.text}"


class Tombstone(models.Model):
    """A record of an erasure: how many members, judgements and events were erased, and when. It holds no names.

    `chains` has [member's primary key, number of events, hash of the last one] for each deleted chain of events.
    `comments` is the number of comments that were deleted from events that stay.
    """

    collection_slug = models.CharField(max_length=80)
    members = models.PositiveIntegerField()
    judgements = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
    chains = models.JSONField(default=list)
    comments = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=40)
    erased_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.members} of {self.collection_slug}, {self.erased_at:%Y-%m-%d}"


class SeatToken(models.Model):
    """A browser that holds a seat until `expires_at`. The browser has the random token; the database has a hash only.

    A seat can be held by several browsers, each with its own token.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="tokens")
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.seat_id} until {self.expires_at:%Y-%m-%d %H:%M}"
