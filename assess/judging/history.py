"""The judgements and ledger events that an assessor may see: their own.

A document with a hidden repeat is listed once, with its last judgement. Ledger events show neither repeat nor version:
two events for one document look like a changed judgement and do not reveal the repeat.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from assess.errors import Refused
from assess.judging import judgement_csv
from assess.lib.batches import BATCH
from assess.models import (
    Assignment,
    Assistance,
    Input,
    Judgement,
    JudgementEvent,
    JudgementKind,
    Member,
    Reason,
    State,
    Topic,
)

PAGE_SIZE = 50
LATEST = 20  # ledger events shown as an example
SHOWN = (State.JUDGED, State.CANNOT_JUDGE, State.LATER)
STATES = {State.JUDGED: "judged", State.CANNOT_JUDGE: "cannot judge", State.LATER: "later", State.UNDONE: "undone"}
INPUTS = {
    Input.KEY: "key",
    Input.POINTER: "mouse or touch",
    Input.FORM: "form without JavaScript",
    Input.GROUP: "by group",
}
FIELDS = ("state", "relevance", "reason", "comment", "confidence", "active_ms", "input")
MARGINAL_COLUMNS = ("marginal", "repeats")
ASSISTANCE = {"assisted": F("assistance__judge"), "suggested": F("assistance__grade")}
COLUMNS = (
    *("at", "query_id", "doc_id", "title", "state", "relevance", "reason", "comment", "confidence", "passages"),
    *("guidelines_version", "active_ms", "away_ms", "highlights", "input"),
    *MARGINAL_COLUMNS,
)


@dataclass(frozen=True)
class JudgementFilter:
    """Which judgements to list; an empty field does not restrict them."""

    topic: int | None = None
    state: str = ""
    grade: int | None = None
    text: str = ""

    def __bool__(self) -> bool:
        return self != JudgementFilter()


@dataclass(frozen=True)
class OwnJudgement:
    """A document with its last judgement. `task` is the public id for judging it again, if it was assigned here.

    `suggestion` has the model and the grade that the assessor had seen; only events of the ledger have it.
    """

    topic_id: int
    query_id: str
    topic: str
    document: str
    doc_id: str
    state: str
    state_label: str
    relevance: int | None
    reason: str
    comment: str
    confidence: int | None
    at: datetime
    active: str
    input: str
    task: UUID | None
    suggestion: str = ""

    @property
    def is_by_group(self) -> bool:
        return self.input == INPUTS[Input.GROUP]


# ---- the list


@dataclass(frozen=True)
class Cursor:
    """Where a page of the list starts: at this time, after the first `skip` judgements with exactly this time.

    A time instead of a page number makes the hundredth page as fast as the first.
    """

    at: datetime
    skip: int

    def __str__(self) -> str:
        return f"{judgement_csv.instant(self.at)}~{self.skip}"

    @classmethod
    def read(cls, text: str) -> "Cursor":
        at, _, skip = text.partition("~")
        try:
            cursor = cls(datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC), int(skip))
        except ValueError:
            cursor = None
        if cursor is None or str(cursor) != text or not 0 < cursor.skip < 2**31:
            raise Refused(f"older={text[:40]!r} is not a position in the list; use its links.")
        return cursor


@dataclass(frozen=True)
class Page:
    """A page of judgements, newest first; `older` is where the next page starts, if there is one."""

    rows: list[OwnJudgement]
    older: Cursor | None


def page(member: Member, wanted: JudgementFilter, cursor: Cursor | None = None) -> Page:
    """Return the assessor's judgements that match the filter, from the newest or from the cursor on."""
    judgements = _filtered(_latest(member), wanted, member.collection.hide_doc_ids).order_by("-judged_at", "-pk")
    if cursor:
        judgements = judgements.filter(judged_at__lte=cursor.at)
    skip = cursor.skip if cursor else 0
    keys = list(judgements.values_list("pk", "judged_at")[skip : skip + PAGE_SIZE + 1])
    shown = keys[:PAGE_SIZE]
    return Page(_rows([pk for pk, _ in shown], member), _next_cursor(shown, cursor) if len(keys) > PAGE_SIZE else None)


def _next_cursor(shown: list[tuple[int, datetime]], cursor: Cursor | None) -> Cursor:
    at = shown[-1][1]
    earlier = cursor.skip if cursor and cursor.at == at else 0
    return Cursor(at, earlier + sum(judged_at == at for _, judged_at in shown))


def _rows(pks: list[int], member: Member) -> list[OwnJudgement]:
    """Join only the displayed judgements with their documents."""
    assignments = Assignment.objects.filter(task=OuterRef("task"), member=member, repeat=OuterRef("repeat"))
    rows = (
        Judgement.objects.filter(pk__in=pks)
        .annotate(public_id=Subquery(assignments.values("public_id")[:1]))
        .order_by("-judged_at", "-pk")
        .values(*FIELDS, "public_id", at=F("judged_at"), **_task_columns("task"))
    )
    return [_own_judgement(row, member.collection.hide_doc_ids) for row in rows]


def _own_judgement(row: Mapping[str, Any], hide_doc_ids: bool) -> OwnJudgement:
    return OwnJudgement(
        topic_id=row["topic_id"],
        query_id=row["query_id"],
        topic=row["topic"],
        document=row["title"] or ("" if hide_doc_ids else row["doc_id"]),
        doc_id="" if hide_doc_ids else row["doc_id"],
        state=row["state"],
        state_label=STATES[row["state"]],
        relevance=row["relevance"],
        reason=Reason(row["reason"]).label if row["reason"] else "",
        comment=row["comment"],
        confidence=row["confidence"],
        at=row["at"],
        active=format_duration(row["active_ms"]),
        input=INPUTS.get(row["input"], ""),
        task=row.get("public_id"),
        suggestion=f"{row['assisted']}: {row['suggested']}" if row.get("assisted") else "",
    )


def format_duration(ms: int) -> str:
    """Format milliseconds: 12 s, 3 min 05 s, 1 h 02 min."""
    seconds = round(ms / 1000)
    minutes, rest = divmod(seconds, 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def topics(member: Member) -> QuerySet[Topic]:
    """Return the topics in which the assessor has tasks."""
    assignments = Assignment.objects.filter(member=member, topic=OuterRef("pk"))
    return Topic.objects.filter(Exists(assignments), collection=member.collection).order_by("pk")


def _latest(member: Member) -> QuerySet[Judgement]:
    """Return the last judgement of each document. A document whose last judgement was undone is not listed.

    Practice is not listed either: it cannot be judged again.
    """
    own = Judgement.objects.filter(member=member).exclude(repeat=JudgementKind.PRACTICE)
    newer = Q(judged_at__gt=OuterRef("judged_at")) | Q(judged_at=OuterRef("judged_at"), pk__gt=OuterRef("pk"))
    return own.filter(state__in=SHOWN).exclude(Exists(own.filter(newer, task=OuterRef("task"))))


def _filtered(judgements: QuerySet[Judgement], wanted: JudgementFilter, hide_doc_ids: bool) -> QuerySet[Judgement]:
    if wanted.topic is not None:
        judgements = judgements.filter(task__topic=wanted.topic)
    if wanted.state:
        judgements = judgements.filter(state=wanted.state)
    if wanted.grade is not None:
        judgements = judgements.filter(relevance=wanted.grade)
    if wanted.text:
        matches = Q(comment__icontains=wanted.text) | Q(task__document__content__title__icontains=wanted.text)
        if not hide_doc_ids:  # a search must not reveal doc_ids that the page hides
            matches |= Q(task__document__doc_id__icontains=wanted.text)
        judgements = judgements.filter(matches)
    return judgements


def _task_columns(path: str) -> dict[str, F | Coalesce]:
    """Return the displayed columns of topic and document, without the text, which may be long."""
    return {
        "topic_id": F(f"{path}__topic"),
        "query_id": F(f"{path}__topic__query_id"),
        "topic": F(f"{path}__topic__title"),
        "doc_id": F(f"{path}__document__doc_id"),
        "title": Coalesce(f"{path}__document__content__title", Value("", TextField())),
    }


# ---- the ledger


def latest_events(member: Member) -> list[OwnJudgement]:
    """Return the assessor's newest ledger events, as an example of what is recorded."""
    columns = _task_columns("judgement__task") | ASSISTANCE
    events = _events(member).order_by("-pk").values(*FIELDS, "at", **columns)[:LATEST]
    return [_own_judgement(row, member.collection.hide_doc_ids) for row in events]


def ledger_csv(member: Member) -> Iterator[str]:
    """Yield the lines of a CSV file with all ledger events of the assessor, in the order of recording.

    UTF-8, comma, double quotes where needed, LF. Columns: at (ISO 8601 in UTC), query_id, doc_id (empty if the
    collection hides it), title, state (judged, cannot_judge, later, undone), relevance (the grade, if judged),
    reason, comment, confidence (1 unsure to 3 sure), passages ([start, end) in characters), guidelines_version,
    active_ms and away_ms (of this event), highlights (true, false, or empty if unknown), input (key, pointer, form,
    group), marginal (new, partly, nothing, or empty without an answer), repeats (the doc_ids that the document repeats,
    empty if the collection hides them). If a model made a suggestion for any of the judgements, two columns follow:
    assisted (the name of the model) and suggested (the grade that it suggested), both empty for other judgements.
    A cell that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    columns = (*COLUMNS, *judgement_csv.ASSISTED) if is_assisted(member) else COLUMNS
    yield judgement_csv.line(columns)
    hidden = {"doc_id": "", "repeats": ""} if member.collection.hide_doc_ids else {}
    names = [name for name in COLUMNS if name not in ("query_id", "doc_id", "title", *MARGINAL_COLUMNS)]
    marginal = {"answer": F("marginal__answer"), "named": F("marginal__repeats")}
    events = _events(member).order_by("pk").values(*names, **_task_columns("judgement__task"), **marginal, **ASSISTANCE)
    for row in events.iterator(chunk_size=BATCH):
        row |= {"marginal": row["answer"], "repeats": judgement_csv.format_value(row["named"])} | hidden
        row |= {
            "at": judgement_csv.instant(row["at"]),
            "passages": json.dumps(row["passages"]),
            "highlights": {None: "", True: "true", False: "false"}[row["highlights"]],
        }
        yield judgement_csv.line(row[name] for name in columns)


def is_assisted(member: Member) -> bool:
    """Whether the assessor had seen the suggestion of a model at any judgement."""
    return Assistance.objects.filter(event__member=member).exists()


def _events(member: Member) -> QuerySet[JudgementEvent]:
    return JudgementEvent.objects.filter(member=member)
