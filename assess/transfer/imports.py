"""Imports runs and topics.

Each import is one transaction. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction

import pooling
from assess.collections import runfiles
from assess.collections.archive import lock_active
from assess.collections.score_precision import notes_on_precision
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.long_work import about_to_save
from assess.models import Collection, ImportKind, ImportRecord, Judgement, Run, Topic
from assess.transfer.import_record import ImportedBy, SourceFile, as_source, file_details, save_record

Progress = Callable[[int], object] | None
TEXTS = ("title", "description", "narrative")


@dataclass
class Imported:
    """The result of an import: how many items were read, how many are new, and how many were imported before.

    `notes` are sentences for the user.
    """

    read: int = 0
    added: int = 0
    same: int = 0
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        return {"read": self.read, "added": self.added, "same": self.same}


class _ReadRun(NamedTuple):
    name: str
    row: Run


def import_runs(
    collection: Collection,
    files: Iterable[SourceFile | Path],
    system: str | None = None,
    progress: Progress = None,
    score_precision: str = Run.Precision.FLOAT64,
    by: ImportedBy | None = None,
) -> Imported:
    """Import run files, one system per file. A system that was imported before with the same lines is skipped.

    `score_precision` is stored with the runs; their files keep the scores as written.
    """
    if score_precision not in Run.Precision.values:
        allowed = ", ".join(Run.Precision.values)
        raise Refused(f"The score precision must be one of {allowed}, not {score_precision!r}.")
    sources = [as_source(file) for file in files]
    existing = {run.system: run for run in collection.runs.all()}
    new: dict[str, _ReadRun] = {}
    result = Imported()
    for source in sources:
        read = _read_run(collection, source, source.given_name or system, progress, score_precision)
        result.read += read.row.line_count
        _refuse_second_run(read, new.get(read.row.system), existing.get(read.row.system))
        if read.row.system in existing:
            result.same += 1
        else:
            new[read.row.system] = read
    result.added = len(new)
    record = {"files": file_details(sources), "options": {"score_precision": str(score_precision)}}
    _save_runs(collection, [read.row for read in new.values()], result, record, by or ImportedBy())
    if new:
        result.notes += notes_on_precision(list(collection.runs.all()))
    return result


def _save_runs(
    collection: Collection, runs: list[Run], result: Imported, record: dict[str, Any], by: ImportedBy
) -> None:
    with transaction.atomic():
        lock_active(collection)
        about_to_save()
        saved = save_record(collection, ImportKind.RUNS, by, counts=result.counts(), **record)
        for run in runs:
            run.import_record = saved
        Run.objects.bulk_create(runs)


def _read_run(
    collection: Collection, source: SourceFile, system: str | None, progress: Progress, score_precision: str
) -> _ReadRun:
    if system is not None and (problem := pooling.id_problem(system)):
        raise Refused(f"System {system!r} {problem}; {pooling.ALLOWED_ID}.")
    frame = pooling.read_run(source.path, system=system, name=source.name, progress=progress)
    if score_precision != Run.Precision.FLOAT64:  # refuses scores that are too large
        pooling.read_run(source.path, system=system, name=source.name, score_precision=score_precision)
    row = Run(
        collection=collection,
        system=frame["system"].iloc[0],
        source_checksum=runfiles.checksum_of(source.path),
        file_checksum=runfiles.store(frame),
        line_count=len(frame),
        topic_count=frame["query_id"].nunique(),
        score_precision=score_precision,
    )
    return _ReadRun(source.name, row)


def _refuse_second_run(read: _ReadRun, in_this_import: _ReadRun | None, existing: Run | None) -> None:
    if in_this_import:
        raise Refused(
            f"{read.name} and {in_this_import.name} are both runs of system {read.row.system}; a system has one run. "
            "Name systems after their files with --name-by-file, or one of them with --system."
        )
    if existing and not runfiles.same_lines(existing, read.row):
        raise Refused(
            f"{read.name} is a run of system {read.row.system}, which was imported with different content on "
            f"{existing.imported_at:%Y-%m-%d}. Rename the system with --system."
        )
    if existing and existing.score_precision != read.row.score_precision:
        raise Refused(
            f"{read.name} is a run of system {read.row.system}, which was imported with --score-precision "
            f"{existing.score_precision}, not {read.row.score_precision}. Rename the system with --system."
        )


def import_topics(
    collection: Collection, *files: SourceFile | Path, progress: Progress = None, by: ImportedBy | None = None
) -> Imported:
    """Import topics. A topic with changed texts is updated, unless documents have been judged for it."""
    sources = [as_source(file) for file in files]
    read = read_topic_files(sources, progress)
    details = file_details(sources)
    with transaction.atomic():
        lock_active(collection)
        existing = {topic.query_id: topic for topic in collection.topics.all()}
        new = [query_id for query_id in read if query_id not in existing]
        changed = changed_topics(read, existing)
        about_to_save()
        previous = {str(existing[query_id].pk): _texts(existing[query_id]) for query_id in changed}
        result = Imported(len(read), len(new), len(read) - len(new) - len(changed))
        record = save_record(
            collection,
            ImportKind.TOPICS,
            by or ImportedBy(),
            details,
            counts=result.counts() | {"updated": len(changed)},
            options={},
            previous=previous,
        )
        _save_topics(collection, record, {q: read[q][1] for q in new}, {existing[q]: read[q][1] for q in changed})
    if changed:
        result.notes.append(f"{len(changed)} topics had different texts and were updated.")
    return result


def read_topic_files(files: Iterable[SourceFile], progress: Progress = None) -> dict[str, tuple[str, dict[str, str]]]:
    """Return file and texts of each topic, by query_id. A topic that is in two files is refused."""
    read: dict[str, tuple[str, dict[str, str]]] = {}
    for file in files:
        for row in pooling.read_topics(file.path, name=file.name, progress=progress).to_dict("records"):
            if earlier := read.get(row["query_id"]):
                raise Refused(
                    f"Topic {row['query_id']!r} is in {earlier[0]} and in {file.name}; a query_id occurs once."
                )
            read[row["query_id"]] = file.name, {name: row[name] for name in TEXTS}
    return read


def changed_topics(read: Mapping[str, tuple[str, Mapping[str, str]]], existing: Mapping[str, Topic]) -> list[str]:
    """Return the query_ids whose texts would change. Raises Refused if documents have been judged for one of them."""
    changed = [
        query_id
        for query_id, (_, texts) in read.items()
        if query_id in existing and any(getattr(existing[query_id], name) != texts[name] for name in TEXTS)
    ]
    _refuse_judged_topics(read, [existing[query_id] for query_id in changed])
    return changed


def _texts(topic: Topic) -> dict[str, str]:
    return {name: getattr(topic, name) for name in TEXTS}


def _save_topics(
    collection: Collection,
    record: ImportRecord | None,
    new: Mapping[str, Mapping[str, str]],
    changed: Mapping[Topic, Mapping[str, str]],
) -> None:
    Topic.objects.bulk_create(
        [
            Topic(collection=collection, query_id=query_id, import_record=record, **texts)
            for query_id, texts in new.items()
        ],
        batch_size=BATCH,
    )
    for topic, texts in changed.items():
        for name in TEXTS:
            setattr(topic, name, texts[name])
    Topic.objects.bulk_update(changed, TEXTS, batch_size=BATCH)


def _refuse_judged_topics(read: Mapping[str, tuple[str, Any]], changed: list[Topic]) -> None:
    """Refuse new texts of a topic for which documents have been judged. `read` has the file of each topic."""
    judgements = Judgement.objects.filter(task__topic__in=changed)
    query_id = judgements.values_list("task__topic__query_id", flat=True).first()
    if query_id is not None:
        raise Refused(
            f"{read[query_id][0]}: the texts of topic {query_id} differ from the collection's, and the topic has "
            "judgements; nothing was changed. Remove the topic from the file, or give it another query_id."
        )
