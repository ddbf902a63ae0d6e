"""Compares what assessors saw with the texts of today: documents, topics, grades and guidelines.

Events whose hashes are unknown (imported, or recorded before there were chains) are not compared.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assess.collections.guidelines import guidelines_hash
from assess.documents.contents import content_hash
from assess.judging.chain import scale_hash, text_hash, topic_hash
from assess.judging.ledger.judgements import CHUNK, events_of, rows_of
from assess.models import Collection, Document, DocumentContent, Grade, Guidelines, Topic
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
        rows = Guidelines.objects.filter(**own).values_list("collection", "version", "text")
        self.guidelines = {
            (pk, version): bytes.fromhex(guidelines_hash(text)) for pk, version, text in rows.iterator(CHUNK)
        }
        without_content = Document.objects.filter(**own, content=None).values_list("pk", flat=True)
        self.documents = {pk: {text_hash("")} for pk in without_content}
        self._read_contents(collection)

    def _read_contents(self, collection: Collection | None) -> None:
        """Hash each text as it is, and without the sanitised text, which some events were recorded before."""
        contents = DocumentContent.objects.filter(document__isnull=False)
        if collection:
            contents = contents.filter(document__collection=collection)
        names = ("document", "document__doc_id", "title", "format", "text", "sanitised", "sha256")
        for pk, doc_id, title, text_format, text, sanitised, stored in contents.values_list(*names).iterator(500):
            now = content_hash(title, text_format, text, sanitised)
            if now != stored:
                self.damaged.append(f"Document {shown(doc_id)}: its text does not match the hash of its import.")
            as_imported = content_hash(title, text_format, text, None)
            self.documents[pk] = {bytes.fromhex(now), bytes.fromhex(as_imported), text_hash("")}


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
