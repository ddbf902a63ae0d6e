"""Runs straight from search engines: Elasticsearch, OpenSearch, Solr, Vespa, other JSON, or a Python function.

    from pooling.live import Engine, run
    engine = Engine.of("elasticsearch", "http://localhost:9200/news")
    found = run(engine, topics, depth=100, system="bm25")
    found.run, found.documents, found.failed, found.notes

Each name is imported when it is first used, because pandas and the HTTP client take seconds to load.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pooling.live.answer import BadAnswer, Hit
    from pooling.live.compare import RunChanges, compare_runs
    from pooling.live.engine import Engine
    from pooling.live.kinds import KINDS
    from pooling.live.live_run import IncompleteRun, LiveRun, run
    from pooling.live.topic import TopicAnswer, read_answers

_HOMES = {
    "BadAnswer": "answer",
    "Engine": "engine",
    "Hit": "answer",
    "IncompleteRun": "live_run",
    "KINDS": "kinds",
    "LiveRun": "live_run",
    "RunChanges": "compare",
    "TopicAnswer": "topic",
    "compare_runs": "compare",
    "read_answers": "topic",
    "run": "live_run",
}
__all__ = [
    "KINDS",
    "BadAnswer",
    "Engine",
    "Hit",
    "IncompleteRun",
    "LiveRun",
    "RunChanges",
    "TopicAnswer",
    "compare_runs",
    "read_answers",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"pooling.live.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
