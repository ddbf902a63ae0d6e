"""A large collection to search: documents of 200 words, whose frequencies follow Zipf's law, and its query set.

The word of rank r has a share of the text that is proportional to 1 / r, of 100,000 words. A word is in less than 1 %
of the documents from rank 1,700 on. The query set is `search_queries.txt`: 100 queries of two to four words with ranks
from 1,700 to 20,000, drawn once.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.tiny import size

WORDS, LENGTH = 100_000, 200
FIRST_RANK, LAST_RANK = 1_700, 20_000  # of the words of queries
QUERIES = Path(__file__).with_name("search_queries.txt")
BATCH = 5_000  # documents
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]
SEED = 20


def word(rank: int) -> str:
    """Return the word of a rank from 1. Different ranks have different words."""
    syllables = []
    while rank:
        rank, syllable = divmod(rank, len(SYLLABLES))
        syllables.append(SYLLABLES[syllable])
    return "".join(syllables)


def draw_queries(number: int = 100) -> list[str]:
    """Draw the query set: of its queries, a third each have two, three and four words."""
    rng = np.random.default_rng(SEED)
    ranks = (rng.integers(FIRST_RANK, LAST_RANK, size=2 + index % 3) for index in range(number))
    return [" ".join(word(int(rank)) for rank in drawn) for drawn in ranks]


def queries() -> list[str]:
    return QUERIES.read_text(encoding="utf-8").splitlines()[: size(None, 5)]


def texts(number: int) -> Iterator[str]:
    """Yield the texts of the documents."""
    rng = np.random.default_rng(SEED)
    shares = 1 / np.arange(1, WORDS + 1)
    limits = np.cumsum(shares / shares.sum())
    words = np.array([word(rank) for rank in range(1, WORDS + 1)], dtype=object)
    for start in range(0, number, BATCH):
        drawn = np.searchsorted(limits, rng.random((min(BATCH, number - start), LENGTH)))
        for row in words[np.minimum(drawn, WORDS - 1)]:
            yield " ".join(row)


def make(number: int):
    """Return a collection with one topic and this number of documents, and an assessor who may search."""
    from django.db import transaction
    from django.utils import timezone

    from assess.collections.create import create_collection
    from assess.collections.members import add_member
    from assess.lib.batches import column_values, insert_rows, reserve_keys
    from assess.models import Document, DocumentContent, Role
    from assess.search.permission import permit_search

    collection = create_collection("large", "Large")
    collection.topics.create(query_id="1", title="The need")
    keys = list(reserve_keys(DocumentContent, number))
    fixed = column_values(
        DocumentContent,
        {"title": "", "format": "text", "metadata": {}, "sha256": "", "imported_at": timezone.now()},
    )
    columns = ("id", "text", *fixed)
    contents = ((key, text, *fixed.values()) for key, text in zip(keys, texts(number), strict=True))
    documents = ((collection.pk, f"d{key}", key) for key in keys)
    with transaction.atomic():
        insert_rows(DocumentContent, columns, contents)
        insert_rows(Document, ("collection_id", "doc_id", "content_id"), documents)
    member, _ = add_member(collection, "ada", Role.ASSESSOR)
    permit_search(collection, [member.name])
    return member
