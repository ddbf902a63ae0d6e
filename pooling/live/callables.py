"""Asks a Python callable instead of an engine: a function, or a transformer of PyTerrier."""

import inspect
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from pooling.live.answer import Answer, BadAnswer, Hit, checked, hit
from pooling.live.template import values_of
from pooling.live.topic import TopicAnswer
from pooling.outgoing.client import now

Search = Callable[..., Any]
_IDS = ("doc_id", "docno", "docid", "id", "_id")


def search_of(source: Any) -> Search:
    """Return what to call: the method `search` of a transformer, or the callable itself."""
    search = getattr(source, "search", source)
    if not callable(search):
        raise TypeError(f"search must be a callable, an Engine or have a method search, not {type(source).__name__}.")
    return search  # type: ignore[no-any-return]


def ask_callable(search: Search, topic: Mapping[str, str], depth: int, chunk_separator: str = "") -> TopicAnswer:
    """Call a search function with the words of a topic. An exception fails the topic and no other."""
    query_id, query = topic["query_id"], values_of(topic, depth)["query"]
    began, asked_at = time.monotonic(), now()
    try:
        answer = _read(_call(search, query, depth), depth, chunk_separator)
    except BadAnswer as error:
        return TopicAnswer(query_id, problem=str(error), asked_at=asked_at)
    except Exception as error:  # noqa: BLE001, RUF100 - whatever a stranger's function raises
        return TopicAnswer(query_id, problem=f"The function raised {type(error).__name__}: {error}", asked_at=asked_at)
    body = json.dumps([[each.doc_id, each.score] for each in answer.hits]).encode()
    seconds = time.monotonic() - began
    return TopicAnswer(query_id, answer.hits, answer.counts, body=body, asked_at=asked_at, seconds=seconds)


def _call(search: Search, query: str, depth: int) -> Any:
    try:
        takes_depth = "depth" in inspect.signature(search).parameters
    except (TypeError, ValueError):
        takes_depth = False
    return search(query, depth=depth) if takes_depth else search(query)


def _read(found: Any, depth: int, chunk_separator: str) -> Answer:
    if found is None:
        raise BadAnswer("The function returned None; a topic without documents is an empty list.")
    rows = _rows(found) if isinstance(found, pd.DataFrame) else list(found)
    return checked(map(_hit, rows), depth, chunk_separator)


def _rows(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows by rank, if the frame has one, or else in their order."""
    if "rank" in frame.columns:
        frame = frame.sort_values("rank", kind="stable")
    return frame.where(frame.notna(), None).to_dict("records")


def _hit(row: Any) -> Hit:
    """Return the document of an id, (id, score), (id, text), or a mapping with an id."""
    if isinstance(row, str | int):
        return hit(row)
    if isinstance(row, Mapping):
        doc_id = next((row[name] for name in _IDS if row.get(name) is not None), None)
        return hit(doc_id, row.get("score"), row.get("title"), row.get("text"))
    if not (isinstance(row, tuple | list) and len(row) == 2):
        raise BadAnswer("A document must be an id, (id, score), (id, text) or a mapping with doc_id.")
    doc_id, second = row
    return hit(doc_id, text=second) if isinstance(second, str) else hit(doc_id, second)
