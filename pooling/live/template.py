"""Requests with values of a topic in them.

A body is parsed as JSON before any value is put in, and parameters of an address are split before. So no topic can
change the form of a request, whatever quotation marks, braces or ampersands it has. Values stand for `{query}` (the
title, or the description of a topic without title), `{title}`, `{description}`, `{narrative}`, `{query_id}` and
`{depth}`. A text that is `{depth}` and nothing else becomes a number. What a value contains is not replaced again.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

NAMES = ("query", "title", "description", "narrative", "query_id", "depth")
MAX_BODY = 100_000
_FIELD = re.compile(r"\{(" + "|".join(NAMES) + r")\}")
_LUCENE = re.compile(r'[-+&|!(){}\[\]^"~*?:\\/<>=]')
_OPERATORS = re.compile(r"\b(AND|OR|NOT)\b")


def parse_body(text: str) -> Any:
    """Return the JSON of a template. Raises ValueError if it is none.

    Examples
    --------
    >>> parse_body('{"query": {"match": {"text": "{query}"}}, "size": "{depth}"}')["size"]
    '{depth}'
    """
    if len(text) > MAX_BODY:
        raise ValueError(f"A template must have at most {MAX_BODY:,} characters, not {len(text):,}.")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f'The template is no JSON: {error}. Put fields in quotation marks, also "{{depth}}".'
        ) from None
    if not isinstance(body, dict):
        raise ValueError('The template must be a JSON object, as in {"query": "{query}"}.')
    return body


def values_of(topic: Mapping[str, str], depth: int) -> dict[str, str]:
    """Return what stands for each field."""
    values = {name: str(topic.get(name) or "") for name in NAMES}
    return values | {"query": values["title"] or values["description"], "depth": str(depth)}


def fill(template: Any, values: Mapping[str, str], escape: Callable[[str], str] = str) -> Any:
    """Return a parsed template with the values in its texts. Keys stay as they are.

    Examples
    --------
    >>> fill({"q": "{query}", "n": "{depth}"}, values_of({"title": 'say "hi" {depth}'}, 10))
    {'q': 'say "hi" {depth}', 'n': 10}
    """
    if isinstance(template, dict):
        return {key: fill(value, values, escape) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, values, escape) for value in template]
    if template == "{depth}":
        return int(values["depth"])
    return fill_text(template, values, escape) if isinstance(template, str) else template


def fill_text(text: str, values: Mapping[str, str], escape: Callable[[str], str] = str) -> str:
    """Return a text with the values in it."""
    return _FIELD.sub(lambda match: escape(values[match[1]]), text)


def has_query(template: Any) -> bool:
    """Whether a template has a field with words of the topic."""
    if isinstance(template, Mapping):
        return any(map(has_query, template.values()))
    if isinstance(template, list):
        return any(map(has_query, template))
    return isinstance(template, str) and any(
        match[1] not in ("depth", "query_id") for match in _FIELD.finditer(template)
    )


def escape_lucene(text: str) -> str:
    """Escape what Lucene's query syntax gives a meaning, for Solr's `q` and for `query_string`.

    Examples
    --------
    >>> print(escape_lucene("C++ (and) NOT title:java"))
    C\\+\\+ \\(and\\) not title\\:java
    """
    return _OPERATORS.sub(lambda match: match[1].lower(), _LUCENE.sub(r"\\\g<0>", text))
