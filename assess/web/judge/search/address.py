"""The address to which the judging page returns after it was opened from the results of a search."""

import uuid
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from assess.models import Member
from assess.search.find import PER_PAGE


def back_to_results(member: Member, query: str) -> str:
    """Return the address of the results that a query names; an empty text if it names none.

    The results get the rank of the document that was judged, so that the next one has the focus.
    """
    values = QueryDict(query, encoding="utf-8")
    try:
        search = uuid.UUID(values.get("search", ""))
    except ValueError:
        return ""
    at = values.get("at", "")
    rank = int(at) if at.isascii() and at.isdigit() and len(at) < 5 else 0
    address = reverse("judge:search_results", args=[member.collection.slug, search])
    page = max(0, rank - 1) // PER_PAGE + 1
    # With the search, because the plain form sends the query of this address back. Without a fragment, with which
    # browsers ignore `autofocus`.
    return f"{address}?{urlencode({'page': page, 'at': rank, 'search': search})}"
