"""What an assessor judges next.

This module reads assignments, documents and the assessor's own judgements. It cannot reach runs, ranks or other
assessors, so an assessor's page cannot reveal them. Only `card_notes` reads grades of others, for an adjudicator who
may see them, and `suggestions.shown` those of a model, if an owner lets it make suggestions. `sheet` returns everything
that the judging page needs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Length

from assess.calibration.admission import queued_kinds
from assess.calibration.hidden_checks import place_checks
from assess.documents.display import displayed, displayed_column, is_empty
from assess.documents.snippet import snippet_for
from assess.judging.card_notes import card_notes
from assess.judging.chain_format import saw_another_text
from assess.judging.progress import Progress, progress_by_topic, sum_progress
from assess.judging.topic_queue import next_topic, topics_after
from assess.marginal.own_relevant import RelevantDocuments, document_key, relevant_documents
from assess.models import (
    Assignment,
    Collection,
    DuplicatesRule,
    Grade,
    Guidelines,
    Judgement,
    JudgementEvent,
    JudgementKind,
    Member,
    Order,
    State,
    Task,
    TextFormat,
    Topic,
)
from assess.near_duplicates.queue_order import together, waiting
from assess.pools import adaptive_queue, claims
from assess.pools.free_tasks import by_bytes
from assess.pools.queue import open_tasks, queue_parts
from assess.pools.tasks import LAPSED, SETTLED, last_judged
from assess.suggestions.shown import Suggestion, show_suggestions

AHEAD = 16  # the document on the screen and fifteen more, enough for a while without a connection
INLINE = 60_000  # characters of a text that are sent with its card; longer texts are fetched one by one
MOST_EXCLUDED = 100  # documents that a page may say it has already
MOST_UNSENT = 60  # documents that a page may have judged without having sent them, as in cards.js


@dataclass(frozen=True)
class Card:
    """One document to judge, as the page needs it.

    `task` is the assignment's public id. `text` is sanitised. It is None if it has not been imported (`lacking`), or if
    the page fetches it later (`apart`): because it is long, or because the `snippet` is shown first. A text without
    words is `empty`. A document that the assessor postponed before is `returned`, and one that they judge again because
    its text was replaced is `replaced`. Where all topics are one queue, each card has its `topic`. Where the page asks
    what is new, `document` is a key of the document. `suggestion` is that of a model, None without one. The other
    fields are the assessor's judgement, or the one that was undone, and a note for adjudicators and norming rounds.
    """

    task: str
    doc_id: str
    title: str
    metadata: dict[str, Any]
    format: str
    text: str | None
    lacking: bool = False
    empty: bool = False
    apart: bool = False
    snippet: str | None = None
    state: str = ""
    version: int = 0
    relevance: int | None = None
    reason: str = ""
    comment: str = ""
    confidence: int | None = None
    passages: list[list[int]] = field(default_factory=list)
    note: str = ""
    returned: bool = False
    replaced: bool = False
    topic: dict[str, Any] | None = None
    document: str = ""
    suggestion: Suggestion | None = None

    @property
    def has_text(self) -> bool:
        """Whether the document can be graded."""
        return not (self.lacking or self.empty)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for the page's script; nothing about suggestions if there is none."""
        fields = {name: value for name, value in vars(self).items() if name != "suggestion"}
        return fields | ({"suggestion": self.suggestion.to_dict()} if self.suggestion else {})


@dataclass(frozen=True)
class Sheet:
    """One topic of an assessor: everything that the judging page shows."""

    collection: Collection
    topic: Topic
    grades: list[Grade]
    guidelines: Guidelines | None
    cards: list[Card]
    last: Card | None
    progress: Progress
    progress_in_all: Progress
    progress_by_topic: dict[int, Progress]
    following: Topic | None


def sheet(member: Member, topic: Topic, first: UUID | None = None, whole: bool = False, alone: bool = False) -> Sheet:
    """Return the next cards. With `first`, the card with that public id comes before them, with its `whole` text.

    If it is `alone`, no other cards are returned. Where all topics are one queue, the topic of the sheet is
    that of the first card.

    Raises Assignment.DoesNotExist if `first` belongs to somebody else or to another topic: next to the wrong topic it
    would be judged wrongly.
    """
    # Before the progress is counted: this may claim tasks, which count.
    cards = [] if alone else queue(member, topic)
    if first:
        cards = _first(member, topic, first, whole) + [card for card in cards if card.task != str(first)]
    topic = _topic_of(cards, topic)
    counts = progress_by_topic(member, to_claim_in=topic.pk)
    return Sheet(
        collection=member.collection,
        topic=topic,
        grades=list(member.collection.grades.all()),
        guidelines=member.collection.guidelines.last(),
        cards=cards,
        last=last_settled(member, topic),
        progress=counts.get(topic.pk, Progress()),
        progress_in_all=sum_progress(counts.values()),
        progress_by_topic=counts,
        following=None if cards else next_topic(member, topic),
    )


def _topic_of(cards: list[Card], topic: Topic) -> Topic:
    first = cards[0].topic if cards else None
    return topic if first is None or first["pk"] == topic.pk else Topic.objects.get(pk=first["pk"])


def _first(member: Member, topic: Topic, public_id: UUID, whole: bool) -> list[Card]:
    """Return the card of a task of this topic; none if it cannot be judged now."""
    assignment = Assignment.objects.filter(member=member, topic=topic, public_id=public_id)
    if not assignment.exists():
        raise Assignment.DoesNotExist
    return _cards(assignment.filter(repeat__in=queued_kinds(member)), topic, member.collection, whole)


def topics_with_progress(member: Member) -> list[tuple[Topic, Progress]]:
    """Return the assessor's topics, and those they may claim from, in the collection's order."""
    if member.collection.open_to_claims:
        claims.release_lapsed(member.collection)
    counts = progress_by_topic(member)
    return [(topic, counts[topic.pk]) for topic in Topic.objects.filter(pk__in=counts).order_by("pk")]


def topic_for(member: Member, topic: int) -> Topic | None:
    """Return a topic in which the assessor has something to judge or to claim; None for any other."""
    existing = Topic.objects.filter(pk=topic, collection=member.collection_id).first()
    if existing is None:
        return None
    assigned = Assignment.objects.filter(member=member, topic=existing)
    claimable = Task.objects.filter(topic=existing, wanted__gt=0)
    return existing if assigned.exists() or claimable.exists() else None


def relevant_before(
    member: Member, topic: Topic, cards: list[Card], known: Iterable[int] = ()
) -> dict[int, RelevantDocuments] | None:
    """Return the assessor's relevant documents of the topics of a page; None if it does not ask what is new.

    The page keeps the lists of the topics that it has, so those of `known` topics are left out.
    """
    if not member.collection.ask_marginal:
        return None
    shown = {topic.pk, *(card.topic["pk"] for card in cards if card.topic)}
    return relevant_documents(member, shown.difference(known))


# ---- the queue


def queue(member: Member, topic: Topic, besides: tuple[str, ...] = (), unsent: int = 0) -> list[Card]:
    """Return the next cards of the page, from this topic, of which the page has judged `unsent` and not sent them.

    Where all topics are one queue, those of the topics after it follow, and then the postponed ones of all topics.
    """
    if not member.collection.continuous or not queued_kinds(member):
        return upcoming(member, topic, besides, unsent=unsent)
    cards: list[Card] = []
    for postponed in (False, True):
        for each in chain([topic], topics_after(member, topic, postponed)):
            if len(cards) < AHEAD:
                of_topic = unsent if each == topic else 0
                cards += upcoming(member, each, besides, AHEAD - len(cards), postponed=postponed, unsent=of_topic)
    return cards


def upcoming(
    member: Member,
    topic: Topic,
    besides: tuple[str, ...] = (),
    limit: int = AHEAD,
    postponed: bool | None = None,
    unsent: int = 0,
) -> list[Card]:
    """Return the next open tasks, except those with the public ids `besides`. Returns none while judging is closed.

    Undone judgements come first, then new tasks in the assessor's order, then postponed ones. With `postponed`, only
    postponed tasks are returned, or only others. Claims that the page has judged without having sent them (`unsent`)
    are no longer before the assessor, so as many more are claimed.
    """
    kinds = queued_kinds(member)
    if JudgementKind.REGULAR in kinds and member.collection.open_to_claims and not postponed:
        claims.claim(member, topic, limit + min(unsent, MOST_UNSENT))
    if JudgementKind.CHECK in kinds and not postponed:
        place_checks(member, topic)
    public_ids = _next(member, topic, besides, limit, postponed)
    # The texts are read in a second query, so that the database sorts ids alone.
    cards = _cards(Assignment.objects.filter(public_id__in=public_ids), topic, member.collection)
    by_id = {card.task: card for card in cards}
    return [by_id[key] for public_id in public_ids if (key := str(public_id)) in by_id]


def _next(member: Member, topic: Topic, besides: tuple[str, ...], limit: int, postponed: bool | None) -> list[UUID]:
    collection = member.collection
    may_judge = open_tasks(member, topic, collection.open_to_claims).filter(repeat__in=queued_kinds(member))
    tasks = may_judge.exclude(public_id__in=besides)
    if postponed is not None:
        tasks = tasks.filter(state=State.LATER) if postponed else tasks.exclude(state=State.LATER)
    order: tuple[Any, ...] = ("position",)
    if collection.order == Order.FIXED:
        order = (by_bytes("task__document__doc_id"), "repeat")
    elif collection.order == Order.ADAPTIVE and not collection.open_to_claims:  # a claim has chosen already
        order = (*adaptive_queue.assignment_order(tasks, member, topic, AHEAD), "position")
    rule = collection.duplicates_rule
    if rule == DuplicatesRule.ONCE:
        tasks = tasks.exclude(pk__in=waiting(may_judge, topic, order, besides))
    queue: list[tuple[UUID, str]] = []
    for part in queue_parts(tasks, member, topic, order):
        if len(queue) < limit:
            queue += part.values_list("public_id", "state")[: limit - len(queue)]
    if rule == DuplicatesRule.TOGETHER and queue and not postponed:
        return together(queue, tasks, member, topic, order, besides)[:limit]
    return [public_id for public_id, _ in queue]


# ---- cards


def last_settled(member: Member, topic: Topic) -> Card | None:
    """Return the last judgement that undo goes back to: in this topic, or in all topics where they are one queue."""
    if member.collection.continuous:
        assignment = _last_of(member, Judgement.objects.all())
        return card(member, assignment.public_id) if assignment else None
    last = last_judged(member, topic, (*SETTLED, State.LATER)).filter(repeat__in=queued_kinds(member))
    public_id = last.values_list("public_id", flat=True).first()
    return card(member, public_id) if public_id else None


def last_elsewhere(member: Member, topic: Topic) -> Assignment | None:
    """Return the last judgement in any other topic, which undo goes to when this topic has none left."""
    return None if member.collection.continuous else _last_of(member, Judgement.objects.exclude(task__topic=topic))


def _last_of(member: Member, judgements: QuerySet[Judgement]) -> Assignment | None:
    settled = judgements.filter(member=member, state__in=(*SETTLED, State.LATER))
    settled = settled.filter(repeat__in=queued_kinds(member))
    last = settled.order_by("-judged_at", "-pk").values("task", "repeat").first()
    return Assignment.objects.select_related("topic").filter(member=member, **last).first() if last else None


def card(member: Member, public_id: UUID | str, whole: bool = False) -> Card | None:
    """Return one task of the assessor, with its `whole` text if requested; None if the assessor does not have it."""
    assignments = Assignment.objects.filter(member=member, public_id=public_id, repeat__in=queued_kinds(member))
    assignment = assignments.select_related("topic").first()
    return _cards(assignments, assignment.topic, member.collection, whole)[0] if assignment else None


def full_text(member: Member, public_id: UUID | str) -> Card | None:
    """Return one task of the assessor with its whole text, however long; None if they cannot judge it now."""
    return card(member, public_id, whole=True)


def _cards(assignments: QuerySet[Assignment], topic: Topic, collection: Collection, whole: bool = False) -> list[Card]:
    rows = list(_rows(assignments, whole or collection.snippet_first))
    notes = card_notes([(row["pk"], row["task"], row["repeat"]) for row in rows])
    judgements = _judgements([row["pk"] for row in rows if row["state"]])
    keys = [(row["pk"], row["member"], row["task"], row["repeat"]) for row in rows]
    suggestions = show_suggestions(collection, keys)
    added = {row["pk"]: {"note": notes.get(row["pk"], ""), "suggestion": suggestions.get(row["pk"])} for row in rows}
    rows = [row | added[row["pk"]] for row in rows]
    return [_card(row, judgements.get(row["pk"], {}), topic, collection, whole) for row in rows]


def _rows(assignments: QuerySet[Assignment], whole: bool) -> QuerySet[Assignment, Any]:
    content = "task__document__content"
    text = displayed_column(content)
    length = Length(text)
    fits = Case(When(length__lte=INLINE, then=text))
    return assignments.annotate(length=length, text=text if whole else fits).values(
        "pk",
        "public_id",
        "member",
        "task",
        "task__document",
        "repeat",
        "state",
        "length",
        "text",
        doc_id=F("task__document__doc_id"),
        title=F(f"{content}__title"),
        metadata=F(f"{content}__metadata"),
        format=F(f"{content}__format"),
        sanitiser_version=F(f"{content}__sanitiser_version"),
    )


def _judgements(assignments: list[int]) -> dict[int, dict[str, Any]]:
    """Return the judgement of each assignment; if it was undone, the one before.

    If it was undone because the text was replaced, the grade and the passages are left out: they are those of the
    former text. The page states this if the assessor saw another text. This leaves out near-duplicates
    that were judged by group, and texts that have been replaced back.
    """
    if not assignments:
        return {}
    of_assignment = Q(
        judgement__task=OuterRef("task"), judgement__member=OuterRef("member"), judgement__repeat=OuterRef("repeat")
    )
    events = JudgementEvent.objects.filter(of_assignment)
    not_undone = events.exclude(state=State.UNDONE).order_by("-version")
    rows = Assignment.objects.filter(pk__in=assignments).annotate(
        event=Subquery(not_undone.values("pk")[:1]),
        version=Subquery(events.order_by("-version").values("version")[:1]),
        source=Subquery(events.order_by("-version").values("source")[:1]),
        seen=Subquery(not_undone.values("document_hash")[:1]),
        present=F("task__document__content__sha256"),
    )
    anew = JudgementEvent.Source.REPLACED
    judgements: dict[int, dict[str, Any]] = {
        row.pk: {"version": row.version, "replaced": saw_another_text(row.seen, row.present)}
        for row in rows
        if row.source == anew
    }
    versions = {row.event: (row.pk, row.version) for row in rows if row.event and row.source != anew}
    names = ("relevance", "reason", "comment", "confidence", "passages")
    for event in JudgementEvent.objects.filter(pk__in=versions).values("pk", *names):
        pk, version = versions[event.pop("pk")]
        judgements[pk] = event | {"version": version}
    return judgements


def _card(row: Mapping[str, Any], judgement: dict[str, Any], topic: Topic, collection: Collection, whole: bool) -> Card:
    text, text_format, is_missing = row["text"], row["format"] or TextFormat.PLAIN, row["length"] is None
    snippet, empty = None, False
    if text is not None:
        empty = is_empty(text, text_format)
        text = displayed(text, text_format, row["sanitiser_version"])
    if collection.snippet_first and text is not None and not whole:
        snippet = snippet_for(text, text_format, topic.title)
        text = None
    return Card(
        task=str(row["public_id"]),
        doc_id="" if collection.hide_doc_ids else row["doc_id"],
        title=row["title"] or "",
        metadata=row["metadata"] or {},
        format=text_format,
        text=text,
        lacking=is_missing,
        empty=empty,
        apart=not is_missing and text is None,
        snippet=snippet,
        state="" if row["state"] == LAPSED else row["state"],
        note=row["note"],
        suggestion=row["suggestion"],
        returned=row["state"] == State.LATER,
        topic=_topic_fields(topic) if collection.continuous else None,
        document=document_key(row["task__document"]) if collection.ask_marginal else "",
        **judgement,
    )


def _topic_fields(topic: Topic) -> dict[str, Any]:
    return {name: getattr(topic, name) for name in ("pk", "query_id", "title", "description", "narrative")}
