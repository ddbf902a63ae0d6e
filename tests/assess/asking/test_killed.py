"""A worker that is killed while a model judges: nothing that was saved is lost or asked for again."""

import json
import signal
import sys
import time
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from assess.asking.ask import CONCURRENCY, WorkOptions, go_on, result_of, start_work
from assess.documents.contents import new_content
from assess.jobs.recovery import recover
from assess.judging.ledger.problems import ledger_problems
from assess.models import Document, DocumentContent, Job, JobState, Judgement, ModelAnswer
from assess.pools.building.build import build_pool
from tests.assess.asking.conftest import judge_at, work
from tests.pooling.models.servers import Server, completion, document_of
from tests.processes import kill_in_process

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database(slow=True),
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="a process is copied"),
]
KILLS, IN_FLIGHT = 10, 2 * CONCURRENCY


def enlarge(collection, documents: int) -> int:
    """Give the collection more documents, and pool all of them for both topics. Return the number of pairs."""
    for number in range(documents):
        content = new_content(f"Text {number}.")
        content.save()
        Document.objects.create(collection=collection, doc_id=f"n{number}", content=content)
    build_pool(collection, "every_document")
    return 2 * collection.documents.count()


def pair_of(asked) -> str:
    """The title of the topic and the document that a request asks about."""
    return f"{asked.body['messages'][1]['content'].split(chr(10))[0]} {document_of(asked)}"


def continued(order, job: Job) -> Job:
    """Let the job go on as a site does: a worker that finds it silent, or a researcher when it gave up."""
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    recover()
    job.refresh_from_db()
    return go_on(order) if job.state == JobState.FAILED else job


def test_ten_kills_during_2000_answers(collection):
    pairs = enlarge(collection, 1_000)

    def answer(_):
        time.sleep(0.03)  # at most 160 answers between two kills, so that 10 kills come before the last answer
        return completion(json.dumps({"grade": 1}))

    with Server(answer) as server:
        order, job = start_work(judge_at(collection, server), WorkOptions())
        saved: list[set[int]] = []
        for _ in range(KILLS):
            assert kill_in_process(work, 1.2).signal == signal.SIGKILL
            saved.append(set(ModelAnswer.objects.values_list("pk", flat=True)))
            job = continued(order, job)
        work()
        job.refresh_from_db()
    arrived = Counter(pair_of(asked) for asked in server.asked if asked.body)  # one that was cut has none
    order.refresh_from_db()
    assert pairs > 2_000
    assert all(earlier <= later for earlier, later in pairwise(saved))
    assert len(saved[0]) < len(saved[-1]) < pairs
    assert order.finished_at, (job.error, result_of(order))
    assert Judgement.objects.count() == ModelAnswer.objects.count() == len(arrived) == pairs
    # Only what was on its way when a worker was killed is asked for again.
    assert 0 <= arrived.total() - pairs <= KILLS * IN_FLIGHT
    assert list(ledger_problems(collection)) == []
    assert DocumentContent.objects.count() == collection.documents.count()
