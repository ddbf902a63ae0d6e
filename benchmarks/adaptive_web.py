"""The adaptive order behind the judging page, on a topic of 129 runs x 1,000 documents: nobody should wait for it.

(a) nothing new since the last card      the state is read, and asked for the 16 documents at hand
(b) one more judgement                   the state catches up, is stored, and is asked
(c) a judgement taken back               the state is made again from all others
(d) (b) in a process that never had the topic before (its rankings are read from their bytes)

On a database of its own in a temporary folder (SQLite), after 300 judgements of two judges; medians of the process's
time in milliseconds, and the slowest. To reach: 50 ms with the state loaded and stored.
"""

import os
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import synthetic

JUDGED, ROUNDS, AT_HAND = 300, 15, 16


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _application(Path(folder))
        topic = _topic()
        print(f"{'strategy':18} {'(a) asked':>16} {'(b) judged':>16} {'(c) taken back':>16} {'(d) new process':>16}")
        from assess.pools import adaptive_order

        for name in adaptive_order.strategies():
            print(f"{name:18} {_measured(topic, name)}", flush=True)


def _application(folder: Path) -> None:
    os.environ |= {"ASSAY_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "assess.settings", "ASSAY_DEBUG": "1"}
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _topic():
    """A collection of one topic, its pool to depth 100, two judges with JUDGED judgements together."""
    import pooling
    from assess.collections.create import create_collection
    from assess.collections.members import add_member
    from assess.models import Assignment, Role
    from assess.pools.assign import assign
    from assess.pools.build import build_pool
    from assess.transfer.imports import import_runs, import_topics

    collection = create_collection("bench", "Bench")
    place = Path(os.environ["ASSAY_DATA"])
    (place / "topics.tsv").write_text(f"{synthetic.FIRST_TOPIC}\tneed\n", encoding="utf-8")
    import_topics(collection, place / "topics.tsv")
    paths = []
    for run in synthetic.run_frames(n_topics=1):
        paths.append(place / f"{run['system'].iloc[0]}.run")
        pooling.write_run(run, paths[-1])
    import_runs(collection, paths)
    build_pool(collection, 100)
    for name in ("ada", "bob"):
        add_member(collection, name, Role.ASSESSOR)
    assign(collection, 2)
    topic = collection.topics.get()
    for assignment in Assignment.objects.filter(topic=topic).select_related("member")[:JUDGED]:
        _judge(assignment)
    return topic


def _judge(assignment, state: str = "judged") -> None:
    import uuid

    from assess.judging.judgement_input import JudgementInput
    from assess.judging.record import record_judgement

    relevance = random.Random(assignment.task_id).randrange(2) if state == "judged" else None
    record_judgement(assignment.member, assignment.public_id, JudgementInput(state, relevance), uuid.uuid4())


def _measured(topic, strategy: str) -> str:
    from assess.models import Assignment
    from assess.pools import adaptive_order

    adaptive_order.begin(topic.collection, strategy)
    left = list(Assignment.objects.filter(topic=topic, state="").select_related("member", "task__document"))
    candidates = [assignment.task.document.doc_id for assignment in left if assignment.member_id == left[0].member_id]

    def asked() -> float:
        begin = time.process_time()
        adaptive_order.chosen(topic, candidates, AT_HAND)
        return 1e3 * (time.process_time() - begin)

    spent = {"asked": [asked() for _ in range(ROUNDS)], "judged": [], "back": [], "new": []}
    for assignment in left[:ROUNDS]:
        _judge(assignment)
        spent["judged"].append(asked())
        _judge(assignment, "undone")
        spent["back"].append(asked())
        _judge(assignment)
        adaptive_order._rankings.cache_clear()
        spent["new"].append(asked())
    return " ".join(f"{np.median(times):>8.1f} ({max(times):.1f})".rjust(16) for times in spent.values())


if __name__ == "__main__":
    main()
