"""The topics that a new exercise takes, and a warning if an exercise has too few documents of a topic.

Kappa needs documents on which people disagree, and several documents of each topic. Two topics are taken on which the
earlier judges of the collection disagree often enough.
"""

from collections import Counter
from dataclasses import dataclass

from assess.models import Collection, Topic
from assess.teaching.exercise_sources import Material
from assess.teaching.sampling import DISPUTED, NONRELEVANT, RELEVANT, kinds_by_topic
from pooling.words import count

TOPICS = 2
DISPUTED_EACH = 6
# Half of the sample is disputed: six of twelve documents of each topic.
DOCUMENTS = TOPICS * 2 * DISPUTED_EACH
FEWEST_EACH = 5


@dataclass(frozen=True)
class DefaultTopics:
    """The query_ids of the topics, and why they were chosen."""

    query_ids: list[str]
    explanation: str


def default_topics(source: Collection) -> DefaultTopics:
    """Return the two topics that suit an exercise best, in the order of the collection."""
    kinds = kinds_by_topic(source)
    topics = [topic for topic in source.topics.order_by("pk") if kinds[topic.pk]]
    best = sorted(topics, key=lambda topic: _rank(kinds[topic.pk]), reverse=True)[:TOPICS]  # ties: first in collection
    disputed = [kinds[topic.pk][DISPUTED] for topic in best]
    return DefaultTopics([topic.query_id for topic in topics if topic in best], _explanation(topics, best, disputed))


def _rank(kinds: Counter[str]) -> tuple[int, int, int, int]:
    """Return a key that is higher for a better topic: enough disputed documents, enough documents, then balance."""
    clear = min(kinds[RELEVANT], kinds[NONRELEVANT])
    return min(kinds[DISPUTED], DISPUTED_EACH), min(kinds.total(), 2 * DISPUTED_EACH), clear, kinds[DISPUTED]


def _explanation(topics: list[Topic], best: list[Topic], disputed: list[int]) -> str:
    if not topics:
        return "No topic of this collection has a pooled document with a text yet."
    chosen = "The topic of this collection is" if len(best) == 1 else "Two topics are"
    enough = len(best) == TOPICS and min(disputed) >= DISPUTED_EACH
    if enough:
        return f"{chosen} chosen on which earlier judges disagree about at least {DISPUTED_EACH} documents each."
    if not any(disputed):
        return f"{chosen} chosen. Earlier judges disagree about no document, so the documents are drawn at random."
    numbers = " and ".join(str(number) for number in disputed)
    noun = "document" if disputed == [1] else "documents"
    return (
        f"{chosen} chosen on which earlier judges disagree about most documents: {numbers} {noun}. "
        f"At least {DISPUTED_EACH} each would be better."
    )


def few_documents_warning(material: Material) -> str:
    """Return a warning if all students would judge too few documents of a topic; empty if there are enough."""
    numbers = Counter(task.topic for task in material.tasks[: material.shared])
    least = min(numbers[place] for place in range(len(material.topics)))
    if least >= FEWEST_EACH:
        return ""
    return (
        f"With {count(material.shared, 'document')} for {count(len(material.topics), 'topic')}, students judge only "
        f"{count(least, 'document')} of a topic. Kappa and the ranking of systems then depend on chance. Choose fewer "
        f"topics or more documents, so that each topic has at least {FEWEST_EACH}."
    )
