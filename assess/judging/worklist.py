"""What an assessor is to do next, and how far they are.

This module reads assignments, documents and the assessor's own judgements; it has no way to runs, ranks or other
assessors, so nothing that an assessor's page shows can betray them. `sheet` is all that the judging page needs.
"""

from dataclasses import dataclass, field
from functools import cache
from uuid import UUID

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, UUIDField, Value, When
from django.db.models.functions import Length

from assess.judging import document_text
from assess.judging.document_text import sanitised_text
from assess.judging.progress import Progress, progress_by_topic, sum_progress
from assess.lib.prepared import Composed, Given
from assess.models import (
    Assignment,
    Collection,
    Grade,
    Guidelines,
    Judgement,
    JudgementEvent,
    Member,
    Order,
    State,
    Task,
    Topic,
)
from assess.pools import adaptive_queue, claims, free_tasks, repeats
from assess.pools.tasks import LAPSED, OPEN, SETTLED, last_judged

MOST_BESIDES = 100  # documents a page may say that it has
AHEAD = 16  # the document on the screen and fifteen more: enough for a while without a connection
INLINE = 60_000  # characters of a text that travel with its card; longer ones are fetched one by one


@dataclass(frozen=True)
class Card:
    """One document to judge, as the page needs it.

    `task` is the assignment's address. `text` is what is shown, already harmless; it is None where the text is
    `lacking`, or is `apart`: too long to travel along, or asked for after the `snippet`. The verdict's fields are
    what was said of the document, or what had been said before it was taken back.
    """

    task: str
    doc_id: str
    title: str
    metadata: dict
    format: str
    text: str | None
    lacking: bool = False
    apart: bool = False
    snippet: str | None = None
    state: str = ""
    version: int = 0
    relevance: int | None = None
    reason: str = ""
    comment: str = ""
    confidence: int | None = None
    passages: list = field(default_factory=list)

    def to_dict(self) -> dict:
        return {**vars(self)}


@dataclass(frozen=True)
class Sheet:
    """A topic on an assessor's desk: all that the judging page shows."""

    collection: Collection
    topic: Topic
    grades: list[Grade]
    guidelines: Guidelines | None
    cards: list[Card]
    last: Card | None
    progress: Progress
    progress_in_all: Progress


def sheet(member: Member, topic: Topic, first: UUID | None = None, whole: bool = False) -> Sheet:
    """The next cards, or before them the one at the address `first`, with its `whole` text where that is asked for.

    Raises Assignment.DoesNotExist where `first` is not the assessor's own, or is one of another topic: judged beside
    the wrong topic, it would be judged wrongly.
    """
    cards = upcoming(member, topic)  # before the counting: it may claim, and what is claimed counts
    if first and not member.collection.closed_because:
        found = _cards(
            Assignment.objects.filter(member=member, topic=topic, public_id=first),
            topic,
            collection=member.collection,
            whole=whole,
        )
        if not found:
            raise Assignment.DoesNotExist
        cards = [*found, *(other for other in cards if other.task != found[0].task)]
    counts = progress_by_topic(member, to_claim_in=topic.pk)
    return Sheet(
        collection=member.collection,
        topic=topic,
        grades=list(member.collection.grades.all()),
        guidelines=member.collection.guidelines.last(),
        cards=cards,
        last=None if member.collection.closed_because else last_settled(member, topic),
        progress=counts.get(topic.pk, Progress()),
        progress_in_all=sum_progress(counts.values()),
    )


def topics(member: Member) -> list[tuple[Topic, Progress]]:
    """The assessor's topics, and those they may claim from, with the progress in each, in the collection's order."""
    if member.collection.open_to_claims:
        claims.release_lapsed(member.collection)
    counts = progress_by_topic(member)
    found = Topic.objects.filter(pk__in=counts).order_by("pk")
    return [(topic, counts[topic.pk]) for topic in found]


# ---- cards

OWN_TOPIC = Composed(
    lambda: Topic.objects.filter(
        Exists(Assignment.objects.filter(member=Given("member"), topic=OuterRef("pk")))
        | Exists(Task.objects.filter(topic=OuterRef("pk"), wanted__gt=0)),
        pk=Given("topic"),
        collection=Given("collection"),
    )
)
AT_HAND = Composed(
    lambda: (
        open_tasks(Given("member"), Given("topic"), claimed=True)
        .exclude(state=State.LATER)
        .values_list("claimed_until", flat=True)
    )
)


def own_topic(member: Member, topic: int) -> Topic | None:
    """A topic in which the assessor has something to judge or to claim; any other is not there."""
    return OWN_TOPIC.first(member=member.pk, topic=topic, collection=member.collection_id)


def upcoming(member: Member, topic: Topic, besides: tuple[str, ...] = (), limit: int = AHEAD) -> list[Card]:
    """The next open tasks: taken back first, then the untouched in the assessor's order, then those put off. None
    while judging is closed."""
    if member.collection.closed_because:
        return []
    if member.collection.open_to_claims:
        claims.claim(member, topic, AT_HAND, limit)
    return _cards_at(_next(member, topic, besides, limit), topic, member.collection)


def _next(member: Member, topic: Topic, besides: tuple[str, ...], limit: int) -> list[UUID]:
    collection = member.collection
    if collection.order == Order.ADAPTIVE and not collection.open_to_claims:  # a claim has chosen already
        tasks = open_tasks(member, topic, claimed=False).exclude(public_id__in=besides)
        order = (*adaptive_queue.of_assignments(tasks, member, topic, AHEAD), "position")
        return list(in_turn(tasks, member, topic, order).values_list("public_id", flat=True)[:limit])
    queue = _queue(collection.open_to_claims, collection.order == Order.FIXED, limit + MOST_BESIDES)
    addresses = queue.rows(member=member.pk, topic=topic.pk)
    return [address for address in addresses if str(address) not in besides][:limit]


@cache
def _queue(claimed: bool, fixed: bool, limit: int) -> Composed:
    def compose() -> QuerySet:
        member, topic = Given("member"), Given("topic")
        order = (free_tasks.by_bytes("task__document__doc_id"), "repeat") if fixed else ("position",)
        queue = in_turn(open_tasks(member, topic, claimed), member, topic, order)
        return queue.values_list("public_id", flat=True)[:limit]

    return Composed(compose)


def _cards_at(addresses: list[UUID], topic: Topic, collection: Collection) -> list[Card]:
    """In the order of the addresses: so the database sorts these alone, and not the texts with them."""
    if not addresses:
        return []
    asked = _rows_at(len(addresses), collection.snippet_first)
    rows = asked.rows(**{f"at{place}": address for place, address in enumerate(addresses)})
    by_address = {card.task: card for card in _cards_of(rows, topic, collection)}
    return [by_address[key] for address in addresses if (key := str(address)) in by_address]


@cache
def _rows_at(number: int, whole: bool) -> Composed:
    at = [Given(f"at{place}", UUIDField()) for place in range(number)]
    return Composed(lambda: _rows(Assignment.objects.filter(public_id__in=at), whole))


def open_tasks(member: Member | Given, topic: Topic | Given, claimed: bool) -> QuerySet[Assignment]:
    """What the assessor may judge now: a hidden repeat only once the first judgement is settled; in a collection that
    is open to claims, what is `claimed` or free."""
    own = Assignment.objects.filter(member=member, topic=topic, state__in=OPEN)
    if claimed:
        own = own.filter(Q(holds_place=True) | Q(repeat=1) | Q(task__taken__lt=F("task__wanted")))
    return repeats.may_come(own)


def in_turn(
    tasks: QuerySet[Assignment], member: Member | Given, topic: Topic | Given, order: tuple
) -> QuerySet[Assignment]:
    """In the order in which they come up; a repeat not soon after its first judgement, if anything else is left."""
    turn = Case(
        When(repeats.too_soon(member, topic), then=Value(3)),
        When(state=State.UNDONE, then=Value(0)),
        When(state=State.LATER, then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    own = Judgement.objects.filter(task=OuterRef("task"), member=member, repeat=OuterRef("repeat"))
    put_off_at = Case(When(state=State.LATER, then=Subquery(own.values("judged_at")[:1])))
    return tasks.order_by(turn, put_off_at, *order, "pk")


def last_settled(member: Member, topic: Topic) -> Card | None:
    """What the assessor said last in this topic: where undo goes back to."""
    said = last_judged(member, topic, (*SETTLED, State.LATER))
    address = said.values_list("public_id", flat=True).first()
    return card(member, address) if address else None


def last_elsewhere(member: Member, topic: Topic) -> Assignment | None:
    """What the assessor said last in any other topic: where undo would go on to once it is through with this one."""
    if member.collection.closed_because:
        return None
    said = Judgement.objects.filter(member=member, state__in=(*SETTLED, State.LATER)).exclude(task__topic=topic)
    last = said.order_by("-judged_at", "-pk").values("task", "repeat").first()
    return Assignment.objects.select_related("topic").filter(member=member, **last).first() if last else None


def card(member: Member, public_id) -> Card | None:
    """One task of the assessor's own, or None where it is not theirs."""
    own = Assignment.objects.filter(member=member, public_id=public_id)
    assignment = own.select_related("topic").first()
    return _cards(own, assignment.topic, member.collection)[0] if assignment else None


def full_text(member: Member, public_id) -> Card | None:
    """The same with the whole of its text, however long."""
    own = Assignment.objects.filter(member=member, public_id=public_id)
    assignment = own.select_related("topic").first()
    return _cards(own, assignment.topic, member.collection, whole=True)[0] if assignment else None


def _cards(assignments: QuerySet[Assignment], topic: Topic, collection: Collection, whole: bool = False) -> list[Card]:
    rows = list(_rows(assignments, whole or collection.snippet_first))
    return _cards_of(rows, topic, collection, whole)


def _cards_of(rows: list[dict], topic: Topic, collection: Collection, whole: bool = False) -> list[Card]:
    verdicts = _own_verdicts([row["pk"] for row in rows if row["state"]])
    return [_card(row, verdicts.get(row["pk"], {}), topic, collection, whole) for row in rows]


def _rows(assignments: QuerySet[Assignment], whole: bool) -> QuerySet:
    text = F("task__document__text")
    length = Length(text)
    fits = Case(When(length__lte=INLINE, then=text))
    return assignments.annotate(length=length, text=text if whole else fits).values(
        "pk",
        "public_id",
        "state",
        "length",
        "text",
        doc_id=F("task__document__doc_id"),
        title=F("task__document__title"),
        metadata=F("task__document__metadata"),
        format=F("task__document__format"),
    )


def _own_verdicts(assignments: list[int]) -> dict[int, dict]:
    """What was said of these assignments, or had been said before it was taken back."""
    if not assignments:
        return {}
    of_assignment = Q(
        judgement__task=OuterRef("task"), judgement__member=OuterRef("member"), judgement__repeat=OuterRef("repeat")
    )
    events = JudgementEvent.objects.filter(of_assignment)
    said = events.exclude(state=State.UNDONE).order_by("-version")
    rows = Assignment.objects.filter(pk__in=assignments).annotate(
        said=Subquery(said.values("pk")[:1]),
        version=Subquery(events.order_by("-version").values("version")[:1]),
    )
    versions = {row.said: (row.pk, row.version) for row in rows if row.said}
    names = ("relevance", "reason", "comment", "confidence", "passages")
    found = {}
    for event in JudgementEvent.objects.filter(pk__in=versions).values("pk", *names):
        pk, version = versions[event.pop("pk")]
        found[pk] = event | {"version": version}
    return found


def _card(row: dict, verdict: dict, topic: Topic, collection: Collection, whole: bool) -> Card:
    text, lacking = row["text"], row["length"] is None
    snippet = None
    if collection.snippet_first and text is not None and not whole:
        snippet = document_text.snippet(text, row["format"], topic.title)
        text = None
    return Card(
        task=str(row["public_id"]),
        doc_id="" if collection.hide_doc_ids else row["doc_id"],
        title=row["title"],
        metadata=row["metadata"],
        format=row["format"],
        text=None if text is None else sanitised_text(text, row["format"]),
        lacking=lacking,
        apart=not lacking and text is None,
        snippet=snippet,
        state="" if row["state"] == LAPSED else row["state"],  # nothing was said of it
        **verdict,
    )
