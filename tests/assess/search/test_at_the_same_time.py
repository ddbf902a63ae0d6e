"""A searcher judges a found document while a learner or a researcher adds the same document to the pool."""

import threading

import pytest
from django.db import connection, transaction

from assess.judging import record
from assess.models import Collection, LearnerModel, Proposal, Provenance, SearchedTask
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.building.build import build_pool
from assess.pools.claims import open_to_claims
from assess.pools.learning.propose import enter_pool
from assess.pools.slots import slot_problems
from tests.assess.claiming import fresh
from tests.assess.search.found import add_documents, add_searcher, judge, open_document, searchable_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database(slow=True)]
SECONDS = 0.5  # that the first transaction waits: the other one cannot end before it, so it waits for a lock then


@pytest.fixture
def opened():
    """A document that ada has opened, in a collection whose learner proposes documents."""
    ada = add_searcher(searchable_collection())
    add_documents(ada.collection, {doc_id: ("", f"text of {doc_id}") for doc_id in "cf"})  # which runs retrieved
    open_to_claims(ada.collection, 2)
    ada = fresh(ada)
    _, assignment = open_document(ada, "mill", "mill")
    begin_adaptive_order(ada.collection, "cal")
    return ada, assignment


def learn(ada, assignment) -> None:
    model = LearnerModel.objects.get(topic=assignment.topic_id)
    with transaction.atomic():
        Collection.objects.select_for_update(no_key=True).get(pk=ada.collection_id)
        enter_pool(ada.collection, model, [assignment.task.document_id])


def in_thread(action, failures: list) -> threading.Thread:
    def work():
        try:
            action()
        except Exception as error:  # a failure in a thread must reach the test
            failures.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def run_both(monkeypatch, ada, assignment, other) -> None:
    """Let `other` begin when the judgement has added the document to the pool and is not committed."""
    entered, ended, failures = threading.Event(), threading.Event(), []
    enter_pool = record.enter_pool

    def enter_and_wait(*arguments):
        enter_pool(*arguments)
        entered.set()
        ended.wait(SECONDS)

    monkeypatch.setattr(record, "enter_pool", enter_and_wait)
    judging = in_thread(lambda: judge(ada, assignment), failures)
    assert entered.wait(20)
    adding = in_thread(lambda: (other(), ended.set()), failures)
    judging.join()
    adding.join()
    assert failures == []
    assert Provenance.objects.filter(task=assignment.task_id).count() == 1
    assert SearchedTask.objects.get().entered_at is not None
    assert list(slot_problems(ada.collection)) == []


@pytest.mark.slow
def test_learner_that_proposes_the_document_while_it_is_judged(opened, monkeypatch):
    ada, assignment = opened
    run_both(monkeypatch, ada, assignment, lambda: learn(ada, assignment))
    assert not Proposal.objects.filter(document=assignment.task.document_id).exists()


@pytest.mark.slow
def test_pool_that_is_built_while_the_document_is_judged(opened, monkeypatch):
    ada, assignment = opened
    run_both(monkeypatch, ada, assignment, lambda: build_pool(ada.collection, "every_document"))
    assert ada.collection.pool_buildings.filter(strategy="every_document").exists()


@pytest.mark.slow
def test_judgement_of_a_document_that_the_learner_is_adding(opened):
    ada, assignment = opened
    failures: list = []
    done = threading.Event()
    with transaction.atomic():
        learn(ada, assignment)
        thread = in_thread(lambda: (judge(ada, assignment), done.set()), failures)
        done.wait(SECONDS)
    thread.join()
    assert failures == []
    assert not SearchedTask.objects.exists()  # the learner was first
    assert Proposal.objects.get(document=assignment.task.document_id).entered_pool
    assert list(slot_problems(ada.collection)) == []
