"""Depth pools: by hand, against the oracle and an obvious twin, and what a pool says of itself."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from tests.oracles import oracle

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["s", "t", "u"]),
        st.sampled_from(["9", "10"]),
        st.text("abé", min_size=1, max_size=2),
        st.sampled_from([0.0, 1.0, 2.0]),
    ),
    unique_by=lambda row: row[:3],
    min_size=1,
    max_size=40,
)


def run(rows):
    return pd.DataFrame(list(rows), columns=["system", "query_id", "doc_id", "score"])


def rows_of(frame):
    return list(frame.itertuples(index=False, name=None))


def obvious_depth_pool(rows, depth):
    pooled = {}
    for system, query_id in sorted({row[:2] for row in rows}):
        ranking = [(score, doc_id.encode()) for s, q, doc_id, score in rows if (s, q) == (system, query_id)]
        for rank, (_, doc_id) in enumerate(sorted(ranking, reverse=True)[:depth], start=1):
            systems, ranks = pooled.setdefault((query_id, doc_id.decode()), ([], []))
            systems.append(system)
            ranks.append(rank)
    return [(*pair, tuple(systems), min(ranks)) for pair, (systems, ranks) in sorted(pooled.items())]


@pytest.mark.parametrize("depth", [1, 2])
def test_the_pools_of_the_oracle(depth):
    case = oracle("golds_and_pools")["pooling"]
    runs = run(
        (system, "1", doc_id, -float(place))
        for system, ranking in case["runs"].items()
        for place, doc_id in enumerate(ranking)
    )
    assert pool(runs, depth=depth).frame["doc_id"].tolist() == case[f"depth{depth}"]


def test_a_pooled_document_knows_its_systems_and_its_best_rank():
    # s ranks a, b, c; t ranks b, a. At depth 2, c is left out.
    runs = run([("t", "1", "a", 1), ("t", "1", "b", 2), ("s", "1", "a", 3), ("s", "1", "b", 2), ("s", "1", "c", 1)])
    assert rows_of(pool(runs, depth=2).frame) == [("1", "a", ("s", "t"), 1), ("1", "b", ("s", "t"), 1)]


def test_a_system_that_has_it_below_the_depth_did_not_bring_it():
    runs = run([("s", "1", "a", 2), ("s", "1", "b", 1), ("t", "1", "b", 1)])
    assert rows_of(pool(runs, depth=1).frame) == [("1", "a", ("s",), 1), ("1", "b", ("t",), 1)]


def test_ties_at_the_edge_go_to_the_larger_doc_id():
    runs = run([("s", "1", doc_id, 1.0) for doc_id in ("a", "c", "b")])
    assert pool(runs, depth=2).frame["doc_id"].tolist() == ["b", "c"]


def test_a_run_that_lacks_a_topic_or_is_short_brings_what_it_has():
    runs = run([("s", "1", "a", 1), ("t", "2", "b", 1)])
    assert pool(runs, depth=100).size_by_topic.to_dict() == {"1": 1, "2": 1}


@given(ROWS, st.integers(1, 5))
def test_a_depth_pool_is_that_of_an_obvious_twin(rows, depth):
    assert rows_of(pool(run(rows), depth=depth).frame) == obvious_depth_pool(rows, depth)


@given(ROWS, st.randoms(use_true_random=False))
def test_one_run_after_the_other_gives_the_same_pool_in_any_order(rows, random):
    frame = run(rows)
    parts = [part for _, part in frame.groupby("system")]
    random.shuffle(parts)
    assert pool(iter(parts), depth=2).frame.equals(pool(frame, depth=2).frame)


def test_a_deeper_pool_contains_the_shallower():
    runs = run(("s", "1", f"d{place}", -place) for place in range(9))
    shallow, deep = (set(pool(runs, depth=depth).frame["doc_id"]) for depth in (3, 5))
    assert shallow < deep


def test_a_pool_describes_itself_with_every_number():
    runs = run([("s", "1", "a", 1), ("t", "2", "b", 1), ("t", "2", "c", 2)])
    made = pool(runs, depth=10)
    expected = "depth (depth 10) over 2 systems: 3 tasks in 2 topics, 1 to 2 each (median 1.5)"
    assert made.describe() == expected
    assert (len(made), made.systems, made.strategy, made.parameters) == (3, ["s", "t"], "depth", {"depth": 10})


def test_the_columns_of_a_pool_have_their_types():
    frame = pool(run([("s", "1", "a", 1)]), depth=1).frame
    assert list(frame) == ["query_id", "doc_id", "systems", "best_rank"]
    assert frame["best_rank"].dtype == "int64"
    assert frame["query_id"].dtype == "str"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"strategy": "dept", "depth": 1}, "strategy 'dept' is unknown; there are: depth"),
        ({"size": 1}, "strategy 'depth' has no parameter 'size'; it has: depth"),
        ({}, "strategy 'depth' needs the parameter 'depth'; none was given"),
        ({"depth": 0}, "depth 0 is not allowed; a depth is a whole number from 1"),
        ({"depth": 1.5}, "depth 1.5 is not allowed"),
        ({"depth": True}, "depth True is not allowed"),
    ],
)
def test_a_wrong_option_is_refused_with_what_there_is(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run([("s", "1", "a", 1)]), **options)


@pytest.mark.parametrize("runs", [[], run([])])
def test_no_runs_make_no_pool(runs):
    with pytest.raises(ValueError, match="there are no runs; a pool needs at least one"):
        pool(runs, depth=1)


def test_a_system_in_two_frames_is_refused():
    frame = run([("s", "1", "a", 1)])
    with pytest.raises(ValueError, match="system 's' comes twice"):
        pool([frame, frame], depth=1)
