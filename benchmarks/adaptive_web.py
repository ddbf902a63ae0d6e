"""The time of the adaptive order behind the judging page, on a topic of 129 runs x 1,000 documents.

(a) no new judgement            the state is loaded, and chooses among the 16 documents offered
(b) one new judgement           the state is updated, stored, and chooses
(c) an undone judgement         the state is rebuilt from all other judgements
(d) (b) in a new process        the rankings of the topic are loaded from their bytes as well

The benchmark uses an SQLite database in a temporary folder, after 300 judgements of two judges. The table shows the
median and the slowest CPU time in milliseconds. Target: 50 ms, including loading and storing the state.
"""

import os
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import synthetic
from benchmarks.tiny import lay_database, size

JUDGEMENTS, ROUNDS = size((300, 15), (20, 2))
CANDIDATES = 16


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _set_up_application(Path(folder))
        topic = _make_topic()
        print(f"{'strategy':18} {'(a) unchanged':>16} {'(b) judged':>16} {'(c) undone':>16} {'(d) new process':>16}")
        from assess.pools import adaptive_order

        for name in adaptive_order.strategies():
            if name == "cal":  # benchmarks.live_learning measures it
                continue
            print(f"{name:18} {_measure(topic, name)}", flush=True)


def _set_up_application(folder: Path) -> None:
    os.environ |= {"ASSAY_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "assess.settings", "ASSAY_DEBUG": "1"}
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    lay_database(folder)
    call_command("migrate", verbosity=0)


def _make_topic():
    """Make a collection of one topic, its pool to depth 100, and two judges with 300 judgements in total."""
    import pooling
    from assess.collections.create import create_collection
    from assess.collections.members import add_member
    from assess.documents.contents import new_content
    from assess.models import Assignment, Role
    from assess.pools.assign import assign
    from assess.pools.building.build import build_pool
    from assess.transfer.runs import import_runs
    from assess.transfer.topics import import_topics

    collection = create_collection("bench", "Bench")
    folder = Path(os.environ["ASSAY_DATA"])
    (folder / "topics.tsv").write_text(f"{synthetic.FIRST_TOPIC}\tneed\n", encoding="utf-8")
    import_topics(collection, folder / "topics.tsv")
    paths = []
    for run in synthetic.run_frames(n_topics=1):
        paths.append(folder / f"{run['system'].iloc[0]}.run")
        pooling.write_run(run, paths[-1])
    import_runs(collection, paths)
    build_pool(collection, depth=100)
    for document in collection.documents.all():  # a document without text cannot be graded
        document.content = new_content("text")
        document.content.save()
        document.save()
    for name in ("ada", "bob"):
        add_member(collection, name, Role.ASSESSOR)
    assign(collection, 2)
    topic = collection.topics.get()
    for assignment in Assignment.objects.filter(topic=topic).select_related("member")[:JUDGEMENTS]:
        _judge(assignment)
    return topic


def _judge(assignment, state: str = "judged") -> None:
    import uuid

    from assess.judging.judgement_input import JudgementInput
    from assess.judging.record import record_judgement

    relevance = random.Random(assignment.task_id).randrange(2) if state == "judged" else None
    record_judgement(assignment.member, assignment.public_id, JudgementInput(state, relevance), uuid.uuid4())


def _measure(topic, strategy: str) -> str:
    from assess.models import Assignment
    from assess.pools import adaptive_order
    from assess.pools.adaptive_order import begin_adaptive_order, next_documents

    begin_adaptive_order(topic.collection, strategy)
    remaining = list(Assignment.objects.filter(topic=topic, state="").select_related("member", "task__document"))
    candidates = [
        assignment.task.document.doc_id for assignment in remaining if assignment.member_id == remaining[0].member_id
    ]

    def choose() -> float:
        begin = time.process_time()
        next_documents(topic, candidates, CANDIDATES)
        return 1e3 * (time.process_time() - begin)

    spent = {"unchanged": [choose() for _ in range(ROUNDS)], "judged": [], "undone": [], "new process": []}
    for assignment in remaining[:ROUNDS]:
        _judge(assignment)
        spent["judged"].append(choose())
        _judge(assignment, "undone")
        spent["undone"].append(choose())
        _judge(assignment)
        adaptive_order._rankings.cache_clear()
        spent["new process"].append(choose())
    return " ".join(f"{np.median(times):>8.1f} ({max(times):.1f})".rjust(16) for times in spent.values())


if __name__ == "__main__":
    main()
