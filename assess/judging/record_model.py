"""Record the grade of a model that the site asked, one at a time.

A model has no assignment: its judgement settles none, and counts towards no task.
"""

import hashlib
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from assess.judging.chain import add_to_chain
from assess.judging.chain_format import Display, Head, Key
from assess.judging.judgement_input import JudgementInput
from assess.models import Judgement, JudgementEvent, Member, User
from assess.models.judgement import ALL_FIELDS


class Judged(NamedTuple):
    """What a model judged: the key of the task, its ids, and the hash of the text; None if it is the one of now."""

    task: int
    query_id: str
    doc_id: str
    document_hash: bytes | None = None


def record_by_model(
    member: Member,
    judged: Judged,
    judgement_input: JudgementInput,
    display: Display,
    client_id: UUID,
    actor: User | None = None,
) -> JudgementEvent:
    """Record a judgement of a model, or a new one in the place of the former, inside the caller's transaction."""
    Member.objects.select_for_update(no_key=True).only("pk").get(
        pk=member.pk
    )  # the events of a chain follow each other
    judgement = Judgement.objects.filter(member=member, task=judged.task, repeat=0).first()
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    judgement = judgement or Judgement(member=member, task_id=judged.task, version=0)
    _write(judgement, judgement_input)
    event = JudgementEvent(
        judgement=judgement,
        member=member,
        actor=actor,
        source=JudgementEvent.Source.MODEL,
        client_id=client_id,
        version=judgement.version,
        before_state=before[0],
        before_relevance=before[1],
        at=judgement.judged_at,
        recorded_at=judgement.judged_at,
        **judgement_input.shared_fields(),
    )
    add_to_chain(event, _head(member), Key(member.pk, judged.query_id, judged.doc_id, 0), display)
    event.save(force_insert=True)
    return event


def _write(judgement: Judgement, judgement_input: JudgementInput) -> None:
    """Give a judgement its new fields, and save it."""
    for name, value in judgement_input.shared_fields().items():
        setattr(judgement, name, value)
    judgement.version += 1
    judgement.judged_at = timezone.now()
    judgement.save(update_fields=[*ALL_FIELDS, "version", "judged_at"] if judgement.pk else None)


def _head(member: Member) -> Head:
    last = JudgementEvent.objects.filter(member=member, position__isnull=False).order_by("-position")
    position, value = last.values_list("position", "hash").first() or (0, None)
    return Head(position or 0, bytes(value) if value else None)


def record_id(record: str) -> UUID:
    """Return the client id of the event of an answer: the first half of the checksum of its record."""
    return UUID(bytes=hashlib.sha256(record.encode()).digest()[:16])
