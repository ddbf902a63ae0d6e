"""The class screen: what the projector shows, without controls. It follows the instructor's device."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assess.analysis.query import relevance_threshold
from assess.documents.display import displayed_text
from assess.errors import Refused
from assess.models import Exercise, Phase, Task
from assess.teaching.lesson.predictions import class_predictions
from assess.teaching.reveal.query import parse_query
from assess.teaching.reveal.reveal import StepResult, step_result
from assess.web.teach.access import exercise_view
from assess.web.teach.join_address import join_address
from assess.web.teach.progress import progress_of


@require_safe
@exercise_view
def screen(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """How to join and the progress of the class; after the end, the step of the reveal that the instructor shows."""
    page = progress_of(exercise) | {"join": join_address(request, exercise), "documents": listed_documents(exercise)}
    if exercise.phase == Phase.ENDED and exercise.reveal_step:
        page |= {} if page["job"] else _revealed(exercise)
    return render(request, "teach/screen.html", page)


def _revealed(exercise: Exercise) -> dict[str, Any]:
    options = exercise.reveal_options or {}
    try:
        query = parse_query(exercise, options, relevance_threshold(options, exercise.collection))
    except Refused:  # the options name a seat that was removed meanwhile
        query = parse_query(exercise, {}, relevance_threshold({}, exercise.collection))
    shown = step_result(exercise, exercise.reveal_step, query)
    return {"shown": shown, "predictions": predictions_for(exercise, shown)}


def predictions_for(exercise: Exercise, shown: StepResult) -> Any:
    """Return what the class expected, beside the real mean of the pairs; None for other steps."""
    if shown.step.slug != "class" or shown.figures is None:
        return None
    return class_predictions(exercise, shown.figures.compared_mean.value)


def listed_documents(exercise: Exercise) -> list[Task]:
    """Return the tasks whose documents can be opened, by topic."""
    tasks = Task.objects.filter(topic__collection=exercise.collection_id, assignments__isnull=False).distinct()
    related = tasks.select_related("topic", "document__content").defer("document__content__text")
    return list(related.order_by("topic", "document__doc_id"))


@require_safe
@exercise_view
def documents(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """The documents of the exercise, by topic."""
    return render(request, "teach/documents.html", {"exercise": exercise, "documents": listed_documents(exercise)})


@require_safe
@exercise_view
def document(request: HttpRequest, exercise: Exercise, task_id: int) -> HttpResponse:
    """One document of the exercise in full, with its topic. It shows no grades."""
    tasks = Task.objects.filter(topic__collection=exercise.collection_id).select_related("topic", "document__content")
    task = tasks.filter(pk=task_id).first()
    if task is None:
        raise Http404
    content = task.document.content
    page = {"exercise": exercise, "task": task, "text": displayed_text(content) if content else ""}
    return render(request, "teach/document.html", page)
