"""Tries an engine with one topic before all: the request, the first documents, and what an import would keep."""

from dataclasses import dataclass, field
from typing import Any

from assess.engines.ask import SECONDS, topic_values
from assess.engines.engines import open_engine
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.jobs import queue
from assess.models import Collection, Job, SearchEngine, User
from pooling.errors import shown

FIRST = 10
MAX_TEXT = 300
DEPTH = 10


@dataclass(frozen=True)
class EnginePreview:
    """What an engine answers for a topic. `problem` says why there is no result; then there are no documents."""

    engine: int
    query_id: str
    request: dict[str, Any]
    problem: str = ""
    begin: str = ""
    documents: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_repeatable: bool = True


def start_preview(engine: SearchEngine, query_id: str, user: User | None = None) -> Job:
    """Start a job that asks for one topic."""
    topic = engine.collection.topics.filter(query_id=query_id).first()
    if topic is None:
        raise Refused(f"{engine.collection} has no topic {shown(query_id)}.")
    return queue.start("preview_engine", engine.collection, user, {"engine": engine.pk, "query_id": topic.query_id})


def preview_engine(collection: Collection, engine: int, query_id: str) -> EnginePreview:
    """Ask an engine twice for one topic: the function of the job."""
    from pooling.live import LiveRun  # loads pandas
    from pooling.live.topic import ask_topic
    from pooling.outgoing import Client, Forbidden, Limits

    row = SearchEngine.objects.filter(collection=collection, pk=engine).first()
    topic = collection.topics.filter(query_id=query_id).first()
    if row is None or topic is None:
        raise Refused("The engine or the topic was deleted.")
    opened, values = open_engine(row, row.settings), topic_values(topic)
    with Client(allowed_hosts(), Limits(seconds=SECONDS, attempts=2)) as client:
        try:
            first, second = (ask_topic(opened, client, values, DEPTH) for _ in range(2))
        except Forbidden as error:
            raise Refused(str(error)) from None
    live = LiveRun("preview", DEPTH, [first], opened.scores)
    problem = live.failed.get(query_id, "")
    return EnginePreview(
        engine,
        query_id,
        opened.shown_request(values, DEPTH),
        problem,
        shown(first.body[:MAX_TEXT].decode(errors="replace")) if problem and first.body else "",
        [] if problem else [_document(hit) for hit in first.hits[:FIRST]],
        live.notes,
        [hit.doc_id for hit in first.hits] == [hit.doc_id for hit in second.hits],
    )


def _document(hit: Any) -> dict[str, Any]:
    text = (hit.text or "")[:MAX_TEXT]
    return {"doc_id": hit.doc_id, "score": hit.score, "title": (hit.title or "")[:MAX_TEXT], "text": text}
