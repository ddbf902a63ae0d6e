"""Tokens of the API: made on the account page, shown once, stored hashed, and revoked there.

A token acts in the name of its user, so it never allows more than the user's role in a collection does. A scope and a
choice of collections narrow it further. It ends with the account, with its last day, or when it is revoked.
"""

from collections.abc import Sequence
from datetime import timedelta
from secrets import token_urlsafe

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from assess import audit
from assess.errors import Refused
from assess.models import Action, ApiToken, ApiWrite, Collection, Scope, User
from assess.people.link_tokens import token_hash

PREFIX = "assay_"  # by which people and scanners of secrets recognise a token
TOKEN_BYTES = 32
SHOWN = 12  # letters of a token that stay visible, with the prefix
LONGEST_NAME = 80
MOST_DAYS, USUAL_DAYS = 366, 90
MOST_TOKENS = 50  # of a user, that are valid
USED_EVERY = timedelta(minutes=10)  # the time of the last use is exact to this
WRITES_KEPT_FOR = timedelta(days=1)  # answers to writes with an idempotency key
KEPT_AFTER = timedelta(days=30)  # ended tokens stay in the list for so long


class InvalidToken(Refused):
    """A token that gives no access. The sentence says why."""


@transaction.atomic
def create_token(
    user: User, name: str, scope: str, days: int = USUAL_DAYS, collections: Sequence[Collection] | None = None
) -> tuple[ApiToken, str]:
    """Create a token, and return it with its text, which is not stored. `collections` are all if None."""
    _check(user, name, scope, days, collections)
    text = PREFIX + token_urlsafe(TOKEN_BYTES)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        beginning=text[:SHOWN],
        token_hash=token_hash(text),
        scope=scope,
        is_limited=collections is not None,
        expires_at=timezone.now() + timedelta(days=days),
    )
    token.collections.set(collections or [])
    details = {"token": token.pk, "scope": scope, "days": days, "collections": len(collections or [])}
    audit.record(Action.TOKEN_CREATED, actor=user, person=user, details=details)
    return token, text


def _check(user: User, name: str, scope: str, days: int, collections: Sequence[Collection] | None) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(f"The name of a token must have 1 to {LONGEST_NAME} printable characters.")
    if scope not in Scope.values:
        raise Refused(f"The scope must be one of {', '.join(Scope.values)}, not {scope[:20]!r}.")
    if not 1 <= days <= MOST_DAYS:
        raise Refused(f"A token is valid for 1 to {MOST_DAYS} days, not {days}.")
    if collections is not None and not collections:
        raise Refused("Choose at least one collection, or all of them.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two requests, the second waits and counts
    if valid_tokens().filter(user=user).count() >= MOST_TOKENS:
        raise Refused(f"You have {MOST_TOKENS} tokens, the most that a user may have. Revoke one first.")


def valid_tokens() -> QuerySet[ApiToken]:
    """The tokens that give access now."""
    return ApiToken.objects.filter(revoked_at=None, expires_at__gt=timezone.now(), user__is_active=True)


def token_of(text: str) -> ApiToken:
    """Return the token with this text, or raise InvalidToken with the reason. Records that it was used."""
    token = ApiToken.objects.select_related("user").filter(token_hash=token_hash(text)).first()
    if token is None:
        raise InvalidToken("This token does not exist. Tokens are made on the page of your account.")
    if token.revoked_at is not None:
        raise InvalidToken(f"This token was revoked on {token.revoked_at:%Y-%m-%d}.")
    if token.expires_at <= timezone.now():
        raise InvalidToken(f"This token expired on {token.expires_at:%Y-%m-%d}.")
    if not token.user.is_active:
        raise InvalidToken("The account of this token is deactivated.")
    _mark_used(token)
    return token


def _mark_used(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """The tokens of a user, the newest first, with their collections."""
    return user.api_tokens.order_by("-pk").prefetch_related("collections")


@transaction.atomic
def revoke_token(user: User, pk: int) -> None:
    """End a token of a user. Refused if there is none with this key that is valid."""
    if not ApiToken.objects.filter(user=user, pk=pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused("You have no such token, or it is revoked already.")
    audit.record(Action.TOKEN_REVOKED, actor=user, person=user, details={"token": pk})


def ended_tokens() -> QuerySet[ApiToken]:
    """The tokens that ended some time ago, which the purge deletes."""
    then = timezone.now() - KEPT_AFTER
    return ApiToken.objects.filter(Q(revoked_at__lte=then) | Q(expires_at__lte=then))


def old_writes() -> QuerySet[ApiWrite]:
    """The answers that are no longer repeated, which the purge deletes."""
    return ApiWrite.objects.filter(created_at__lt=timezone.now() - WRITES_KEPT_FOR)
