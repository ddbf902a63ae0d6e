"""NTCIR's order, as a pool and as an order of judging: by hand and against a reference implementation."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool, replay
from pooling.adaptive import ADAPTIVE
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, lot, pairs_of, rankings_of, run, tasks_of


def expected_order(rankings, depth, query_id):
    """The documents by number of runs, then by sum of ranks, then by the larger lot."""
    ranks = defaultdict(list)
    for ranking in rankings.values():
        for rank, (doc_id, _) in enumerate(ranking[:depth], start=1):
            ranks[doc_id].append(rank)
    return sorted(ranks, key=lambda one: (-len(ranks[one]), sum(ranks[one]), -lot(query_id, one)))


def proposed(strategy, runs, query_id):
    state, doc_ids = strategy.start(runs, query_id), []
    while (doc_id := strategy.next(state)) is not None:
        doc_ids.append(doc_id)
        state = strategy.step(state, {doc_id: len(doc_ids) % 2})
    return doc_ids


def test_by_hand():
    # To depth 3: b in three runs, ranks 2 + 1 + 3 = 6; a in two, 1 + 2; d in two, 3 + 1; c in one, 3; e in one, 2.
    # f is at rank 4 of s only, beyond the depth, and so is c in u.
    runs = run(lists(s="abdf", t="bac", u="debc"))
    assert [doc_id for _, doc_id in tasks_of(pool(runs, "ntcir", depth=3))] == list("badec")


@examples(40)
@given(ROWS, st.integers(1, 5))
def test_it_matches_a_reference_implementation(rows, depth):
    made = pool(run(rows), "ntcir", depth=depth)
    strategy = ADAPTIVE["ntcir_order"](depth=depth)
    expected = []
    for query_id, rankings in rankings_of(rows).items():
        order = expected_order(rankings, depth, query_id)
        assert proposed(strategy, run(rows), query_id) == order
        expected += [(query_id, doc_id) for doc_id in order]
    assert tasks_of(made) == expected


@examples(20)
@given(ROWS, st.integers(1, 5))
def test_the_documents_are_those_of_a_depth_pool(rows, depth):
    assert pairs_of(pool(run(rows), "ntcir", depth=depth)) == pairs_of(pool(run(rows), depth=depth))


def test_the_order_ignores_judgements_and_runs_without_the_topic():
    runs = run([*lists("1", s="abc", t="cb"), *lists("2", u="x")])
    strategy = ADAPTIVE["ntcir_order"]()
    state = strategy.start(runs, "1")
    assert strategy.next(state) == "c"
    assert strategy.next(strategy.step(state, {"c": 0})) == strategy.next(strategy.step(state, {"c": 1})) == "b"
    assert strategy.next(state, exclude=["c"]) == "b"


def test_it_can_be_replayed():
    runs = run(lists(s="abd", t="bac"))
    qrels = run(lists(s="abcd")).assign(relevance=1)[["query_id", "doc_id", "relevance"]]
    by_pool, by_order = (replay(name, runs, qrels, 4, depth=2) for name in ("ntcir", "ntcir_order"))
    assert by_pool.judgements["doc_id"].tolist() == by_order.judgements["doc_id"].tolist() == ["b", "a"]


@pytest.mark.parametrize("depth", [0, 1.5, True])
def test_an_invalid_depth_is_refused(depth):
    with pytest.raises(ValueError, match="depth must be a whole number from 1"):
        pool(run(lists(s="ab")), "ntcir", depth=depth)
