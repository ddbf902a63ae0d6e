"""Finds topics, runs, documents and people of a collection by a part of their ids, titles or names."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from assess.models import Collection, Member, Run, Task, Topic

MOST = 8  # of each kind
MAX_LENGTH = 200


@dataclass(frozen=True)
class Found:
    """`view` and `key` lead to its page: a name in the URLs of researchers, and what follows the slug."""

    kind: str
    label: str
    detail: str
    view: str
    key: int | None = None


def find(collection: Collection, text: str) -> list[Found]:
    """Return what contains the text, at most eight of each kind. Documents are found by the beginning of their ids."""
    text = text.strip()[:MAX_LENGTH]
    if not text:
        return []
    return [
        *_topics(collection, text),
        *_runs(collection, text),
        *_people(collection, text),
        *_documents(collection, text),
    ]


def _topics(collection: Collection, text: str) -> Iterator[Found]:
    rows = Topic.objects.filter(Q(query_id__icontains=text) | Q(title__icontains=text), collection=collection)
    for topic in rows.order_by("pk")[:MOST]:
        yield Found("topic", topic.query_id, topic.title, "topics")


def _runs(collection: Collection, text: str) -> Iterator[Found]:
    for run in Run.objects.filter(collection=collection, system__icontains=text).order_by("system")[:MOST]:
        yield Found("run", run.system, "", "runs")


def _people(collection: Collection, text: str) -> Iterator[Found]:
    rows = Member.objects.filter(collection=collection, name__icontains=text).select_related("imported_judge")
    for member in rows.order_by("name")[:MOST]:
        view = "person" if member.user_id else "people"
        yield Found("judge", member.name, member.get_role_display(), view, member.pk if member.user_id else None)


def _documents(collection: Collection, text: str) -> Iterator[Found]:
    rows = Task.objects.filter(topic__collection=collection, document__doc_id__startswith=text)
    for task in rows.select_related("topic", "document").order_by("document__doc_id", "topic")[:MOST]:
        yield Found("document", task.document.doc_id, f"topic {task.topic.query_id}", "document", task.pk)
