"""The random order in which the documents of a topic are drawn."""

import hashlib
import random
from collections.abc import Iterable

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
