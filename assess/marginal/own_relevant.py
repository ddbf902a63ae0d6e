"""The relevant documents that an assessor has seen in a topic: their own judgements, and nobody else's."""

from collections.abc import Collection as Collected
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber, Substr
from django.utils.crypto import salted_hmac

from assess.collections.scale import lowest_relevant_grade
from assess.documents.display import displayed_column, plain_text
from assess.models import Assignment, Collection, Judgement, JudgementKind, Member, State, TextFormat

KINDS = (JudgementKind.REGULAR, JudgementKind.CHECK)  # a hidden check looks like a regular document
READ = 1_000  # characters of a text, of which the beginning is shown
BEGINNING = 120
LISTED = 100  # documents of a topic that a page gets; it asks for others by their words


@dataclass
class RelevantDocuments:
    """The latest relevant documents of a topic, the first judged first, and how many were judged before them."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    older: int = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def relevant_documents(member: Member, topics: Iterable[int]) -> dict[int, RelevantDocuments]:
    """Return what the page lists for each topic.

    `task` is the assignment's public id. `document` is the same for a document and its hidden repeat, so that the page
    does not list a document next to itself.
    """
    listed = {topic: RelevantDocuments() for topic in topics}
    if not listed:
        return {}
    rows = _relevant(member, listed).annotate(
        number=Window(RowNumber(), partition_by="task__topic", order_by=("-judged_at", "-pk")),
        count=Window(Count("pk"), partition_by="task__topic"),
    )
    # The texts are read in a second query, so that the database numbers ids alone.
    keys = list(rows.filter(number__lte=LISTED).values_list("pk", "task__topic", "count"))
    for row in _described(Judgement.objects.filter(pk__in=[pk for pk, _, _ in keys])):
        listed[row["task__topic"]].documents.append(_listed(row, member.collection))
    for _, topic, count in keys:
        listed[topic].older = count - len(listed[topic].documents)
    return listed


def find_relevant_documents(member: Member, topic: int, words: str) -> list[dict[str, Any]]:
    """Return the latest relevant documents of a topic whose title and beginning contain all words, as on the list."""
    wanted = words.casefold().split()
    listed = [_listed(row, member.collection) for row in _described(_relevant(member, [topic]))]
    return [each for each in listed if _contains(each, wanted)][-LISTED:]


def _contains(listed: dict[str, Any], words: Iterable[str]) -> bool:
    """Whether a listed document contains all words, which are in lower case."""
    text = f"{listed['title']} {listed['beginning']}".casefold()
    return all(word in text for word in words)


def relevant_doc_ids(member: Member, besides: Assignment, named: Collected[UUID]) -> dict[UUID, str]:
    """Return the doc_ids of the named relevant documents of a topic by public id, without that of an assignment."""
    relevant = _relevant(member, [besides.topic_id]).filter(task=OuterRef("task"), repeat=OuterRef("repeat"))
    own = Assignment.objects.filter(member=member, topic=besides.topic_id, public_id__in=named)
    rows = own.exclude(task=besides.task_id).filter(Exists(relevant))
    return dict(rows.values_list("public_id", "task__document__doc_id"))


def _relevant(member: Member, topics: Iterable[int]) -> QuerySet[Judgement, Any]:
    """Return the member's judgements with a relevant grade that have an assignment."""
    own = Judgement.objects.filter(member=member, task__topic__in=topics, repeat__in=KINDS, state=State.JUDGED)
    relevant = own.filter(relevance__gte=lowest_relevant_grade(member.collection))
    return relevant.filter(Exists(_assignments()))


def _described(judgements: QuerySet[Judgement, Any]) -> QuerySet[Judgement, Any]:
    """Return the rows of what the page lists, the first judged first."""
    content = "task__document__content"
    rows: QuerySet[Judgement, Any] = judgements.values(
        *("task__topic", "task__document"),
        public_id=Subquery(_assignments().values("public_id")[:1]),
        doc_id=F("task__document__doc_id"),
        title=F(f"{content}__title"),
        format=F(f"{content}__format"),
        beginning=Substr(displayed_column(content), 1, READ),
    )
    return rows.order_by("judged_at", "pk")


def _assignments() -> QuerySet[Assignment]:
    """Return the assignment of each judgement of an outer query; an imported judgement has none."""
    return Assignment.objects.filter(member=OuterRef("member"), task=OuterRef("task"), repeat=OuterRef("repeat"))


def document_key(document: int) -> str:
    """Return a key for a document by which pages can compare cards, and which reveals no doc_id."""
    return salted_hmac("assess.marginal", str(document)).hexdigest()[:16]


def _listed(row: dict[str, Any], collection: Collection) -> dict[str, Any]:
    text = plain_text(row["beginning"] or "", row["format"] or TextFormat.PLAIN)
    return {
        "task": str(row["public_id"]),
        "document": document_key(row["task__document"]),
        "title": row["title"] or ("" if collection.hide_doc_ids else row["doc_id"]),
        "beginning": " ".join(text.split())[:BEGINNING],
    }
