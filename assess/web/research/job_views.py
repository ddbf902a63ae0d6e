"""Background jobs of a collection: starting them, their progress and result, and cancelling them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.asking.ask import result_sentence as asked_sentence
from assess.engines.ask import result_sentence
from assess.jobs import queue, workers
from assess.jobs.kinds import KINDS
from assess.judging.rules import changed_sentences
from assess.living.judge_again import JudgeAgainResult
from assess.models import ImportKind, Job, Member
from assess.people.removal import Removal, Replacement
from assess.pools.building.undo import UndoResult, undone_sentence
from assess.pools.learning.state import begun_sentences, trained_sentence
from assess.pools.reassign import ReassignResult
from assess.pools.samples.draw import DrawResult, drawn_sentence
from assess.pools.unassign import unassigned_sentence
from assess.web.research.job_undo import undo_of
from assess.web.research.work.forms import preview_query
from assess.work.reassigning import moves_sentence
from pooling.words import count, first_names, number_range

# The page of the navigation to which a kind of job belongs, if not to imports or to the overview.
AREAS = {
    "build_pool": "pool",
    "preview_pool": "pool",
    "undo_pool": "pool",
    "assign": "work",
    **dict.fromkeys(("preview_assign", "draw_sample"), "work"),
    "reassign": "work",
    "replace_member": "people",
    "preview_reassign": "work",
    "unassign": "work",
    **dict.fromkeys(("change_rules", "begin_learning", "train"), "judging"),
    "check_files": "import",
    "adjudicate": "adjudication",
    "judge_again": "work",
    "release": "releases",
    "find_duplicates": "near_duplicates",
    **dict.fromkeys(("make_baselines", "ask_engine", "preview_engine", "top_up", "find_conclusions"), "runs"),
    **dict.fromkeys(("ask_model", "try_model"), "asking"),
    **dict.fromkeys(("index", "search_report"), "search"),
    "reveal": "agreement",
    **dict.fromkeys(("prepare_runs", "document_leverage"), "documents"),
}
AREA_NAMES = {
    "people": "the people",
    "import": "the imports",
    "pool": "the pool",
    "work": "the work",
    "near_duplicates": "the near-duplicates",
    "search": "the search",
    "baselines": "the baseline runs",
    "adjudication": "the adjudications",
    "releases": "the releases",
    "asking": "the model judges",
}


ITEMS = {"pool": "pooled document", "scale": "grade"}  # of imports whose kind does not name them

# Jobs that only compute figures.
FIGURES = [kind for kind in KINDS if kind.partition("_")[0] in ("agreement", "shift")]
AREAS |= {kind: kind.partition("_")[0] for kind in FIGURES}


@require_safe
@member_view(RESEARCHERS)
def job(request: HttpRequest, member: Member, job_id: UUID) -> HttpResponse:
    """The progress or the result of a job. The page reloads itself until the job has ended."""
    shown = job_of(member, job_id)
    page = {
        "collection": member.collection,
        "member": member,
        "here": _here(shown),
        "has_worker": workers.is_running(),
        "area": _area(shown, member),
        "following": shown.result.get("next_job") if shown.result else "",
        **shown_job(shown, member),
    }
    return render(request, "research/job.html", page)


def shown_job(job: Job, member: Member) -> dict[str, Any]:
    """Return a job with its label, its result in sentences, and the page that continues after it."""
    return {
        "job": job,
        "label": KINDS[job.kind].label,
        "is_resumed": KINDS[job.kind].is_resumed,
        "sentences": RESULTS[job.kind](job.result) if job.result else [],
        "next_page": _next_page(job, member),
        "undo": undo_of(job, member),
    }


def _here(shown: Job) -> str:
    return AREAS.get(shown.kind, "import" if "import" in shown.kind else "collection")


def _area(shown: Job, member: Member) -> dict[str, str] | None:
    """Return the page from which a job is started again; None if it is the overview."""
    here = "baselines" if shown.kind == "make_baselines" else _here(shown)
    address = reverse(f"research:{here}", args=[member.collection.slug])
    return {"address": address, "name": AREA_NAMES[here]} if here in AREA_NAMES else None


@require_POST
@member_view(RESEARCHERS)
def cancel_job(_request: HttpRequest, member: Member, job_id: UUID) -> HttpResponse:
    """Cancel a job. If it has ended in the meantime, its page shows the result."""
    cancelled = job_of(member, job_id)
    queue.cancel(cancelled)
    return _page_of(cancelled, member)


def job_of(member: Member, job_id: UUID) -> Job:
    """Return a job of the member's collection."""
    return get_object_or_404(member.collection.jobs.select_related("user"), public_id=job_id)


def _page_of(shown: Job, member: Member) -> HttpResponse:
    return redirect("research:job", member.collection.slug, shown.public_id)


def _pool_sentences(result: dict[str, Any]) -> list[str]:
    sentences = [f"The pool has {count(result['pooled'], 'task')}, {result['added']:,} of them new."]
    if "description" in result:  # jobs of earlier versions lack it
        sentences.append(f"Its last part comes from {result['description']}.")
    sentences += result["notes"]
    if without := result["topics_without_pool"]:
        sentences.append(f"No run retrieved a document for {count(len(without), 'topic')}: {first_names(without)}.")
    if unknown := result["query_ids_without_topic"]:
        sentences.append(f"Not in this collection: {count(len(unknown), 'topic')} of the runs, {first_names(unknown)}.")
    if result["without_text"]:
        sentences.append(f"Without text: {count(result['without_text'], 'pooled document')}.")
    return sentences


def _top_up_sentences(result: dict[str, Any]) -> list[str]:
    tasks, assignments = count(result["tasks"], "task"), count(result["assignments"], "assignment")
    reminded = f" Reminded {count(result['reminded'], 'person')}." if result["reminded"] else ""
    return [f"Added {tasks} and {assignments}.{reminded}", *result["notes"]]


def _assign_sentences(result: dict[str, Any]) -> list[str]:
    hidden = f" (including {count(result['repeats'], 'hidden repeat')})" if result["repeats"] else ""
    people = f"to {count(result['assessors'], 'assessor')}"
    sentences = [
        f"Created {count(result['added'], 'assignment')}{hidden} of {count(result['tasks'], 'task')} {people}.",
        f"Each has {number_range([result['least'], result['most']], 'assignment')} in these topics.",
    ]
    if result["shortfall"]:
        sentences.append(f"Not everything could be assigned: {result['shortfall']}.")
    return sentences


def _preview_sentences(result: dict[str, Any]) -> list[str]:
    return [f"{count(result['added'], 'new assignment')} of {count(result['tasks'], 'task')}. Nothing is saved yet."]


def _rules_sentences(result: dict[str, Any]) -> list[str]:
    return changed_sentences([rule["label"] for rule in result["rules"]], result["notes"])


def _next_page(shown: Job, member: Member) -> tuple[str, str] | None:
    """Return the address and the label of the page that continues after a job; None for most kinds."""
    if shown.kind == "release" and shown.result:
        address = reverse("research:release", args=[member.collection.slug, shown.result["release"]])
        return address, "Look at the release"
    if shown.kind != "preview_assign" or not shown.result:
        return None
    address = reverse("research:assign", args=[member.collection.slug])
    return f"{address}?{preview_query(member.collection, shown.input)}#preview", "Look at the preview"


def _import_sentences(result: dict[str, Any]) -> list[str]:
    same = f", {result['same']:,} in the collection already" if result["same"] else ""
    noun = ITEMS.get(result["kind"]) or result["kind"].removesuffix("s")
    sentences = [f"Imported {count(result['added'], f'new {noun}')}{same}.", *result["notes"]]
    if result["next_job"]:
        sentences.append("The files of the next kind are imported now; the import page shows them.")
    return sentences


def _check_sentences(result: dict[str, Any]) -> list[str]:
    problems = f"{count(result['problem_count'], 'invalid line')}." if result["problem_count"] else ""
    return [*result["sentences"], problems]


def _undo_sentences(result: dict[str, Any]) -> list[str]:
    return [f"The import is undone. Removed {result['kind']}: {result['removed']:,}."]


def _baseline_sentences(result: dict[str, Any]) -> list[str]:
    sentences = []
    if result["added"]:
        sentences.append(f"Made the runs {', '.join(result['added'])} from {count(result['documents'], 'document')}.")
    if result["same"]:
        sentences.append(f"Unchanged: {', '.join(result['same'])}.")
    if without := result["topics_without_documents"]:
        sentences.append(f"No document has a word of {count(len(without), 'topic')}: {first_names(without)}.")
    return sentences


def _index_sentences(result: dict[str, Any]) -> list[str]:
    sentences = [f"Indexed {count(result['documents'], 'document')}."]
    if not result["is_complete"]:
        sentences.append("Documents were imported or deleted meanwhile, so the index is incomplete. Index again.")
    return sentences


def _adjudication_sentences(result: dict[str, Any]) -> list[str]:
    documents = count(result["documents"], "document")
    return [f"Adjudication {result['number']} has {documents}: {result['selection']}."]


def _release_sentences(result: dict[str, Any]) -> list[str]:
    return [
        f"Released {result['name']}, version {result['version']}: {count(result['files'], 'file')}, "
        f"{count(result['size'], 'byte')}.",
        f"The checksum of its manifest is {result['manifest_sha256']}.",
    ]


def _duplicates_sentences(result: dict[str, Any]) -> list[str]:
    pairs, documents = count(result["pairs"], "similar pair"), count(result["documents"], "document")
    return [f"Found {pairs} of {documents}. Nothing is grouped until you accept a threshold."]


def _replacement_sentences(result: dict[str, Any]) -> list[str]:
    return [Replacement(result["replaced"], result["successor"], Removal(**result["removal"])).sentence()]


RESULTS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "build_pool": _pool_sentences,
    "draw_sample": lambda result: [drawn_sentence(DrawResult(**result))],
    "make_baselines": _baseline_sentences,
    "ask_engine": lambda result: [result_sentence(result)],
    "preview_engine": lambda _: [],
    "ask_model": lambda result: [asked_sentence(result), *result["notes"]],
    "try_model": lambda result: [result["summary"]],
    "top_up": _top_up_sentences,
    "judge_again": lambda result: [JudgeAgainResult(**result).sentence(), *result["notes"]],
    "find_conclusions": lambda _: [],
    "begin_learning": lambda result: begun_sentences(**result),
    "train": lambda result: [trained_sentence(result)],
    "undo_pool": lambda result: [undone_sentence(UndoResult(**result))],
    "preview_pool": lambda _: ["The page “Pool” shows the preview for the same strategy and parameters."],
    "preview_assign": _preview_sentences,
    "assign": _assign_sentences,
    "change_rules": _rules_sentences,
    "reassign": lambda result: [moves_sentence(ReassignResult(**result))],
    "replace_member": _replacement_sentences,
    "preview_reassign": lambda _: ["The page “Reassign and remind” shows the preview for the same people."],
    "unassign": lambda result: [unassigned_sentence(result["deleted"])],
    "check_files": _check_sentences,
    "find_duplicates": _duplicates_sentences,
    "adjudicate": _adjudication_sentences,
    **dict.fromkeys([f"import_{kind}" for kind in ImportKind.values], _import_sentences),
    "index": _index_sentences,
    "search_report": lambda _: ["The page “What searching added” shows the figures."],
    "undo_import": _undo_sentences,
    "release": _release_sentences,
    **dict.fromkeys(("prepare_runs", "document_leverage"), lambda _: ["The pages of the documents show the figures."]),
    "reveal": lambda result: [f"The figures of {count(result['steps'], 'step')} of the reveal are computed."],
    **{kind: lambda _: ["The figures are computed. The page that asked for them shows them."] for kind in FIGURES},
}
