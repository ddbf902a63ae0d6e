"""The documents from which a sample is drawn: all of a collection, or those in the pool of a topic."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assess.documents.texts import missing_texts
from assess.errors import Refused
from assess.models import Collection, SampledFrom, Topic
from assess.pools.pooled_documents import documents_without_text
from assess.pools.tasks import pooled_tasks
from pooling.errors import shown
from pooling.words import count

BITS = 64  # of each draw: no position is more than 1e-12 likelier than another, up to 10 million documents


def drawn_positions(seed: int, query_id: str, population_size: int, size: int) -> list[int]:
    """Return the first `size` positions, from 0, of a uniform random order of a population.

    A larger size continues the same order. It is the shuffle of Fisher and Yates, of which only what was drawn is kept.
    """
    # The bits of random.Random with a text as seed are the same in all versions of Python; its randrange may change.
    chance = random.Random(f"{seed}\0{query_id}")
    moved: dict[int, int] = {}
    drawn = []
    for position in range(size):
        other = position + chance.getrandbits(BITS) % (population_size - position)
        drawn.append(moved.get(other, other))
        moved[other] = moved.get(position, position)
    return drawn


def hash_of(doc_ids: Iterable[str]) -> str:
    """Return the SHA-256 of doc_ids, each followed by a line feed, which no doc_id contains."""
    content = hashlib.sha256()
    for doc_id in doc_ids:
        content.update(f"{doc_id}\n".encode())
    return content.hexdigest()


LINES_AT_ONCE = 1_000_000  # of all runs, which a page can compare with the documents


@dataclass(frozen=True)
class Population:
    """The doc_ids, sorted by their bytes, and their hash."""

    doc_ids: Sequence[str]
    hash: str


def populations(
    collection: Collection, topics: Sequence[Topic], kind: str, is_page: bool = False
) -> Iterator[tuple[Topic, Population]]:
    """Yield each topic with the documents that may be drawn for it. Refused if a document has no text.

    A page (`is_page`) leaves out a comparison with very large runs; drawing repeats it.
    """
    if kind == SampledFrom.POOL:
        _check_pool(collection)
        yield from ((topic, _population(_pooled(topic))) for topic in topics)
        return
    check_fully_imported(collection, is_page)
    documents = collection.documents.filter(content__isnull=False)
    everything = _population(list(documents.values_list("doc_id", flat=True)))
    yield from ((topic, everything) for topic in topics)


def check_fully_imported(collection: Collection, is_page: bool = False) -> None:
    """Refuse a collection if one of its documents, or one that a run retrieved, has no text."""
    if missing := missing_texts(collection, LINES_AT_ONCE if is_page else None):
        raise Refused(
            f"{missing} in {collection}, {missing.example}. A sample of the whole collection needs all documents: "
            "import them, or draw from the pool."
        )


def _check_pool(collection: Collection) -> None:
    if without := documents_without_text(collection).count():
        have = "document of the pool has" if without == 1 else "documents of the pool have"
        raise Refused(
            f"{without:,} {have} no text yet. A sample needs documents that can be judged. Import them first."
        )


def _pooled(topic: Topic) -> list[str]:
    return list(pooled_tasks(topic.collection).filter(topic=topic).values_list("document__doc_id", flat=True))


def _population(doc_ids: list[str]) -> Population:
    # Code points have the order of the bytes in UTF-8. The database's order depends on its collation.
    ordered = sorted(doc_ids)
    return Population(ordered, hash_of(ordered))


def topics_of(collection: Collection, query_ids: Sequence[str]) -> list[Topic]:
    """Return the topics with these ids, or all if there are none, in the order of import."""
    topics = list(collection.topics.order_by("pk"))
    for topic in topics:
        topic.collection = collection
    known = {topic.query_id for topic in topics}
    if unknown := [query_id for query_id in query_ids if query_id not in known]:
        raise Refused(f"There is no topic {shown(unknown[0])} in {collection}. Nothing was drawn.")
    if not topics:
        raise Refused(f"{collection} has no topics yet. Import them first.")
    return [topic for topic in topics if not query_ids or topic.query_id in set(query_ids)]


def describe_population(kind: str, size: int) -> str:
    """Return a population in words."""
    if kind == SampledFrom.POOL:
        return f"the {count(size, 'document')} that were in the pool of the topic"
    return f"all {count(size, 'document')} of the collection that had a text"
