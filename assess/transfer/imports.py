"""Files into the collection: everything is read and checked, then one transaction writes all of it or nothing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

import pooling
from assess.collections import runfiles
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Collection, Document, Judgement, Run, TextFormat, Topic

Progress = Callable[[int], object] | None


@dataclass
class Imported:
    """What an import read and what it changed. `notes` are sentences for the person who asked."""

    read: int = 0
    added: int = 0
    same: int = 0
    notes: list[str] = field(default_factory=list)


class _ReadRun(NamedTuple):
    path: Path
    row: Run


def import_runs(
    collection: Collection, paths: Iterable[Path], system: str | None = None, progress: Progress = None
) -> Imported:
    """Import run files, one system each. A system that is there with the same content changes nothing."""
    if system is not None and (problem := pooling.id_problem(system)):
        raise Refused(f"System {system!r} {problem}; {pooling.ALLOWED_ID}.")
    there = {run.system: run for run in collection.runs.all()}
    done, new = Imported(), {}
    for path in paths:
        read = _read_run(collection, path, system, progress)
        done.read += read.row.line_count
        _refuse_second_run(read, new.get(read.row.system), there.get(read.row.system))
        if read.row.system in there:
            done.same += 1
        else:
            new[read.row.system] = read
    with transaction.atomic():
        Run.objects.bulk_create(read.row for read in new.values())
    done.added = len(new)
    return done


def _read_run(collection: Collection, path: Path, system: str | None, progress: Progress) -> _ReadRun:
    frame = pooling.read_run(path, system=system, progress=progress)
    row = Run(
        collection=collection,
        system=frame["system"].iloc[0],
        source_checksum=runfiles.checksum_of(path),
        file_checksum=runfiles.store(frame),
        line_count=len(frame),
        topic_count=frame["query_id"].nunique(),
    )
    return _ReadRun(path, row)


def _refuse_second_run(read: _ReadRun, in_this_import: _ReadRun | None, there: Run | None) -> None:
    if in_this_import:
        raise Refused(
            f"{read.path} and {in_this_import.path} are both of system {read.row.system}; a system has one run. "
            "Import one of them alone with --system and another name."
        )
    if there and not runfiles.same_lines(there, read.row):
        raise Refused(
            f"{read.path} is of system {read.row.system}, which is already here with other lines "
            f"(imported {there.imported_at:%Y-%m-%d}); give it another name with --system."
        )


def import_topics(collection: Collection, path: Path) -> Imported:
    """Import topics. A topic whose text changed is updated as long as nobody has judged in it."""
    frame = pooling.read_topics(path)
    there = {topic.query_id: topic for topic in collection.topics.all()}
    new, changed = [], []
    for row in frame.itertuples(index=False):
        texts = {"title": row.title, "description": row.description, "narrative": row.narrative}
        topic = there.get(row.query_id)
        if topic is None:
            new.append(Topic(collection=collection, query_id=row.query_id, **texts))
        elif any(getattr(topic, name) != text for name, text in texts.items()):
            for name, text in texts.items():
                setattr(topic, name, text)
            changed.append(topic)
    _refuse_judged(path, changed)
    with transaction.atomic():
        Topic.objects.bulk_create(new)
        Topic.objects.bulk_update(changed, ["title", "description", "narrative"])
    notes = [f"{len(changed)} topics had other texts and were updated."] if changed else []
    return Imported(len(frame), len(new), len(frame) - len(new) - len(changed), notes)


def _refuse_judged(path: Path, changed: list[Topic]) -> None:
    judged = Judgement.objects.filter(task__topic__in=changed).values_list("task__topic__query_id", flat=True).first()
    if judged is not None:
        raise Refused(
            f"{path}: topic {judged} has other texts here, and was judged with those; nothing was changed. "
            "Leave it out, or give it another query_id."
        )


def import_documents(
    collection: Collection,
    found: Iterable[pooling.Document],
    keep_all: bool = False,
    text_format: str = TextFormat.PLAIN,
) -> Imported:
    """Import documents: texts for the pooled ones that lack it, or every document with `keep_all`.

    Nothing in a text tells whether it is HTML or about HTML, so whoever imports says `text_format`.
    """
    if text_format not in TextFormat.values:
        raise Refused(f"Format {text_format!r} is not known; it is one of {', '.join(TextFormat.values)}.")
    rows = collection.documents.annotate(lacks_text=Q(text__isnull=True)).values_list("doc_id", "pk", "lacks_text")
    there = {doc_id: (pk, lacks_text) for doc_id, pk, lacks_text in rows}
    if not there and not keep_all:
        raise Refused(
            f"{collection} has no pool yet, so no document would be kept; build the pool first and import the "
            "documents then, or keep every document with --all."
        )
    done = Imported()
    wanted = _wanted(found, there, keep_all, done)
    if not keep_all:
        wanted = list(wanted)  # read to the end before the database is locked
    with transaction.atomic():
        for batch in _batches(wanted):
            _write_documents(collection, batch, there, text_format)
            done.added += len(batch)
    if done.same:
        done.notes.append(f"{done.same:,} documents had their text already and were left as they are.")
    if not_kept := done.read - done.added - done.same:
        done.notes.append(f"{not_kept:,} documents are not in the pool and were not kept; --all keeps every document.")
    return done


def _wanted(found: Iterable, there: dict, keep_all: bool, done: Imported) -> Iterator:
    """What is to be written. The first text of a doc_id stays, in one file after the other as in one import."""
    for document in found:
        done.read += 1
        pk, lacks_text = there.get(document.doc_id, (None, True))
        if not lacks_text:
            done.same += 1
        elif pk or keep_all:
            there[document.doc_id] = pk, False
            yield document


def _batches(items: Iterable) -> Iterator[list]:
    items = iter(items)
    while batch := list(islice(items, BATCH)):
        yield batch


def _write_documents(collection: Collection, batch: list, there: dict, text_format: str) -> None:
    rows = [
        Document(
            pk=there[document.doc_id][0],
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
    known = [row for row in rows if row.pk is not None]
    Document.objects.bulk_update(known, ["title", "text", "format", "metadata"], 200)
