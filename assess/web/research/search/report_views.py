"""What searching added beyond the runs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from assess.access import RESEARCHERS
from assess.analysis.query import suggested_measures
from assess.errors import Refused
from assess.models import Member
from assess.web.requests import SignedInRequest
from assess.web.research.views import figures_view_for

MAX_MEASURE_LENGTH = 60
RULES = {"union": "the highest grade", "majority": "the lower median", "intersection": "the lowest grade"}


@figures_view_for(RESEARCHERS)
def report(request: SignedInRequest, member: Member) -> HttpResponse:
    """The report under a gold (`?gold=`) and a measure (`?measure=`)."""
    from assess.search.report import report_or_pending  # loads pandas

    measures = suggested_measures(member.collection)
    measure, rule = _chosen(request, measures[0])
    page = {
        "collection": member.collection,
        "member": member,
        "here": "search",
        "report": report_or_pending(member.collection, request.user, measure, rule),
        "measures": measures if measure in measures else [measure, *measures],
        "rules": RULES,
    }
    return render(request, "research/search/report.html", page)


def _chosen(request: HttpRequest, default: str) -> tuple[str, str]:
    rule = request.GET.get("gold") or next(iter(RULES))
    if rule not in RULES:
        raise Refused(f"gold must be one of {', '.join(RULES)}, not {rule[:20]!r}.")
    return (request.GET.get("measure") or default)[:MAX_MEASURE_LENGTH], rule
