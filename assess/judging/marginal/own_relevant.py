"""The relevant documents that an assessor has seen in a topic: their own judgements, and nobody else's."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Substr
from django.utils.crypto import salted_hmac

from assess.collections.scale import lowest_relevant_grade
from assess.documents.display import displayed_column, plain_text
from assess.models import Assignment, Collection, Judgement, JudgementKind, Member, State, TextFormat

KINDS = (JudgementKind.REGULAR, JudgementKind.CHECK)  # a hidden check looks like a regular document
READ = 1_000  # characters of a text, of which the beginning is shown
BEGINNING = 120

Listed = dict[int, list[dict[str, Any]]]


def relevant_documents(member: Member, topics: Iterable[int]) -> Listed:
    """Return what the page lists for each topic, the first judged first.

    `task` is the assignment's public id. `document` is the same for a document and its hidden repeat, so that the page
    does not list a document next to itself.
    """
    listed: Listed = {topic: [] for topic in topics}
    content = "task__document__content"
    rows = _relevant(member, listed).values(
        *("task__topic", "task__document"),
        public_id=_public_id(),
        doc_id=F("task__document__doc_id"),
        title=F(f"{content}__title"),
        format=F(f"{content}__format"),
        beginning=Substr(displayed_column(content), 1, READ),
    )
    for row in rows.order_by("judged_at", "pk"):
        listed[row["task__topic"]].append(_listed(row, member.collection))
    return listed


def relevant_doc_ids(member: Member, besides: Assignment) -> dict[UUID, str]:
    """Return the doc_ids of the relevant documents of a topic, without that of an assignment, by public id."""
    own = _relevant(member, [besides.topic_id]).exclude(task=besides.task_id)
    return dict(own.annotate(public_id=_public_id()).values_list("public_id", "task__document__doc_id"))


def _relevant(member: Member, topics: Iterable[int]) -> QuerySet[Judgement, Any]:
    """Return the member's judgements with a relevant grade that have an assignment."""
    own = Judgement.objects.filter(member=member, task__topic__in=topics, repeat__in=KINDS, state=State.JUDGED)
    relevant = own.filter(relevance__gte=lowest_relevant_grade(member.collection))
    return relevant.filter(Exists(_assignments()))


def _assignments() -> QuerySet[Assignment]:
    """Return the assignment of each judgement of an outer query; an imported judgement has none."""
    return Assignment.objects.filter(member=OuterRef("member"), task=OuterRef("task"), repeat=OuterRef("repeat"))


def _public_id() -> Subquery:
    return Subquery(_assignments().values("public_id")[:1])


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
