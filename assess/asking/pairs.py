"""The pairs of the pool as models are asked for them: topic and text, and nothing of a run.

Texts are read when they are needed, because a pool may be larger than the memory.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from assess.documents.display import displayed_column, plain_text
from assess.judging.chain_format import text_hash
from assess.judging.record_model import Judged
from assess.models import Collection, Document, ModelAnswer, ModelJudge, Task
from assess.pools.tasks import pooled_tasks

if TYPE_CHECKING:
    from pooling.models import Pair

NO_ANSWER = "not_answered"  # a failure of the server: the pair is still to be asked for


class PoolPairs:
    """The pairs of the pool by name (query_id, doc_id), with the keys of their tasks."""

    def __init__(self, judge: ModelJudge) -> None:
        collection = judge.collection
        rows = collection.topics.values_list("pk", "query_id", "title", "description", "narrative")
        self._topics = {
            pk: (query_id, {"title": title, "description": description, "narrative": narrative})
            for pk, query_id, title, description, narrative in rows
        }
        shown = {(query_id, doc_id) for query_id, doc_id, _ in judge.examples}
        tasks = pooled_tasks(collection).values_list("pk", "topic", "document", "document__doc_id")
        self._tasks = {
            (self._topics[topic][0], doc_id): (pk, topic, document)
            for pk, topic, document, doc_id in tasks.iterator()
            if (self._topics[topic][0], doc_id) not in shown
        }

        self.hashes: dict[int, bytes] = {}  # of the texts that were read, by task

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def tasks(self) -> set[int]:
        """The keys of all tasks."""
        return {task for task, *_ in self._tasks.values()}

    def task(self, query_id: str, doc_id: str) -> int:
        """Return the key of the task of a pair."""
        return self._tasks[query_id, doc_id][0]

    def judged(self, query_id: str, doc_id: str) -> Judged:
        """Return a pair with the key of its task."""
        task = self.task(query_id, doc_id)
        return Judged(task, query_id, doc_id, self.hashes.pop(task, None))

    def pairs(self, done: set[int], repeat: int = 0) -> Iterator["Pair"]:
        """Yield the pairs whose tasks are not among `done`."""
        from pooling.models import Pair  # loads the HTTP client

        for (query_id, doc_id), (task, topic, document) in self._tasks.items():
            if task not in done:
                text = partial(self._read, task, document)
                yield Pair(query_id, doc_id, self._topics[topic][1], text, repeat=repeat)

    def _read(self, task: int, document: int) -> str:
        text, self.hashes[task] = _text(document)
        return text


def answered_tasks(judge: ModelJudge, repeat: int = 0, *, with_failed: bool = False) -> set[int]:
    """Return the tasks that a judge need not be asked for; `with_failed`, only those with a grade."""
    answers = ModelAnswer.objects.filter(judge=judge, repeat=repeat, is_current=True)
    settled = answers.exclude(grade=None) if with_failed else answers.exclude(reason=NO_ANSWER)
    return set(settled.values_list("task", flat=True))


def text_of(collection: Collection, doc_id: str) -> str:
    """Return the words of a document that assessors see; empty if it has none."""
    key = collection.documents.filter(doc_id=doc_id).values_list("pk", flat=True).first()
    return _text(key)[0] if key else ""


def _text(document: int) -> tuple[str, bytes]:
    """Return title and words of a document, and the hash that the ledger has of what is displayed."""
    columns = ("content__title", "content__format", displayed_column("content"), "content__sha256")
    title, text_format, text, sha256 = Document.objects.filter(pk=document).values_list(*columns).get()
    words = plain_text(text or "", text_format or "text")
    read = "\n".join(part for part in (title, words) if part and part.strip())
    return read, bytes.fromhex(sha256) if sha256 else text_hash("")


def pair_of(task: Task, repeat: int = 0) -> "Pair":
    """Return the pair of one task. It has its topic and document."""
    from pooling.models import Pair  # loads the HTTP client

    topic = task.topic
    texts = {"title": topic.title, "description": topic.description, "narrative": topic.narrative}
    return Pair(topic.query_id, task.document.doc_id, texts, lambda: _text(task.document_id)[0], repeat=repeat)
