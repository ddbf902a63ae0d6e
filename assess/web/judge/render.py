"""Renders the pages of an assessor, all with the same navigation."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from assess.models import Member
from assess.search.permission import may_search


def render_page(
    request: HttpRequest, member: Member, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Return the page, with what `judge/_nav.html` reads: the collection, the member, and whether they may search."""
    navigation = {"collection": member.collection, "member": member, "may_search": may_search(member)}
    return render(request, template, navigation | page, status=status)
