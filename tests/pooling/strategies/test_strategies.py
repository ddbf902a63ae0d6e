"""Properties of all strategies, and the best-rank strategies against reference implementations."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from pooling.strategies import NEED_SCORES, STRATEGIES
from tests.examples import examples
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, lists, pairs_of, rankings_of, run, tasks_of

# stat_ap may draw fewer documents, and its samples are not nested.
SIZED = sorted(
    name for name, choose in STRATEGIES.items() if "size" in inspect.signature(choose).parameters and name != "stat_ap"
)
BUDGETED = ["fair_take", "take"]


def made(runs, strategy, **options):
    return pool(runs, strategy, seed=1 if strategy in ("random", "stratified") else None, **options)


def candidates_of(rows, depth=None):
    """How many documents each topic has."""
    return {
        query_id: len({doc_id for ranking in rankings.values() for doc_id, _ in ranking[:depth]})
        for query_id, rankings in rankings_of(rows).items()
    }


def best_ranks_of(rows):
    """Of each pair of topic and document, the runs that have it at its best rank: (rank, number of runs)."""
    ranks = {}
    for query_id, rankings in rankings_of(rows).items():
        for ranking in rankings.values():
            for rank, (doc_id, _) in enumerate(ranking, start=1):
                ranks.setdefault((query_id, doc_id), []).append(rank)
    return {pair: (min(found), found.count(min(found))) for pair, found in ranks.items()}


def expected_take(values, budget):
    """The pairs with the highest values: ties to the larger doc_id, then to the smaller query_id."""
    by_topic = sorted(values)
    by_document = sorted(by_topic, key=lambda pair: pair[1].encode(), reverse=True)
    return set(sorted(by_document, key=lambda pair: values[pair], reverse=True)[:budget])


def test_every_strategy_is_registered_under_its_name():
    names = (
        "depth ntcir take fair_take rrf combsum combmnz combmax combmin combmed combanz borda condorcet dcg rbp random"
    )
    assert sorted(STRATEGIES) == sorted([*names.split(), "stratified", "stat_ap"])
    assert set(STRATEGIES) >= NEED_SCORES
    assert all(choose.__name__ == name and choose.__doc__ for name, choose in STRATEGIES.items())
    assert all(inspect.getmodule(choose).__name__.startswith("pooling.strategies.") for choose in STRATEGIES.values())


@examples(30)
@given(strategy=st.sampled_from(SIZED), rows=ROWS, size=COUNTS, depth=DEPTHS)
def test_size_is_exact(strategy, rows, size, depth):
    sizes = made(run(rows), strategy, size=size, depth=depth).size_by_topic.to_dict()
    assert sizes == {query_id: min(size, n) for query_id, n in candidates_of(rows, depth).items()}


@examples(30)
@given(strategy=st.sampled_from(BUDGETED), rows=ROWS, budget=st.integers(1, 50))
def test_budget_is_exact(strategy, rows, budget):
    assert len(pool(run(rows), strategy, budget=budget)) == min(budget, sum(candidates_of(rows).values()))


@examples(30)
@given(strategy=st.sampled_from([*SIZED, *BUDGETED]), rows=ROWS, size=COUNTS)
def test_a_larger_pool_contains_the_smaller(strategy, rows, size):
    count = "budget" if strategy in BUDGETED else "size"
    smaller, larger = (set(pairs_of(made(run(rows), strategy, **{count: n}))) for n in (size, size + 2))
    assert smaller <= larger


@examples(30)
@given(strategy=st.sampled_from([*SIZED, *BUDGETED]), rows=ROWS, size=COUNTS, data=st.data())
def test_names_and_order_of_the_runs_do_not_matter(strategy, rows, size, data):
    names = dict(zip("stuv", data.draw(st.permutations("stuv")), strict=True))
    count = "budget" if strategy in BUDGETED else "size"
    renamed = [(names[system], *rest) for system, *rest in data.draw(st.permutations(rows))]
    assert tasks_of(made(run(renamed), strategy, **{count: size})) == tasks_of(
        made(run(rows), strategy, **{count: size})
    )


@examples(30)
@given(strategy=st.sampled_from(SIZED), rows=ROWS, size=COUNTS)
def test_topics_are_pooled_independently(strategy, rows, size):
    alone = [row for row in rows if row[1] == rows[0][1]]
    in_topic = [pair for pair in tasks_of(made(run(rows), strategy, size=size)) if pair[0] == rows[0][1]]
    assert tasks_of(made(run(alone), strategy, size=size)) == in_topic


@pytest.mark.parametrize("strategy", [name for name in SIZED if name != "random"])
def test_identical_runs_are_pooled_in_their_common_order(strategy):
    assert tasks_of(pool(run(lists(s="dcab", t="dcab", u="dcab")), strategy, size=3)) == [
        ("1", "d"),
        ("1", "c"),
        ("1", "a"),
    ]


@pytest.mark.parametrize("strategy", [name for name in SIZED if name not in ("random", "condorcet")])
def test_first_documents_of_disjoint_runs_go_first(strategy):
    # Both first documents have the same score, and so have both second ones: ties go to the larger doc_id.
    assert tasks_of(pool(run(lists(s="abc", t="xyz")), strategy, size=4))[:2] == [("1", "x"), ("1", "a")]


@pytest.mark.parametrize("strategy", SIZED)
def test_a_run_without_a_topic_does_not_affect_it(strategy):
    with_it = run([*lists(s="abc"), *lists("2", s="de", t="ed")])
    without = run([*lists(s="abc"), *lists("2", s="de")])
    first, second = (
        [pair for pair in tasks_of(made(runs, strategy, size=2)) if pair[0] == "1"] for runs in (with_it, without)
    )
    assert first == second


@pytest.mark.parametrize("strategy", [*SIZED, *BUDGETED])
def test_a_pool_can_have_one_document(strategy):
    count = "budget" if strategy in BUDGETED else "size"
    assert pairs_of(made(run([("s", "1", "a", 0.0)]), strategy, **{count: 5})) == [("1", "a")]


@pytest.mark.parametrize("strategy", SIZED)
@pytest.mark.parametrize("options", [{"size": 0}, {"size": 2.0}, {"size": "2"}, {"size": 1, "depth": 0}])
def test_size_and_depth_must_be_positive_whole_numbers(strategy, options):
    with pytest.raises(ValueError, match=r"(size|depth) must be a whole number from 1, not"):
        made(run([("s", "1", "a", 0.0)]), strategy, **options)


@pytest.mark.parametrize("strategy", BUDGETED)
@pytest.mark.parametrize("budget", [0, 2.0])
def test_budget_must_be_a_positive_whole_number(strategy, budget):
    with pytest.raises(ValueError, match=r"budget must be a whole number from 1, not"):
        pool(run([("s", "1", "a", 0.0)]), strategy, budget=budget)


@examples(30)
@given(ROWS, st.integers(1, 50))
def test_take_matches_a_reference_implementation(rows, budget):
    values = {pair: -rank for pair, (rank, _) in best_ranks_of(rows).items()}
    assert set(pairs_of(pool(run(rows), "take", budget=budget))) == expected_take(values, budget)


@examples(30)
@given(ROWS, st.integers(1, 50))
def test_fair_take_matches_a_reference_implementation(rows, budget):
    values = {pair: (-rank, runs) for pair, (rank, runs) in best_ranks_of(rows).items()}
    assert set(pairs_of(pool(run(rows), "fair_take", budget=budget))) == expected_take(values, budget)


def test_take_selects_more_where_the_runs_disagree():
    # Topic 1: both runs agree, one document at each rank. Topic 2: they share nothing, two documents at each rank.
    runs = run([*lists("1", s="abc", t="abc"), *lists("2", s="abc", t="xyz")])
    assert pool(runs, "take", budget=6).size_by_topic.to_dict() == {"1": 2, "2": 4}


def test_last_rank_of_take_is_by_doc_id_then_topic():
    runs = run([*lists("1", s="ab"), *lists("2", s="ac"), *lists("3", s="xb")])
    # Rank 1: a of 1, a of 2, x. Then c of 2; then b of 1 before b of 3.
    assert tasks_of(pool(runs, "take", budget=5)) == [("1", "a"), ("1", "b"), ("2", "a"), ("2", "c"), ("3", "x")]


def test_last_rank_of_fair_take_prefers_documents_of_most_runs():
    # All firsts are a. At rank 2, two runs have b and one has z: take would choose z.
    runs = run(lists(s="ab", t="ab", u="az"))
    assert pairs_of(pool(runs, "fair_take", budget=2)) == [("1", "a"), ("1", "b")]
    assert pairs_of(pool(runs, "take", budget=2)) == [("1", "a"), ("1", "z")]
