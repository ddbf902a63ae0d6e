"""The current judgements, held against what the ledger's lines alone say.

The last line gives what was said, how and when; times add up over the lines; the versions are 1, 2, 3, ... without a
gap, and each line knows what was said before it. What an assignment and a task keep of judgements is held against
them too. Everything is read as a stream: a collection of any size takes the same memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db import connection
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from assess.judging.judgement_input import LONGEST_MS
from assess.models import Assignment, Collection, ErasurePermit, Judgement, JudgementEvent
from assess.pools.slots import slot_problems
from assess.pools.tasks import LAPSED
from assess.transfer.imports import Progress
from pooling.errors import shown

CHUNK = 5_000  # rows at once
SAID = ("state", "relevance", "reason", "comment", "confidence", "passages", "highlights", "input")
KEPT = ("member_id", *SAID, "guidelines_version", "active_ms", "away_ms")


class Size(NamedTuple):
    judgements: int
    events: int


def ledger_size(collection: Collection | None = None) -> Size:
    return Size(_judgements(collection).count(), _events(collection).count())


@contextmanager
def snapshot() -> Iterator[None]:
    """Whatever is read inside is of one moment, while others go on judging; nothing may be written inside."""
    if connection.in_atomic_block:
        yield
        return
    # Not atomic(): on SQLite that is a writer's transaction, and would keep every assessor waiting.
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else "BEGIN DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def ledger_problems(collection: Collection | None = None, progress: Progress = None) -> Iterator[str]:
    """One sentence for whatever is not as the ledger says. `progress` is told of each judgement."""
    yield from _open_doors()
    yield from _of_judgements(collection, progress)
    yield from _of_assignments(collection)
    yield from slot_problems(collection)


def _judgements(collection: Collection | None) -> QuerySet[Judgement]:
    return Judgement.objects.filter(member__collection=collection) if collection else Judgement.objects.all()


def _events(collection: Collection | None) -> QuerySet[JudgementEvent]:
    # By the judgement's member: the event's own might be one of the differences.
    if collection:
        return JudgementEvent.objects.filter(judgement__member__collection=collection)
    return JudgementEvent.objects.all()


def _open_doors() -> Iterator[str]:
    for door in ErasurePermit.objects.select_related("member"):
        who = f"of {shown(door.member.name)}" if door.member else "of everybody"
        yield f"The ledger {who} can be deleted: an erasure was left open (assess_erasing {door.pk})."


def _of_judgements(collection: Collection | None, progress: Progress) -> Iterator[str]:
    """Both tables are walked side by side, in the order of the judgements."""
    lines = groupby(_lines(collection), key=attrgetter("judgement_id"))
    at, events = next(lines, (None, ()))
    for judgement in _rows(_judgements(collection).order_by("pk"), "pk", *KEPT, "version", "judged_at"):
        mine = ()
        if at == judgement.pk:
            mine = list(events)
            at, events = next(lines, (None, ()))
        if problems := list(_problems(judgement, mine)):
            name = _name(judgement.pk)
            yield from (f"{name}: {problem}." for problem in problems)
        if progress:
            progress(1)


def _lines(collection: Collection | None) -> Iterator:
    fields = ("judgement_id", *KEPT, "version", "before_state", "before_relevance", "at")
    return _rows(_events(collection).order_by("judgement_id", "version"), *fields)


def _rows(rows: QuerySet, *names: str) -> Iterator:
    return rows.values_list(*names, named=True).iterator(chunk_size=CHUNK)


def _problems(judgement, events: Sequence) -> Iterator[str]:
    if not events:
        yield "the ledger has no line of it"
        return
    yield from _broken_chain(events)
    for name, told in _rebuilt(events).items():
        if (kept := getattr(judgement, name)) != told:
            yield f"{name} is {_text(kept)}, and the ledger says {_text(told)}"


def _broken_chain(events: Sequence) -> Iterator[str]:
    """What is wrong with the lines among themselves."""
    versions = [event.version for event in events]
    if versions != list(range(1, len(events) + 1)):
        yield f"its lines have the versions {', '.join(map(str, versions))}; they count from 1 without a gap"
    before = ("", None)
    for event in events:
        if (event.before_state, event.before_relevance) != before:
            told = _verdict(event.before_state, event.before_relevance)
            yield f"line {event.version} says that before it came {told}, and it was {_verdict(*before)}"
        before = (event.state, event.relevance)
    if len({event.member_id for event in events}) > 1:
        yield "its lines are of more than one assessor"


def _rebuilt(events: Sequence) -> dict:
    """The judgement as its lines make it."""
    last = events[-1]
    told = {name: getattr(last, name) for name in KEPT}
    for name in ("active_ms", "away_ms"):
        told[name] = min(sum(getattr(event, name) for event in events), LONGEST_MS)
    return told | {"version": len(events), "judged_at": last.at}


def _verdict(state: str, relevance: int | None) -> str:
    return " ".join(str(word) for word in (state or "nothing", relevance) if word is not None)


def _text(value) -> str:
    return shown(value) if isinstance(value, str) else str(value)


def _name(judgement: int) -> str:
    row = Judgement.objects.select_related("member", "task__topic", "task__document").get(pk=judgement)
    words = f"{shown(row.member.name)} on document {shown(row.task.document.doc_id)}"
    words += f" of topic {shown(row.task.topic.query_id)}"
    return f"Judgement {row.pk} ({words}{', repeat' if row.repeat else ''})"


def _of_assignments(collection: Collection | None) -> Iterator[str]:
    """An assignment keeps its judgement's state; one that was never judged has none, or has lapsed."""
    own = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    rows = Assignment.objects.annotate(said=Coalesce(Subquery(own.values("state")[:1]), Value("")))
    if collection:
        rows = rows.filter(member__collection=collection)
    for row in rows.exclude(state=F("said")).exclude(Q(state=LAPSED) & Q(said="")).order_by("pk").iterator(CHUNK):
        said = f"is {row.said}" if row.said else "was never given"
        yield f"Assignment {row.public_id}: its state is {row.state or 'open'}, and its judgement {said}."
