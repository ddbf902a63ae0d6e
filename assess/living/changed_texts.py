"""Judgements of texts that have changed since.

A judgement is *stale* if the text that its assessor saw is not the present text of the document. The ledger records
the hash of what was displayed with each judgement, so nothing is guessed: for imported judgements, and for those from
before the ledger recorded hashes, nobody knows the text. They are counted, and not called stale.

Stale judgements stay in every figure and gold until they are judged again. A researcher who finds that a change does
not matter keeps them (`KeptChange`): they are not listed any more, until the text changes again.

Practice, hidden checks and norming rounds are not listed: their judgements are in no gold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from assess.documents.contents import known_hashes
from assess.documents.display import displayed_text, plain_text
from assess.errors import Refused
from assess.judging.chain_format import text_hash
from assess.living.text_diff import MOST_CHARACTERS, Part, side_by_side
from assess.models import (
    Collection,
    DocumentContent,
    JudgementEvent,
    JudgementKind,
    KeptChange,
    ReplacedText,
    Role,
    State,
    TextFormat,
)
from assess.pools.tasks import SETTLED
from pooling.words import count

HASHED = ("title", "format", "text", "sanitised")
KINDS = (JudgementKind.REGULAR, JudgementKind.REPEAT, JudgementKind.DECISION)
NO_TEXT = text_hash("").hex()  # what the ledger has if the document had no text
FIELDS = (
    *("judgement__task", "judgement__task__topic__query_id", "judgement__task__document"),
    *("judgement__task__document__doc_id", "judgement__task__document__content"),
    *("judgement__task__document__content__sha256", "judgement", "version", "member", "member__name"),
    *("member__user", "judgement__repeat", "state", "relevance", "at", "document_hash", "was_replaced"),
)


@dataclass(frozen=True)
class StaleJudgement:
    """A judgement of a former text, with the number of its events. Without an account, the judge cannot come back."""

    pk: int
    version: int
    task: int
    query_id: str
    member: int
    judge: str
    has_account: bool
    kind: int
    state: str
    relevance: int | None
    judged_at: Any


@dataclass(frozen=True)
class Change:
    """A document whose text changed after it was judged. `seen` and `present` are the hashes of both texts."""

    document: int
    doc_id: str
    seen: str
    present: str
    content: int
    judgements: list[StaleJudgement] = field(default_factory=list)

    @property
    def key(self) -> str:
        """A name of the change for forms and addresses."""
        return f"{self.document}-{self.seen[:16]}"

    @property
    def query_ids(self) -> list[str]:
        """The topics of the judgements, each once."""
        return list(dict.fromkeys(judgement.query_id for judgement in self.judgements))

    @property
    def had_text(self) -> bool:
        """Whether the document had a text when it was judged. Without one, it could only be marked as such."""
        return self.seen != NO_TEXT


@dataclass(frozen=True)
class ChangedTexts:
    """The changes by doc_id. `unknown` counts the judgements of replaced texts of which nobody knows the text."""

    changes: list[Change]
    unknown: int

    @property
    def judgements(self) -> int:
        """The number of stale judgements."""
        return sum(len(change.judgements) for change in self.changes)

    def sentence(self) -> str:
        """Return the state in a sentence."""
        if not self.changes:
            return "Every judgement whose text is known is of the present text."
        number = count(self.judgements, "judgement")
        documents = len({change.document for change in self.changes})
        verb, which = ("is", "a former text") if self.judgements == 1 else ("are", "former texts")
        return f"{number} of {count(documents, 'document')} {verb} of {which}."

    def chosen(self, keys: Sequence[str]) -> list[Change]:
        """Return the changes with these keys; all without a key. Raises Refused if one is not stale any more."""
        by_key = {change.key: change for change in self.changes}
        if unknown := [key for key in keys if key not in by_key]:
            raise Refused(
                f"There is no stale judgement of the change {unknown[0][:80]!r} any more. Load the page again."
            )
        if not self.changes:
            raise Refused("There are no stale judgements.")
        return [by_key[key] for key in dict.fromkeys(keys)] or self.changes


def changed_texts(collection: Collection) -> ChangedTexts:
    """Find the stale judgements of a collection, with a number of queries that does not depend on their number."""
    kept = set(_kept(collection).values_list("task", "seen", "present"))
    changes: dict[tuple[int, str], Change] = {}
    unknown = 0
    for row in _displayed(collection).values_list(*FIELDS, named=True).iterator(5_000):
        task, document, doc_id, content, present = _of_document(row)
        if row.document_hash is None:
            unknown += row.was_replaced
            continue
        seen = bytes(row.document_hash).hex()
        if seen != present and (task, seen, present) not in kept and not _is_by_another(row, seen):
            change = changes.setdefault((document, seen), Change(document, doc_id, seen, present, content))
            change.judgements.append(_judgement(row))
    found = _without_same_html(list(changes.values()))
    return ChangedTexts(sorted(found, key=lambda change: (change.doc_id, change.seen)), unknown)


def has_replaced_texts(collection: Collection) -> bool:
    """Whether a text of the collection was ever replaced: without one, few judgements can be stale."""
    return ReplacedText.objects.filter(document__collection=collection).exists()


@dataclass(frozen=True)
class Comparison:
    """Both texts as words, beginning with the title. `is_known` if the former one is recorded."""

    old: list[Part]
    new: list[Part]
    is_known: bool
    is_whole: bool

    @property
    def has_same_words(self) -> bool:
        """Whether no word differs, as when only the markup changed."""
        return self.is_known and self.is_whole and not any(part.is_changed for part in (*self.old, *self.new))


def compare(change: Change) -> Comparison:
    """Return the text that was judged next to the present one."""
    present = DocumentContent.objects.get(pk=change.content)
    former = _former(change)
    old, new = (_words(former) if former else ""), _words(present)
    is_whole = max(len(old), len(new)) <= MOST_CHARACTERS
    return Comparison(*side_by_side(old, new), former is not None or not change.had_text, is_whole)


def _former(change: Change) -> DocumentContent | None:
    """Return the recorded text that has the hash, also if the hash does not cover its sanitised text."""
    contents = DocumentContent.objects.filter(replaced__document=change.document)
    if found := contents.filter(sha256=change.seen).first():
        return found
    html = contents.filter(format=TextFormat.HTML).iterator(10)
    return next((each for each in html if change.seen in known_hashes(*(getattr(each, name) for name in HASHED))), None)


def _words(content: DocumentContent) -> str:
    text = plain_text(displayed_text(content), content.format)
    return f"{content.title}\n\n{text}" if content.title else text


def _kept(collection: Collection) -> QuerySet[KeptChange]:
    return KeptChange.objects.filter(task__topic__collection=collection)


def _displayed(collection: Collection) -> QuerySet[JudgementEvent]:
    """Return the last events of settled judgements that can be stale.

    These are the judgements of replaced texts, and documents without text that could not be judged and have one now.
    """
    replaced = ReplacedText.objects.filter(document=OuterRef("judgement__task__document"))
    events = JudgementEvent.objects.filter(
        member__collection=collection,
        version=F("judgement__version"),
        state__in=SETTLED,
        judgement__repeat__in=KINDS,
        judgement__task__document__content__isnull=False,
    )
    rows = events.exclude(member__role=Role.WITHDRAWN).annotate(was_replaced=Exists(replaced))
    return rows.filter(Q(was_replaced=True) | Q(state=State.CANNOT_JUDGE)).order_by("pk")


def _of_document(row: Any) -> tuple[int, int, str, int, str]:
    return (
        row.judgement__task,
        row.judgement__task__document,
        row.judgement__task__document__doc_id,
        row.judgement__task__document__content,
        row.judgement__task__document__content__sha256,
    )


def _is_by_another(row: Any, seen: str) -> bool:
    """Whether nobody saw the text because a judgement of a near-duplicate was applied."""
    return seen == NO_TEXT and row.state != State.CANNOT_JUDGE


def _judgement(row: Any) -> StaleJudgement:
    return StaleJudgement(
        row.judgement,
        row.version,
        row.judgement__task,
        row.judgement__task__topic__query_id,
        row.member,
        row.member__name,
        row.member__user is not None,
        row.judgement__repeat,
        row.state,
        row.relevance,
        row.at,
    )


def _without_same_html(changes: list[Change]) -> Iterator[Change]:
    """Leave out HTML that was judged before the ledger covered its sanitised text: its hash is another one."""
    keys = [change.content for change in changes]
    same: dict[int, set[str]] = {}
    for start in range(0, len(keys), 500):
        html = DocumentContent.objects.filter(pk__in=keys[start : start + 500], format=TextFormat.HTML)
        for pk, *texts in html.values_list("pk", *HASHED).iterator(100):
            same[pk] = known_hashes(*texts)
    return (change for change in changes if change.seen not in same.get(change.content, ()))
