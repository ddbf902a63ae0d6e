"""The documents that searchers opened, and those that were found only by searching.

A document is *found only by searching* if it entered the pool by a search, it was judged, and no run brought it into
the pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from assess.models import NOT_WITHDRAWN, Collection, Judgement, Provenance, SearchedTask, State, Task
from assess.search.recorded import opened_pairs

Pair = tuple[str, str]  # query_id, doc_id


@dataclass(frozen=True)
class FoundDocument:
    """A document that a searcher opened for a topic, or that was found only by searching.

    `searchers` opened it, and `judges` are those of them who judged it. `is_relevant` under the gold. `is_only` if it
    was found only by searching. Both are empty if the searcher was erased.
    """

    task: int
    query_id: str
    doc_id: str
    searchers: tuple[str, ...]
    judges: tuple[str, ...]
    is_relevant: bool
    is_only: bool

    @property
    def pair(self) -> Pair:
        return self.query_id, self.doc_id

    @property
    def is_unique(self) -> bool:
        """Whether no run and no other searcher found this relevant document."""
        return self.is_relevant and self.is_only and len(self.searchers) == 1


def found_only_by_searching(collection: Collection) -> set[Pair]:
    """Return the judged documents that entered the pool by a search, and that no run has brought into it."""
    judged = Judgement.objects.filter(NOT_WITHDRAWN, task=OuterRef("task"), repeat=0, state=State.JUDGED)
    tasks = SearchedTask.objects.filter(Exists(judged), task__topic__collection=collection, entered_at__isnull=False)
    rows = Provenance.objects.filter(task__in=tasks.values("task")).values_list(
        "task__topic__query_id", "task__document__doc_id", "systems"
    )
    return {(query_id, doc_id) for query_id, doc_id, systems in rows if not systems}


def found_documents(collection: Collection, query_ids: Sequence[str], relevant: set[Pair]) -> list[FoundDocument]:
    """Return what searchers opened for these topics, and what was found only by searching."""
    only = found_only_by_searching(collection)
    opened = opened_pairs(collection)
    wanted = set(query_ids)
    pairs = sorted(pair for pair in only.union(*opened.values()) if pair[0] in wanted)
    tasks = _tasks(collection, pairs)
    return [
        FoundDocument(
            task=tasks[pair],
            query_id=pair[0],
            doc_id=pair[1],
            searchers=tuple(sorted(name for name, pairs in opened.items() if pair in pairs)),
            judges=tuple(sorted(name for name, pairs in opened.items() if pairs.get(pair))),
            is_relevant=pair in relevant,
            is_only=pair in only,
        )
        for pair in pairs
    ]


def _tasks(collection: Collection, pairs: Sequence[Pair]) -> dict[Pair, int]:
    """Return the tasks of pairs. Opening a result has created them."""
    tasks = Task.objects.filter(topic__collection=collection, document__doc_id__in={doc_id for _, doc_id in pairs})
    rows = tasks.values_list("topic__query_id", "document__doc_id", "pk")
    return {(query_id, doc_id): pk for query_id, doc_id, pk in rows}
