"""Every document of a small collection for every topic: the pool of exhaustive judging. It needs no runs.

The documents are those whose text is imported. Documents without a text are refused if they are in the pool, so that
after a building every pair was certain to be in the pool.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from assess.errors import Refused
from assess.models import Collection
from assess.pools.pooled_documents import documents_without_text
from pooling.words import count

EVERY_DOCUMENT = "every_document"
MOST_TASKS = 500_000  # of one building


@dataclass(frozen=True)
class ExhaustivePool:
    """All topics and all documents with a text, by their ids."""

    query_ids: list[str]
    doc_ids: list[str]

    @property
    def size(self) -> int:
        return len(self.query_ids) * len(self.doc_ids)

    def pairs(self) -> Iterator[tuple[str, str]]:
        return ((query_id, doc_id) for query_id in self.query_ids for doc_id in self.doc_ids)


def exhaustive_pool(collection: Collection) -> ExhaustivePool:
    """Return what the strategy pools. Refused if there is nothing to pool, or too much."""
    topics = collection.topics.count()
    with_text = collection.documents.filter(content__isnull=False)
    documents = with_text.count()
    if not topics or not documents:
        missing = "topics" if not topics else "documents with a text"
        raise Refused(f"{collection} has no {missing} yet. {EVERY_DOCUMENT} needs topics and documents.")
    if topics * documents > MOST_TASKS:
        raise Refused(
            f"{EVERY_DOCUMENT} would pool {topics * documents:,} documents ({count(topics, 'topic')} of "
            f"{count(documents, 'document')} each); at most {MOST_TASKS:,} are allowed. Choose another strategy."
        )
    if without := documents_without_text(collection).count():
        have = "1 pooled document has" if without == 1 else f"{without:,} pooled documents have"
        raise Refused(f"{have} no text yet, and {EVERY_DOCUMENT} needs the text of every document. Import it first.")
    query_ids = sorted(collection.topics.values_list("query_id", flat=True))
    return ExhaustivePool(query_ids, sorted(with_text.values_list("doc_id", flat=True)))


def check_no_parameters(parameters: dict[str, object]) -> None:
    """Refuse the parameters of other strategies."""
    if names := [name for name, value in parameters.items() if value is not None]:
        raise Refused(f"{EVERY_DOCUMENT} takes no parameters, not {names[0]}.")
