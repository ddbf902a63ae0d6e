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

An event that was made with the suggestion of a model has format version 3: after these two, which are null without an
answer, follow the name of the model and the grade that it suggested.

Hashes are written as hexadecimal digits and times as ISO 8601 in UTC with microseconds; a null stays null.

`comment_hash` is the SHA-256 of `comment_salt` and the comment in UTF-8, and null without a comment. When a comment is
erased, text and salt are deleted and the hash stays: the chain remains valid, and without the salt nobody can find out
a short comment by trying.

The other hashes are of what the assessor saw, and null if this is unknown: the document (`documents.contents`), the
topic, the grades with names and meanings, and the text of the guidelines. A chain for each member, and not for each
collection, so that judges do not wait for each other.

This module loads no Django, so that a backup is verified without it.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

VERSION = 1
WITH_MARGINAL = 2
WITH_ASSISTANCE = 3
COVERING = 2  # version of a checkpoint that covers more than the chains
MARGINAL_FIELDS = ("answer", "repeats")  # of the answer, if the event has one
ASSISTANCE_FIELDS = ("judge", "grade")  # of the suggestion, if the event was made with one
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


def event_hash(
    previous: bytes | None,
    position: int,
    key: Key,
    values: Sequence[Any],
    marginal: Sequence[Any] = (),
    assistance: Sequence[Any] = (),
) -> bytes:
    """Return the hash of an event.

    `values` are those of FIELDS, `marginal` those of MARGINAL_FIELDS and `assistance` those of ASSISTANCE_FIELDS, if
    any.
    """
    version = WITH_MARGINAL if marginal else VERSION
    if assistance:
        version, marginal = WITH_ASSISTANCE, marginal or [None] * len(MARGINAL_FIELDS)
    row = [version, previous.hex() if previous else "", position, *key, *map(_plain, values), *marginal, *assistance]
    return hashlib.sha256(json.dumps(row, separators=(",", ":")).encode()).digest()


def salted(comment: str) -> tuple[bytes | None, bytes | None]:
    """Return a new salt and the salted hash of a comment; nothing for an empty one."""
    if not comment:
        return None, None
    salt = secrets.token_bytes(SALT_BYTES)
    return salt, comment_hash(salt, comment)


def comment_hash(salt: bytes, comment: str) -> bytes:
    return hashlib.sha256(salt + comment.encode()).digest()


def scale_hash(grades: Iterable[tuple[int, str, str]]) -> bytes:
    """Return the hash of the grades with their names and meanings, lowest first."""
    return text_hash(*(str(text) for grade in grades for text in grade))


def text_hash(*texts: str) -> bytes:
    return hashlib.sha256(json.dumps(texts, separators=(",", ":")).encode()).digest()


def saw_another_text(seen: bytes | None, present: str | None) -> bool:
    """Whether the hash of the text that was seen is not the present one; False if no text was seen."""
    return seen is not None and bytes(seen) != text_hash("") and bytes(seen).hex() != present


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if value is None or isinstance(value, bool | int | float | list):
        return value
    return str(value)


def checkpoint_hash(slug: str, chains: list[list[int | str]], covered: str = "") -> str:
    """Return the SHA-256 of a JSON array of the slug and the chains, in hexadecimal.

    `covered` is the digest of what else a checkpoint of version 2 covers. Its array is 2, slug, chains, digest.
    """
    row = [COVERING, slug, chains, covered] if covered else [slug, chains]
    return hashlib.sha256(json.dumps(row, separators=(",", ":")).encode()).hexdigest()


def covered_digest(covered: Mapping[str, Any] | None) -> str:
    """Return the SHA-256 of what a checkpoint covers next to its chains; empty for a checkpoint of version 1."""
    if covered is None:
        return ""
    # With sorted keys, because PostgreSQL does not keep their order.
    return hashlib.sha256(json.dumps(covered, separators=(",", ":"), sort_keys=True).encode()).hexdigest()
