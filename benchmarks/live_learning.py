"""The time of continuous active learning (`cal`) in a collection of many documents: `live_learning [DOCUMENTS]`.

(a) the first model             all documents are read and their vectors computed
(b) the next model              trained by the same process, which keeps the vectors
(c) the next documents          what an assessor waits for: CPU time of a request that claims, and of one that does not
(d) second judges               the same for a claim while BEGUN documents wait for their second judge

The words of the documents are drawn by Zipf's law; a hundredth of the documents contain words of the topic. The
benchmark uses the database of `DATABASE_URL`, or SQLite in a temporary folder. Target of (c) and (d): 50 ms.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.tiny import lay_database, size

DOCUMENTS, ROUNDS = size((500_000, 60), (300, 8))
WORDS, VOCABULARY, SEED = 200, 400_000, 1
TOPIC = "ships in the harbour"
BATCH = 5_000  # documents
BEGUN = size(2_000, 20)  # documents with one of two judges


def main() -> None:
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    with tempfile.TemporaryDirectory() as folder:
        _set_up_application(Path(folder))
        collection = _make_collection(documents)
        _measure(collection)


def _set_up_application(folder: Path) -> None:
    os.environ |= {"ASSAY_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "assess.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    lay_database(folder)
    call_command("migrate", verbosity=0)


def _make_collection(number: int):
    """Make a collection with one topic and these documents, open to claims by one judge per document."""
    from assess.collections.create import create_collection
    from assess.documents.contents import new_content
    from assess.models import Document, DocumentContent
    from assess.pools.claims import open_to_claims

    collection = create_collection(f"learning-{os.getpid()}", "Learning")
    collection.topics.create(query_id="1", title=TOPIC)
    rng = np.random.default_rng(SEED)
    for start in range(0, number, BATCH):
        texts = [_text(rng, start + index) for index in range(min(BATCH, number - start))]
        contents = DocumentContent.objects.bulk_create([new_content(text) for text in texts])
        Document.objects.bulk_create(
            Document(collection=collection, doc_id=f"d{start + index:07}", content=content)
            for index, content in enumerate(contents)
        )
    open_to_claims(collection, 1)
    return collection


def _text(rng: np.random.Generator, number: int) -> str:
    words = [f"word{rank}" for rank in np.minimum(rng.zipf(1.2, WORDS), VOCABULARY)]
    return " ".join(words + (["ships", "harbour", "anchor"] if number % 100 == 0 else []))


def _measure(collection) -> None:
    from assess.collections.members import add_member
    from assess.models import Job, Role
    from assess.pools.adaptive_order import begin_adaptive_order
    from assess.pools.learning.train import train

    begun = time.monotonic()
    begin_adaptive_order(collection, "cal")
    print(f"(a) first model: {time.monotonic() - begun:.1f} s, {_megabytes():,} MB")
    collection.refresh_from_db()
    topic, member = collection.topics.get(), add_member(collection, "ada", Role.ASSESSOR)[0]
    member.collection = collection
    claiming, holding, trainings = [], [], []
    for _ in range(ROUNDS):
        claiming.append(_next_documents(member, topic))
        holding.append(_next_documents(member, topic, judge=True))
        Job.objects.all().delete()  # so that each request that is due starts another one
        begun = time.monotonic()
        if train(collection, topic.pk).version:
            trainings.append(time.monotonic() - begun)
    print(f"(b) next model: median {np.median(trainings):.2f} s, slowest {max(trainings):.2f} s")
    for name, times in (("that claims", claiming), ("that does not", holding)):
        print(f"(c) request {name}: median {np.median(times):.1f} ms, slowest {max(times):.1f} ms of CPU")
    second = _second_judges(collection, topic)
    print(f"(d) claim of second judges: median {np.median(second):.1f} ms, slowest {max(second):.1f} ms of CPU")
    judged = topic.tasks.filter(judgements__isnull=False).count()
    print(f"{judged} judged documents, {topic.tasks.count()} pooled, {_megabytes():,} MB")


def _second_judges(collection, topic) -> list[float]:
    """Let one assessor begin BEGUN documents that two are to judge, and return the times of another one's claims."""
    from assess.collections.members import add_member
    from assess.models import Role
    from assess.pools.claims import claim, open_to_claims

    open_to_claims(collection, 2)
    collection.refresh_from_db()
    first, second = (add_member(collection, name, Role.ASSESSOR)[0] for name in ("bob", "cem"))
    for member in (first, second):
        member.collection = collection
    claim(first, topic, BEGUN)
    return [_next_documents(second, topic, judge=True) for _ in range(ROUNDS // 4)]


def _next_documents(member, topic, judge: bool = False) -> float:
    """Return the CPU time of the next documents in milliseconds. Afterwards, judge them if asked to."""
    import uuid

    from assess.judging import worklist
    from assess.judging.judgement_input import JudgementInput
    from assess.judging.record import record_judgement

    begun = time.process_time()
    cards = worklist.upcoming(member, topic)
    milliseconds = 1e3 * (time.process_time() - begun)
    for card in cards if judge else []:
        grade = int(int(card.doc_id[1:]) % 100 == 0)
        record_judgement(member, card.task, JudgementInput("judged", grade), uuid.uuid4())
    return milliseconds


def _megabytes() -> int:
    """The most memory that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000


if __name__ == "__main__":
    main()
