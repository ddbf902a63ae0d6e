"""The adaptive order: the strategy chooses the next document, and assessors do not see why."""

import uuid

import pandas as pd
import pytest

import pooling
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import AdaptiveOrder, Assignment, Collection, Task
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.transfer.judgements import import_judgements
from tests.assess.pools.adaptive import (
    DEPTH,
    LIVE,
    RELEVANT,
    doc_ids,
    frames,
    judge,
    judge_all,
    judge_next,
    open_to_claims,
    pooled,
    proposals,
    some_runs,
    stored_state,
    strategy_of,
)
from tests.factories import add_missing_texts, small_collection

# ---- the order is the strategy's


@pytest.mark.slow
@pytest.mark.parametrize("strategy", LIVE)
def test_one_judge_gets_the_documents_in_the_order_of_a_replay(adaptive, ada, topic, strategy):
    build_pool(adaptive, depth=40)  # everything that the runs have, so that the replay may choose freely
    add_missing_texts(adaptive)
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, strategy)
    qrels = pd.DataFrame([("1", doc_id, int(doc_id in RELEVANT)) for doc_id in pooled(topic)])
    qrels.columns = ["query_id", "doc_id", "relevance"]
    replayed = pooling.replay(strategy_of(topic), frames(adaptive), qrels, budget=15).judgements["doc_id"]
    assert [judge_next(ada, topic) for _ in range(15)] == list(replayed)


@pytest.mark.slow
@pytest.mark.parametrize("judges", [None, 1])
def test_only_pooled_documents_are_proposed(adaptive, ada, topic, judges):
    if judges is None:
        assign(adaptive, judges=1)
    else:
        open_to_claims(adaptive, judges)
    begin_adaptive_order(adaptive, "maxmean")
    judged, expected = [], {}
    for _ in range(10):
        assert doc_ids(ada, topic, limit=1) == proposals(topic, expected)
        judged.append(judge_next(ada, topic))
        expected[judged[-1]] = int(judged[-1] in RELEVANT)
    assert sorted(judged + judge_all(ada, topic)) == pooled(topic)
    assert len(pooled(topic)) < len(set(frames_of(topic)))


def frames_of(topic) -> list[str]:
    runs = pd.concat(frames(topic.collection))
    return list(runs.loc[runs["query_id"] == topic.query_id, "doc_id"])


def test_loaded_cards_follow_the_current_order(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "hedge")
    before = doc_ids(ada, topic)
    assert before == proposals(topic, {}, worklist.AHEAD)
    judge(ada, topic, before[0], 0)
    judge(ada, topic, before[1], 0)
    after = doc_ids(ada, topic)
    assert after == proposals(topic, {before[0]: 0, before[1]: 0}, worklist.AHEAD)
    assert after != before[2:] + after[-2:]  # the strategy has learned from the judgements


def test_grades_are_binarised_at_the_requested_threshold(db, join):
    collection = small_collection(some_runs(), grades=("0=No", "1=Somewhat", "2=Highly"), depth=DEPTH)
    topic, ada = collection.topics.get(query_id="1"), join(collection, "ada")
    assign(collection, judges=1)
    begin_adaptive_order(collection, "move_to_front", rel=2)
    first, second = doc_ids(ada, topic, limit=2)
    judge(ada, topic, first, 1)
    judge(ada, topic, second, 2)
    assert doc_ids(ada, topic, limit=5) == proposals(topic, {first: 1, second: 2}, 5)
    assert stored_state(topic).judged == {first: 0, second: 1}


def test_same_seed_and_judgements_give_the_same_bytes(adaptive, ada, topic):
    assign(adaptive, judges=1)
    results = []
    for _ in range(2):
        begin_adaptive_order(adaptive, "bandit_thompson")
        first = doc_ids(ada, topic)
        results.append((first, bytes(AdaptiveOrder.objects.get(topic=topic).state)))
    assert results[0] == results[1]
    Collection.objects.filter(pk=adaptive.pk).update(seed=13)
    begin_adaptive_order(Collection.objects.get(pk=adaptive.pk), "bandit_thompson")
    assert doc_ids(ada, topic) != results[0][0]


# ---- postponed, undone, repeats


def test_undone_judgements_come_first_and_postponed_ones_last(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "maxmean")
    first, second, third = doc_ids(ada, topic, limit=3)
    judge(ada, topic, first)
    judge(ada, topic, second, state="later")
    judge(ada, topic, first, state="undone")
    assert doc_ids(ada, topic, limit=1) == [first]
    assert doc_ids(ada, topic, limit=200)[-1] == second
    assert third in doc_ids(ada, topic)


def test_undone_judgement_has_no_effect(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "bandit_thompson")
    judged = {}
    for _ in range(6):
        doc_id = judge_next(ada, topic)
        judged[doc_id] = int(doc_id in RELEVANT)
    undone = list(judged)[3]
    assert list(stored_state(topic).judged) == list(judged)
    judge(ada, topic, undone, state="undone")
    del judged[undone]
    assert stored_state(topic).judged == judged
    rest = [doc_id for doc_id in pooled(topic) if doc_id != undone]
    assert doc_ids(ada, topic, limit=4)[1:] == proposals(topic, judged, 3, rest)
    judge(ada, topic, undone, 1)
    assert list(stored_state(topic).judged.items()) == [*judged.items(), (undone, 1)]


@pytest.mark.slow
def test_changed_grade_counts_as_if_it_had_always_been_so(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "hedge")
    judged = [judge_next(ada, topic) for _ in range(5)]
    changed = {doc_id: int(doc_id in RELEVANT) for doc_id in judged}
    changed[judged[1]] = 1 - changed[judged[1]]
    judge(ada, topic, judged[1], changed[judged[1]])
    assert list(stored_state(topic).judged.items()) == list(changed.items())
    assert doc_ids(ada, topic, limit=3) == proposals(topic, changed, 3)


def test_document_that_cannot_be_judged_is_ignored_and_not_proposed_again(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "maxmean")
    first, second = doc_ids(ada, topic, limit=2)
    assignment = Assignment.objects.get(member=ada, topic=topic, task__document__doc_id=first)
    record_judgement(ada, assignment.public_id, JudgementInput("cannot_judge", reason="broken"), uuid.uuid4())
    assert doc_ids(ada, topic, limit=1) == [second]
    assert stored_state(topic).judged == {}


@pytest.mark.slow
def test_hidden_repeat_keeps_its_distance_and_is_ignored(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "maxmean")
    first = doc_ids(ada, topic, limit=1)[0]
    own = list(Assignment.objects.filter(member=ada, topic=topic).order_by("position"))
    own.sort(key=lambda each: each.task.document.doc_id != first)
    for index, each in enumerate(own):  # the first one first, its repeat eight documents later
        Assignment.objects.filter(pk=each.pk).update(position=10 * index)
    Assignment.objects.create(task=own[0].task, topic=topic, member=ada, repeat=1, position=85)
    judged = [judge_next(ada, topic)]
    assert judged == [first]
    while (loaded := doc_ids(ada, topic))[0] != first:
        assert first not in loaded or loaded.index(first) == 9 - len(judged)
        judged.append(judge_next(ada, topic))
    assert len(judged) == 1 + 8
    judge(ada, topic, first, 1 - int(first in RELEVANT), repeat=1)
    assert stored_state(topic).judged == {doc_id: int(doc_id in RELEVANT) for doc_id in judged}


# ---- several judges


@pytest.mark.slow
def test_strategy_learns_from_the_gold_of_the_named_rule(adaptive, ada, topic, join):
    bob = join(adaptive, "bob")
    assign(adaptive, judges=2)
    one, two, three = sorted(pooled(topic))[:3]
    grades = {one: (1, 0), two: (1, 1), three: (0, None)}
    for doc_id, (of_ada, of_bob) in grades.items():
        judge(ada, topic, doc_id, of_ada)
        if of_bob is not None:
            judge(bob, topic, doc_id, of_bob)
    expected = {
        "union": {one: 1, two: 1, three: 0},
        "intersection": {one: 0, two: 1, three: 0},
        "both_agree": {two: 1},
        "at_least:2": {one: 0, two: 1},
        f"judge:{bob.name}": {one: 0, two: 1},
    }
    for rule, gold in expected.items():
        begin_adaptive_order(adaptive, "maxmean", rule=rule)
        assert stored_state(topic).judged == gold, rule
        assert doc_ids(ada, topic, limit=4)[:2] == proposals(topic, gold, 2, left(ada, topic)), rule


def left(member, topic) -> list[str]:
    open_ = Assignment.objects.filter(member=member, topic=topic, state="")
    return list(open_.values_list("task__document__doc_id", flat=True))


@pytest.mark.slow
def test_documents_decided_by_others_come_last(adaptive, ada, topic, join):
    bob = join(adaptive, "bob")
    assign(adaptive, judges=2)
    begin_adaptive_order(adaptive, "maxmean")
    judged = [judge_next(bob, topic) for _ in range(3)]
    order = doc_ids(ada, topic, limit=200)
    assert sorted(order) == pooled(topic)
    assert set(judge_all(ada, topic)[-3:]) == set(judged)


def test_rule_of_one_judge_ignores_other_judges(adaptive, ada, topic, join):
    bob = join(adaptive, "bob")
    assign(adaptive, judges=2)
    begin_adaptive_order(adaptive, "maxmean", rule=f"judge:{bob.name}")
    judge_next(ada, topic)
    assert stored_state(topic).judged == {}


@pytest.mark.slow
def test_claims_prefer_tasks_with_fewer_judges_then_the_strategy(adaptive, ada, topic, join):
    bob = join(adaptive, "bob")
    open_to_claims(adaptive, 2)
    begin_adaptive_order(adaptive, "hedge")
    of_ada, of_bob = doc_ids(ada, topic, limit=4), doc_ids(bob, topic, limit=4)
    expected = proposals(topic, {}, 8)
    assert of_ada + of_bob == expected
    judge(ada, topic, of_ada[0], 1)
    rest = [doc_id for doc_id in pooled(topic) if doc_id not in expected]
    assert doc_ids(ada, topic, limit=4) == of_ada[1:] + proposals(topic, {of_ada[0]: 1}, 1, rest)
    judge_all(ada, topic)
    judge_all(bob, topic)
    assert set(Task.objects.filter(topic=topic).values_list("taken", flat=True)) == {2}


@pytest.mark.slow
def test_imported_judgements_and_documents_without_a_run(adaptive, ada, topic):
    one, two = pooled(topic)[:2]
    lines = f"1 0 elsewhere 1\n1 0 {one} 1\n1 0 {two} 0\n"
    import_judgements(adaptive, lines.encode(), assessor="model")
    assign(adaptive, judges=1)
    add_missing_texts(adaptive)
    task = Task.objects.get(topic=topic, document__doc_id="elsewhere")
    Assignment.objects.create(task=task, topic=topic, member=ada, position=0)
    begin_adaptive_order(adaptive, "maxmean")
    assert stored_state(topic).judged == {one: 1, two: 0}
    judged = judge_all(ada, topic)
    assert set(judged[-3:]) == {"elsewhere", one, two}  # no run has it; they are decided
    assert AdaptiveOrder.objects.get(topic=topic).caught_up == 3 + len(judged)
