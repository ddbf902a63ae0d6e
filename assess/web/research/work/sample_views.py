"""Draw the random samples that stopping rules and recall need: a preview of the cost, then a job."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.models import Collection, Member
from assess.pools.samples.draw import DrawPreview, preview_sample
from assess.pools.samples.drawn import DrawnSample, samples_of
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.work.sample_forms import SampleForm
from assess.work.monitor import overall_pace


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, request.POST or request.GET, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def sample(request: SignedInRequest, member: Member) -> HttpResponse:
    """GET shows the form, and with `?preview=` what the draw would add; POST starts the job that draws."""
    if request.method != "POST":
        return _page(request, member, request.GET)
    arguments = SampleForm(None, None, request.POST).arguments() | {"actor": request.user.pk}
    job = queue.start("draw_sample", member.collection, request.user, arguments)
    return redirect("research:job", member.collection.slug, job.public_id)


def _page(request: HttpRequest, member: Member, data: QueryDict, refusal: Refused | str = "") -> HttpResponse:
    collection = member.collection
    form = _form(collection, data)
    shown = None
    if "preview" in data and not refusal:
        try:
            shown = _preview(collection, form)
        except Refused as error:
            refusal = error
    page = {
        "here": "work",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        "form": form,
        "preview": shown,
        "parameters": [(name, data.get(name, "")) for name in form.fields],
        "samples": _samples(collection),
    }
    return render(request, "research/work/sample.html", page, status=400 if refusal else 200)


def _form(collection: Collection, data: QueryDict) -> SampleForm:
    """Return the form: filled in by a preview, with the values of a link, or with the defaults."""
    pace, judges = overall_pace(collection), collection.judges_per_task
    if "preview" in data or "csrfmiddlewaretoken" in data:
        return SampleForm(pace, judges, data)
    form = SampleForm(pace, judges)
    form.initial.update({name: data[name] for name in form.fields if name in data})
    return form


def _preview(collection: Collection, form: SampleForm) -> dict[str, Any]:
    from pooling import plan_hours

    arguments = form.arguments()
    shown: DrawPreview = preview_sample(collection, **arguments)
    judges, pace = form.cleaned_data["judges"], form.cleaned_data["pace"]
    plan = plan_hours(shown.unjudged, judges, judgements_per_hour=pace)
    sizes = {len(draw.population.doc_ids) for draw in shown.draws}
    return {
        "drawn": shown.drawn,
        "new": shown.new,
        "unjudged": shown.unjudged,
        "topics": len(shown.draws),
        "seed": shown.draws[0].seed,
        "least_population": min(sizes),
        "most_population": max(sizes),
        "judgements": plan.judgements,
        "hours": plan.hours,
        "judges": judges,
        "pace": pace,
    }


def _samples(collection: Collection) -> list[tuple[str, DrawnSample]]:
    topics = list(collection.topics.order_by("pk"))
    drawn = samples_of(topics)
    return [(topic.query_id, drawn[topic.pk]) for topic in topics if topic.pk in drawn]
