"""Imports runs, topics and documents.

Each import is one transaction. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

import pooling
from assess.collections import runfiles
from assess.collections.score_precision import notes_on_precision
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Collection, Document, Judgement, Run, TextFormat, Topic

Progress = Callable[[int], object] | None
ExistingDocuments = dict[str, tuple[int | None, bool]]  # doc_id -> primary key, whether the text is missing


@dataclass
class Imported:
    """The result of an import: how many items were read, how many are new, and how many were imported before.

    `notes` are sentences for the user.
    """

    read: int = 0
    added: int = 0
    same: int = 0
    notes: list[str] = field(default_factory=list)


class _ReadRun(NamedTuple):
    path: Path
    row: Run


def import_runs(
    collection: Collection,
    paths: Iterable[Path],
    system: str | None = None,
    progress: Progress = None,
    score_precision: str = Run.Precision.FLOAT64,
) -> Imported:
    """Import run files, one system per file. A system that was imported before with the same lines is skipped.

    `score_precision` is stored with the runs; their files keep the scores as written.
    """
    if score_precision not in Run.Precision.values:
        allowed = ", ".join(Run.Precision.values)
        raise Refused(f"The score precision must be one of {allowed}, not {score_precision!r}.")
    if system is not None and (problem := pooling.id_problem(system)):
        raise Refused(f"System {system!r} {problem}; {pooling.ALLOWED_ID}.")
    existing = {run.system: run for run in collection.runs.all()}
    new: dict[str, _ReadRun] = {}
    result = Imported()
    for path in paths:
        read = _read_run(collection, path, system, progress, score_precision)
        result.read += read.row.line_count
        _refuse_second_run(read, new.get(read.row.system), existing.get(read.row.system))
        if read.row.system in existing:
            result.same += 1
        else:
            new[read.row.system] = read
    with transaction.atomic():
        Run.objects.bulk_create(read.row for read in new.values())
    result.added = len(new)
    if new:
        result.notes += notes_on_precision(list(collection.runs.all()))
    return result


def _read_run(
    collection: Collection, path: Path, system: str | None, progress: Progress, score_precision: str
) -> _ReadRun:
    frame = pooling.read_run(path, system=system, progress=progress)
    if score_precision != Run.Precision.FLOAT64:
        pooling.read_run(path, system=system, score_precision=score_precision)  # refuses scores that are too large
    row = Run(
        collection=collection,
        system=frame["system"].iloc[0],
        source_checksum=runfiles.checksum_of(path),
        file_checksum=runfiles.store(frame),
        line_count=len(frame),
        topic_count=frame["query_id"].nunique(),
        score_precision=score_precision,
    )
    return _ReadRun(path, row)


def _refuse_second_run(read: _ReadRun, in_this_import: _ReadRun | None, existing: Run | None) -> None:
    if in_this_import:
        raise Refused(
            f"{read.path} and {in_this_import.path} are both runs of system {read.row.system}; a system has one run. "
            "Import one of them separately and rename its system with --system."
        )
    if existing and not runfiles.same_lines(existing, read.row):
        raise Refused(
            f"{read.path} is a run of system {read.row.system}, which was imported with different content on "
            f"{existing.imported_at:%Y-%m-%d}. Rename the system with --system."
        )
    if existing and existing.score_precision != read.row.score_precision:
        raise Refused(
            f"{read.path} is a run of system {read.row.system}, which was imported with --score-precision "
            f"{existing.score_precision}, not {read.row.score_precision}. Rename the system with --system."
        )


def import_topics(collection: Collection, path: Path) -> Imported:
    """Import topics. A topic with changed texts is updated, unless documents have been judged for it."""
    frame = pooling.read_topics(path)
    existing = {topic.query_id: topic for topic in collection.topics.all()}
    new, changed = [], []
    for row in frame.to_dict("records"):
        texts = {name: row[name] for name in ("title", "description", "narrative")}
        topic = existing.get(row["query_id"])
        if topic is None:
            new.append(Topic(collection=collection, query_id=row["query_id"], **texts))
        elif any(getattr(topic, name) != text for name, text in texts.items()):
            for name, text in texts.items():
                setattr(topic, name, text)
            changed.append(topic)
    _refuse_judged_topics(path, changed)
    with transaction.atomic():
        Topic.objects.bulk_create(new)
        Topic.objects.bulk_update(changed, ["title", "description", "narrative"])
    notes = [f"{len(changed)} topics had different texts and were updated."] if changed else []
    return Imported(len(frame), len(new), len(frame) - len(new) - len(changed), notes)


def _refuse_judged_topics(path: Path, changed: list[Topic]) -> None:
    judgements = Judgement.objects.filter(task__topic__in=changed)
    query_id = judgements.values_list("task__topic__query_id", flat=True).first()
    if query_id is not None:
        raise Refused(
            f"{path}: the texts of topic {query_id} differ from the collection's, and the topic has judgements; "
            "nothing was changed. Remove the topic from the file, or give it another query_id."
        )


def import_documents(
    collection: Collection,
    documents: Iterable[pooling.Document],
    keep_all: bool = False,
    text_format: str = TextFormat.PLAIN,
) -> Imported:
    """Import the texts of pooled documents that have none yet. With `keep_all`, import every document.

    `text_format` is required to show HTML, because a text that contains tags may be plain text about HTML.
    """
    if text_format not in TextFormat.values:
        raise Refused(f"Format must be one of {', '.join(TextFormat.values)}, not {text_format!r}.")
    rows = collection.documents.annotate(lacks_text=Q(text__isnull=True)).values_list("doc_id", "pk", "lacks_text")
    existing: ExistingDocuments = {doc_id: (pk, lacks_text) for doc_id, pk, lacks_text in rows}
    if not existing and not keep_all:
        raise Refused(
            f"{collection} has no pool yet, so no document would be kept. Build the pool first, or keep every document "
            "with --all."
        )
    result = Imported()
    new: Iterable[pooling.Document] = _select_new(documents, existing, keep_all, result)
    if not keep_all:
        new = list(new)  # read all files before the transaction locks the database
    with transaction.atomic():
        for batch in _batches(new):
            _write_documents(collection, batch, existing, text_format)
            result.added += len(batch)
    if result.same:
        result.notes.append(f"{result.same:,} documents already had a text, which was kept.")
    if not_kept := result.read - result.added - result.same:
        result.notes.append(
            f"{not_kept:,} documents are not in the pool and were not kept; --all keeps every document."
        )
    return result


def _select_new(
    documents: Iterable[pooling.Document], existing: ExistingDocuments, keep_all: bool, result: Imported
) -> Iterator[pooling.Document]:
    """Yield the documents to write. If a doc_id occurs twice, in one import or in two, the first text is kept."""
    for document in documents:
        result.read += 1
        pk, lacks_text = existing.get(document.doc_id, (None, True))
        if not lacks_text:
            result.same += 1
        elif pk or keep_all:
            existing[document.doc_id] = pk, False
            yield document


def _batches(documents: Iterable[pooling.Document]) -> Iterator[list[pooling.Document]]:
    iterator = iter(documents)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _write_documents(
    collection: Collection, batch: list[pooling.Document], existing: ExistingDocuments, text_format: str
) -> None:
    rows = [
        Document(
            pk=existing[document.doc_id][0],
            collection=collection,
            doc_id=document.doc_id,
            title=document.title,
            text=document.text,
            format=text_format,
            metadata=document.metadata,
        )
        for document in batch
    ]
    Document.objects.bulk_create([row for row in rows if row.pk is None])
    updated = [row for row in rows if row.pk is not None]
    Document.objects.bulk_update(updated, ["title", "text", "format", "metadata"], 200)
