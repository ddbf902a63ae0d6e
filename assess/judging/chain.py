"""The head of each member's chain of hashes, and adding events to it. `chain_format` specifies the hashes."""

from django.db.models import OuterRef, QuerySet, Subquery

from assess.judging.chain_format import (
    ASSISTANCE_FIELDS,
    DISPLAY_HASHES,
    FIELDS,
    MARGINAL_FIELDS,
    Display,
    Head,
    Key,
    event_hash,
    salted,
    text_hash,
)
from assess.models import Assistance, JudgementEvent, MarginalAnswer, Member, Topic


def heads_of(members: QuerySet[Member]) -> dict[int, Head]:
    """Return the head of the chain of each member, by primary key."""
    last = JudgementEvent.objects.filter(member=OuterRef("pk"), position__isnull=False).order_by("-position")
    heads = members.annotate(last=Subquery(last.values("position")[:1]), head=Subquery(last.values("hash")[:1]))
    rows = heads.values_list("pk", "last", "head")
    return {pk: Head(position or 0, bytes(head) if head else None) for pk, position, head in rows}


def add_to_chain(
    event: JudgementEvent,
    head: Head,
    key: Key,
    display: Display,
    marginal: MarginalAnswer | None = None,
    assistance: Assistance | None = None,
) -> Head:
    """Set the chain's fields of a new event, and return the new head."""
    event.position = head.position + 1
    event.comment_salt, event.comment_hash = salted(event.comment)
    for name, value in zip(DISPLAY_HASHES, display, strict=True):
        setattr(event, name, value)
    answer = [getattr(marginal, name) for name in MARGINAL_FIELDS] if marginal else []
    suggested = [getattr(assistance, name) for name in ASSISTANCE_FIELDS] if assistance else []
    values = [getattr(event, name) for name in FIELDS]
    event.hash = event_hash(head.hash, event.position, key, values, answer, suggested)
    return Head(event.position, event.hash)


def topic_hash(topic: Topic) -> bytes:
    return text_hash(topic.query_id, topic.title, topic.description, topic.narrative)
