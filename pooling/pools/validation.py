"""What may stand in the file of a pool: ValueError, with one clause of a sentence, where something else does."""

import math
from collections.abc import Iterator

from pooling.errors import shown
from pooling.ids import id_problem
from pooling.pools.provenance import MADE_OF_TWO
from pooling.trec import SCORE_PRECISIONS


def without_twice(pairs: list[tuple[str, object]]) -> dict:
    """A JSON object; ValueError where a name comes twice."""
    told = dict(pairs)
    if len(told) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{shown(next(name for name in names if names.count(name) > 1))} comes twice")
    return told


def checked_head(told: dict) -> dict:
    """All but the systems and the topics, as the arguments of a `Pool`."""
    head = {name: told[name] for name in ("strategy", "parameters", "seed", "inputs")}
    head["score_precision"] = told.get("score_precision")
    inputs = head["inputs"]
    _check_recipe(head)
    _need(isinstance(inputs, dict) and all(isinstance(v, str) for v in inputs.values()), "the inputs are no checksums")
    _need(head["score_precision"] in (None, *SCORE_PRECISIONS), "the score_precision is unknown")
    return head


def _check_recipe(recipe: dict) -> None:
    """Strategy, parameters and seed, those too of the two pools that a pool was made of."""
    strategy, parameters, seed = recipe["strategy"], recipe["parameters"], recipe["seed"]
    _need(isinstance(strategy, str) and strategy, "the strategy is no name")
    _need(isinstance(parameters, dict), "the parameters are no object")
    _need(seed is None or (_is_whole(seed) and seed >= 0), "the seed is no whole number from 0")
    added = parameters.get("added", {})
    _need(isinstance(added, dict) and all(map(_is_whole, added.values())), "the numbers of added documents are none")
    for part in ("first", "second") if strategy in MADE_OF_TWO else ():
        _check_recipe(parameters[part])


def checked_rows(systems: list, topics: dict) -> list[tuple]:
    """The rows of `Pool.frame`, in the order of the file."""
    _need(isinstance(systems, list), "the systems are no list")
    for name in systems:
        _check_id("system", name)
    _need(len(set(systems)) == len(systems), "a system comes twice in systems")
    _need(isinstance(topics, dict), "the topics are no object")
    return [row for query_id, documents in topics.items() for row in _topic(query_id, documents, systems)]


def _topic(query_id: str, documents: list, systems: list[str]) -> Iterator[tuple]:
    _check_id("query_id", query_id)
    _need(isinstance(documents, list), f"topic {query_id!r} is no list of documents")
    seen = set()
    for document in documents:
        _need(isinstance(document, list) and len(document) == 6, f"a document of topic {query_id!r} has not six values")
        doc_id, brought, *values = document
        _check_id("doc_id", doc_id)
        _need(doc_id not in seen, f"topic {query_id!r} has document {doc_id!r} twice")
        seen.add(doc_id)
        _check_values(*values)
        yield query_id, doc_id, _names(brought, systems), *values


def _names(brought: list, systems: list[str]) -> tuple[str, ...]:
    """Systems by their positions, sorted."""
    _need(isinstance(brought, list), "the systems of a document are no list")
    _need(all(_is_whole(n) and 0 <= n < len(systems) for n in brought), "a system of a document is no position")
    _need(len(set(brought)) == len(brought), "a system of a document comes twice")
    return tuple(sorted(systems[number] for number in brought))


def _check_values(rank, stratum, probability, priority) -> None:
    _need(rank is None or (_is_whole(rank) and rank >= 1), "a best rank is no whole number from 1")
    _need(isinstance(stratum, str), "a stratum is no text")
    _need(_is_finite(probability) and 0 < probability <= 1, "an inclusion probability is not above 0 and at most 1")
    _need(_is_finite(priority), "a priority is no finite number")


def _check_id(name: str, value) -> None:
    _need(isinstance(value, str), f"a {name} is no text")
    if problem := id_problem(value):
        raise ValueError(f"{name} {shown(value)} {problem}")


def _is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_finite(value) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and math.isfinite(value)


def _need(kept: bool, sentence: str) -> None:
    if not kept:
        raise ValueError(sentence)
