"""The pages of search engines: the list, one engine with its preview, and one run with its topics."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.audit import record_export
from assess.engines.ask import discard_run, go_on, start_run
from assess.engines.engines import delete_engine, save_engine
from assess.engines.forms import EngineForm, EngineRunForm
from assess.engines.preview import start_preview
from assess.engines.runs import answers_file, changes_of
from assess.errors import Refused
from assess.models import AllowedHost, EngineRun, JobState, Member, SearchEngine
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel

SHOWN_TOPICS = 200


def _engines_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _engines_page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_engines_refused)
def engines(request: SignedInRequest, member: Member) -> HttpResponse:
    """The engines of the collection and their runs. A POST saves a new engine, or changes the one with its name."""
    if request.method != "POST":
        return _engines_page(request, member)
    form = EngineForm(request.POST)
    settings, secret = form.settings(), form.cleaned_data["secret"]
    saved = save_engine(member.collection, form.cleaned_data["name"], settings, secret or None, request.user)
    return redirect("research:engine", member.collection.slug, saved.pk)


def _engines_page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    page = {
        "collection": collection,
        "member": member,
        "here": "runs",
        **job_panel(member, "ask_engine"),
        "engines": collection.engines.all(),
        "runs": collection.engine_runs.select_related("engine", "run"),
        "hosts": AllowedHost.objects.all(),
        "form": EngineForm(request.POST if request.method == "POST" else None),
        "refusal": refusal,
    }
    return render(request, "research/engines/engines.html", page, status=400 if refusal else 200)


def _engine_refused(request: HttpRequest, member: Member, engine_id: int, refusal: Refused) -> HttpResponse:
    return _engine_page(request, member, engine_id, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_engine_refused)
def engine(request: SignedInRequest, member: Member, engine_id: int) -> HttpResponse:
    """One engine: its settings, what it answers for a topic, and the form of a run. A POST starts a run."""
    if request.method != "POST":
        return _engine_page(request, member, engine_id)
    values = EngineRunForm(request.POST).cleaned()
    run, _ = start_run(
        _engine(member, engine_id),
        values["system"],
        values["depth"],
        with_texts=values["with_texts"],
        concurrency=values["concurrency"],
        per_second=values["per_second"],
        user=request.user,
    )
    return redirect("research:engine_run", member.collection.slug, run.public_id)


def _engine_page(request: HttpRequest, member: Member, engine_id: int, refusal: Refused | None = None) -> HttpResponse:
    shown, collection = _engine(member, engine_id), member.collection
    tried = collection.jobs.filter(kind="preview_engine", state=JobState.DONE, input__engine=shown.pk).first()
    values = {"name": shown.name, **shown.settings}
    page = {
        "collection": collection,
        "member": member,
        "here": "runs",
        **job_panel(member, "preview_engine"),
        "engine": shown,
        "preview": tried.result if tried else None,
        "topics": list(collection.topics.order_by("pk")[:SHOWN_TOPICS]),
        "form": EngineForm(values),
        "run_form": EngineRunForm(request.POST if request.method == "POST" else None, initial={"system": shown.name}),
        "refusal": refusal,
    }
    return render(request, "research/engines/engine.html", page, status=400 if refusal else 200)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_engine_refused)
def preview(request: SignedInRequest, member: Member, engine_id: int) -> HttpResponse:
    """Start a job that asks for one topic."""
    start_preview(_engine(member, engine_id), request.POST.get("query_id", ""), request.user)
    return to_panel("engine", member, engine_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_engine_refused)
def delete(request: SignedInRequest, member: Member, engine_id: int) -> HttpResponse:
    """Delete an engine with its secret."""
    shown = _engine(member, engine_id)
    delete_engine(shown, request.user)
    messages.success(request, f"Deleted the engine {shown.name} with its secret.")
    return redirect("research:engines", member.collection.slug)


def _run_refused(request: HttpRequest, member: Member, run_id: UUID, refusal: Refused) -> HttpResponse:
    return _run_page(request, member, run_id, refusal)


@require_safe
@member_view(RESEARCHERS)
def run(request: HttpRequest, member: Member, run_id: UUID) -> HttpResponse:
    """One run: its topics, what failed, and how it differs from the former run."""
    return _run_page(request, member, run_id)


def _run_page(request: HttpRequest, member: Member, run_id: UUID, refusal: Refused | None = None) -> HttpResponse:
    shown = _run(member, run_id)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "runs",
        **job_panel(member, "ask_engine"),
        "run": shown,
        "topics": member.collection.topics.count(),
        "answered": shown.answers.filter(problem="").count(),
        "failed": shown.answers.exclude(problem="").select_related("topic").order_by("topic")[:SHOWN_TOPICS],
        "changes": changes_of(shown),
        "refusal": refusal,
    }
    return render(request, "research/engines/run.html", page, status=400 if refusal else 200)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_run_refused)
def ask_again(request: SignedInRequest, member: Member, run_id: UUID) -> HttpResponse:
    """Ask for the topics that have no answer."""
    shown = _run(member, run_id)
    go_on(shown, request.user)
    return redirect("research:engine_run", member.collection.slug, shown.public_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_run_refused)
def repeat(request: SignedInRequest, member: Member, run_id: UUID) -> HttpResponse:
    """Make a new run with the present settings of the engine, and compare it with this one."""
    shown = _run(member, run_id)
    if shown.engine is None:
        raise Refused(f"The engine of {shown} was deleted.")
    started, _ = start_run(
        shown.engine,
        request.POST.get("system", "").strip(),
        shown.depth,
        with_texts=shown.with_texts,
        concurrency=shown.concurrency,
        per_second=shown.per_second,
        former=shown,
        user=request.user,
    )
    return redirect("research:engine_run", member.collection.slug, started.public_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_run_refused)
def discard(request: SignedInRequest, member: Member, run_id: UUID) -> HttpResponse:
    """Delete a run that is not complete."""
    shown = _run(member, run_id)
    discard_run(shown)
    messages.success(request, f"Discarded the answers of {shown.system}.")
    return redirect("research:engines", member.collection.slug)


@require_safe
@member_view(RESEARCHERS)
def answers(request: SignedInRequest, member: Member, run_id: UUID) -> HttpResponseBase:
    """The raw answers as compressed lines of JSON, each with its checksum."""
    shown = _run(member, run_id)
    record_export(member.collection, "answers of a search engine", request.user)
    return FileResponse(answers_file(shown), as_attachment=True, filename="answers.jsonl.gz")


def _engine(member: Member, engine_id: int) -> SearchEngine:
    return get_object_or_404(member.collection.engines, pk=engine_id)


def _run(member: Member, run_id: UUID) -> EngineRun:
    runs: Any = member.collection.engine_runs.select_related("engine", "run", "former__run", "started_by")
    found: EngineRun = get_object_or_404(runs, public_id=run_id)
    return found
