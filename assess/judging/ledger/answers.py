"""Compares the answers of models with the ledger, which has the checksum of the record of each answer."""

import hashlib
from collections.abc import Iterator

from assess.judging.ledger.judgements import CHUNK
from assess.judging.record_model import record_id
from assess.models import Collection, JudgementEvent, ModelAnswer


def answer_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield a sentence for each answer whose record or raw answer is not the one that the ledger has."""
    answers = ModelAnswer.objects.filter(recorded_at__isnull=False)
    events = JudgementEvent.objects.filter(source=JudgementEvent.Source.MODEL)
    if collection:
        answers = answers.filter(judge__collection=collection)
        events = events.filter(member__collection=collection)
    known = set(events.values_list("member", "client_id"))
    rows = answers.select_related("judge", "task__topic", "task__document").order_by("pk")
    for row in rows.iterator(chunk_size=CHUNK):
        pair = f"Topic {row.task.topic.query_id}, document {row.task.document.doc_id}"
        if (row.judge.member_id, record_id(row.record)) not in known:
            yield f"{pair}: the record of the answer of {row.judge} is not the one in the ledger."
        if hashlib.sha256(row.original()).hexdigest() != row.about["raw_sha256"]:
            yield f"{pair}: the raw answer of {row.judge} differs from its checksum."
