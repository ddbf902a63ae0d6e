"""How a document came into the pool without a run: a searcher found it, or a learner proposed it."""

from dataclasses import dataclass
from datetime import datetime

from assess.models import Proposal, SearchedTask, Task


@dataclass(frozen=True)
class FoundBy:
    """The search that found a document. Without a name and a query, the searcher was erased."""

    searcher: str
    query: str
    searched_at: datetime | None
    entered_at: datetime | None


@dataclass(frozen=True)
class ProposedBy:
    """A version of the learner's model that proposed a document; `entered_pool` if it entered the pool by this."""

    version: int
    proposed_at: datetime
    entered_pool: bool


def search_for(task: Task) -> FoundBy | None:
    """Return the search that brought a task into the pool."""
    entered = SearchedTask.objects.filter(task=task, entered_at__isnull=False)
    row = entered.values_list("search__member__name", "search__query", "search__searched_at", "entered_at").first()
    if row is None:
        return None
    searcher, query, searched_at, entered_at = row
    return FoundBy(searcher or "", query or "", searched_at, entered_at)


def proposals_for(task: Task) -> list[ProposedBy]:
    """Return the versions of the model that proposed a task, the first one first."""
    proposals = Proposal.objects.filter(model__topic=task.topic_id, document=task.document_id)
    rows = proposals.order_by("model__version").values_list("model__version", "proposed_at", "entered_pool")
    return [ProposedBy(*row) for row in rows]
