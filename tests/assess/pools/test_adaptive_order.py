"""The adaptive order: the strategy chooses the next document, and assessors do not see why."""

import random
import threading
import uuid

import pandas as pd
import pytest
from django.db import connection

import pooling
from assess.collections import runfiles
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import AdaptiveOrder, Assignment, Collection, Order, Provenance, Task
from assess.pools.adaptive_order import begin_adaptive_order, end_adaptive_order, next_documents
from assess.pools.assign import assign
from assess.pools.build import build_pool
from assess.transfer.imports import import_runs
from assess.transfer.judgement_import import import_judgements
from pooling.adaptive import ADAPTIVE
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import small_collection, write_runs

SYSTEMS, DOCUMENTS, DEPTH = 7, 40, 12
RELEVANT = {f"d{number:02}" for number in range(0, DOCUMENTS, 3)}
LIVE = [name for name in ADAPTIVE if name != "cal"]


def some_runs(seed: int = 3) -> dict:
    """Systems of growing skill: the later ones have more of the relevant documents early."""
    chance = random.Random(seed)
    runs = {}
    for number in range(SYSTEMS):
        liking = {f"d{d:02}": chance.random() + 0.15 * number * (f"d{d:02}" in RELEVANT) for d in range(DOCUMENTS)}
        ranked = sorted(liking, key=liking.get, reverse=True)
        runs[f"canary-{number}"] = {"1": ranked[: 25 + number], "2": ranked[3:8]}
    return runs


@pytest.fixture
def adaptive(db) -> Collection:
    """A collection of two topics, 7 systems of up to 31 documents, pooled to depth 12."""
    collection = small_collection(some_runs(), depth=DEPTH)
    Collection.objects.filter(pk=collection.pk).update(seed=11)
    collection.refresh_from_db()
    return collection


@pytest.fixture
def topic(adaptive):
    return adaptive.topics.get(query_id="1")


@pytest.fixture
def ada(adaptive, join):
    return join(adaptive, "ada")


def fresh(member):
    """Return the member as a new request reads it from the database."""
    return type(member).objects.select_related("collection").get(pk=member.pk)


def doc_ids(member, topic, limit=worklist.AHEAD) -> list[str]:
    return [card.doc_id for card in worklist.upcoming(fresh(member), topic, limit=limit)]


def judge(member, topic, doc_id: str, relevance: int | None = None, state="judged", repeat=0) -> None:
    assignment = Assignment.objects.get(member=member, topic=topic, task__document__doc_id=doc_id, repeat=repeat)
    if state == "judged" and relevance is None:
        relevance = int(doc_id in RELEVANT)
    record_judgement(fresh(member), assignment.public_id, JudgementInput(state, relevance), uuid.uuid4())


def judge_next(member, topic) -> str:
    doc_id = doc_ids(member, topic, limit=1)[0]
    judge(member, topic, doc_id)
    return doc_id


def judge_all(member, topic) -> list[str]:
    judged = []
    while upcoming := doc_ids(member, topic, limit=1):
        judge(member, topic, upcoming[0])
        judged += upcoming
    return judged


def frames(collection) -> list[pd.DataFrame]:
    return [runfiles.load(run) for run in collection.runs.all()]


def pooled(topic) -> list[str]:
    tasks = Task.objects.filter(topic=topic, provenance__isnull=False)
    return sorted(tasks.values_list("document__doc_id", flat=True))


def strategy_of(topic):
    row = AdaptiveOrder.objects.get(topic=topic)
    return ADAPTIVE[row.strategy](**row.parameters)


def proposals(topic, judged: dict[str, int], limit=1, among=None) -> list[str]:
    """Return what the library proposes after these judgements."""
    strategy = strategy_of(topic)
    state = strategy.step(strategy.start(frames(topic.collection), topic.query_id), judged)
    others = set(state.rankings.doc_ids) - set(pooled(topic) if among is None else among)
    proposed = []
    while len(proposed) < limit and (doc_id := strategy.next(state, [*others, *proposed])) is not None:
        proposed.append(doc_id)
    return proposed


# ---- the order is the strategy's


@pytest.mark.parametrize("strategy", LIVE)
def test_one_judge_gets_the_documents_in_the_order_of_a_replay(adaptive, ada, topic, strategy):
    build_pool(adaptive, 40)  # everything that the runs have, so that the replay may choose freely
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, strategy)
    qrels = pd.DataFrame([("1", doc_id, int(doc_id in RELEVANT)) for doc_id in pooled(topic)])
    qrels.columns = ["query_id", "doc_id", "relevance"]
    replayed = pooling.replay(strategy_of(topic), frames(adaptive), qrels, budget=15).judgements["doc_id"]
    assert [judge_next(ada, topic) for _ in range(15)] == list(replayed)


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


def open_to_claims(collection, judges: int) -> None:
    Collection.objects.filter(pk=collection.pk).update(judges_per_task=judges)
    Task.objects.filter(topic__collection=collection).update(wanted=judges)
    collection.refresh_from_db()


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


def stored_state(topic):
    """Update the state and return it as it is stored."""
    from pooling.adaptive import Rankings, State

    next_documents(topic, [], 0)
    row = AdaptiveOrder.objects.get(topic=topic)
    return State.from_bytes(bytes(row.state), Rankings.from_bytes(bytes(row.rankings)))


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


def test_imported_judgements_and_documents_without_a_run(adaptive, ada, topic):
    one, two = pooled(topic)[:2]
    lines = f"1 0 elsewhere 1\n1 0 {one} 1\n1 0 {two} 0\n"
    import_judgements(adaptive, lines.encode(), assessor="model")
    assign(adaptive, judges=1)
    task = Task.objects.get(topic=topic, document__doc_id="elsewhere")
    Assignment.objects.create(task=task, topic=topic, member=ada, position=0)
    begin_adaptive_order(adaptive, "maxmean")
    assert stored_state(topic).judged == {one: 1, two: 0}
    judged = judge_all(ada, topic)
    assert set(judged[-3:]) == {"elsewhere", one, two}  # no run has it; they are decided
    assert AdaptiveOrder.objects.get(topic=topic).caught_up == 3 + len(judged)


# ---- the stored state


def test_unchanged_state_is_not_written_and_needs_few_queries(adaptive, ada, topic, django_assert_num_queries):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "bandit_thompson")
    judge_next(ada, topic)
    candidates = pooled(topic)
    with django_assert_num_queries(3):  # the stored state; the judgements; saving the new state
        after = next_documents(topic, candidates, 3)
    rows = tables()["AdaptiveOrder"]
    with django_assert_num_queries(1):
        assert next_documents(topic, candidates, 3) == after
    assert tables()["AdaptiveOrder"] == rows


def test_number_of_queries_does_not_grow_with_judgements(adaptive, ada, topic, django_assert_max_num_queries):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "bandit_thompson")
    member = fresh(ada)
    judge_next(ada, topic)
    worklist.upcoming(member, topic)
    for _ in range(8):
        judge_next(ada, topic)
        with django_assert_max_num_queries(8):
            worklist.upcoming(member, topic)


def test_unreadable_state_is_rebuilt_from_the_judgements(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "hedge")
    judged = [judge_next(ada, topic) for _ in range(4)]
    expected = doc_ids(ada, topic)
    AdaptiveOrder.objects.update(state=b"from an unsupported version")
    assert doc_ids(ada, topic) == expected
    assert list(stored_state(topic).judged) == judged


def test_unreadable_rankings_do_not_prevent_judging(adaptive, ada, topic, caplog):
    assign(adaptive, judges=1)
    before = doc_ids(ada, topic)
    begin_adaptive_order(adaptive, "hedge")
    AdaptiveOrder.objects.update(rankings=b"damaged")
    assert doc_ids(ada, topic) == before
    assert "adapt_order" in caplog.text


@pytest.mark.parametrize("removed", [{"strategy": "of old"}, {"parameters": {"rel": 1, "of_old": 3}}])
def test_removed_strategy_or_parameter_does_not_prevent_judging(adaptive, ada, topic, caplog, removed):
    assign(adaptive, judges=1)
    before = doc_ids(ada, topic)
    begin_adaptive_order(adaptive, "hedge")
    AdaptiveOrder.objects.update(**removed)
    assert doc_ids(ada, topic) == before
    assert "adapt_order" in caplog.text


def test_later_runs_do_not_change_the_order(adaptive, ada, topic, tmp_path):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "hedge")
    before = doc_ids(ada, topic)
    import_runs(adaptive, write_runs(tmp_path, {"late": {"1": list(reversed(pooled(topic)))}}))
    assert doc_ids(ada, topic) == before
    begin_adaptive_order(adaptive, "hedge")
    assert doc_ids(ada, topic) == proposals(topic, {}, worklist.AHEAD) != before


def test_documents_pooled_later_are_judged_too(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "maxmean")
    build_pool(adaptive, DEPTH + 5)
    assign(adaptive, judges=1)
    assert sorted(judge_all(ada, topic)) == pooled(topic)


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_lose_no_judgement(transactional_db, join):
    collection = small_collection(some_runs(), depth=DEPTH)
    topic = collection.topics.get(query_id="1")
    members = [join(collection, f"judge{number}") for number in range(4)]
    open_to_claims(collection, 2)
    begin_adaptive_order(collection, "bandit_thompson")
    failures = []

    def work(member):
        try:
            judge_all(member, topic)
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
    assert set(Task.objects.filter(topic=topic).values_list("taken", flat=True)) == {2}
    state = stored_state(topic)
    assert state.judged == {doc_id: int(doc_id in RELEVANT) for doc_id in pooled(topic)}
    assert AdaptiveOrder.objects.get(topic=topic).caught_up == 2 * len(pooled(topic))


# ---- begin, end, and refusals


def test_order_begins_for_every_pooled_topic_and_ends_without_a_trace(adaptive, ada, topic):
    assign(adaptive, judges=1)
    shuffled = doc_ids(ada, topic)
    assert begin_adaptive_order(adaptive, "bandit_ucb", depth=20) == ["1", "2"]
    assert adaptive.order == Collection.objects.get().order == Order.ADAPTIVE
    row = AdaptiveOrder.objects.get(topic=topic)
    assert (row.strategy, row.rule, row.parameters) == (
        "bandit_ucb",
        "union",
        row.parameters | {"rel": 1, "depth": 20, "seed": 11},
    )
    judge_next(ada, topic)
    before = tables()
    end_adaptive_order(adaptive)
    assert not AdaptiveOrder.objects.exists()
    assert Collection.objects.get().order == Order.SHUFFLED
    assert {name for name, rows in tables().items() if rows != before[name]} == {"AdaptiveOrder", "Collection"}
    assert [d for d in doc_ids(ada, topic) if d in shuffled] == [d for d in shuffled if d in doc_ids(ada, topic)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "best"}, "Strategy must be one of rbp_adaptive, move_to_front, hedge, bandit_random"),
        ({"strategy": "cal"}, "'cal' needs the text of every document"),
        ({"strategy": "hedge", "speed": 3}, "has no parameter 'speed'; it has: depth"),
        ({"strategy": "hedge", "depth": 0}, "depth"),
        ({"strategy": "bandit_ucb", "seed": 1}, "seed"),
        ({"strategy": "hedge", "rule": "loudest"}, "no rule 'loudest'. The rules are judge:NAME, union"),
        ({"strategy": "hedge", "rule": "judge:eve"}, "must name an assessor of small: assessor-1"),
        ({"strategy": "hedge", "rule": "dawid_skene"}, "choose one of judge:NAME, union"),
        ({"strategy": "hedge", "rel": 0}, "The relevance threshold must be one of 1, not 0"),
    ],
)
def test_invalid_options_are_refused_and_change_nothing(adaptive, ada, options, message):
    before = tables()
    with pytest.raises(Refused, match=message.replace("(", r"\(")) as refused:
        begin_adaptive_order(adaptive, **options)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)
    assert tables() == before


def test_order_needs_runs_and_a_pool(adaptive):
    Provenance.objects.all().delete()
    with pytest.raises(Refused, match="no pool \\(build_pool\\) yet"):
        begin_adaptive_order(adaptive, "hedge")
    adaptive.runs.all().delete()
    with pytest.raises(Refused, match="no runs \\(import_runs\\) yet"):
        begin_adaptive_order(adaptive, "hedge")
    with pytest.raises(Refused, match="one of shuffled, fixed"):
        end_adaptive_order(adaptive, "adaptive")


def test_command_begins_and_ends_the_order(adaptive):
    lines = output_of("adapt_order", "--collection", "small", "--strategy", "rbp_adaptive", "--parameter", "depth=10")
    assert lines == ["rbp_adaptive now orders the documents of 2 topics, using the rule union."]
    assert {row.parameters["depth"] for row in AdaptiveOrder.objects.all()} == {10}
    assert "shuffled" in output_of("adapt_order", "--collection", "small", "--off")[0]
    assert not AdaptiveOrder.objects.exists()
    assert "nothing was changed" in refusal("adapt_order", "--collection", "small", "--off", "--rel", "1")
    assert "name=value" in refusal("adapt_order", "--collection", "small", "--strategy", "hedge", "--parameter", "x")


def test_command_reports_topics_without_an_order(adaptive):
    adaptive.topics.create(query_id="3", title="no runs")
    lines = output_of("adapt_order", "--collection", "small", "--strategy", "hedge")
    assert lines[1] == "1 topics have no pool or no run yet; run this command again when they do."


# ---- blind


@pytest.mark.parametrize("judges", [None, 1])
def test_judging_pages_show_nothing_about_systems(adaptive, ada, topic, signed_in, judges):
    if judges is None:
        assign(adaptive, judges=1)
    else:
        open_to_claims(adaptive, judges)
    begin_adaptive_order(adaptive, "bandit_thompson")
    judge_next(ada, topic)
    client = signed_in(ada)
    for address in (f"/c/small/judge/{topic.pk}/", f"/c/small/judge/{topic.pk}/next/"):
        answer = client.get(address)
        assert answer.status_code == 200
        everything = answer.content.decode() + str(answer.headers)
        assert not any(word in everything for word in ("canary", "bandit", "thompson", "adaptive"))
