"""Imports runs and topics.

Each import is one transaction. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from django.db import transaction

import pooling
from assess.collections import runfiles
from assess.collections.archive import lock_active
from assess.collections.score_precision import notes_on_precision
from assess.errors import Refused
from assess.models import Collection, Judgement, Run, Topic

Progress = Callable[[int], object] | None


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
        lock_active(collection)
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
        lock_active(collection)
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
