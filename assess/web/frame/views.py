"""What the frame asks for: the search box of a collection, and the state of its jobs."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.campaign.counts import counts_of
from assess.campaign.find import Found, find
from assess.jobs.kinds import KINDS, LISTED
from assess.models import Job, JobState, Member
from assess.web.frame.sidebar import Entry, groups_for

JUST_ENDED = timedelta(seconds=10)  # in which the indicator names a job that has ended
ICONS = {JobState.DONE: "circle-check", JobState.FAILED: "triangle-alert", JobState.CANCELLED: "circle-x"}


@require_safe
@member_view(RESEARCHERS)
def search(request: HttpRequest, member: Member) -> HttpResponse:
    """What a collection has with the text `?q=`, and the pages with such a name."""
    text = request.GET.get("q", "")
    page = {
        "collection": member.collection,
        "member": member,
        "text": text,
        "pages": _pages(member, text),
        "found": [(each, _address(member, each)) for each in find(member.collection, text)],
    }
    return render(request, "frame/search.html", page)


def _pages(member: Member, text: str) -> list[Entry]:
    text = text.strip().lower()
    entries = [entry for group in groups_for(member.role) for entry in group.entries]
    return [entry for entry in entries if text and text in entry.label.lower()]


def _address(member: Member, found: Found) -> str:
    return reverse(f"research:{found.view}", args=[member.collection.slug, *([found.key] if found.key else [])])


@require_safe
@member_view(RESEARCHERS)
def jobs(request: HttpRequest, member: Member) -> HttpResponse:
    """The indicator of running jobs, which asks again until none is left. It then names the last one."""
    running = counts_of(member.collection).running
    since = timezone.now() - JUST_ENDED
    ended = Job.objects.filter(collection=member.collection, kind__in=LISTED, ended_at__gt=since).first()
    page = {"collection": member.collection, "running": running, "ended": ended}
    if ended:
        page |= {"ended_icon": ICONS[JobState(ended.state)], "ended_label": KINDS[ended.kind].label}
    return render(request, "frame/jobs.html", page)
