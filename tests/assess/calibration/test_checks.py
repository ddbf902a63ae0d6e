"""Hidden checks: placed once, alike for assessors, and accurate in the researchers' tables."""

import uuid

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score

from assess.calibration.overview import accuracy_over_time, change_calibration, checks_table, known_and_given
from assess.judging import worklist
from assess.models import Assignment, JudgementKind, Member
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.claims import open_to_claims
from tests.assess.calibration.conftest import judge

CHECK = JudgementKind.CHECK


@pytest.fixture
def checked(checks, ada) -> Member:
    change_calibration(checks, hidden_checks=True)
    return Member.objects.select_related("collection").get(pk=ada.pk)


def judge_all(member, topic) -> list[str]:
    """Judge everything in the queue with grades 0, 1, 2, ... in turn. Return the doc_ids in order."""
    order = []
    while cards := worklist.upcoming(member, topic):
        order.append(cards[0].doc_id)
        judge(member, uuid.UUID(cards[0].task), len(order) % 3)
    return order


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["assigned", "claimed", "adaptive"])
def test_checks_are_among_the_documents(checked, mode):
    collection, topic = checked.collection, checked.collection.topics.get(query_id="1")
    if mode == "claimed":
        open_to_claims(collection, 1)
    if mode == "adaptive":
        begin_adaptive_order(collection, "bandit_thompson")
        checked.collection.refresh_from_db()
    order = judge_all(checked, topic)
    checks = [doc_id.startswith("c") and doc_id[1:].isdecimal() for doc_id in order]
    assert sum(checks) == 12
    assert len(order) == len(set(order)) == 12 + topic.tasks.filter(provenance__isnull=False).count()
    assert checks != sorted(checks)  # not all at the end


def test_checks_are_placed_once(checked):
    topic = checked.collection.topics.get(query_id="1")
    for _ in range(2):
        worklist.upcoming(checked, topic)
    assert Assignment.objects.filter(member=checked, repeat=CHECK).count() == 12
    assert not Assignment.objects.filter(repeat=CHECK).exclude(topic=topic).exists()


def test_cards_of_checks_look_like_others(checked):
    topic = checked.collection.topics.get(query_id="1")
    cards = {card.doc_id: card.to_dict() for card in worklist.upcoming(checked, topic, limit=50)}
    check, other = cards["c1"], cards["a"]
    assert check.keys() == other.keys()
    assert check["note"] == other["note"] == ""


@pytest.mark.slow
def test_accuracy_equals_that_of_scikit_learn(checked):
    judge_all(checked, checked.collection.topics.get(query_id="1"))
    frame = known_and_given(checked.collection, CHECK)
    row = checks_table(checked.collection).iloc[0]
    given, known = frame["relevance"].astype(int), frame["known"]
    assert row["percent_agreement"] == pytest.approx(accuracy_score(known, given))
    assert row["cohen_kappa"] == pytest.approx(cohen_kappa_score(known, given, labels=[0, 1, 2]))
    assert (row["done"], row["hits"]) == (12, int((given == known).sum()))
    windows = accuracy_over_time(frame)
    assert windows["n"].tolist() == [10, 2]
    assert windows["accuracy"].tolist() == pytest.approx([np.mean(frame["hit"][:10]), np.mean(frame["hit"][10:])])


@pytest.mark.in_ci
def test_checks_enter_no_figure(checked):
    from assess.analysis.data import collection_judgements

    judge_all(checked, checked.collection.topics.get(query_id="1"))
    assert not any(doc_id.startswith("c1") for doc_id in collection_judgements(checked.collection)["doc_id"])


def test_nothing_is_placed_while_checks_are_off(checks, ada):
    worklist.upcoming(ada, checks.topics.get(query_id="1"))
    assert not Assignment.objects.filter(repeat=CHECK).exists()
