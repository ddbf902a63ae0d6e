"""The address to which the judging page returns after it was opened from the results of a search."""

import uuid
from urllib.parse import urlencode, urlsplit

from django.http import QueryDict
from django.urls import reverse

from assess.models import Member
from assess.search.find import PER_PAGE
from assess.search.grammar import parse, phrases_in


def back_to_results(member: Member, query: str) -> str:
    """Return the address of the results that a query names; an empty text if it names none.

    The results get the rank of the document that was judged, so that the next one has the focus.
    """
    values = QueryDict(query, encoding="utf-8")
    if (search := _search_in(values)) is None:
        return ""
    at = values.get("at", "")
    rank = int(at) if at.isascii() and at.isdigit() and len(at) < 5 else 0
    address = reverse("judge:search_results", args=[member.collection.slug, search])
    page = max(0, rank - 1) // PER_PAGE + 1
    # With the search, because the plain form sends the query of this address back. Without a fragment, with which
    # browsers ignore `autofocus`.
    return f"{address}?{urlencode({'page': page, 'at': rank, 'search': search})}"


def searched_words(member: Member, address: str) -> str:
    """Return the words of the search to whose results an address leads, for highlights; an empty text otherwise."""
    search = _search_in(QueryDict(urlsplit(address).query, encoding="utf-8"))
    query = search and member.searches.filter(public_id=search).values_list("query", flat=True).first()
    return " ".join(word for phrase in phrases_in(parse(query)) for word in phrase.words) if query else ""


def _search_in(values: QueryDict) -> uuid.UUID | None:
    try:
        return uuid.UUID(values.get("search", ""))
    except ValueError:
        return None
