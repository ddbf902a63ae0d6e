"""Record the grade of a model that the site asked, one at a time.

A model has no assignment: its judgement settles none, and counts towards no task.
"""

import hashlib
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from assess.judging.chain import add_to_chain, heads_of
from assess.judging.chain_format import Display, Key
from assess.judging.judgement_input import JudgementInput
from assess.models import Judgement, JudgementEvent, Member, Task, User
from assess.models.judgement import ALL_FIELDS


@transaction.atomic
def record_by_model(
    member: Member,
    task: Task,
    judgement_input: JudgementInput,
    display: Display,
    client_id: UUID,
    actor: User | None = None,
) -> JudgementEvent:
    """Record a judgement of a model, or a new one in the place of the former. `task` has its topic and document."""
    members = Member.objects.filter(pk=member.pk)
    members.select_for_update(no_key=True).get()  # the events of one chain follow each other
    head = heads_of(members)[member.pk]
    judgement = Judgement.objects.filter(member=member, task=task, repeat=0).first()
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    judgement = judgement or Judgement(member=member, task=task, version=0)
    fields = judgement_input.shared_fields()
    for name, value in fields.items():
        setattr(judgement, name, value)
    judgement.version += 1
    judgement.judged_at = timezone.now()
    judgement.save(update_fields=[*ALL_FIELDS, "version", "judged_at"] if judgement.pk else None)
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
        **fields,
    )
    add_to_chain(event, head, Key(member.pk, task.topic.query_id, task.document.doc_id, 0), display)
    event.save(force_insert=True)
    return event


def record_id(record: str) -> UUID:
    """Return the client id of the event of an answer: the first half of the checksum of its record."""
    return UUID(bytes=hashlib.sha256(record.encode()).digest()[:16])
