"""Recomputes the chain of hashes of each member (`assess.judging.chain_format`).

Comments can be erased; then the tombstones of the collection count them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from django.db.models import Sum

from assess.judging.chain_walk import NAMES, problems_of_member
from assess.judging.ledger.judgements import events_of, rows_of
from assess.models import Collection, Tombstone
from pooling.words import count


def chain_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield one sentence for each event that is missing, or that was changed after it was recorded."""
    erased: Counter[str] = Counter()  # comments, by the collection's slug
    events = rows_of(events_of(collection).order_by("member_id", "position", "pk"), *NAMES)
    for _, chain in groupby(events, key=attrgetter("member_id")):
        yield from problems_of_member(chain, erased)
    yield from _unexplained_erasures(collection, erased)


def _unexplained_erasures(collection: Collection | None, erased: Counter[str]) -> Iterator[str]:
    stones = Tombstone.objects.filter(comments__gt=0).order_by()
    if collection:
        stones = stones.filter(collection_slug=collection.slug)
    explained = dict(stones.values_list("collection_slug").annotate(comments=Sum("comments")))
    for slug, number in sorted(erased.items()):
        if number > explained.get(slug, 0):
            yield (
                f"Collection {slug}: {count(number, 'comment')} deleted from the ledger, but its tombstones record "
                f"{explained.get(slug, 0):,}."
            )
