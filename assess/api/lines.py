"""Whole lists as NDJSON (`application/x-ndjson`): one JSON object in each line, in constant memory.

A row of topics, runs and documents is that of the list in pages. Rows are in the order in which they were added.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router
from ninja.responses import NinjaJSONEncoder

from assess import audit
from assess.access import READERS, RESEARCHERS
from assess.api.contents import shown_document, shown_run, shown_topic
from assess.api.members import member_of, user_of
from assess.api.results import LONGEST_RULE, GoldChoices, JudgementChoices
from assess.collections.topic_sets import topics_in_set
from assess.lib.blocks import blocks
from assess.models import Document, Run, Task, Topic

router = Router(tags=["whole lists"])
NDJSON = "application/x-ndjson"


@router.get("/collections/{slug}/ndjson/topics", response={200: str})
def topic_lines(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All topics."""
    return _shown(Topic.objects.filter(collection=member_of(request, slug, READERS).collection), shown_topic)


@router.get("/collections/{slug}/ndjson/runs", response={200: str})
def run_lines(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All runs."""
    return _shown(Run.objects.filter(collection=member_of(request, slug, READERS).collection), shown_run)


@router.get("/collections/{slug}/ndjson/documents", response={200: str})
def document_lines(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All documents of the pool and of judgements, without their texts."""
    return _shown(Document.objects.filter(collection=member_of(request, slug, RESEARCHERS).collection), shown_document)


@router.get("/collections/{slug}/ndjson/tasks", response={200: str})
def task_lines(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All pooled documents: with claims, how many assessors each needs and has; its systems and its best rank."""
    collection = member_of(request, slug, RESEARCHERS).collection
    pooled = Task.objects.filter(topic__collection=collection, provenance__isnull=False)
    return _shown(pooled.select_related("topic", "document", "provenance"), _shown_task)


@router.get("/collections/{slug}/ndjson/judgements", response={200: str})
def judgement_lines(request: HttpRequest, slug: str, choices: Query[JudgementChoices]) -> StreamingHttpResponse:
    """The judgements, with the columns of the CSV file. The export is recorded in the audit log."""
    from assess.transfer.exports import judgement_records, record_export

    collection = member_of(request, slug, RESEARCHERS).collection
    topics_in_set(collection, choices.set)  # refuses an unknown set, before the export is recorded
    record_export(collection, audit.judgements_subject(choices.set), user_of(request), choices.withdrawn)
    return ndjson(judgement_records(collection, choices.set, choices.withdrawn))


@router.get("/collections/{slug}/ndjson/golds/{rule}", response={200: str})
def gold_lines(request: HttpRequest, slug: str, rule: str, choices: Query[GoldChoices]) -> StreamingHttpResponse:
    """The grades of a gold, which is computed first; binary with `rel`. The export is recorded in the audit log."""
    from assess.transfer.exports import gold_to_export, record_export

    collection = member_of(request, slug, RESEARCHERS).collection
    gold = gold_to_export(collection, rule[:LONGEST_RULE], choices.rel, choices.set)
    record_export(collection, audit.qrels_subject(rule), user_of(request))
    names = ["query_id", "doc_id", "relevance"]
    columns = (gold[name].tolist() for name in names)
    return ndjson(dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _shown_task(task: Task) -> dict[str, Any]:
    return {
        "query_id": task.topic.query_id,
        "doc_id": task.document.doc_id,
        "wanted": task.wanted,
        "taken": task.taken,
        "systems": task.provenance.systems,
        "best_rank": task.provenance.best_rank,
    }


def _shown(rows: QuerySet[Any], shown: Callable[[Any], dict[str, Any]]) -> StreamingHttpResponse:
    return ndjson(shown(row) for block in blocks(rows) for row in block)


def ndjson(rows: Iterable[dict[str, Any]]) -> StreamingHttpResponse:
    """Return a response of one JSON object in each line."""
    return StreamingHttpResponse(_lines(rows), content_type=NDJSON)


def _lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":"), cls=NinjaJSONEncoder) + "\n"
