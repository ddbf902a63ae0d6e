"""The reveal on the instructor's screen: one step at a time, or all steps on one page for printing."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from assess.analysis.query import ALL_GRADES, relevance_threshold, threshold_choices
from assess.errors import Refused
from assess.models import Exercise
from assess.teaching import clock
from assess.teaching.lesson.gradebook import seat_totals
from assess.teaching.reveal.query import CHANCES, RevealQuery, parse_query
from assess.teaching.reveal.reveal import all_step_results, check_can_reveal, step_result
from assess.teaching.reveal.steps import STEPS
from assess.teaching.worksheets import worksheet_titles
from assess.web.requests import refusals_shown_by
from assess.web.teach.access import exercise_view
from assess.web.teach.progress import job_of, page_state
from assess.web.teach.screen_views import listed_documents, predictions_for

OPTIONS = ("a", "b", "chance", "rel")


def refusal_page(request: HttpRequest, exercise: Exercise, refusal: Refused) -> HttpResponse:
    """Render the page without figures. A reveal that is only too early is not an error of the request."""
    status = 200 if isinstance(refusal, clock.NotYet) else 400
    return render(request, "teach/reveal.html", {"exercise": exercise, "refusal": refusal}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@exercise_view
@refusals_shown_by(refusal_page)
def reveal(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """Show the current step; POST goes to another step, or saves the display options for the class screen.

    `?print` shows all steps on one page; `?print&marks` adds one row for each student.
    """
    if request.method == "POST" and "step" not in request.POST:
        return _save_options(request, exercise)
    if request.method == "POST":
        clock.reveal(exercise, _posted_step(request))
        query = request.GET.urlencode()
        return redirect(reverse("teach:reveal", args=[exercise.code]) + (f"?{query}" if query else ""))
    return _print_page(request, exercise) if "print" in request.GET else _step_page(request, exercise)


def _posted_step(request: HttpRequest) -> int:
    text = request.POST.get("step", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise Refused(f"step must be a whole number between 0 and {len(STEPS)}, not {text[:20]!r}.")
    return int(text)


def _save_options(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    check_can_reveal(exercise)
    options = {name: request.POST[name] for name in OPTIONS if request.POST.get(name)}
    parse_query(exercise, options, relevance_threshold(options, exercise.collection))  # refuses invalid options
    clock.choose_options(exercise, options)
    return redirect(reverse("teach:reveal", args=[exercise.code]) + f"?{urlencode(options)}")


def _query(request: HttpRequest, exercise: Exercise) -> RevealQuery:
    return parse_query(exercise, request.GET, relevance_threshold(request.GET, exercise.collection))


def _step_page(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    check_can_reveal(exercise)
    job = job_of(exercise)
    page: dict[str, Any] = {"exercise": exercise, "state": page_state(exercise, job)}
    if job:
        return render(request, "teach/reveal.html", page | {"job": job}, status=202)
    step = exercise.reveal_step
    query = _query(request, exercise)
    shown = step_result(exercise, step, query) if step else None
    page |= {
        "steps": list(enumerate(STEPS, start=1)),
        "query": request.GET.urlencode(),
        "back": step - 1 if step > 1 else None,
        "next": step + 1 if step < len(STEPS) else None,
        "shown": shown,
        "predictions": predictions_for(exercise, shown) if shown else None,
        "documents": listed_documents(exercise),
    }
    return render(request, "teach/reveal.html", page | _options(exercise, query))


def _options(exercise: Exercise, query: RevealQuery) -> dict[str, Any]:
    return {
        "asked": query,
        "chances": CHANCES,
        "rel": ALL_GRADES if query.rel is None else str(query.rel),
        "rel_choices": threshold_choices(exercise.collection),
    }


def _print_page(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    check_can_reveal(exercise)
    if job_of(exercise):
        return _step_page(request, exercise)
    results = all_step_results(exercise, _query(request, exercise))
    predictions = next((found for result in results if (found := predictions_for(exercise, result))), None)
    options = {name: request.GET[name] for name in OPTIONS if name in request.GET}
    page = {
        "exercise": exercise,
        "all_shown": results,
        "predictions": predictions,
        "titles": worksheet_titles(exercise),
        "totals": seat_totals(exercise) if "marks" in request.GET else None,
        "query": urlencode(options),
    }
    return render(request, "teach/reveal_print.html", page)
