"""The stored state of an adaptive order, its beginning and end, and what assessors see of it."""

import threading

import pytest
from django.db import connection

from assess.errors import Refused
from assess.judging import worklist
from assess.models import AdaptiveOrder, Collection, Order, Provenance, Task
from assess.pools.adaptive_order import begin_adaptive_order, end_adaptive_order, next_documents
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.transfer.runs import import_runs
from tests.assess.command_output import output_of, refusal, tables
from tests.assess.pools.adaptive import (
    DEPTH,
    RELEVANT,
    doc_ids,
    fresh,
    judge_all,
    judge_next,
    open_to_claims,
    pooled,
    proposals,
    some_runs,
    stored_state,
)
from tests.factories import add_missing_texts, small_collection, write_runs

pytestmark = pytest.mark.database

# ---- the stored state


def test_unchanged_state_is_not_written_and_needs_few_queries(adaptive, ada, topic, django_assert_num_queries):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "bandit_thompson")
    judge_next(ada, topic)
    candidates = pooled(topic)
    with django_assert_num_queries(
        4
    ):  # the stored state; the judgements; documents only of a sample; saving the new state
        after = next_documents(topic, candidates, 3)
    rows = tables()["AdaptiveOrder"]
    with django_assert_num_queries(1):
        assert next_documents(topic, candidates, 3) == after
    assert tables()["AdaptiveOrder"] == rows


@pytest.mark.slow
def test_number_of_queries_does_not_grow_with_judgements(adaptive, ada, topic, django_assert_max_num_queries):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "bandit_thompson")
    member = fresh(ada)
    judge_next(ada, topic)
    worklist.upcoming(member, topic)
    for _ in range(8):
        judge_next(ada, topic)
        with django_assert_max_num_queries(9):
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


@pytest.mark.slow
def test_documents_pooled_later_are_judged_too(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, "maxmean")
    build_pool(adaptive, depth=DEPTH + 5)
    add_missing_texts(adaptive)
    assign(adaptive, judges=1)
    assert sorted(judge_all(ada, topic)) == pooled(topic)


@pytest.mark.slow
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
        (
            {"strategy": "cal"},
            "'cal' proposes from the whole collection, but .* no text in small, such as",
        ),
        (
            {"strategy": "active_sampling"},
            "'active_sampling' draws a sample, but a collection does not store the probability of each draw. Choose",
        ),
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
    with pytest.raises(Refused, match="no pool yet"):
        begin_adaptive_order(adaptive, "hedge")
    adaptive.runs.all().delete()
    with pytest.raises(Refused, match="no runs yet"):
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
    assert lines[1] == "Without a pool or a run: 1 topic. Run this command again when that changes."


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
