"""A collection whose documents are fully imported, and helpers that judge in it."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

import pooling
from assess.collections.create import create_collection
from assess.models import Collection, LearnerModel, Proposal
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.claims import open_to_claims
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from pooling.adaptive import ADAPTIVE, collection_rankings
from tests.assess.pools import adaptive
from tests.assess.pools.adaptive import judge
from tests.factories import write_runs

DOCUMENTS = 90
TOPICS = {"1": "ships in the harbour", "2": "bread from the oven"}
WORDS = {
    "1": ["ship", "harbour", "sail", "anchor", "tide", "captain", "deck"],
    "2": ["bread", "oven", "flour", "yeast", "dough", "crust", "baker"],
    "": ["road", "tree", "house", "letter", "winter", "music", "market", "river", "stone", "paper"],
}


def texts(size: int = DOCUMENTS, seed: int = 4) -> dict[str, str]:
    """The text of each document. A sixth is about each topic; of the others, half have a word of topic 1."""
    chance = random.Random(seed)
    made = {}
    for number in range(size):
        about = "12"[number % 6] if number % 6 < 2 else ""
        own = (
            chance.choices(WORDS[about], k=chance.randint(3, 5)) if about else chance.choices(WORDS["1"], k=number % 2)
        )
        made[f"d{number:03}"] = " ".join([*own, *chance.choices(WORDS[""], k=8)])
    return made


def relevant(topic, doc_id: str) -> int:
    """Whether a document is about the topic."""
    return int(int(doc_id[1:]) % 6 == int(topic.query_id) - 1)


def whole_collection(slug: str = "whole", runs=None, judges: int | None = 1, size: int = DOCUMENTS) -> Collection:
    """A collection with two topics, all its documents and no pool, open to claims."""
    collection = create_collection(slug, slug.title())
    Collection.objects.filter(pk=collection.pk).update(seed=11)
    collection.refresh_from_db()
    with TemporaryDirectory() as name:
        topics = Path(name) / "topics.tsv"
        topics.write_text("".join(f"{query_id}\t{title}\n" for query_id, title in TOPICS.items()), encoding="utf-8")
        import_topics(collection, topics)
        if runs:
            import_runs(collection, write_runs(Path(name), runs))
    documents = [pooling.Document(doc_id, "", text, {}, None) for doc_id, text in texts(size).items()]
    import_documents(collection, documents, DocumentOptions(keep_all=True))
    if judges:
        open_to_claims(collection, judges)
    return collection


def library_strategy(collection: Collection):
    """The library's strategy with the texts and words of the collection."""
    documents = {doc_id: f"\n{text}" for doc_id, text in texts(collection.documents.count()).items()}
    return ADAPTIVE["cal"](texts=documents, queries=TOPICS, seed=collection.seed)


def library_replay(collection: Collection, topic, budget: int) -> list[str]:
    """The documents that `pooling.replay` judges in this order, choosing from the whole collection."""
    doc_ids = collection_rankings(topic.query_id, texts(collection.documents.count())).doc_ids
    run = pd.DataFrame({"system": "all", "query_id": topic.query_id, "doc_id": doc_ids, "score": 0.0})
    qrels = run[["query_id", "doc_id"]].assign(relevance=[relevant(topic, doc_id) for doc_id in doc_ids])
    replayed = pooling.replay(library_strategy(collection), run, qrels, budget=budget)
    return list(replayed.judgements["doc_id"])


def judge_cards(member, topic, doc_ids: list[str]) -> None:
    for doc_id in doc_ids:
        judge(member, topic, doc_id, relevant(topic, doc_id))


def begin(collection: Collection, **options) -> None:
    begin_adaptive_order(collection, "cal", **options)
    collection.refresh_from_db()


def versions(topic) -> list[tuple[int, int, int]]:
    """The version of each model, the number of judgements that it learned from, and its batch."""
    models = LearnerModel.objects.filter(topic=topic).order_by("version")
    return list(models.values_list("version", "n_judged", "batch_size"))


def proposed(topic) -> list[str]:
    proposals = Proposal.objects.filter(model__topic=topic).order_by("pk")
    return list(proposals.values_list("document__doc_id", flat=True))


def ranking(topic) -> list[str]:
    """The documents that the latest model ranks first, in its order."""
    model = LearnerModel.objects.filter(topic=topic).order_by("version").last()
    doc_ids = dict(topic.collection.documents.values_list("pk", "doc_id"))
    return [doc_ids[document] for document in model.ranking]


def doc_ids(member, topic, limit: int = 5) -> list[str]:
    """The next documents of a page that keeps five of them loaded."""
    return adaptive.doc_ids(member, topic, limit)
