"""The chain of hashes over the events of a member. This docstring specifies format version 1.

Each event has a `position` in the chain of its member, from 1, and a `hash`: the SHA-256 of a JSON array, written in
ASCII without spaces, of

    1 (the format version), the hash of the event at the previous position as hexadecimal digits (empty for the first),
    position, the member's primary key, query_id, doc_id, repeat, version, seen_version, before_state,
    before_relevance, state, relevance, reason, comment_hash, confidence, passages, active_ms, away_ms, highlights,
    input, guidelines_version, label_confidence, source, client_id, the actor's primary key, at, recorded_at,
    document_hash, topic_hash, scale_hash, guidelines_hash.

An event with an answer about marginal relevance has format version 2: after these fields follow the answer and the
array of the doc_ids that the document repeats.

Hashes are written as hexadecimal digits and times as ISO 8601 in UTC with microseconds; a null stays null.

`comment_hash` is the SHA-256 of `comment_salt` and the comment in UTF-8, and null without a comment. When a comment is
erased, text and salt are deleted and the hash stays: the chain remains valid, and without the salt nobody can find out
a short comment by trying.

The other hashes are of what the assessor saw, and null if this is unknown: the document (`documents.contents`), the
topic, the grades with names and meanings, and the text of the guidelines. A chain for each member, and not for each
collection, so that judges do not wait for each other.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from assess.models import JudgementEvent, MarginalAnswer, Member, Topic

VERSION = 1
WITH_MARGINAL = 2
MARGINAL_FIELDS = ("answer", "repeats")  # of the answer, if the event has one
SALT_BYTES = 16
DISPLAY_HASHES = ("document_hash", "topic_hash", "scale_hash", "guidelines_hash")
# Fields of the event in the order of the format, between repeat and the display hashes. `comment` stands for its hash.
FIELDS = (
    *("version", "seen_version", "before_state", "before_relevance", "state", "relevance", "reason", "comment_hash"),
    *("confidence", "passages", "active_ms", "away_ms", "highlights", "input", "guidelines_version"),
    *("label_confidence", "source", "client_id", "actor_id", "at", "recorded_at", *DISPLAY_HASHES),
)


class Head(NamedTuple):
    """The length of a chain and the hash of its last event."""

    position: int = 0
    hash: bytes | None = None


class Display(NamedTuple):
    """The hashes of what the assessor saw; None if unknown."""

    document_hash: bytes | None = None
    topic_hash: bytes | None = None
    scale_hash: bytes | None = None
    guidelines_hash: bytes | None = None


class Key(NamedTuple):
    """What an event is about, without the keys of rows that refer to it."""

    member: int
    query_id: str
    doc_id: str
    repeat: int


def heads_of(members: QuerySet[Member]) -> dict[int, Head]:
    """Return the head of the chain of each member, by primary key."""
    last = JudgementEvent.objects.filter(member=OuterRef("pk"), position__isnull=False).order_by("-position")
    heads = members.annotate(last=Subquery(last.values("position")[:1]), head=Subquery(last.values("hash")[:1]))
    rows = heads.values_list("pk", "last", "head")
    return {pk: Head(position or 0, bytes(head) if head else None) for pk, position, head in rows}


def event_hash(
    previous: bytes | None, position: int, key: Key, values: Sequence[Any], marginal: Sequence[Any] = ()
) -> bytes:
    """Return the hash of an event. `values` are those of FIELDS, and `marginal` those of MARGINAL_FIELDS, if any."""
    version = WITH_MARGINAL if marginal else VERSION
    row = [version, previous.hex() if previous else "", position, *key, *map(_plain, values), *marginal]
    return hashlib.sha256(json.dumps(row, separators=(",", ":")).encode()).digest()


def add_to_chain(
    event: JudgementEvent, head: Head, key: Key, display: Display, marginal: MarginalAnswer | None = None
) -> Head:
    """Set the chain's fields of a new event, and return the new head."""
    event.position = head.position + 1
    event.comment_salt, event.comment_hash = salted(event.comment)
    for name, value in zip(DISPLAY_HASHES, display, strict=True):
        setattr(event, name, value)
    answer = [getattr(marginal, name) for name in MARGINAL_FIELDS] if marginal else []
    event.hash = event_hash(head.hash, event.position, key, [getattr(event, name) for name in FIELDS], answer)
    return Head(event.position, event.hash)


def salted(comment: str) -> tuple[bytes | None, bytes | None]:
    """Return a new salt and the salted hash of a comment; nothing for an empty one."""
    if not comment:
        return None, None
    salt = secrets.token_bytes(SALT_BYTES)
    return salt, comment_hash(salt, comment)


def comment_hash(salt: bytes, comment: str) -> bytes:
    return hashlib.sha256(salt + comment.encode()).digest()


def topic_hash(topic: Topic) -> bytes:
    return text_hash(topic.query_id, topic.title, topic.description, topic.narrative)


def scale_hash(grades: Iterable[tuple[int, str, str]]) -> bytes:
    """Return the hash of the grades with their names and meanings, lowest first."""
    return text_hash(*(str(text) for grade in grades for text in grade))


def text_hash(*texts: str) -> bytes:
    return hashlib.sha256(json.dumps(texts, separators=(",", ":")).encode()).digest()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if value is None or isinstance(value, bool | int | float | list):
        return value
    return str(value)
