"""Background jobs of a collection: starting them, their progress and result, and cancelling them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.jobs import queue, workers
from assess.jobs.kinds import KINDS
from assess.models import Job, Member


@require_safe
@member_view(RESEARCHERS)
def job(request: HttpRequest, member: Member, job_id: UUID) -> HttpResponse:
    """The progress or the result of a job. The page asks for itself again until the job has ended."""
    shown = _job(member, job_id)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "collection",
        "job": shown,
        "label": KINDS[shown.kind].label,
        "sentences": RESULTS[shown.kind](shown.result) if shown.result else [],
        "has_worker": workers.is_running(),
    }
    return render(request, "research/job.html", page)


@require_POST
@member_view(RESEARCHERS)
def cancel_job(_request: HttpRequest, member: Member, job_id: UUID) -> HttpResponse:
    """Cancel a job. If it has ended in the meantime, its page shows the result."""
    cancelled = _job(member, job_id)
    queue.cancel(cancelled)
    return _page_of(cancelled, member)


def _job(member: Member, job_id: UUID) -> Job:
    return get_object_or_404(member.collection.jobs.select_related("user"), public_id=job_id)


def _page_of(shown: Job, member: Member) -> HttpResponse:
    return redirect("research:job", member.collection.slug, shown.public_id)


def _pool_sentences(result: dict[str, Any]) -> list[str]:
    sentences = [f"The pool has {result['pooled']:,} topic-document pairs, {result['added']:,} of them new."]
    if "description" in result:  # jobs of earlier versions lack it
        sentences.append(f"Its last part comes from {result['description']}.")
    sentences += result["notes"]
    if without := result["topics_without_pool"]:
        sentences.append(f"No run retrieved a document for {len(without):,} topics: {_some(without)}.")
    if unknown := result["query_ids_without_topic"]:
        sentences.append(f"{len(unknown):,} topics of the runs are not in this collection: {_some(unknown)}.")
    if result["without_text"]:
        sentences.append(f"{result['without_text']:,} pooled documents have no text yet.")
    return sentences


def _some(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def _assign_sentences(result: dict[str, Any]) -> list[str]:
    return [f"Created {result['added']:,} assignments of {result['tasks']:,} tasks to {result['assessors']} assessors."]


def _preview_sentences(result: dict[str, Any]) -> list[str]:
    documents = sum(topic["size"] for topic in result["topics"])
    return [
        f"{result['description']}: {documents:,} documents in {len(result['topics']):,} topics.",
        "The page “Pool” shows the whole preview for the same strategy and parameters, and builds this pool.",
    ]


RESULTS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "build_pool": _pool_sentences,
    "preview_pool": _preview_sentences,
    "assign": _assign_sentences,
}
