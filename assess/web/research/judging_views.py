"""The researcher's page on judging: rules, guidelines, open work, the adaptive order, and the topics' difficulty."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.campaign.difficulty import difficulty_by_topic
from assess.campaign.overview import assessor_progress, tasks_by_slots_taken
from assess.collections.guidelines import guidelines_html, guidelines_versions, preview_html, publish_guidelines
from assess.collections.guidelines_templates import TEMPLATES, templates_for
from assess.errors import Refused
from assess.jobs import queue, workers
from assess.judging.rules import change_or_start, changed_sentences, describe_rules
from assess.models import Collection, Guidelines, Job, Member, Order
from assess.pools.learning.current import CAL
from assess.pools.learning.state import learner_state
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.judging_forms import AdaptiveForm, RulesForm
from pooling.words import count

MAX_VERSION_DIGITS = 8


@require_safe
@member_view(RESEARCHERS)
def judging(request: HttpRequest, member: Member) -> HttpResponse:
    """All settings of judging. `?guidelines=N` shows an earlier version of the guidelines, `?template=` a draft."""
    return _page(request, member)


def _shown_rules(collection: Collection, posted: QueryDict) -> RulesForm:
    """Return the form with what was posted, all of it or one group."""
    group = posted.get("group", "")
    return RulesForm(collection).show(group, posted) if group else RulesForm(collection, posted)


def _rules_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "rules", refusal, rules_form=_shown_rules(member.collection, request.POST))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_rules_refused)
def rules(request: SignedInRequest, member: Member) -> HttpResponse:
    """Change the rules of judging; if this changes many assignments, in the background."""
    values = RulesForm(member.collection, request.POST, request.POST.get("group", "")).cleaned()
    changed = change_or_start(member.collection, request.user, values)
    if isinstance(changed, Job):
        return redirect("research:job", member.collection.slug, changed.public_id)
    sentences = changed_sentences([rule.label for rule in changed.rules], changed.notes)
    return _redirect(request, member, "rules", " ".join(sentences))


def _guidelines_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "guidelines", refusal, text=request.POST.get("text", ""))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_guidelines_refused)
def publish(request: HttpRequest, member: Member) -> HttpResponse:
    """Publish a new version of the guidelines."""
    latest = member.collection.guidelines.last()
    published = publish_guidelines(member.collection, request.POST.get("text", ""))
    message = f"Version {published.version} of the guidelines is published."
    if latest and latest.version == published.version:
        message = f"Version {published.version} already has this text; nothing was published."
    return _redirect(request, member, "guidelines", message)


@require_POST
@member_view(RESEARCHERS)
def preview_guidelines(request: HttpRequest, member: Member) -> HttpResponse:
    """How assessors would see a draft: only this part for the script, the whole page without it."""
    text = request.POST.get("text", "")
    previewed = _previewed(text)
    if "HX-Request" in request.headers:
        return render(request, "research/_guidelines_preview.html", {"previewed": previewed})
    return _page(request, member, text=text, previewed=previewed)


def _previewed(text: str) -> dict[str, Any]:
    """Return the HTML of a draft, or why it cannot be published."""
    try:
        return {"html": preview_html(text)}
    except Refused as refusal:
        return {"problem": refusal}


def _offered(request: HttpRequest, scale: list[int]) -> dict[str, Any]:
    """Return the templates for the first guidelines, and the text of the one that `?template=` names."""
    chosen = TEMPLATES.get(request.GET.get("template", ""))
    offered: dict[str, Any] = {"templates": templates_for(scale)}
    if chosen is None:
        return offered
    return offered | {"template": chosen.name, "text": chosen.text, "previewed": _previewed(chosen.text)}


def _adaptive_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, "adaptive", refusal, adaptive_form=AdaptiveForm(member.collection, request.POST))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_adaptive_refused)
def adapt(request: SignedInRequest, member: Member) -> HttpResponse:
    """Start an adaptive order; that of a learner, which reads all documents, in the background."""
    from assess.pools.adaptive_order import begin_adaptive_order  # loads pandas

    values = AdaptiveForm(member.collection, request.POST).cleaned()
    if values["strategy"] == CAL:
        arguments = {"rule": values["rule"], "rel": values["rel"]}
        job = queue.start("begin_learning", member.collection, request.user, arguments)
        return redirect("research:job", member.collection.slug, job.public_id)
    topics = begin_adaptive_order(member.collection, values["strategy"], rule=values["rule"], rel=values["rel"])
    message = f"{values['strategy']} now orders the documents of {count(len(topics), 'topic')}."
    return _redirect(request, member, "adaptive", message)


def _redirect(request: HttpRequest, member: Member, section: str, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect(reverse("research:judging", args=[member.collection.slug]) + f"#{section}")


def _page(
    request: HttpRequest, member: Member, section: str = "", refusal: Refused | str = "", **context: Any
) -> HttpResponse:
    """Render the page. A refusal appears in its section; `context` has the values that the user submitted there."""
    collection = member.collection
    latest = collection.guidelines.last()
    learner = learner_state(collection) if collection.order == Order.ADAPTIVE else []
    grades = list(collection.grades.all())
    page = {
        "here": "judging",
        "collection": collection,
        "member": member,
        "section": section,
        "refusal": refusal,
        "sentence": describe_rules(collection),
        "rules_form": RulesForm(collection),
        "has_groups": collection.duplicate_groups.exists(),
        "adaptive_form": AdaptiveForm(collection),
        "learner": learner,
        "has_worker": bool(learner) and workers.is_running(),
        "text": latest.text if latest else "",
        "versions": guidelines_versions(collection),
        "shown": _selected_guidelines(request, collection, latest),
        "work": assessor_progress(collection),
        "levels": tasks_by_slots_taken(collection),
        "difficulties": difficulty_by_topic(collection),
        "grades": grades,
    }
    if latest is None and not collection.archived_at:
        page |= _offered(request, [grade.value for grade in grades])
    return render(request, "research/judging.html", page | context, status=400 if refusal else 200)


def _selected_guidelines(
    request: HttpRequest, collection: Collection, latest: Guidelines | None
) -> dict[str, Any] | None:
    """Return the version that `?guidelines=` names, or else the latest, with its HTML."""
    number = request.GET.get("guidelines")
    selected = latest
    if number is not None:
        is_number = number.isascii() and number.isdigit() and len(number) <= MAX_VERSION_DIGITS
        selected = collection.guidelines.filter(version=int(number)).first() if is_number else None
        if selected is None:
            raise Http404
    return {"version": selected.version, "html": guidelines_html(selected.text)} if selected else None
