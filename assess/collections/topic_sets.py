"""The development and the test set of a collection's topics: who is in which, and changing it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Collection, TopicInSet, TopicSet
from pooling.errors import shown

NO_SET = "none"  # what pages and commands call the set of a topic that belongs to none


@dataclass(frozen=True)
class SetsChange:
    """How many topics now belong to another set than before, and how many belonged to it already."""

    changed: int
    same: int


def sets_by_topic(collection: Collection) -> dict[str, str]:
    """Return the set of each topic that belongs to one, by query_id."""
    rows = TopicInSet.objects.filter(topic__collection=collection).order_by("topic")
    return dict(rows.values_list("topic__query_id", "name"))


def topics_in_set(collection: Collection, name: str) -> tuple[str, ...]:
    """Return the query_ids of a set, in the order of import; none if `name` is empty. Refused if the set has none."""
    if not name:
        return ()
    if name not in TopicSet.values:
        raise Refused(f"set must be one of {', '.join(TopicSet.values)} or empty, not {shown(name)}.")
    topics = tuple(query_id for query_id, each in sets_by_topic(collection).items() if each == name)
    if not topics:
        raise Refused(f"No topic of {collection} is in the {TopicSet(name).label} yet.")
    return topics


def set_topics(collection: Collection, query_ids: Iterable[str], name: str) -> SetsChange:
    """Put topics into a set, or with NO_SET into none. If a topic is unknown, nothing changes."""
    if name not in (*TopicSet.values, NO_SET):
        raise Refused(f"The set must be one of {', '.join(TopicSet.values)}, {NO_SET}, not {shown(name)}.")
    chosen = list(dict.fromkeys(query_ids))
    if not chosen:
        raise Refused("Choose at least one topic.")
    with transaction.atomic():
        lock_active(collection)
        keys = _keys(collection, chosen)
        before = dict(TopicInSet.objects.filter(topic__collection=collection).values_list("topic", "name"))
        changed = [key for key in keys if before.get(key, NO_SET) != name]
        _save(changed, name)
    return SetsChange(len(changed), len(keys) - len(changed))


def _keys(collection: Collection, query_ids: Sequence[str]) -> list[int]:
    known = dict(collection.topics.values_list("query_id", "pk"))
    if unknown := [query_id for query_id in query_ids if query_id not in known]:
        raise Refused(f"There is no topic {shown(unknown[0])} in {collection}; nothing was changed.")
    return [known[query_id] for query_id in query_ids]


def _save(keys: Sequence[int], name: str) -> None:
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        TopicInSet.objects.filter(topic__in=batch).delete()
        if name != NO_SET:
            TopicInSet.objects.bulk_create(TopicInSet(topic_id=key, name=name) for key in batch)


def count_sets(names: Iterable[str]) -> dict[str, int]:
    """Return how many topics each set has, and how many belong to none. `names` has the set of every topic or ""."""
    counts = Counter(names)
    return {**{name: counts[name] for name in TopicSet.values}, NO_SET: counts[""]}


def describe_set(name: str, topics: Sequence[str]) -> str:
    """Return the topics of a page or report in words, such as "test set: 20 topics"; empty if all are meant."""
    if not name:
        return ""
    return f"{TopicSet(name).label}: {len(topics):,} topic{'s'[: len(topics) != 1]}"
