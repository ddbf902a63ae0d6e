"""The page of a collection's documents: how many have a text, where the texts come from, and a search by doc_id."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.campaign.texts import MOST, count_texts, find_texts, text_sources
from assess.models import Member


@require_safe
@member_view(RESEARCHERS)
def texts(request: HttpRequest, member: Member) -> HttpResponse:
    """The documents whose doc_id begins with `?q=`; with `?missing=1`, pooled documents without text."""
    text, only_missing = request.GET.get("q", ""), request.GET.get("missing") == "1"
    page = {
        "here": "texts",
        "collection": member.collection,
        "member": member,
        "text": text,
        "only_missing": only_missing,
        "counts": count_texts(member.collection),
        "rows": find_texts(member.collection, text, only_missing=only_missing),
        "most": MOST,
        "sources": text_sources(member.collection),
    }
    return render(request, "research/texts.html", page)
