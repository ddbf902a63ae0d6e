"""Searches the documents of a collection, records the search, and returns its results.

A search is recorded with its results. So all its pages show the same list, and the rank of a result stays what it was
when the searcher opened it. Nothing here reads runs, the pool, or judgements of others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assess.errors import Refused
from assess.models import Document, Judgement, Member, Search, State, Topic
from assess.search.engines import engine
from assess.search.grammar import parse, phrases_in
from assess.search.index import ready_index
from assess.search.snippets import Fragment, marked_snippet, marked_title

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


def results_page(made: Search, page: int) -> list[Result]:
    """Return the results of a page, which are counted from 1."""
    keys = made.documents[(page - 1) * PER_PAGE : page * PER_PAGE]
    phrases = list(phrases_in(parse(made.query)))
    documents = Document.objects.filter(pk__in=keys, content__isnull=False).select_related("content").in_bulk()
    opened = set(made.opened.filter(document__in=keys).values_list("document", flat=True))
    own = Judgement.objects.filter(member=made.member_id, task__topic=made.topic_id, task__document__in=keys, repeat=0)
    judged = {row[0]: row[1:] for row in own.values_list("task__document", "state", "relevance")}
    hides_ids = made.member.collection.hide_doc_ids
    results = []
    for rank, key in enumerate(keys, start=(page - 1) * PER_PAGE + 1):
        if (document := documents.get(key)) is None or document.content is None:
            continue
        state, relevance = judged.get(key, ("", None))
        results.append(
            Result(
                rank=rank,
                doc_id="" if hides_ids else document.doc_id,
                title=marked_title(document.content, phrases),
                snippet=marked_snippet(document.content, phrases),
                is_opened=key in opened,
                state="" if state == State.UNDONE else state,
                relevance=relevance,
            )
        )
    return results


def page_count(made: Search) -> int:
    return max(1, -(-len(made.documents) // PER_PAGE))
