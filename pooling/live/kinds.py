"""The search engines that can be asked, and which of their answers are incomplete.

A new engine is one entry of `KINDS`: what it is called, where its values stand, and a function that refuses an answer
in which something is missing. Contracts: the pages of Elastic, OpenSearch, Solr and Vespa on their search APIs.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pooling.errors import shown
from pooling.live.answer import BadAnswer
from pooling.live.paths import value_at

Payload = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """An engine. `path` follows the address of its index; `refuse` raises BadAnswer; `size` names the number of hits.

    `fields` are the paths of the list of hits, and in a hit those of id, score, title and text. `version` is the
    address and the path of its version. `most` is the greatest depth that the engine answers.
    """

    label: str
    address: str  # an example
    path: str
    body: str
    size: str
    fields: Mapping[str, str]
    refuse: Callable[[Payload], None]
    params: Mapping[str, str] = field(default_factory=dict)
    hits: Callable[[Any, str], list[Any]] | None = None
    version: tuple[str, str] | None = None
    most: int = 10_000


def hits_at(payload: Any, path: str) -> list[Any]:
    """Return the list at a path. An answer without the list is refused: no hits are an empty list."""
    found = value_at(path, payload)
    if not isinstance(found, list):
        raise BadAnswer(f"The answer has no list at {path!r}. Its first fields are {_names(payload)}.")
    return found


def refuse_elasticsearch(payload: Payload) -> None:
    _refuse_error(payload.get("error"))
    _refuse_if(payload.get("timed_out") is True, "timed_out is true")
    _refuse_if(payload.get("terminated_early") is True, "terminated_early is true")
    shards = payload.get("_shards")
    failed = shards.get("failed") if isinstance(shards, dict) else None
    _refuse_if(bool(failed), f"{failed} of the shards failed")
    clusters = payload.get("_clusters")
    missing = [clusters.get(name) for name in ("skipped", "partial", "failed")] if isinstance(clusters, dict) else []
    _refuse_if(any(missing), "clusters were skipped or failed")


def refuse_solr(payload: Payload) -> None:
    _refuse_error(payload.get("error"))
    header = payload.get("responseHeader")
    header = header if isinstance(header, dict) else {}
    _refuse_if(header.get("partialResults") not in (None, False, "false"), "partialResults is set")
    _refuse_if(bool(header.get("status")), f"the status is {header.get('status')}")


def refuse_vespa(payload: Payload) -> None:
    root = payload.get("root")
    root = root if isinstance(root, dict) else {}
    _refuse_error(root.get("errors") or None)
    coverage = root.get("coverage")
    coverage = coverage if isinstance(coverage, dict) else {}
    share = coverage.get("coverage", 100)
    _refuse_if(coverage.get("full") is False or share != 100, f"the coverage is {share}%")
    _refuse_if(bool(coverage.get("degraded")), "the coverage is degraded")


SIGNS = ("timed_out", "terminated_early", "partial", "partialResults", "partial_results", "degraded", "search_cutoff")


def refuse_other(payload: Payload) -> None:
    """Refuse what other engines say of a partial answer: `errors` with 200, and fields such as `degraded`."""
    _refuse_error(payload.get("error") or payload.get("errors") or None)
    for name in SIGNS:
        _refuse_if(payload.get(name) is True, f"{name} is true")
    _refuse_if(
        str(payload.get("status")).lower() in ("error", "failed", "failure"), f"the status is {payload.get('status')}"
    )
    _refuse_if("@search.nextPageParameters" in payload, "it has further pages (@search.nextPageParameters)")


def vespa_hits(payload: Any, path: str) -> list[Any]:
    """Return the hits of all groups, in the order of the answer. Vespa leaves `children` out if nothing was found."""
    root = payload.get("root") if isinstance(payload, dict) else None
    if not isinstance(root, dict):
        raise BadAnswer(f"The answer has no field 'root'. Its first fields are {_names(payload)}.")
    found: list[Any] = []
    waiting = list(reversed(value_at(path, payload) or []))
    while waiting:
        node = waiting.pop()
        children = node.get("children") if isinstance(node, dict) else None
        if isinstance(children, list):
            waiting += reversed(children)
        else:
            found.append(node)
    return found


def vespa_id(value: Any) -> Any:
    """Return the user's part of a document id: `doc1` of `id:news:article::doc1`."""
    if isinstance(value, str) and value.startswith("id:") and "::" in value:
        return value.partition("::")[2]
    if isinstance(value, str) and value.startswith("index:"):
        raise BadAnswer(
            f"Vespa names a document {shown(value)}, which is no id of a document. Name the field of the id, such as "
            "fields.doc_id."
        )
    return value


def _refuse_if(is_incomplete: bool, reason: str) -> None:
    if is_incomplete:
        raise BadAnswer(f"The answer is incomplete: {reason}.", is_partial=True)


def _refuse_error(error: Any) -> None:
    if error is not None:
        raise BadAnswer(f"The engine reports an error: {shown(_as_text(error))}.", is_partial=True)


def _as_text(error: Any) -> str:
    first = error[0] if isinstance(error, list) and error else error
    for name in ("reason", "msg", "message", "summary"):
        if isinstance(first, dict) and isinstance(first.get(name), str):
            return str(first[name])
    return json.dumps(first)


def _names(payload: Any) -> str:
    if not isinstance(payload, dict):
        return "none, because it is no object"
    return ", ".join(map(repr, list(payload)[:5])) or "none"


KINDS = {
    "elasticsearch": Kind(
        "Elasticsearch or OpenSearch",
        "https://search.example.org:9200/news",
        "/_search",
        '{"query": {"match": {"text": "{query}"}}}',
        "size",
        {"results": "hits.hits", "id": "_id", "score": "_score", "title": "_source.title", "text": "_source.text"},
        refuse_elasticsearch,
        {"preference": "assay"},  # of several copies, always the same: ties keep their order
        version=("/", "version.number"),
    ),
    "solr": Kind(
        "Solr",
        "https://search.example.org:8983/solr/news",
        "/select",
        '{"query": "{query}", "fields": "id,score,title,text"}',
        "limit",
        {"results": "response.docs", "id": "id", "score": "score", "title": "title", "text": "text"},
        refuse_solr,
        version=("/solr/admin/info/system", '"lucene"."solr-spec-version"'),
    ),
    "vespa": Kind(
        "Vespa",
        "https://search.example.org:8080",
        "/search/",
        '{"yql": "select * from sources * where userQuery()", "query": "{query}", "type": "weakAnd"}',
        "hits",
        {"results": "root.children", "id": "id", "score": "relevance", "title": "fields.title", "text": "fields.text"},
        refuse_vespa,
        hits=vespa_hits,
        version=("/state/v1/version", "version"),
        most=400,
    ),
    "json": Kind(
        "Another engine that answers JSON",
        "https://search.example.org/search?q={query}&n={depth}",
        "",
        "",
        "",
        {"results": "results", "id": "id", "score": "score", "title": "title", "text": "text"},
        refuse_other,
    ),
}
