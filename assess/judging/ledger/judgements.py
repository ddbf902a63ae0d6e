"""Compares the current judgements with the events of the ledger.

The last event gives grade, comment and context of a judgement; times are the sums over its events; versions count
1, 2, 3, ... without a gap; and each event records the state before it. What assignments and tasks store about
judgements is compared too. Everything is read as a stream: a collection of any size needs the same memory.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from assess.judging.judgement_input import LONGEST_MS
from assess.models import Assignment, Collection, Judgement, JudgementEvent, JudgementKind
from assess.models.judgement import ALL_FIELDS, TIME_FIELDS
from assess.pools.tasks import LAPSED, SETTLED
from pooling.errors import shown

CHUNK = 5_000  # rows read at once
FIELDS = ("member_id", *ALL_FIELDS)


def judgements_of(collection: Collection | None) -> QuerySet[Judgement]:
    return Judgement.objects.filter(member__collection=collection) if collection else Judgement.objects.all()


def events_of(collection: Collection | None) -> QuerySet[JudgementEvent]:
    # Through the judgement's member: the event's own member might be wrong.
    if collection:
        return JudgementEvent.objects.filter(judgement__member__collection=collection)
    return JudgementEvent.objects.all()


def judgement_problems(collection: Collection | None, progress: Callable[[int], object] | None) -> Iterator[str]:
    """Walk through both tables side by side, in the order of the judgements."""
    groups = groupby(_event_rows(collection), key=attrgetter("judgement_id"))
    key, events = next(groups, (None, iter(())))
    for judgement in rows_of(judgements_of(collection).order_by("pk"), "pk", *FIELDS, "version", "judged_at"):
        own: list[Any] = []
        if key == judgement.pk:
            own = list(events)
            key, events = next(groups, (None, iter(())))
        if problems := list(_problems(judgement, own)):
            name = _describe(judgement.pk)
            yield from (f"{name}: {problem}." for problem in problems)
        if progress:
            progress(1)


def _event_rows(collection: Collection | None) -> Iterator[Any]:
    fields = ("judgement_id", *FIELDS, "version", "before_state", "before_relevance", "at")
    return rows_of(events_of(collection).order_by("judgement_id", "version"), *fields)


def rows_of(rows: QuerySet[Any], *names: str) -> Iterator[Any]:
    return rows.values_list(*names, named=True).iterator(chunk_size=CHUNK)


def _problems(judgement: Any, events: Sequence[Any]) -> Iterator[str]:
    if not events:
        yield "the ledger has no event for it"
        return
    yield from _event_problems(events)
    for name, expected in rebuilt(events).items():
        if (value := getattr(judgement, name)) != expected:
            yield f"{name} is {_text(value)}, but according to the ledger it is {_text(expected)}"


def _event_problems(events: Sequence[Any]) -> Iterator[str]:
    """Yield what is wrong between the events of one judgement."""
    versions = [event.version for event in events]
    if versions != list(range(1, len(events) + 1)):
        yield f"its events have the versions {', '.join(map(str, versions))}; they must be 1, 2, 3, ... without a gap"
    before = ("", None)
    for event in events:
        if (event.before_state, event.before_relevance) != before:
            recorded = _state(event.before_state, event.before_relevance)
            yield f"event {event.version} records {recorded} as the state before it, but that was {_state(*before)}"
        before = (event.state, event.relevance)
    if len({event.member_id for event in events}) > 1:
        yield "its events belong to more than one assessor"


def rebuilt(events: Sequence[Any]) -> dict[str, Any]:
    """Return the judgement that the events lead to."""
    last = events[-1]
    fields = {name: getattr(last, name) for name in FIELDS}
    for name in TIME_FIELDS:
        fields[name] = min(sum(getattr(event, name) for event in events), LONGEST_MS)
    return fields | {"version": len(events), "judged_at": last.at}


def _state(state: str, relevance: int | None) -> str:
    return " ".join(str(word) for word in (state or "nothing", relevance) if word is not None)


def _text(value: object) -> str:
    return shown(value) if isinstance(value, str) else str(value)


def _describe(pk: int) -> str:
    judgement = Judgement.objects.select_related("member", "task__topic", "task__document").get(pk=pk)
    document, topic = shown(judgement.task.document.doc_id), shown(judgement.task.topic.query_id)
    words = f"{shown(judgement.member.name)} on document {document} of topic {topic}"
    return f"Judgement {pk} ({words}{f', {JudgementKind(judgement.repeat).label}' if judgement.repeat else ''})"


def assignment_problems(collection: Collection | None) -> Iterator[str]:
    """An assignment has the state of its judgement; without a judgement it has none, or has lapsed."""
    judgements = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    rows = Assignment.objects.annotate(judged=Coalesce(Subquery(judgements.values("state")[:1]), Value("")))
    if collection:
        rows = rows.filter(member__collection=collection)
    for row in rows.exclude(topic=F("task__topic")).order_by("pk").iterator(CHUNK):
        yield f"Assignment {row.public_id}: its topic is not that of its task."
    wrong = rows.exclude(state=F("judged")).exclude(Q(state=LAPSED) & Q(judged=""))
    for row in wrong.order_by("pk").iterator(CHUNK):
        judgement = f"is {row.judged}" if row.judged else "does not exist"
        yield f"Assignment {row.public_id}: its state is {row.state or 'open'}, but its judgement {judgement}."


def account_problems(collection: Collection | None) -> Iterator[str]:
    """The judgements that a member gave at the page are by the account of the member.

    Members without an account, who were removed, are not compared.
    """
    rows = events_of(collection).filter(
        source=JudgementEvent.Source.PAGE,
        judgement__repeat__in=(JudgementKind.REGULAR, JudgementKind.REPEAT),
        member__user__isnull=False,
        actor__isnull=False,
    )
    others = rows.exclude(actor=F("member__user")).order_by("member", "actor")
    names = ("member__name", "member__user__username", "actor__username")
    for name, account, actor in others.values_list(*names).distinct():
        yield f"{shown(name)} has the account {shown(account)}, but judgements of {shown(name)} are by {shown(actor)}."


def unassigned_problems(collection: Collection | None) -> Iterator[str]:
    """A judgement that an assessor gave at the page belongs to an assignment."""
    given = JudgementEvent.objects.filter(judgement=OuterRef("pk"), source=JudgementEvent.Source.PAGE)
    own = {name: OuterRef(name) for name in ("task", "member", "repeat")}
    rows = judgements_of(collection).filter(
        Exists(given), ~Exists(Assignment.objects.filter(**own)), repeat=JudgementKind.REGULAR
    )
    members = rows.filter(member__user__isnull=False, state__in=SETTLED)
    for pk in members.order_by("pk").values_list("pk", flat=True).iterator(CHUNK):
        yield f"{_describe(pk)}: it has no assignment."
