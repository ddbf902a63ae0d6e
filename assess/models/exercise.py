"""A class exercise: a collection of its own, seats for students, and what they answered on worksheets."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.collection import Collection, Member, new_seed

# Nothing that reads like another: no 0 O, 1 I L, 5 S, 2 Z, 8 B, U V.
LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6  # 148 million codes, throttled
REENTRY_LENGTH = 10
NICKNAME_LENGTH = 24


def _code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_code() -> str:
    return _code(CODE_LENGTH)


def new_reentry_code() -> str:
    return _code(REENTRY_LENGTH)


class Phase(models.TextChoices):
    """Where an exercise stands. Judging is possible while it runs, and only until its time is over."""

    WAITING = "waiting", "not started"
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    ENDED = "ended", "ended"


def still_kept(before: str = "") -> Q:
    """Exercises whose day to be erased has not come; `before` leads from another model to the exercise. The others are
    as good as erased from the first minute of that day, whenever the nightly job comes."""
    return Q(**{f"{before}erase_on__gt": timezone.localdate()})


class Exercise(models.Model):
    """`collection` was made for this exercise and for nothing else; its assessors are the seats.

    While it is paused `ends_at` is null and `left_ms` says how much time is left. `reveal_step` is how far the
    instructor has gone in the reveal; 0 shows nothing. `revealed_at` is when students could first see what others said
    of the documents, and stays: judging never opens again. What students may see is said when it is made. The first
    `shared` tasks of the collection, by their keys, go to every seat; of the others each seat gets `more_each`.
    """

    collection = models.OneToOneField(Collection, models.PROTECT, related_name="exercise")
    instructor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="exercises")
    title = models.CharField(max_length=120)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    seed = models.PositiveIntegerField(default=new_seed)
    phase = models.CharField(max_length=8, choices=Phase.choices, default=Phase.WAITING)
    minutes = models.PositiveSmallIntegerField(
        default=15, validators=[MinValueValidator(1), MaxValueValidator(24 * 60)]
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
    erase_on = models.DateField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.CheckConstraint(condition=Q(phase__in=Phase.values), name="phase_known")]

    def __str__(self) -> str:
        return f"{self.title} ({self.code})"


class Seat(models.Model):
    """A student's place: a nickname, a pseudonymous assessor, a code to come back with, and numbers of their own."""

    exercise = models.ForeignKey(Exercise, models.CASCADE, related_name="seats")
    member = models.OneToOneField(Member, models.CASCADE, related_name="seat")
    nickname = models.CharField(max_length=NICKNAME_LENGTH)
    nickname_key = models.CharField(max_length=4 * NICKNAME_LENGTH)
    reentry_code = models.CharField(max_length=REENTRY_LENGTH, default=new_reentry_code)
    seed = models.PositiveIntegerField(default=new_seed)
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
    """What a seat wrote into a field of a worksheet, last; `shown` once the step was shown, which costs its mark."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="answers")
    worksheet = models.CharField(max_length=60)
    field = models.CharField(max_length=60)
    text = models.CharField(max_length=200, blank=True)
    right = models.BooleanField(default=False)
    shown = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "worksheet", "field"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.worksheet}.{self.field}: {self.text}"


class Tombstone(models.Model):
    """What is left of people who were erased: how many, how much they had judged, and when; nothing of who or what."""

    collection_slug = models.CharField(max_length=80)
    members = models.PositiveIntegerField()
    judgements = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
    reason = models.CharField(max_length=40)
    erased_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.members} of {self.collection_slug}, {self.erased_at:%Y-%m-%d}"


class Guess(models.Model):
    """A wrong code and where it came from, kept for some minutes; the address is not written down, only its hash."""

    address_hash = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["address_hash", "at"], name="guesses_from")]

    def __str__(self) -> str:
        return f"a wrong code at {self.at:%H:%M:%S}"
