"""What remains of a learner: in releases, after erasures and deletions, and in what assessors see."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from assess.errors import Refused
from assess.jobs.run import run
from assess.models import ImportRecord, Job, LearnerModel, Proposal, Provenance, Task
from assess.people import erasure
from assess.pools.adaptive_order import end_adaptive_order
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.learning.replay import replay_learner
from assess.pools.slots import slot_problems
from assess.releases.choices import ReleaseChoices
from assess.releases.freeze import create_release
from assess.releases.verify import verify_stored
from assess.transfer.undo import undo_import
from tests.assess.pools.adaptive import fresh
from tests.assess.pools.learning.whole import (
    begin,
    doc_ids,
    judge_cards,
    proposed,
    ranking,
    relevant,
    versions,
    whole_collection,
)
from tests.assess.releases.conftest import files_of, without_reports  # noqa: F401 - a fixture

pytestmark = pytest.mark.database

# ---- several at the same time


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_assessors_who_claim_at_the_same_time_get_different_documents(transactional_db, join):
    whole = whole_collection()
    topic = whole.topics.get(query_id="1")
    members = [join(whole, f"judge{number}") for number in range(4)]
    begin(whole)
    failures, judged = [], []

    def work(member):
        try:
            while cards := doc_ids(member, topic):
                judge_cards(member, topic, cards)
                judged.extend(cards)
        except Exception as error:  # a failure in a thread must reach the test
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(member,)) for member in members]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(judged) == sorted(whole.documents.values_list("doc_id", flat=True))
    assert set(Task.objects.filter(topic=topic).values_list("taken", "wanted")) == {(1, 1)}
    assert list(slot_problems(whole)) == []
    assert Job.objects.filter(input__topic=topic.pk).count() == 1
    run(Job.objects.get().pk, 1)
    assert versions(topic)[-1][:2] == (2, 90)
    assert replay_learner(whole).problems == []


# ---- releases


@pytest.mark.in_ci
def test_release_states_what_the_learner_added_before_it(db, join, without_reports):  # noqa: F811
    whole = whole_collection(runs={"some": {"1": ["d001", "d002"], "2": ["d001"]}})
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    build_pool(whole, depth=1)
    begin(whole)
    cards = doc_ids(ada, topic)
    judge_cards(ada, topic, cards)
    Proposal.objects.update(proposed_at=timezone.now() - timedelta(minutes=1))
    stored = create_release(whole, ReleaseChoices("main", "union", rel=1))
    rows = [json.loads(line) for line in files_of(stored)["pool.jsonl"].splitlines()]
    pool = {row["doc_id"]: row for row in rows if row["query_id"] == "1"}
    assert pool.keys() == {*ranking(topic)[:6], "d001"}
    assert pool["d001"] == pool["d001"] | {"systems": ["some"], "best_rank": 1}
    assert "learner_version" not in pool["d001"]
    entered = pool[next(doc_id for doc_id in cards if doc_id != "d001")]
    assert entered == entered | {"systems": [], "best_rank": None, "learner_version": 1}
    Proposal.objects.filter(entered_pool=True).update(proposed_at=timezone.now() - timedelta(minutes=1))
    doc_ids(ada, topic)  # more documents enter the pool
    assert verify_stored(stored).problems == []


# ---- erasure and deletion


def test_erased_judgements_are_forgotten(whole, ada, bob, topic):
    begin(whole)
    first = ranking(topic)
    for member in (ada, bob):
        judge_cards(member, topic, doc_ids(member, topic))
    doc_ids(ada, topic)
    run(Job.objects.get().pk, 1)
    erasure.erase([ada], "asked for")
    assert [model.judged for model in LearnerModel.objects.filter(topic=topic).order_by("version")] == [[], None]
    assert replay_learner(whole).problems == [
        "Topic 1, version 2 cannot be repeated: judgements that it learned from were erased."
    ]
    assert len(doc_ids(bob, topic)) == 5  # of the former model, while the next one is trained
    run(Job.objects.latest("pk").pk, 1)
    learned = LearnerModel.objects.get(topic=topic, version=3)
    keys = dict(whole.documents.values_list("pk", "doc_id"))
    assert {keys[pk]: grade for pk, grade in learned.judged} == {d: relevant(topic, d) for d in first[5:10]}
    assert first[0] in doc_ids(bob, topic, limit=16) + ranking(topic)


def test_documents_cannot_be_removed_while_a_learner_proposes_them(whole, ada, topic):
    begin(whole)
    record = ImportRecord.objects.filter(kind="documents").latest("pk")
    with pytest.raises(Refused, match=r"A learner proposes its documents\. End the adaptive order first\."):
        undo_import(whole, record.pk)
    end_adaptive_order(whole)
    assert undo_import(whole, record.pk).removed == 90
    assert not Proposal.objects.exists()


def test_undone_pool_does_not_take_away_what_the_learner_added(db, join):
    whole = whole_collection(runs={"some": {"1": ["d000", "d002", "d003"], "2": ["d001"]}})
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    begin(whole)
    held = doc_ids(ada, topic)
    before = origins(topic)
    build_pool(whole, depth=3)
    assert origins(topic) != before
    undo_pool(whole)
    assert origins(topic) == before
    assert before.keys() >= set(held)
    assert doc_ids(ada, topic) == held


def origins(topic) -> dict[str, list[str]]:
    rows = Provenance.objects.filter(task__topic=topic)
    return dict(rows.values_list("task__document__doc_id", "systems"))


# ---- blind


def test_judging_pages_show_nothing_of_the_learner(whole, ada, topic, signed_in):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic)[:3])
    client = signed_in(fresh(ada))
    for address in (f"/c/whole/judge/{topic.pk}/", f"/c/whole/judge/{topic.pk}/next/", "/c/whole/judge/"):
        answer = client.get(address)
        assert answer.status_code == 200
        everything = answer.content.decode() + str(answer.headers)
        assert not any(word in everything for word in ("learner", "cal ", "proposal", "provenance", "adaptive"))
    assert proposed(topic)
