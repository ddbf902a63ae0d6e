"""Addresses of pages about judges and documents."""

from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from assess.analysis.query import PARAMETERS
from assess.models import Collection

ON_DOCUMENTS = ("rel", "round", "set", "topic", "guidelines", "since", "until", "assisted")


def documents_url(collection: Collection, **parameters: Any) -> str:
    """Return the address of the list of judged documents. A parameter may be a list; empty ones are left out."""
    given = {name: value for name, value in parameters.items() if value not in (None, "", [], ())}
    return f"{reverse('research:collection', args=[collection.slug])}documents/?{urlencode(given, doseq=True)}"


def filter_query(query: QueryDict) -> str:
    """Return the filters of a page as a query string with its question mark; empty if there are none."""
    return _query_string(query, PARAMETERS)


def document_filters(query: QueryDict, rel: int | None) -> dict[str, list[str]]:
    """Return the filters of a page that the list of documents has too, with the threshold."""
    filters = {name: query.getlist(name) for name in ON_DOCUMENTS if query.get(name)}
    return filters | {"rel": ["all" if rel is None else str(rel)]}


def _query_string(query: QueryDict, names: tuple[str, ...]) -> str:
    pairs = [(name, value) for name in names for value in query.getlist(name) if value]
    return f"?{urlencode(pairs)}" if pairs else ""
