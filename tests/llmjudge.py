"""A collection with the 33 model judges of llmjudge/ and NIST, on some of the documents."""

import gzip

from assess.collections.create import create_collection
from assess.models import Collection, Document, Task, Topic
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_by_judge
from tests.realdata import real_data

GRADES = ("0=Irrelevant", "1=Related", "2=Highly relevant", "3=Perfectly relevant")


def llmjudge_collection(every: int = 60) -> Collection:
    """Create the collection `llmjudge` with every n-th document."""
    nist = real_data("llmjudge", "nist_test.qrels").read_text(encoding="utf-8").splitlines()[::every]
    pairs = [(query_id, doc_id) for query_id, _, doc_id, _ in map(str.split, nist)]
    collection = create_collection("llmjudge", "LLMJudge", GRADES)
    _create_tasks(collection, pairs)
    import_by_judge(collection, [("nist", _lines(nist, pairs))], JudgementOptions(judge_kind="human"))
    models = sorted(real_data("llmjudge", "scores").glob("*.txt.gz"))
    files = [(path.name.removesuffix(".txt.gz"), _lines(_read(path), pairs)) for path in models]
    import_by_judge(collection, files, JudgementOptions(judge_kind="model", off_scale="clip"))
    return collection


def _read(path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def _lines(lines: list[str], pairs) -> bytes:
    wanted = set(pairs)
    kept = [line for line in lines if (line.split()[0], line.split()[2]) in wanted]
    return "".join(f"{line}\n" for line in kept).encode()


def _create_tasks(collection: Collection, pairs) -> None:
    titles = dict(
        line.split("\t") for line in real_data("llmjudge", "queries.tsv").read_text(encoding="utf-8").splitlines()
    )
    query_ids = list(dict.fromkeys(query_id for query_id, _ in pairs))
    Topic.objects.bulk_create(Topic(collection=collection, query_id=each, title=titles[each]) for each in query_ids)
    Document.objects.bulk_create(Document(collection=collection, doc_id=each) for each in sorted({d for _, d in pairs}))
    topics = {topic.query_id: topic for topic in collection.topics.all()}
    documents = {document.doc_id: document for document in collection.documents.all()}
    Task.objects.bulk_create(Task(topic=topics[query_id], document=documents[doc_id]) for query_id, doc_id in pairs)
