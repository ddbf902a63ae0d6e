"""The researcher's page on judging: the rules, the guidelines, who has what still to do, what was said of topics."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess import overview
from assess.access import RESEARCHERS, member_view
from assess.collections.guidelines import guidelines_html, guidelines_versions, publish_guidelines
from assess.errors import Refused
from assess.judging.difficulty import difficulty_by_topic
from assess.judging.rules import change_rules, describe_rules
from assess.models import Member
from assess.pools import reassign as reassigning
from assess.pools.reassign import ReassignResult
from assess.web.research.forms import AdaptiveForm, ReassignForm, RulesForm


@require_safe
@member_view(RESEARCHERS)
def judging(request, member):
    """Everything on one page; `?guidelines=N` shows an earlier version."""
    return _page(request, member)


@require_POST
@member_view(RESEARCHERS)
def rules(request, member):
    form = RulesForm(member.collection, request.POST)
    try:
        changed = change_rules(member.collection, **form.cleaned())
    except Refused as refusal:
        return _page(request, member, "rules", refusal, rules_form=form)
    names = "; ".join(rule.label for rule in changed.rules)
    said = f"Saved: {names}." if names else "The rules were so already."
    return _done(request, member, "rules", " ".join([said, *changed.notes]))


@require_POST
@member_view(RESEARCHERS)
def publish(request, member):
    """A new version of the guidelines."""
    text, before = request.POST.get("text", ""), member.collection.guidelines.last()
    try:
        published = publish_guidelines(member.collection, text)
    except Refused as refusal:
        return _page(request, member, "guidelines", refusal, typed=text)
    said = f"Version {published.version} of the guidelines is published."
    if before and before.version == published.version:
        said = f"This is what version {published.version} says already; nothing was published."
    return _done(request, member, "guidelines", said)


@require_POST
@member_view(RESEARCHERS)
def reassign(request, member):
    form = ReassignForm(member.collection, request.POST)
    try:
        told = form.cleaned()
        done = reassigning.reassign(member.collection, told["giver"], list(told["takers"]) or None)
    except Refused as refusal:
        return _page(request, member, "work", refusal, reassign_form=form)
    return _done(request, member, "work", _went(done))


@require_POST
@member_view(RESEARCHERS)
def adapt(request, member):
    """Begin an adaptive order."""
    form = AdaptiveForm(member.collection, request.POST)
    try:
        from assess.pools.adaptive_order import (
            begin_adaptive_order,  # numpy and pandas: only where such an order is begun
        )

        told = form.cleaned()
        topics = begin_adaptive_order(member.collection, told["strategy"], rule=told["rule"], rel=told["rel"])
    except Refused as refusal:
        return _page(request, member, "adaptive", refusal, adaptive_form=form)
    said = f"{told['strategy']} orders the documents of {len(topics)} topics from now on."
    return _done(request, member, "adaptive", said)


def _went(done: ReassignResult) -> str:
    """Where the open work went, in words."""
    said = [f"{n:,} to {name}" for name, n in done.moved.items()]
    said += [f"{done.back:,} back to whoever claims them next"] if done.back else []
    said += [f"{done.stay:,} stayed, since nobody else can take them"] if done.stay else []
    return f"Open tasks: {', '.join(said)}." if said else "There was no open work; nothing was moved."


def _done(request, member: Member, section: str, said: str):
    messages.success(request, said)
    return redirect(reverse("research:judging", args=[member.collection.slug]) + f"#{section}")


def _page(request, member: Member, section="", refusal="", typed=None, **forms):
    """The page; after a refusal with the sentence in its section and what was typed."""
    collection = member.collection
    now, versions = collection.guidelines.last(), guidelines_versions(collection)
    work = overview.assessors(collection)
    page = {
        "here": "judging",
        "collection": collection,
        "member": member,
        "section": section,
        "refusal": refusal,
        "sentence": describe_rules(collection),
        "rules_form": RulesForm(collection),
        "reassign_form": ReassignForm(collection),
        "adaptive_form": AdaptiveForm(collection),
        "text": typed if typed is not None else now.text if now else "",
        "versions": versions,
        "shown": _shown(request, collection, now),
        "work": work,
        "levels": overview.levels(collection),
        "difficulties": difficulty_by_topic(collection),
        "grades": list(collection.grades.all()),
    }
    return render(request, "research/judging.html", page | forms, status=400 if refusal else 200)


def _shown(request, collection, now):
    """The version asked for, else the last one, with the HTML of it."""
    asked = request.GET.get("guidelines")
    if asked is not None:
        asked = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0
        now = collection.guidelines.filter(version=asked).first()
        if now is None:
            raise Http404
    return now and {"version": now.version, "html": guidelines_html(now.text)}
