"""Writes to the audit log. Domain functions call `record` within the transaction that makes the change."""

from typing import Any

from django.utils.crypto import salted_hmac

from assess.models import Action, AuditEvent, Collection, User
from assess.models.audit import ADDRESS_HASH_LENGTH

INCLUDED = "included"  # the judgements of withdrawn judges, in an export of all judgements


def record(
    action: Action,
    *,
    actor: User | None = None,
    person: User | None = None,
    collection: Collection | None = None,
    subject: str = "",
    details: dict[str, Any] | None = None,
    address_hash: str = "",
) -> None:
    """Add one entry. `actor` did it (None for a command), and `person` is the one it was done to.

    Nothing can be removed from an entry later, so `subject` and `details` must not name a person, also not by a
    pseudonym or a nickname.
    """
    AuditEvent.objects.create(
        action=action,
        actor=actor,
        person=person,
        collection=collection,
        collection_slug=collection.slug if collection else "",
        subject=subject,
        details=details or {},
        address_hash=address_hash,
    )


def record_export(
    collection: Collection, subject: str, actor: User | None = None, details: dict[str, Any] | None = None
) -> None:
    """Add an entry for a file that leaves a collection. Views and commands call it before they send or write it."""
    record(Action.EXPORTED, actor=actor, collection=collection, subject=subject, details=details)


def qrels_subject(rule: str) -> str:
    """Return the subject of an exported gold. What follows a colon in its rule may be the name of a judge."""
    return f"qrels, {rule.partition(':')[0]}"


def judgements_subject(topic_set: str = "") -> str:
    """Return the subject of exported judgements. Those of one set of topics are not all: deleting needs all of them."""
    return f"judgements, {topic_set} set" if topic_set else "judgements"


def diversity_subject(rule: str) -> str:
    """Return the subject of exported subtopics, without the name of a judge."""
    return f"diversity qrels, {rule.partition(':')[0]}"


def pool_subject(form: str) -> str:
    """Return the subject of the exported pairs of a pool, which are not judgements."""
    return f"pool, {form}"


def address_hash(address: str) -> str:
    """Return a keyed hash, so that the log shows whether two entries have the same address, but not which."""
    return salted_hmac("assess.audit", address, algorithm="sha256").hexdigest()[:ADDRESS_HASH_LENGTH]
