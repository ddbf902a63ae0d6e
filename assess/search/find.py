"""Searches the documents of a collection, records the search, and returns its results.

A search is recorded with its results. So all its pages show the same list, and the rank of a result stays what it was
when the searcher opened it. Nothing here reads runs, the pool, or judgements of others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Substr

from assess.collections.archive import lock_active
from assess.documents.display import displayed_column
from assess.errors import Refused
from assess.models import Document, Judgement, Member, Search, State, Topic
from assess.search.engines import engine
from assess.search.grammar import parse, phrases_in
from assess.search.index import ready_index
from assess.search.snippets import LONGEST_TITLE, SEARCHED, Fragment, marked_snippet, marked_title

MOST_RESULTS = 200  # of one search
PER_PAGE = 20
SECONDS = 5  # for one search, while the searcher waits


@dataclass(frozen=True)
class Result:
    """One result on a page. `state` and `relevance` are those of the searcher's own judgement."""

    rank: int
    doc_id: str
    title: list[Fragment]
    snippet: list[Fragment]
    is_opened: bool
    state: str
    relevance: int | None


def search(member: Member, topic: Topic, query: str) -> Search:
    """Search for a topic, and record it. Refused if the query cannot be read, or if there is no index."""
    tree = parse(query)
    index = ready_index(member.collection)
    if index is None:
        raise Refused("The documents are not indexed yet, so they cannot be searched. Ask the researchers.")
    documents, matched = engine().matches(index.table, tree, MOST_RESULTS, SECONDS)
    with transaction.atomic():
        # Only now: a search takes up to SECONDS, and others wait for this lock.
        lock_active(member.collection)
        return Search.objects.create(
            member=member,
            topic=topic,
            query=query,
            documents=_existing(documents),
            matched=matched,
            was_complete=index.is_complete,
        )


def _existing(documents: Sequence[int]) -> list[int]:
    """Return the documents that have a text; the index may be older than their deletion."""
    kept = set(Document.objects.filter(pk__in=documents, content__isnull=False).values_list("pk", flat=True))
    return [key for key in documents if key in kept]


def results_page(recorded: Search, page: int) -> list[Result]:
    """Return the results of a page, which are counted from 1."""
    keys = recorded.documents[(page - 1) * PER_PAGE : page * PER_PAGE]
    phrases = list(dict.fromkeys(phrases_in(parse(recorded.query))))
    texts = _texts(keys)
    opened = set(recorded.opened.filter(document__in=keys).values_list("document", flat=True))
    judged = _judged(recorded, keys)
    hides_ids = recorded.member.collection.hide_doc_ids
    results = []
    for rank, key in enumerate(keys, start=(page - 1) * PER_PAGE + 1):
        if (document := texts.get(key)) is None:
            continue
        state, relevance = judged.get(key, ("", None))
        results.append(
            Result(
                rank=rank,
                doc_id="" if hides_ids else document["doc_id"],
                title=marked_title(document["title"], phrases),
                snippet=marked_snippet(document["beginning"], document["format"], phrases),
                is_opened=key in opened,
                state="" if state == State.UNDONE else state,
                relevance=relevance,
            )
        )
    return results


def _texts(keys: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the beginnings of the documents that still have a text, by primary key. Texts may be large."""
    documents = Document.objects.filter(pk__in=keys, content__isnull=False).values(
        "pk",
        "doc_id",
        title=Substr("content__title", 1, LONGEST_TITLE),
        beginning=Substr(displayed_column("content"), 1, SEARCHED),
        format=F("content__format"),
    )
    return {document["pk"]: dict(document) for document in documents}


def _judged(recorded: Search, keys: Sequence[int]) -> dict[int, tuple[str, int | None]]:
    """Return the searcher's own judgements: state and grade, by the primary key of the document."""
    judgements = Judgement.objects.filter(
        member=recorded.member_id, task__topic=recorded.topic_id, task__document__in=keys, repeat=0
    )
    rows = judgements.values_list("task__document", "state", "relevance")
    return {document: (state, relevance) for document, state, relevance in rows}


def page_count(recorded: Search) -> int:
    return max(1, -(-len(recorded.documents) // PER_PAGE))
