"""Runs straight from search engines: Elasticsearch, OpenSearch, Solr, Vespa, other JSON, or a Python function.

from pooling.live import Engine, run
engine = Engine.of("elasticsearch", "http://localhost:9200/news")
found = run(engine, topics, depth=100, system="bm25")
found.run, found.documents, found.failed, found.notes
"""

from pooling.live.answer import BadAnswer, Hit
from pooling.live.compare import RunChanges, compare_runs
from pooling.live.engine import Engine
from pooling.live.kinds import KINDS
from pooling.live.run import IncompleteRun, LiveRun, run
from pooling.live.topic import TopicAnswer, read_answers

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
