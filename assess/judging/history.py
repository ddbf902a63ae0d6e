"""What an assessor may see of what they said: each document once, and every line of the ledger that is theirs.

A document that came a second time, unannounced, is listed once, with what was said of it last. The ledger's lines
name neither repeat nor version: two lines on one document read like a change of mind, and betray nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from assess.errors import Refused
from assess.judging import judgement_csv
from assess.lib.batches import BATCH
from assess.models import Assignment, Input, Judgement, JudgementEvent, Member, Reason, State, Topic

A_PAGE = 50
LATEST = 20  # lines of the ledger shown as an example
SHOWN = (State.JUDGED, State.CANNOT_JUDGE, State.LATER)
STATES = {State.JUDGED: "judged", State.CANNOT_JUDGE: "cannot judge", State.LATER: "later", State.UNDONE: "taken back"}
INPUTS = {Input.KEY: "by key", Input.POINTER: "by mouse or touch", Input.FORM: "by the plain form"}
SAID = ("state", "relevance", "reason", "comment", "confidence", "active_ms", "input")
COLUMNS = (
    *("at", "query_id", "doc_id", "title", "state", "relevance", "reason", "comment", "confidence", "passages"),
    *("guidelines_version", "active_ms", "away_ms", "highlights", "input"),
)


@dataclass(frozen=True)
class JudgementFilter:
    """Which of the own judgements; what is left open lets all of them through."""

    topic: int | None = None
    state: str = ""
    grade: int | None = None
    text: str = ""

    def __bool__(self) -> bool:
        return self != JudgementFilter()


@dataclass(frozen=True)
class OwnJudgement:
    """One document and what was said of it last. `task` is the address to judge it again, if it was given here."""

    topic_id: int
    query_id: str
    topic: str
    document: str
    doc_id: str
    state: str
    said: str
    relevance: int | None
    reason: str
    comment: str
    confidence: int | None
    at: datetime
    active: str
    input: str
    task: UUID | None


# ---- the list


@dataclass(frozen=True)
class Cursor:
    """Where a page of the list begins: at this time, behind the first `skip` that bear just this time.

    A place is a time and no number of a page, so that the hundredth page is found as quickly as the first.
    """

    at: datetime
    skip: int

    def __str__(self) -> str:
        return f"{judgement_csv.instant(self.at)}~{self.skip}"

    @classmethod
    def read(cls, text: str) -> "Cursor":
        at, _, skip = text.partition("~")
        try:
            place = cls(datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC), int(skip))
        except ValueError:
            place = None
        if place is None or str(place) != text or not 0 < place.skip < 2**31:
            raise Refused(f"older={text[:40]!r} is no place in the list; follow its links.")
        return place


@dataclass(frozen=True)
class Page:
    """Some of the own judgements, newest first; `older` is where the next page begins, if there is one."""

    rows: list[OwnJudgement]
    older: Cursor | None


def page(member: Member, wanted: JudgementFilter, place: Cursor | None = None) -> Page:
    """The own judgements that are wanted, from the newest or from a place on."""
    found = _fitting(_latest(member), wanted, member.collection.hide_doc_ids).order_by("-judged_at", "-pk")
    if place:
        found = found.filter(judged_at__lte=place.at)
    skip = place.skip if place else 0
    keys = list(found.values_list("pk", "judged_at")[skip : skip + A_PAGE + 1])
    shown = keys[:A_PAGE]
    return Page(_rows([pk for pk, _ in shown], member), _behind(shown, place) if len(keys) > A_PAGE else None)


def _behind(shown: list[tuple[int, datetime]], place: Cursor | None) -> Cursor:
    at = shown[-1][1]
    earlier = place.skip if place and place.at == at else 0
    return Cursor(at, earlier + sum(judged_at == at for _, judged_at in shown))


def _rows(pks: list[int], member: Member) -> list[OwnJudgement]:
    """Only what is shown is joined with its documents."""
    given = Assignment.objects.filter(task=OuterRef("task"), member=member, repeat=OuterRef("repeat"))
    found = (
        Judgement.objects.filter(pk__in=pks)
        .annotate(address=Subquery(given.values("public_id")[:1]))
        .order_by("-judged_at", "-pk")
        .values(*SAID, "address", at=F("judged_at"), **_of_task("task"))
    )
    return [_own(row, member.collection.hide_doc_ids) for row in found]


def _own(row: dict, hide_doc_ids: bool) -> OwnJudgement:
    return OwnJudgement(
        topic_id=row["topic_id"],
        query_id=row["query_id"],
        topic=row["topic"],
        document=row["title"] or ("" if hide_doc_ids else row["doc_id"]),
        doc_id="" if hide_doc_ids else row["doc_id"],
        state=row["state"],
        said=STATES[row["state"]],
        relevance=row["relevance"],
        reason=Reason(row["reason"]).label if row["reason"] else "",
        comment=row["comment"],
        confidence=row["confidence"],
        at=row["at"],
        active=spoken(row["active_ms"]),
        input=INPUTS.get(row["input"], ""),
        task=row.get("address"),
    )


def spoken(ms: int) -> str:
    """A time as people say it: 12 s, 3 min 05 s, 1 h 02 min."""
    seconds = round(ms / 1000)
    minutes, rest = divmod(seconds, 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def topics(member: Member) -> QuerySet[Topic]:
    """Those in which something was given to the assessor."""
    given = Assignment.objects.filter(member=member, topic=OuterRef("pk"))
    return Topic.objects.filter(Exists(given), collection=member.collection).order_by("pk")


def _latest(member: Member) -> QuerySet[Judgement]:
    """Of each document the last word; a document whose last word was taken back is open, and not listed."""
    own = Judgement.objects.filter(member=member)
    newer = Q(judged_at__gt=OuterRef("judged_at")) | Q(judged_at=OuterRef("judged_at"), pk__gt=OuterRef("pk"))
    return own.filter(state__in=SHOWN).exclude(Exists(own.filter(newer, task=OuterRef("task"))))


def _fitting(judgements: QuerySet[Judgement], wanted: JudgementFilter, hide_doc_ids: bool) -> QuerySet[Judgement]:
    if wanted.topic is not None:
        judgements = judgements.filter(task__topic=wanted.topic)
    if wanted.state:
        judgements = judgements.filter(state=wanted.state)
    if wanted.grade is not None:
        judgements = judgements.filter(relevance=wanted.grade)
    if wanted.text:
        holds = Q(comment__icontains=wanted.text) | Q(task__document__title__icontains=wanted.text)
        if not hide_doc_ids:  # a search must not find out what the page hides
            holds |= Q(task__document__doc_id__icontains=wanted.text)
        judgements = judgements.filter(holds)
    return judgements


def _of_task(path: str) -> dict[str, F]:
    """The columns of topic and document that a row shows; never the text, which may be long."""
    return {
        "topic_id": F(f"{path}__topic"),
        "query_id": F(f"{path}__topic__query_id"),
        "topic": F(f"{path}__topic__title"),
        "doc_id": F(f"{path}__document__doc_id"),
        "title": F(f"{path}__document__title"),
    }


# ---- the ledger


def latest_lines(member: Member) -> list[OwnJudgement]:
    """The newest lines of the ledger that are the assessor's, as an example of what is kept."""
    found = _lines(member).order_by("-pk").values(*SAID, "at", **_of_task("judgement__task"))[:LATEST]
    return [_own(row, member.collection.hide_doc_ids) for row in found]


def ledger_csv(member: Member) -> Iterator[str]:
    """Every line of the ledger that is the assessor's, in the order in which they were written, one by one.

    UTF-8, comma, double quotes where needed, LF. Columns: at (ISO 8601 in UTC), query_id, doc_id (empty where the
    collection hides it), title, state (judged, cannot_judge, later, undone), relevance (the grade, if judged),
    reason, comment, confidence (1 unsure to 3 sure), passages ([start, end) in characters), guidelines_version,
    active_ms and away_ms (of this line alone), highlights (true, false or unknown: empty), input (key, pointer, form).
    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    yield judgement_csv.line(COLUMNS)
    hidden = {"doc_id": ""} if member.collection.hide_doc_ids else {}
    names = [name for name in COLUMNS if name not in ("query_id", "doc_id", "title")]
    found = _lines(member).order_by("pk").values(*names, **_of_task("judgement__task"))
    for row in found.iterator(chunk_size=BATCH):
        row |= hidden | {
            "at": judgement_csv.instant(row["at"]),
            "passages": json.dumps(row["passages"]),
            "highlights": {None: "", True: "true", False: "false"}[row["highlights"]],
        }
        yield judgement_csv.line(row[name] for name in COLUMNS)


def _lines(member: Member) -> QuerySet[JudgementEvent]:
    return JudgementEvent.objects.filter(member=member)
