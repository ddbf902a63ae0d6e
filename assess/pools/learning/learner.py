"""The classifier of a collection. Workers and commands load it, with numpy; scikit-learn comes when it learns.

The vectors of the documents are computed once per process and set of documents, and serve all topics.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assess.documents.texts import document_texts
from assess.errors import Refused, as_sentence
from assess.lib.long_work import report
from assess.models import Collection, LearnerModel, Topic
from pooling.adaptive.cal import CAL, collection_rankings

AHEAD = 1_000  # documents of a model's ranking that are stored besides its batch
CACHED_COLLECTIONS = 2


@dataclass(frozen=True)
class Documents:
    """The documents with text: their primary keys by doc_id, the last key, and a hash of their ids and texts."""

    keys: Mapping[str, int]
    last: int
    hash: str


def documents_of(collection: Collection, last: int | None = None) -> Documents:
    """Return the documents with text; with `last`, those with primary keys up to this one."""
    rows = collection.documents.filter(content__isnull=False).order_by("pk")
    rows = rows if last is None else rows.filter(pk__lte=last)
    keys, hashed = {}, hashlib.sha256()
    for pk, doc_id, text_hash in rows.values_list("pk", "doc_id", "content__sha256").iterator(2_000):
        keys[doc_id] = pk
        hashed.update(json.dumps([doc_id, text_hash]).encode())
    return Documents(keys, max(keys.values(), default=0), hashed.hexdigest())


def query_of(topic: Topic) -> str:
    """Return the words that the learner knows before anything is judged: title and description."""
    return f"{topic.title}\n{topic.description}".strip()


def learn(
    collection: Collection, topic: Topic, documents: Documents, model: LearnerModel, judged: Mapping[str, float]
) -> LearnerModel:
    """Let an unsaved model learn from judged documents: set its documents, ranking and digest."""
    learner = _learner(collection.pk, documents.hash, documents.last, json.dumps(model.parameters, sort_keys=True))
    learner.queries[topic.query_id] = model.query
    try:
        state = learner.strategy.learn(collection_rankings(topic.query_id, documents.keys), judged, model.batch_size)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    finally:
        learner.texts.forget()
    ranking = learner.strategy.ranking(state, model.batch_size + AHEAD)
    model.document_count, model.last_document = len(documents.keys), documents.last
    model.documents_hash, model.digest = documents.hash, digest_of(ranking)
    model.ranking = [documents.keys[doc_id] for doc_id in ranking]
    return model


def digest_of(ranking: Sequence[str]) -> str:
    """Return the SHA-256 of the doc_ids of a ranking, as a JSON array with ASCII characters."""
    return hashlib.sha256(json.dumps(list(ranking)).encode()).hexdigest()


class _Texts:
    """The texts of the documents, read when the first is needed and deleted when the vectors are computed."""

    def __init__(self, collection: int, last: int) -> None:
        self._collection, self._last = collection, last
        self._texts: dict[str, str] = {}

    def __call__(self, doc_id: str) -> str:
        if not self._texts:
            report("Reading the documents")
            self._texts = dict(document_texts(Collection.objects.get(pk=self._collection), self._last))
            report("Computing the vectors of the documents")
        return self._texts[doc_id]

    def forget(self) -> None:
        self._texts = {}


@dataclass(frozen=True)
class _Learner:
    """A strategy that keeps the vectors of the documents, and the words of each topic by query_id."""

    strategy: CAL
    queries: dict[str, str]
    texts: _Texts


@lru_cache(maxsize=CACHED_COLLECTIONS)
def _learner(collection: int, _documents_hash: str, last: int, parameters: str) -> _Learner:
    texts, queries = _Texts(collection, last), dict[str, str]()
    options: dict[str, Any] = json.loads(parameters)
    return _Learner(CAL(texts=texts, queries=queries, **options), queries, texts)
