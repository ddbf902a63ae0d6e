"""Everything that does not match the ledger, one sentence for each problem.

The triggers that protect the ledger and the audit log are compared with those of the migration that creates them, and
what assessors saw with the texts of today: documents, topics, grades and guidelines. An assessor may have seen a former
text of a document, if it is recorded that an import replaced it. Events whose hashes are unknown
(imported, or recorded before there were chains) are not compared. The ledger also has the checksum of the record of
each answer of a model.

The audit log records that the ledger was verified, so that site owners see when, and with which result.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection

from assess import audit
from assess.collections.guidelines import guidelines_hash
from assess.documents.contents import content_hash, known_hashes
from assess.judging.chain import topic_hash
from assess.judging.chain_format import scale_hash, text_hash
from assess.judging.checkpoints import checkpoint_problems
from assess.judging.ledger.chains import chain_problems
from assess.judging.ledger.database import database_problems
from assess.judging.ledger.judgements import (
    CHUNK,
    account_problems,
    assignment_problems,
    events_of,
    judgement_problems,
    judgements_of,
    rows_of,
    unassigned_problems,
)
from assess.judging.record_model import record_id
from assess.models import (
    Action,
    Collection,
    Document,
    DocumentContent,
    ErasurePermit,
    Grade,
    Guidelines,
    JudgementEvent,
    ModelAnswer,
    ReplacedText,
    Topic,
)
from assess.pools import claims, slots
from pooling.errors import shown
from pooling.words import count

Changed = Counter[tuple[str, Any]]  # what was changed, and its primary key -> number of events
DOCUMENT, TOPIC, SCALE, GUIDELINES = "document", "topic", "scale", "guidelines"
FIELDS = (
    *("judgement__task__document", "judgement__task__topic", "member__collection", "guidelines_version"),
    *("document_hash", "topic_hash", "scale_hash", "guidelines_hash"),
)


def display_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield one sentence for each text that was changed after somebody judged with it."""
    changed: Changed = Counter()
    current = _Current(collection)
    displayed = events_of(collection).filter(topic_hash__isnull=False).order_by("pk")
    for row in rows_of(displayed, *FIELDS):
        document, topic, own, version, *hashes = (getattr(row, name) for name in FIELDS)
        seen = [bytes(value) if value is not None else None for value in hashes]
        changed[DOCUMENT, document] += seen[0] not in current.documents.get(document, ())
        changed[TOPIC, topic] += seen[1] != current.topics.get(topic)
        changed[SCALE, own] += seen[2] != current.scales.get(own)
        changed[GUIDELINES, (own, version)] += seen[3] != current.guidelines.get((own, version), text_hash(""))
    yield from current.damaged
    yield from (_sentence(*key, events) for key, events in changed.items() if events)


class _Current:
    """The hashes of today's texts, by the keys of their rows. `damaged` names contents that do not match their hash."""

    def __init__(self, collection: Collection | None) -> None:
        own = {"collection": collection} if collection else {}
        self.damaged: list[str] = []
        self.topics = {topic.pk: topic_hash(topic) for topic in Topic.objects.filter(**own).iterator(CHUNK)}
        self.scales = _scales(own)
        self.guidelines = {}
        for each in Guidelines.objects.filter(**own).order_by("pk").iterator(CHUNK):
            now = guidelines_hash(each.text)
            self.guidelines[each.collection_id, each.version] = bytes.fromhex(now)
            if now != each.sha256:
                self.damaged.append(f"Guidelines {each.version} (key {each.pk}): their text does not match their hash.")
        without_content = Document.objects.filter(**own, content=None).values_list("pk", flat=True)
        self.documents = {pk: {text_hash("")} for pk in without_content}
        self._read_contents(collection, "document", "its text")
        self._read_contents(collection, "replaced__document", "a former text")
        self._find_former_in_use(own)

    def _find_former_in_use(self, own: dict[str, Any]) -> None:
        """Name documents with a content that is recorded as replaced: no import leaves one so."""
        replaced = ReplacedText.objects.filter(content__document__in=Document.objects.filter(**own)).order_by("pk")
        for doc_id in replaced.values_list("content__document__doc_id", flat=True):
            self.damaged.append(f"Document {shown(doc_id)}: its present text is recorded as a former one.")

    def _read_contents(self, collection: Collection | None, document: str, which: str) -> None:
        """Hash each text as it is, and without the sanitised text, which some events were recorded before.

        `document` leads from a content to its document.
        """
        contents = DocumentContent.objects.filter(**{f"{document}__isnull": False})
        if collection:
            contents = contents.filter(**{f"{document}__collection": collection})
        names = (document, f"{document}__doc_id", "title", "format", "text", "sanitised", "sha256")
        for pk, doc_id, title, text_format, text, sanitised, stored in contents.values_list(*names).iterator(500):
            now = content_hash(title, text_format, text, sanitised)
            if now != stored:
                self.damaged.append(f"Document {shown(doc_id)}: {which} does not match the hash of its import.")
            hashes = self.documents.setdefault(pk, {text_hash("")})
            hashes |= {bytes.fromhex(each) for each in known_hashes(title, text_format, text, sanitised)}


def _scales(own: dict[str, Any]) -> dict[int, bytes]:
    grades: dict[int, list[tuple[int, str, str]]] = {}
    rows = Grade.objects.filter(**own).order_by("collection", "value")
    for collection, value, name, meaning in rows.values_list("collection", "value", "name", "meaning"):
        grades.setdefault(collection, []).append((value, name, meaning))
    return {pk: scale_hash(rows) for pk, rows in grades.items()}


def _sentence(kind: str, key: Any, events: int) -> str:
    return f"{_named(kind, key)} changed after {count(events, 'judgement')} had been recorded with another text."


def _named(kind: str, key: Any) -> str:
    if kind == DOCUMENT:
        return f"Document {shown(Document.objects.values_list('doc_id', flat=True).get(pk=key))} was"
    if kind == TOPIC:
        return f"Topic {shown(Topic.objects.values_list('query_id', flat=True).get(pk=key))} was"
    collection = Collection.objects.get(pk=key if kind == SCALE else key[0])
    return f"The scale of {collection} was" if kind == SCALE else f"Guidelines {key[1]} of {collection} were"


class LedgerSize(NamedTuple):
    judgements: int
    events: int


def ledger_size(collection: Collection | None = None) -> LedgerSize:
    return LedgerSize(judgements_of(collection).count(), events_of(collection).count())


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one consistent state of the database while others keep judging. Do not write inside the block."""
    if connection.in_atomic_block:
        yield
        return
    # Not atomic(): on SQLite that is a writing transaction, which would keep every assessor waiting.
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else "BEGIN DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def ledger_problems(
    collection: Collection | None = None, progress: Callable[[int], object] | None = None
) -> Iterator[str]:
    """Yield one sentence for everything that does not match the ledger, in one collection or in all.

    `progress` is called with 1 for each judgement.
    """
    yield from database_problems()
    yield from _open_permits()
    yield from judgement_problems(collection, progress)
    yield from chain_problems(collection)
    yield from answer_problems(collection)
    yield from display_problems(collection)
    yield from checkpoint_problems(collection)
    yield from account_problems(collection)
    yield from assignment_problems(collection)
    yield from unassigned_problems(collection)
    yield from slots.slot_problems(collection)
    yield from claims.judges_problems(collection)


def _open_permits() -> Iterator[str]:
    for permit in ErasurePermit.objects.select_related("member"):
        whose = f"of {shown(permit.member.name)}" if permit.member else "of everyone"
        yield f"The ledger {whose} is unprotected: an erasure was not finished (assess_erasing {permit.pk})."


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


def chain_count(collection: Collection | None = None) -> int:
    """Return the number of chains of hashes: one for each member with an event."""
    return events_of(collection).order_by().values("member_id").distinct().count()


def record_verification(chains: int, events: int, differences: int, collection: Collection | None = None) -> None:
    """Add an entry to the audit log. Without a collection, everything was verified."""
    details = {"chains": chains, "events": events, "differences": differences}
    audit.record(Action.LEDGER_VERIFIED, collection=collection, details=details)
