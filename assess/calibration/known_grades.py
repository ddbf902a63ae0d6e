"""Adds and removes documents whose grade is known, one by one or from CSV.

The columns of a CSV file are query_id, doc_id, relevance and explanation; the last may be missing for checks. All rows
are added or none. The document must be in the collection with its text. It may be in the pool: then it is not assigned
to those who practised with it or got it as a check.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import (
    Action,
    Assignment,
    Collection,
    Document,
    Judgement,
    JudgementKind,
    KnownGrade,
    State,
    Task,
    User,
)
from assess.models.adjudication import LONGEST_EXPLANATION
from pooling.errors import shown
from pooling.formats.fields import LARGEST_CELL

COLUMNS = ("query_id", "doc_id", "relevance", "explanation")
MOST_AT_ONCE = 500
KINDS = {KnownGrade.Use.PRACTICE: JudgementKind.PRACTICE, KnownGrade.Use.CHECK: JudgementKind.CHECK}


@dataclass(frozen=True)
class KnownGradeRow:
    """A known grade as it is entered. `where` names its line for errors; empty for a form."""

    query_id: str
    doc_id: str
    relevance: str
    explanation: str = ""
    where: str = ""


def read_rows(content: str) -> list[KnownGradeRow]:
    """Return the rows of a CSV file."""
    try:
        csv.field_size_limit(LARGEST_CELL)
        reader = csv.DictReader(io.StringIO(content, newline=""), restval="", strict=True)
        header = [name.strip() for name in reader.fieldnames or []]
        if missing := [name for name in COLUMNS[:3] if name not in header]:
            raise Refused(f"The first line must name the columns {', '.join(COLUMNS)}; {missing[0]} is missing.")
        reader.fieldnames = header
        return [
            KnownGradeRow(**{name: (row.get(name) or "").strip() for name in COLUMNS}, where=f"line {number}: ")
            for number, row in enumerate(reader, 2)
        ]
    except csv.Error as error:
        raise Refused(f"This is not CSV: {error}.") from None


def add_known_grades(collection: Collection, rows: Sequence[KnownGradeRow], use: str, actor: User | None = None) -> int:
    """Add the rows for practice or as checks. Returns how many were added."""
    if use not in KnownGrade.Use.values:
        raise Refused(f"use must be one of {', '.join(KnownGrade.Use.values)}, not {shown(use)}.")
    if not 1 <= len(rows) <= MOST_AT_ONCE:
        raise Refused(f"There must be between 1 and {MOST_AT_ONCE} rows, not {len(rows):,}.")
    with transaction.atomic():
        lock_active(collection)
        tasks = _tasks(collection, rows)
        scale = scale_of(collection)
        grades = [_grade(scale, row, use) for row in rows]
        KnownGrade.objects.bulk_create(
            KnownGrade(task=task, use=use, relevance=grade, explanation=row.explanation)
            for task, grade, row in zip(tasks, grades, rows, strict=True)
        )
        details = {"added": len(rows), "use": use}
        audit.record(Action.KNOWN_GRADES_CHANGED, actor=actor, collection=collection, details=details)
    return len(rows)


def _grade(scale: Sequence[int], row: KnownGradeRow, use: str) -> int:
    if row.relevance not in map(str, scale):
        raise Refused(f"{row.where}relevance must be one of {', '.join(map(str, scale))}, not {shown(row.relevance)}.")
    if len(row.explanation) > LONGEST_EXPLANATION:
        raise Refused(f"{row.where}An explanation may have {LONGEST_EXPLANATION:,} characters.")
    if use == KnownGrade.Use.PRACTICE and not row.explanation:
        raise Refused(f"{row.where}A practice document needs an explanation, which assessors read after judging it.")
    return int(row.relevance)


def _tasks(collection: Collection, rows: Sequence[KnownGradeRow]) -> list[Task]:
    """Return the task of each row. A document that is not in the pool gets one."""
    topics = {topic.query_id: topic for topic in collection.topics.filter(query_id__in={row.query_id for row in rows})}
    documents = {
        document.doc_id: document
        for document in Document.objects.filter(
            collection=collection, doc_id__in={row.doc_id for row in rows}, content__isnull=False
        )
    }
    pooled = Task.objects.filter(topic__in=topics.values(), document__in=documents.values())
    tasks = {(task.topic_id, task.document_id): task for task in pooled}
    known, chosen = _existing(collection), []
    for row in rows:
        if row.query_id not in topics:
            raise Refused(f"{row.where}{collection} has no topic {shown(row.query_id)}.")
        if row.doc_id not in documents:
            raise Refused(f"{row.where}{collection} has no document {shown(row.doc_id)} with a text.")
        if (row.query_id, row.doc_id) in known:
            raise Refused(f"{row.where}Document {shown(row.doc_id)} has a known grade for topic {shown(row.query_id)}.")
        known.add((row.query_id, row.doc_id))
        topic, document = topics[row.query_id], documents[row.doc_id]
        task = tasks.get((topic.pk, document.pk))
        chosen.append(task or Task.objects.get_or_create(topic=topic, document=document)[0])
    return chosen


def _existing(collection: Collection) -> set[tuple[str, str]]:
    existing = KnownGrade.objects.filter(task__topic__collection=collection)
    return set(existing.values_list("task__topic__query_id", "task__document__doc_id"))


def remove_known_grade(collection: Collection, pk: int, actor: User | None = None) -> None:
    """Remove a known grade that nobody has judged yet. Assignments that wait for it go too."""
    with transaction.atomic():
        lock_active(collection)
        known = KnownGrade.objects.select_for_update().filter(task__topic__collection=collection, pk=pk).first()
        if known is None:
            raise Refused("This known grade was removed in the meantime.")
        kind = KINDS[KnownGrade.Use(known.use)]
        waiting = Assignment.objects.filter(task=known.task_id, repeat=kind)
        # A judgement locks its assignment first, so it is either seen here or finds no assignment.
        list(waiting.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
        if Judgement.objects.filter(task=known.task_id, repeat=kind).exists():
            raise Refused("Somebody has judged this document, so its known grade stays.")
        waiting.delete()
        known.delete()
        audit.record(Action.KNOWN_GRADES_CHANGED, actor=actor, collection=collection, details={"removed": 1})


def decided_rows(collection: Collection) -> list[KnownGradeRow]:
    """Return the documents with a decision and no known grade, with the adjudicator's comment as the explanation."""
    decisions = Judgement.objects.filter(
        task__topic__collection=collection,
        task__known_grade__isnull=True,
        task__document__content__isnull=False,
        repeat=JudgementKind.DECISION,
        state=State.JUDGED,
    )
    rows = decisions.order_by("task__topic", "task__document__doc_id").values_list(
        "task__topic__query_id", "task__document__doc_id", "relevance", "comment"
    )
    return [KnownGradeRow(query_id, doc_id, str(grade), comment) for query_id, doc_id, grade, comment in rows]
