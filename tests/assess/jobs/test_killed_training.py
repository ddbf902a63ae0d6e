"""Workers are killed at random moments of a training: the model is saved or not, and assessors go on meanwhile."""

import os
import signal

import pytest

from assess.collections.members import add_member
from assess.jobs import queue
from assess.jobs.run import run
from assess.models import Collection, Job, LearnerModel, Role
from assess.pools.learning import train
from assess.pools.learning.replay import replay_learner
from tests.assess.jobs.killing import KILLS, Work, killed_and_continued
from tests.assess.pools.learning.whole import begin, doc_ids, judge_cards, proposed, ranking, whole_collection
from tests.processes import kill_in_process

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.alone, pytest.mark.database]

DOCUMENTS, JUDGED = 6_000, 20


def start_training(slug: str) -> Job:
    """A training whose worker has to read the documents first."""
    whole = whole_collection(slug, size=DOCUMENTS)
    begin(whole)
    topic, (ada, _) = whole.topics.get(query_id="1"), add_member(whole, "ada", Role.ASSESSOR)
    while len(proposed(topic)) < JUDGED:
        judge_cards(ada, topic, doc_ids(ada, topic))
    doc_ids(ada, topic)
    _forget_vectors()
    return Job.objects.get(collection=whole)


def _forget_vectors() -> None:
    """Let the process that runs the job start without what this one has computed."""
    from assess.pools.learning.learner import _learner

    _learner.cache_clear()


def models(collection: Collection) -> tuple:
    rows = LearnerModel.objects.filter(topic__collection=collection).order_by("pk")
    return tuple(rows.values_list("topic__query_id", "version", "n_judged", "digest"))


def start_beginning(slug: str) -> Job:
    return queue.start("begin_learning", whole_collection(slug, size=DOCUMENTS), None, {"rule": "union", "rel": 1})


TRAINING = Work("train", start_training, models)
BEGINNING = Work("begin_learning", start_beginning, models)


@pytest.mark.parametrize(
    ("work", "expected"),
    [(TRAINING, [("1", 1, 0), ("2", 1, 0), ("1", 2, JUDGED)]), (BEGINNING, [("1", 1, 0), ("2", 1, 0)])],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_duration_of_the_job_that_nobody_kills(work, expected):
    seconds, saved = work.unharmed()
    assert seconds > 0.1
    assert [row[:3] for row in saved] == expected


@pytest.mark.parametrize("kill", range(KILLS))
@pytest.mark.parametrize("work", [TRAINING, BEGINNING], ids=lambda work: work.kind)
def test_killed_job_saves_its_models_or_nothing_and_is_continued(work, kill):
    job = killed_and_continued(work, kill)
    assert replay_learner(job.collection).problems == []


def test_assessors_go_on_after_a_kill():
    job = start_training("killed")
    whole = job.collection
    topic, ada = whole.topics.get(query_id="1"), whole.members.get(role=Role.ASSESSOR)
    assert kill_in_process(lambda: _run_until_it_reads(job), 600).signal == signal.SIGKILL
    assert doc_ids(ada, topic) == ranking(topic)[JUDGED : JUDGED + 5]
    assert Job.objects.filter(collection=whole).count() == 1  # which the next worker continues


def _run_until_it_reads(job: Job) -> None:
    """Run a job in a process of its own, which is killed when it reads the documents."""
    train.documents_of = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    run(job.pk, 1)
