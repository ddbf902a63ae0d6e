"""User accounts, their preferences and their sessions."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower


class Theme(models.TextChoices):
    SYSTEM = "system", "same as the system"
    LIGHT = "light", "light"
    DARK = "dark", "dark"


class Preferences(models.Model):
    """The preferences of a user, stored with the user and not in the browser."""

    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    text_size = models.PositiveSmallIntegerField(
        default=100, validators=[MinValueValidator(80), MaxValueValidator(250)]
    )
    keys_on = models.BooleanField(default=True)
    keymap = models.JSONField(default=dict, blank=True)
    highlights_on = models.BooleanField(default=True)
    pace_on = models.BooleanField(default=True)

    class Meta:
        abstract = True


class User(AbstractUser, Preferences):
    """A person with an account. Their role in a collection is a Member.

    After `erased_at`, the row no longer says anything about the person. It stays only if ledger events refer to it.
    """

    erased_at = models.DateTimeField(null=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            # People sign in by email address too.
            models.UniqueConstraint(Lower("email"), name="user_email_once", condition=~models.Q(email="")),
        ]

    def __str__(self) -> str:
        return self.get_username()


class ResetLink(models.Model):
    """A link that resets a password. The token is not stored, so that a copy of the database gives nobody access."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"reset link, valid until {self.expires_at:%Y-%m-%d %H:%M} UTC"


class Scope(models.TextChoices):
    """What a token allows, at most: each scope contains those before it."""

    READ = "read", "read"
    JUDGE = "judge", "read and judge"
    MANAGE = "manage", "everything that your role allows"


class ApiToken(models.Model):
    """A token with which a script uses the API in the name of a user.

    The token is not stored, but its hash; `beginning` are its first letters, by which people recognise it. A limited
    token is for some collections alone: after these are deleted, for none.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    beginning = models.CharField(max_length=12)
    token_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=6, choices=Scope.choices)
    is_limited = models.BooleanField(default=False)
    collections = models.ManyToManyField("assess.Collection", related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(scope__in=Scope.values), name="token_scope_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"


class ApiWrite(models.Model):
    """The answer to a request with an idempotency key, which the same request gets again.

    `request_hash` is that of method, address and body. `status` is null while the request is being answered.
    """

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="api_write_once")]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"


class Session(AbstractBaseSession):
    """A session in one browser. Its user is a column, so that one query ends all sessions of a user.

    The key has no constraint in the database: a session whose user was just deleted can still be saved, and signs
    nobody in.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, db_constraint=False, related_name="+")
    signed_in_at = models.DateTimeField(null=True)
    browser = models.CharField(
        max_length=200, blank=True, default=""
    )  # its User-Agent header, to recognise it in a list

    @classmethod
    def get_session_store_class(cls) -> type[Any]:
        store: type[Any] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
