"""Check the content of a pool file. Each function raises ValueError with the problem as a clause."""

import math
from collections.abc import Iterator
from typing import Any

from pooling.errors import shown
from pooling.ids import id_problem
from pooling.pools.provenance import SET_OPERATIONS
from pooling.trec import SCORE_PRECISIONS


def without_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a key occurs twice."""
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{shown(next(name for name in names if names.count(name) > 1))} occurs twice")
    return result


def checked_head(content: dict[str, Any]) -> dict[str, Any]:
    """Everything except the systems and the topics, as arguments of `Pool`."""
    head = {name: content[name] for name in ("strategy", "parameters", "seed", "inputs")}
    head["score_precision"] = content.get("score_precision")
    inputs = head["inputs"]
    _check_provenance(head)
    _require(isinstance(inputs, dict) and all(isinstance(v, str) for v in inputs.values()), "inputs has no checksums")
    _require(head["score_precision"] in (None, *SCORE_PRECISIONS), "the score_precision is unknown")
    return head


def _check_provenance(provenance: dict[str, Any]) -> None:
    """Check strategy, parameters and seed, also those of the two pools of a union or difference."""
    strategy, parameters, seed = provenance["strategy"], provenance["parameters"], provenance["seed"]
    _require(isinstance(strategy, str) and strategy != "", "the strategy is not a name")
    _require(isinstance(parameters, dict), "the parameters are not an object")
    _require(seed is None or (_is_whole(seed) and seed >= 0), "the seed is not a whole number from 0")
    added = parameters.get("added", {})
    _require(
        isinstance(added, dict) and all(map(_is_whole, added.values())), "the counts of added documents are invalid"
    )
    judged = parameters.get("judged", {})
    _require(
        isinstance(judged, dict) and (not judged or judged.keys() == {"documents", "left_out", "sha256"}),
        "the record of judged documents is invalid",
    )
    counts = [judged[name] for name in ("documents", "left_out") if judged]
    _require(all(_is_whole(number) and number >= 0 for number in counts), "the counts of judged documents are invalid")
    for part in ("first", "second") if strategy in SET_OPERATIONS else ():
        _check_provenance(parameters[part])


def checked_rows(systems: list[Any], topics: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of `Pool.frame`, in the order of the file."""
    _require(isinstance(systems, list), "systems is not a list")
    for name in systems:
        _check_id("system", name)
    _require(len(set(systems)) == len(systems), "a system occurs twice in systems")
    _require(isinstance(topics, dict), "topics is not an object")
    return [row for query_id, documents in topics.items() for row in _topic_rows(query_id, documents, systems)]


def _topic_rows(query_id: str, documents: Any, systems: list[str]) -> Iterator[tuple[Any, ...]]:
    _check_id("query_id", query_id)
    _require(isinstance(documents, list), f"topic {query_id!r} is not a list of documents")
    seen = set()
    for document in documents:
        is_valid = isinstance(document, list) and len(document) == 6
        _require(is_valid, f"a document of topic {query_id!r} is not a list of six values")
        doc_id, positions, *values = document
        _check_id("doc_id", doc_id)
        _require(doc_id not in seen, f"topic {query_id!r} has document {doc_id!r} twice")
        seen.add(doc_id)
        _check_values(*values)
        yield query_id, doc_id, _system_names(positions, systems), *values


def _system_names(positions: Any, systems: list[str]) -> tuple[str, ...]:
    """The names of the systems at these positions, sorted."""
    _require(isinstance(positions, list), "the systems of a document are not a list")
    is_valid = all(_is_whole(number) and 0 <= number < len(systems) for number in positions)
    _require(is_valid, "a system of a document is not a position in systems")
    _require(len(set(positions)) == len(positions), "a system of a document occurs twice")
    return tuple(sorted(systems[number] for number in positions))


def _check_values(rank: Any, stratum: Any, probability: Any, priority: Any) -> None:
    _require(rank is None or (_is_whole(rank) and rank >= 1), "a best rank is not a whole number from 1")
    _require(isinstance(stratum, str), "a stratum is not a string")
    _require(_is_finite(probability) and 0 < probability <= 1, "an inclusion probability is not above 0 and at most 1")
    _require(_is_finite(priority), "a priority is not a finite number")


def _check_id(name: str, value: Any) -> None:
    _require(isinstance(value, str), f"a {name} is not a string")
    if problem := id_problem(value):
        raise ValueError(f"{name} {shown(value)} {problem}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and math.isfinite(value)


def _require(is_valid: bool, problem: str) -> None:
    if not is_valid:
        raise ValueError(problem)
