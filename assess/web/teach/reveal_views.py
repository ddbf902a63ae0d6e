"""The reveal on the instructor's screen: one step at a time, and all of them on paper."""

from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from assess.analysis.query import ALL_GRADES, relevance_threshold, threshold_choices
from assess.errors import Refused
from assess.models import Exercise
from assess.teaching import exercises
from assess.teaching.reveal import reveal as revealing
from assess.teaching.reveal.reveal import RevealQuery, all_step_results, parse_query, step_result
from assess.web.teach.access import exercise_view


@require_http_methods(["GET", "HEAD", "POST"])
@exercise_view
def reveal(request, exercise):
    """Shows the step that was revealed last; POST goes to another one. `?print` has all steps on one page."""
    try:
        if request.method == "POST":
            exercises.reveal(exercise, _step(request))
            query = request.GET.urlencode()
            return redirect(reverse("teach:reveal", args=[exercise.code]) + (f"?{query}" if query else ""))
        return _print(request, exercise) if "print" in request.GET else _screen(request, exercise)
    except revealing.NotYet as refusal:
        return render(request, "teach/reveal.html", {"exercise": exercise, "refusal": refusal})
    except Refused as refusal:
        return render(request, "teach/reveal.html", {"exercise": exercise, "refusal": refusal}, status=400)


def _step(request) -> int:
    text = request.POST.get("step", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise Refused(f"step={text[:20]} is no step; it is a whole number from 0 to {len(revealing.STEPS)}.")
    return int(text)


def _asked(request, exercise: Exercise) -> RevealQuery:
    return parse_query(exercise, request.GET, relevance_threshold(request.GET, exercise.collection))


def _screen(request, exercise: Exercise):
    revealing.check_ended(exercise)
    step, last = exercise.reveal_step, len(revealing.STEPS)
    wanted = _asked(request, exercise)
    page = {
        "exercise": exercise,
        "steps": list(enumerate(revealing.STEPS, start=1)),
        "query": request.GET.urlencode(),
        "back": step - 1 if step > 1 else None,
        "next": step + 1 if step < last else None,
        "shown": step_result(exercise, step, wanted) if step else None,
    }
    return render(request, "teach/reveal.html", page | _switches(exercise, wanted))


def _switches(exercise: Exercise, wanted: RevealQuery) -> dict:
    return {
        "asked": wanted,
        "chances": revealing.CHANCES,
        "rel": ALL_GRADES if wanted.rel is None else str(wanted.rel),
        "rel_choices": threshold_choices(exercise.collection),
    }


def _print(request, exercise: Exercise):
    shown = all_step_results(exercise, _asked(request, exercise))
    return render(request, "teach/reveal_print.html", {"exercise": exercise, "all_shown": shown})
