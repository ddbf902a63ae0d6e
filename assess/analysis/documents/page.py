"""One document of a topic with everything that is known about its judgements.

Its text shows the passages that judges marked.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from assess.documents.contents import known_hashes
from assess.documents.display import displayed_text, passage_text
from assess.judging.chain_format import text_hash
from assess.judging.history import INPUTS, STATES, format_duration
from assess.models import (
    NOT_WITHDRAWN,
    Collection,
    DocumentContent,
    Input,
    Judgement,
    JudgementEvent,
    JudgementKind,
    Reason,
    Role,
    State,
    Task,
    TextFormat,
)
from pooling.words import count


@dataclass(frozen=True)
class Passage:
    """The characters from `start` to before `end` of a displayed text, marked by a judge."""

    start: int
    end: int
    judge: str


def marked_parts(text: str, passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """Cut a text where a passage begins or ends. Return each part with the judges who marked it, or an empty text."""
    inside = [each for each in passages if 0 <= each.start < min(each.end, len(text))]
    changes: dict[int, list[tuple[int, str]]] = {0: [], len(text): []}
    for each in inside:
        changes.setdefault(each.start, []).append((1, each.judge))
        changes.setdefault(min(each.end, len(text)), []).append((-1, each.judge))
    cuts = sorted(changes)
    parts, judges = [], Counter[str]()
    for start, end in pairwise(cuts):
        for change, judge in changes[start]:
            judges[judge] += change
        parts.append((text[start:end], ", ".join(sorted(judge for judge, n in judges.items() if n > 0))))
    return parts


QUOTE = 300  # characters of a passage that are shown next to its judgement


@dataclass(frozen=True)
class ShownJudgement:
    """A judgement as the page shows it. `kind` is empty for a regular one; `grade` is None without a grade.

    One `by_group` was recorded because the assessor judged a near-duplicate. One `of_former_text` has no quotes and no
    passages, because their places are in a text that was replaced.
    """

    judge: str
    kind: str
    is_vote: bool
    state: str
    grade: int | None
    reason: str
    comment: str
    confidence: int | None
    label_confidence: float | None
    active: str
    at: datetime
    guidelines_version: int | None
    quotes: list[str]
    passages: list[list[int]]
    by_group: bool
    of_former_text: bool


@dataclass(frozen=True)
class ShownEvent:
    """One event of the ledger: who changed what, when."""

    at: datetime
    judge: str
    kind: str
    source: str
    before: str
    after: str
    active: str
    guidelines_version: int | None
    comment: str


@dataclass(frozen=True)
class DocumentPage:
    """A document of a topic. `text` is empty if there is none, and `has_text` is false then."""

    task: Task
    title: str
    metadata: dict[str, Any]
    format: str
    text: str
    has_text: bool
    judgements: list[ShownJudgement]
    events: list[ShownEvent]

    @property
    def passages(self) -> list[Passage]:
        return [Passage(start, end, each.judge) for each in self.judgements for start, end in each.passages]

    @property
    def votes(self) -> list[int]:
        """The grades of the judges, lowest first. Decisions, repeats and norming rounds are no votes."""
        return sorted(each.grade for each in self.judgements if each.is_vote and each.grade is not None)

    @property
    def by_grade(self) -> list[tuple[int, list[str]]]:
        """The judges of each grade, the highest grade first."""
        given = [(each.grade, each.judge) for each in self.judgements if each.is_vote and each.grade is not None]
        return [(grade, [judge for own, judge in given if own == grade]) for grade in sorted(set(self.votes))[::-1]]

    @property
    def unable(self) -> list[str]:
        """The judges who could not judge the document."""
        return [each.judge for each in self.judgements if each.is_vote and each.state == STATES[State.CANNOT_JUDGE]]

    @property
    def sentence(self) -> str:
        """Return how far the judges agree on this document."""
        grades = sorted(set(self.votes))
        if not grades:
            return "No judge has graded this document."
        judges = count(len(self.votes), "judge")
        if len(self.votes) == 1:
            return f"One judge graded this document: grade {grades[0]}."
        if len(grades) == 1:
            return f"All {judges} gave grade {grades[0]}."
        return f"{judges} gave {len(grades)} different grades, from {grades[0]} to {grades[-1]}."


def find_task(collection: Collection, task: int) -> Task | None:
    """Return a task of the collection with its topic and document; None if there is none."""
    tasks = Task.objects.filter(topic__collection=collection)
    return tasks.select_related("topic", "document__content", "adjudicated__adjudication").filter(pk=task).first()


def document_page(task: Task) -> DocumentPage:
    """Return everything that the page of a document shows, except what concerns the systems."""
    content = task.document.content
    text, text_format = displayed_text(content), content.format if content else TextFormat.PLAIN
    passages_in = passage_text(text, text_format)
    judgements = Judgement.objects.filter(NOT_WITHDRAWN, task=task).exclude(state=State.UNDONE).select_related("member")
    rows = JudgementEvent.objects.filter(NOT_WITHDRAWN, judgement__task=task).select_related("member", "judgement")
    events = list(rows.order_by("at", "pk"))
    former = _of_former_texts(content, events)
    return DocumentPage(
        task=task,
        title=content.title if content else "",
        metadata=content.metadata if content else {},
        format=text_format,
        text=text,
        has_text=content is not None,
        judgements=[
            _shown_judgement(each, None if each.pk in former else passages_in)
            for each in judgements.order_by("repeat", "member__name")
        ],
        events=[_shown_event(event) for event in events],
    )


def _of_former_texts(content: DocumentContent | None, events: Sequence[JudgementEvent]) -> set[int]:
    """Return the keys of the judgements that were made with another text than this, of those whose text is known."""
    if content is None:
        return set()
    present = known_hashes(content.title, content.format, content.text, content.sanitised)
    same = {text_hash(""), *map(bytes.fromhex, present)}
    last = {event.judgement_id: event for event in sorted(events, key=lambda event: event.version)}
    hashes = {key: event.document_hash for key, event in last.items() if event.document_hash is not None}
    return {key for key, displayed in hashes.items() if bytes(displayed) not in same}


def _shown_judgement(judgement: Judgement, text: str | None) -> ShownJudgement:
    """Return a judgement for the page. `text` is that of its passages; None if it was replaced."""
    passages = [] if text is None else judgement.passages
    return ShownJudgement(
        judge=judgement.member.name,
        kind=_kind(judgement),
        is_vote=judgement.repeat == JudgementKind.REGULAR and judgement.member.role == Role.ASSESSOR,
        state=STATES[State(judgement.state)],
        grade=judgement.relevance,
        reason=Reason(judgement.reason).label if judgement.reason else "",
        comment=judgement.comment,
        confidence=judgement.confidence,
        label_confidence=judgement.label_confidence,
        active=format_duration(judgement.active_ms) if judgement.active_ms else "",
        at=judgement.judged_at,
        guidelines_version=judgement.guidelines_version,
        quotes=[_quote(text or "", start, end) for start, end in passages],
        passages=passages,
        by_group=judgement.input == Input.GROUP,
        of_former_text=text is None,
    )


def _kind(judgement: Judgement) -> str:
    is_regular = judgement.repeat == JudgementKind.REGULAR
    return "" if is_regular else JudgementKind(judgement.repeat).label


def _quote(text: str, start: int, end: int) -> str:
    return text[start:end] if end - start <= QUOTE else f"{text[start : start + QUOTE]}…"


def _shown_event(event: JudgementEvent) -> ShownEvent:
    source = INPUTS.get(Input(event.input), "page") if event.input else "page"
    if event.source != JudgementEvent.Source.PAGE:
        source = JudgementEvent.Source(event.source).label.lower()
    return ShownEvent(
        at=event.at,
        judge=event.member.name,
        kind=_kind(event.judgement),
        source=source,
        before=_words(event.before_state, event.before_relevance),
        after=_words(event.state, event.relevance),
        active=format_duration(event.active_ms) if event.active_ms else "",
        guidelines_version=event.guidelines_version,
        comment=event.comment,
    )


def _words(state: str, grade: int | None) -> str:
    if not state:
        return "nothing"
    return f"grade {grade}" if state == State.JUDGED else STATES[State(state)]
