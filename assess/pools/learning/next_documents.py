"""The documents of a topic that nobody has begun, in the order in which a model proposes them.

A model ranks only its first documents. When they are used up, as in a topic whose rule decides nothing, the others
follow in the order of their import.
"""

from collections.abc import Iterator
from itertools import islice

from django.db.models import Exists, OuterRef

from assess.models import LearnerModel, Task
from assess.pools.learning.current import documents_of_model

Free = dict[int, tuple[int, int]]  # key and number of assessors of a free task, by document


def next_documents(model: LearnerModel, free: Free, limit: int) -> list[int]:
    """Return up to `limit` documents that nobody has begun.

    First come those that the model ranks, in its order, then the rest of the pool, then documents that no pool has.
    """
    if limit <= 0:
        return []
    pooled = Task.objects.filter(topic=model.topic_id, provenance__isnull=False)
    known = set(pooled.values_list("document", flat=True))
    ranked = list(islice(_ranked(model, free, known), limit))
    if (left := limit - len(ranked)) == 0:
        return ranked
    unranked = sorted(document for document, (_, taken) in free.items() if not taken and document not in ranked)
    return ranked + unranked[:left] + _behind_ranking(model, left - len(unranked))


def _ranked(model: LearnerModel, free: Free, known: set[int]) -> Iterator[int]:
    """Yield the documents in the order of the model that nobody has begun, or that no pool has (`known`)."""
    for document in model.ranking:
        if document not in known or (document in free and not free[document][1]):
            yield document


def _behind_ranking(model: LearnerModel, limit: int) -> list[int]:
    """Return documents that are not among the first of the model, in the order of their import.

    Those in the pool are left out, and those that the rule had decided when the model was trained.
    """
    if limit <= 0:
        return []
    left_out = [*model.ranking, *(document for document, _ in model.judged or [])]
    pooled = Task.objects.filter(topic=model.topic_id, document=OuterRef("pk"), provenance__isnull=False)
    others = documents_of_model(model).exclude(pk__in=left_out).exclude(Exists(pooled)).order_by("pk")
    return list(others.values_list("pk", flat=True)[:limit])
