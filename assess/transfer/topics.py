"""Imports topics: reads files, checks what an import would change, and saves it in one transaction.

If any of the input is invalid, nothing is imported. A topic with changed texts is updated, unless documents have been
judged for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction

import pooling
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.long_work import about_to_save
from assess.models import Collection, ImportKind, ImportRecord, Judgement, Topic
from assess.transfer.import_record import (
    Imported,
    ImportedBy,
    Progress,
    SourceFile,
    as_source,
    file_details,
    save_record,
)
from assess.transfer.options import ImportOptions
from assess.transfer.preview import Preview
from pooling.errors import FormatError
from pooling.words import count

TEXTS = ("title", "description", "narrative")


@dataclass(frozen=True)
class TopicOptions(ImportOptions):
    """Topics have no options."""


class ReadTopic(NamedTuple):
    """The texts of a topic, and the name of its file."""

    file: str
    texts: dict[str, str]


class Changes(NamedTuple):
    """The topics that an import would add, and those of the collection that would get other texts."""

    new: Mapping[str, ReadTopic]
    changed: Mapping[Topic, ReadTopic]


def import_topics(collection: Collection, *files: SourceFile | Path) -> Imported:
    """Import topics from files in any format of `pooling.topics`."""
    return import_files(collection, [as_source(file) for file in files], TopicOptions())


def import_files(
    collection: Collection,
    files: Sequence[SourceFile],
    _options: TopicOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Import topics, and say how many were updated."""
    notes: list[str] = []
    result = save(collection, read(files, progress, notes), file_details(files), by or ImportedBy())
    result.notes += notes
    return result


def read(
    files: Iterable[SourceFile], progress: Progress = None, notes: list[str] | None = None
) -> dict[str, ReadTopic]:
    """Return the topics of files, by query_id. A topic that is in two files is refused."""
    notes = [] if notes is None else notes
    topics: dict[str, ReadTopic] = {}
    for file in files:
        for row in pooling.read_topics(file.path, name=file.name, progress=progress, notes=notes).to_dict("records"):
            if earlier := topics.get(row["query_id"]):
                raise Refused(
                    f"Topic {row['query_id']!r} is in {earlier.file} and in {file.name}; a query_id occurs once."
                )
            topics[row["query_id"]] = ReadTopic(file.name, {name: row[name] for name in TEXTS})
    return topics


def changes_of(collection: Collection, topics: Mapping[str, ReadTopic]) -> Changes:
    """Compare topics with those of the collection. Raises Refused if the texts of a judged one would change."""
    existing = {topic.query_id: topic for topic in collection.topics.all()}
    new = {query_id: topic for query_id, topic in topics.items() if query_id not in existing}
    both = [(existing[query_id], topic) for query_id, topic in topics.items() if query_id in existing]
    changed = {topic: other for topic, other in both if _texts(topic) != other.texts}
    _refuse_judged(changed)
    return Changes(new, changed)


def check(preview: Preview, files: Sequence[SourceFile], _options: TopicOptions) -> None:
    """Say what an import would do, and let the other files of the preview refer to these topics."""
    valid = []
    for file in files:
        try:
            read([file], preview.progress)
            valid.append(file)
        except FormatError as error:
            preview.add_invalid_lines(file, ImportKind.TOPICS, error)
    topics = read(valid, notes=preview.check.sentences)  # refuses a topic that is in two files
    preview.query_order += topics
    known = len(topics.keys() & preview.query_ids)
    preview.query_ids |= topics.keys()
    for query_id, topic in topics.items():
        preview.contents.titles[query_id] = topic.texts["title"]
        preview.titles.setdefault(plain_title(topic.texts["title"]), []).append(query_id)
    changed = len(changes_of(preview.collection, topics).changed)
    sentence = (
        f"Topics: {count(len(topics), 'topic')}, {len(topics) - known:,} new, {known:,} in the collection already."
    )
    others = f" The texts of {changed:,} of them differ and will be replaced." if changed else ""
    preview.check.sentences.append(sentence + others)


def save(
    collection: Collection, topics: Mapping[str, ReadTopic], files: Sequence[Mapping[str, Any]], by: ImportedBy
) -> Imported:
    """Save topics in one transaction. `files` are the details of the files for the record."""
    with transaction.atomic():
        lock_active(collection)
        changes = changes_of(collection, topics)  # under the lock, so that nobody judges a topic that changes
        about_to_save()
        added, updated = len(changes.new), len(changes.changed)
        result = Imported(len(topics), added, len(topics) - added - updated)
        record = save_record(
            collection,
            ImportKind.TOPICS,
            by,
            files,
            counts=result.counts() | {"updated": updated},
            options={},
            previous={str(topic.pk): _texts(topic) for topic in changes.changed},
        )
        _write(collection, record, changes)
    if updated:
        result.notes.append(f"Updated {count(updated, 'topic')} with different texts.")
    return result


def _write(collection: Collection, record: ImportRecord | None, changes: Changes) -> None:
    new = [
        Topic(collection=collection, query_id=query_id, import_record=record, **topic.texts)
        for query_id, topic in changes.new.items()
    ]
    Topic.objects.bulk_create(new, batch_size=BATCH)
    for topic, other in changes.changed.items():
        for name in TEXTS:
            setattr(topic, name, other.texts[name])
    Topic.objects.bulk_update(changes.changed, TEXTS, batch_size=BATCH)


def _texts(topic: Topic) -> dict[str, str]:
    return {name: getattr(topic, name) for name in TEXTS}


def _refuse_judged(changed: Mapping[Topic, ReadTopic]) -> None:
    """Refuse new texts of a topic for which documents have been judged."""
    files = {topic.query_id: other.file for topic, other in changed.items()}
    judgements = Judgement.objects.filter(task__topic__in=changed)
    query_id = judgements.values_list("task__topic__query_id", flat=True).first()
    if query_id is not None:
        raise Refused(
            f"{files[query_id]}: the texts of topic {query_id} differ from the collection's, and the topic has "
            "judgements; nothing was changed. Remove the topic from the file, or give it another query_id."
        )


def plain_title(title: str) -> str:
    """A title for comparisons: capital letters and white space make no difference."""
    return " ".join(title.casefold().split())
