"""Recomputes the hashes of the events of one member, and names those that were changed. Loads no Django.

`assess.judging.ledger.chains` reads the events with Django, and `assay verify` those in the database of a backup.
An event has the attributes of NAMES. A changed event is reported once: the next one is compared with the hash that is
stored.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from assess.judging.chain_format import ASSISTANCE_FIELDS, FIELDS, MARGINAL_FIELDS, Key, comment_hash, event_hash
from pooling.errors import shown

KEY = (
    "judgement__member",
    "judgement__task__topic__query_id",
    "judgement__task__document__doc_id",
    "judgement__repeat",
)
MARGINAL = tuple(f"marginal__{name}" for name in MARGINAL_FIELDS)
ASSISTANCE = tuple(f"assistance__{name}" for name in ASSISTANCE_FIELDS)
OWN = ("pk", "member_id", "member__name", "member__collection__slug", "position", "hash", "comment", "comment_salt")
NAMES = (*OWN, *KEY, *FIELDS, *MARGINAL, *ASSISTANCE)


def problems_of_member(events: Iterable[Any], erased: Counter[str]) -> Iterator[str]:
    previous, expected = None, 1
    for event in events:
        if event.position is None:
            yield f"{_name(event)}: it has no position in the chain."
            continue
        if event.position != expected:
            yield f"The chain of {shown(event.member__name)} has no event at position {expected:,}."
            previous = None  # unknown, so this event's own hash cannot be compared
        elif _hash_of(event, previous) != bytes(event.hash or b""):
            yield f"{_name(event)}: it was changed after it was recorded, or the event before it was."
        yield from _comment_problems(event, erased)
        previous, expected = bytes(event.hash or b""), event.position + 1


def _hash_of(event: Any, previous: bytes | None) -> bytes:
    key = Key(*(getattr(event, name) for name in KEY))
    marginal = [getattr(event, name) for name in MARGINAL] if event.marginal__answer else []
    suggested = [getattr(event, name) for name in ASSISTANCE] if event.assistance__judge is not None else []
    return event_hash(previous, event.position, key, [getattr(event, name) for name in FIELDS], marginal, suggested)


def _comment_problems(event: Any, erased: Counter[str]) -> Iterator[str]:
    if event.comment_hash is None:
        if event.comment:
            yield f"{_name(event)}: a comment was added after it was recorded."
    elif event.comment_salt is None and not event.comment:
        erased[event.member__collection__slug] += 1
    elif comment_hash(bytes(event.comment_salt or b""), event.comment) != bytes(event.comment_hash):
        yield f"{_name(event)}: its comment was changed."


def _name(event: Any) -> str:
    _, query_id, doc_id, _ = (getattr(event, name) for name in KEY)
    return f"Event {event.pk} of {shown(event.member__name)} (document {shown(doc_id)}, topic {shown(query_id)})"
