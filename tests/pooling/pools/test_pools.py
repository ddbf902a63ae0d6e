"""Pools: depth pools by hand, against the oracle and a reference implementation; union, difference, additions."""

import hashlib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from pooling import pool
from pooling.pools.pool import checksums
from pooling.ranking import prepare
from pooling.strategies import STRATEGIES
from tests.examples import examples
from tests.oracles import oracle
from tests.pooling.runs import COUNTS, ROWS, lists, pairs_of, rankings_of, run, tasks_of

SMALL = [("t", "1", "a", 1), ("t", "1", "b", 2), ("s", "1", "a", 3), ("s", "1", "b", 2), ("s", "1", "c", 1)]
PROVENANCE = ["query_id", "doc_id", "systems", "best_rank"]


def rows_of(made, columns=PROVENANCE):
    return list(made.frame[columns].itertuples(index=False, name=None))


def expected_depth_pool(rows, depth):
    pooled = {}
    for query_id, rankings in rankings_of(rows).items():
        for system, ranking in rankings.items():
            for rank, (doc_id, _) in enumerate(ranking[:depth], start=1):
                systems, ranks = pooled.setdefault((query_id, doc_id), ([], []))
                systems.append(system)
                ranks.append(rank)
    return [(*pair, tuple(systems), min(ranks)) for pair, (systems, ranks) in sorted(pooled.items())]


@pytest.mark.parametrize("depth", [1, 2])
def test_pools_match_the_oracle(depth):
    case = oracle("golds_and_pools")["pooling"]
    made = pool(run(lists(**case["runs"])), depth=depth)
    assert made.frame["doc_id"].tolist() == case[f"depth{depth}"]


def test_pools_without_one_run_match_the_oracle():
    case = oracle("golds_and_pools")["leave_one_out"]
    depth = case["pool_depth"]
    assert pool(run(lists(**case["runs"])), depth=depth).frame["doc_id"].tolist() == case["pool"]
    for out, expected in case["leave_one_out"].items():
        others = {system: ranking for system, ranking in case["runs"].items() if system != out}
        assert pool(run(lists(**others)), depth=depth).frame["doc_id"].tolist() == expected["pool"]


def test_a_pooled_document_has_its_systems_and_best_rank():
    # s ranks a, b, c; t ranks b, a. At depth 2, c is left out.
    assert rows_of(pool(run(SMALL), depth=2)) == [("1", "a", ("s", "t"), 1), ("1", "b", ("s", "t"), 1)]


def test_a_system_with_the_document_below_the_depth_does_not_contribute_it():
    runs = run([("s", "1", "a", 2), ("s", "1", "b", 1), ("t", "1", "b", 1)])
    assert rows_of(pool(runs, depth=1)) == [("1", "a", ("s",), 1), ("1", "b", ("t",), 1)]


def test_ties_at_the_last_rank_go_to_the_larger_doc_id():
    runs = run([("s", "1", doc_id, 1.0) for doc_id in ("a", "c", "b")])
    assert pool(runs, depth=2).frame["doc_id"].tolist() == ["b", "c"]


def test_short_runs_contribute_all_their_documents():
    runs = run([("s", "1", "a", 1), ("t", "2", "b", 1)])
    assert pool(runs, depth=100).size_by_topic.to_dict() == {"1": 1, "2": 1}


@examples(40)
@given(ROWS, COUNTS)
def test_a_depth_pool_matches_a_reference_implementation(rows, depth):
    assert rows_of(pool(run(rows), depth=depth)) == expected_depth_pool(rows, depth)


@examples(20)
@given(ROWS, st.randoms(use_true_random=False))
def test_runs_from_an_iterable_give_the_same_pool_in_any_order(rows, random):
    parts = [part for _, part in run(rows).groupby("system")]
    random.shuffle(parts)
    assert_frame_equal(pool(iter(parts), depth=2).frame, pool(run(rows), depth=2).frame)


def test_a_deeper_pool_contains_the_shallower():
    runs = run(("s", "1", f"d{place}", -place) for place in range(9))
    shallow, deep = (set(pool(runs, depth=depth).frame["doc_id"]) for depth in (3, 5))
    assert shallow < deep


def test_the_description_of_a_pool_has_every_number():
    runs = run([("s", "1", "a", 1), ("t", "2", "b", 1), ("t", "2", "c", 2)])
    made = pool(runs, depth=10)
    expected = "depth (depth 10) over 2 systems: 3 tasks in 2 topics, 1 to 2 each (median 1.5)"
    assert made.describe() == expected
    assert (len(made), made.systems, made.strategy, made.parameters) == (3, ["s", "t"], "depth", {"depth": 10})


def test_a_pool_records_default_parameters_and_seed():
    assert pool(run(SMALL), "rrf", size=2).parameters == {"size": 2, "k": 60, "depth": None}
    drawn = pool(run(SMALL), "random", seed=7, size=1)
    assert (drawn.parameters, drawn.seed) == ({"size": 1, "depth": None}, 7)
    assert drawn.describe() == "random (size 1, seed 7) over 2 systems: 1 task in 1 topic, 1 each"


def test_a_pool_records_the_seed_of_its_lots():
    made = pool(run(SMALL), "rrf", size=2)
    assert (made.seed, pool(run(SMALL), "take", budget=2, seed=5).seed, pool(run(SMALL), depth=2).seed) == (0, 5, None)
    assert made.describe().startswith("rrf (size 2, k 60, seed 0) over")
    with pytest.raises(ValueError, match="seed must be a whole number from 0, not -1"):
        pool(run(SMALL), "take", budget=2, seed=-1)


def test_lots_do_not_make_a_pool_a_sample():
    extended = pool(run(SMALL), "rrf", size=1, seed=4).with_documents(documents("x"))
    drawn = pool(run(SMALL), "random", size=1, seed=4)
    assert len(extended.union(drawn)) >= 2
    assert len(extended.union(pool(run(SMALL), "take", budget=1, seed=9))) >= 2


def test_a_union_orders_tied_documents_by_the_lots_of_its_first_pool():
    runs = run((f"s{n}", "1", f"d{n}", 1.0) for n in range(12))
    for seed in (0, 3):
        first = pool(runs, "rrf", size=12, seed=seed)
        assert tasks_of(first.union(pool(runs, "rrf", size=12, seed=8))) == tasks_of(first)


def test_the_columns_of_a_pool_have_their_types():
    frame = pool(run([("s", "1", "a", 1)]), depth=1).frame
    expected = {"query_id": "str", "doc_id": "str", "systems": "object", "best_rank": "Int64", "stratum": "str"}
    expected |= {"inclusion_probability": "float64", "priority": "float64"}
    assert {column: str(dtype) for column, dtype in frame.dtypes.items()} == expected
    assert rows_of(pool(run([("s", "1", "a", 1)]), depth=1), list(frame)) == [("1", "a", ("s",), 1, "", 1.0, -1.0)]


def test_tasks_are_sorted_by_topic_and_priority():
    # Best ranks: in topic 1, b and a have 1, c has 3; equal priorities go to the larger doc_id.
    runs = run([*SMALL, ("s", "2", "z", 1)])
    assert tasks_of(pool(runs, depth=3)) == [("1", "b"), ("1", "a"), ("1", "c"), ("2", "z")]


def test_prepared_runs_give_the_same_pool():
    ranked = prepare(run(SMALL), keep_scores=True)
    for strategy in ("depth", "combsum"):
        size = {"depth": 2} if strategy == "depth" else {"size": 2}
        assert_frame_equal(pool(ranked, strategy, **size).frame, pool(run(SMALL), strategy, **size).frame)


@pytest.mark.parametrize(
    ("prepared", "strategy", "options", "sentence"),
    [
        ({"depth": 1}, "depth", {"depth": 2}, "prepared with depth=1; prepare them with depth=2"),
        ({"depth": 1}, "rrf", {"size": 1}, "prepared with depth=1; prepare them with all ranks"),
        ({}, "combsum", {"size": 1}, "prepared without scores; prepare them with keep_scores=True"),
    ],
)
def test_runs_prepared_with_too_little_are_refused(prepared, strategy, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(prepare(run(SMALL), **prepared), strategy, **options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"strategy": "dept", "depth": 1}, f"'dept' is unknown; choose from: {', '.join(sorted(STRATEGIES))}"),
        (
            {"strategy": "hedge"},
            "strategy 'hedge' is adaptive and needs judgements; use pooling.ADAPTIVE",
        ),
        ({"size": 1}, "strategy 'depth' has no parameter 'size'; it has: depth"),
        ({}, "strategy 'depth' needs the parameter 'depth'"),
        ({"depth": 0}, "depth must be a whole number from 1, not 0"),
        ({"depth": 1.5}, "depth must be a whole number from 1, not 1.5"),
        ({"depth": True}, "depth must be a whole number from 1, not True"),
        ({"depth": 1, "seed": 3}, "strategy 'depth' does not draw at random and takes no seed"),
        ({"strategy": "random", "size": 1}, "strategy 'random' draws at random and needs a seed"),
        ({"strategy": "random", "size": 1, "seed": -1}, "seed must be a whole number from 0, not -1"),
    ],
)
def test_an_invalid_option_is_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run([("s", "1", "a", 1)]), **options)


def test_an_invalid_parameter_is_refused_before_the_runs_are_read():
    def files():
        raise AssertionError("a file was read")
        yield

    with pytest.raises(ValueError, match="size must be a whole number from 1, not 0"):
        pool(files(), "rrf", size=0)


@pytest.mark.parametrize("runs", [[], run([])])
def test_a_pool_needs_runs(runs):
    with pytest.raises(ValueError, match="there are no runs; at least one is required"):
        pool(runs, depth=1)


def test_a_system_in_two_frames_is_refused():
    frame = run([("s", "1", "a", 1)])
    other = run([("t", "1", "a", 1)])
    with pytest.raises(ValueError, match="system 's' occurs twice, in DataFrames 1 and 3 of 3; all rows of a system"):
        pool([frame, other, frame], depth=1)


def test_a_document_twice_in_a_ranking_is_refused():
    with pytest.raises(ValueError, match="system 's', topic '1': document 'a' occurs twice"):
        pool(run([("s", "1", "b", 3), ("s", "1", "a", 2), ("s", "1", "a", 1)]), depth=3)


def test_a_union_has_the_documents_of_both_with_the_first_pool_first():
    first, second = (pool(run(lists(**rankings)), depth=2) for rankings in ({"s": "abc"}, {"t": "cbd"}))
    both = first.union(second)
    assert rows_of(both) == [("1", "a", ("s",), 1), ("1", "b", ("s", "t"), 2), ("1", "c", ("t",), 1)]
    assert tasks_of(both) == [("1", "a"), ("1", "b"), ("1", "c")]
    expected = "union of depth (depth 2) and depth (depth 2) over 2 systems: 3 tasks in 1 topic, 3 each"
    assert both.describe() == expected


def test_a_difference_has_the_documents_of_the_first_pool_only():
    runs = run(lists(s="abcd", t="bade"))
    rest = pool(runs, depth=4).difference(pool(runs, depth=2))
    assert rows_of(rest) == [("1", "c", ("s",), 3), ("1", "d", ("s", "t"), 3), ("1", "e", ("t",), 4)]
    assert rest.describe().startswith("difference of depth (depth 4) and depth (depth 2) over 2 systems: 3 tasks")
    nothing = rest.difference(rest)
    assert len(nothing) == 0
    assert nothing.describe().endswith("over 2 systems: no document is left to judge")
    assert_frame_equal(nothing.union(rest).frame[PROVENANCE], rest.frame[PROVENANCE])


@pytest.mark.slow
@examples(20)
@given(ROWS, COUNTS, COUNTS)
def test_union_and_difference_are_set_operations(rows, one, other):
    first, second = pool(run(rows), depth=one), pool(run(rows), "rrf", size=other)
    shared = set(pairs_of(first)) & set(pairs_of(second))
    assert set(pairs_of(first.union(second))) == set(pairs_of(first)) | set(pairs_of(second))
    assert set(pairs_of(first.difference(second))) == set(pairs_of(first)) - shared
    assert_frame_equal(first.union(first).frame[PROVENANCE], first.frame[PROVENANCE])


def test_pools_of_different_files_with_one_name_are_refused():
    first, second = (pool(run(SMALL), depth=1, inputs={"a.run": digest}) for digest in ("00", "ff"))
    with pytest.raises(ValueError, match=r"different files named 'a\.run'"):
        first.union(second)


def test_added_documents_are_marked_last_and_certain():
    documents = pd.DataFrame({"query_id": ["1", "2", "1"], "doc_id": ["x", "y", "a"]})
    made = pool(run(SMALL), depth=1).with_documents(documents, "search")
    frame = made.frame.set_index(["query_id", "doc_id"])
    assert frame["stratum"].to_dict() == {("1", "a"): "", ("1", "b"): "", ("1", "x"): "search", ("2", "y"): "search"}
    assert frame.loc[("1", "x"), "systems"] == ()
    assert pd.isna(frame.loc[("1", "x"), "best_rank"])
    assert frame.loc[("1", "x"), "inclusion_probability"] == 1
    assert tasks_of(made) == [("1", "b"), ("1", "a"), ("1", "x"), ("2", "y")]
    assert made.describe().endswith("; 2 documents added by hand or search")
    assert made.systems == ["s", "t"]


def documents(*doc_ids):
    return pd.DataFrame({"query_id": ["1"] * len(doc_ids), "doc_id": list(doc_ids)})


def test_documents_added_later_come_later():
    made = pool(run(SMALL), depth=1).with_documents(documents("x"))
    assert made.with_documents(documents("x"), "search") is made
    assert tasks_of(made.with_documents(documents("z")))[-2:] == [("1", "x"), ("1", "z")]


def test_a_pool_records_the_score_precision():
    first, second = (pool(run(SMALL), depth=1, score_precision=p) for p in ("float32", "float64"))
    assert (first.score_precision, pool(run(SMALL), depth=1).score_precision) == ("float32", None)
    assert (first.union(first).score_precision, first.union(second).score_precision) == ("float32", None)
    assert first.union(second).parameters["second"]["score_precision"] == "float64"
    with pytest.raises(ValueError, match="score_precision 'half' is unknown; choose from: float64, float32"):
        pool(run(SMALL), depth=1, score_precision="half")


@pytest.mark.parametrize(
    ("columns", "how", "sentence"),
    [
        ({"query_id": ["1"], "doc_id": ["a"]}, "luck", "how must be 'hand' or 'search', not 'luck'"),
        ({"query_id": ["1"]}, "hand", "documents to add need the columns query_id, doc_id; missing: doc_id"),
        ({"query_id": ["1"], "doc_id": ["a b"]}, "hand", "doc_id 'a b' contains white space; an id is 1 to 512 bytes"),
        (
            {"query_id": ["1"], "doc_id": [None]},
            "hand",
            "query_id and a doc_id in every row; at least one is missing",
        ),
    ],
)
def test_documents_that_cannot_be_added_are_refused(columns, how, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run(SMALL), depth=1).with_documents(pd.DataFrame(columns), how)


def test_checksums_of_files_with_one_name_include_folders(tmp_path):
    for team in ("one", "two"):
        (tmp_path / team).mkdir()
        (tmp_path / team / "a.run").write_text(team)
    (tmp_path / "b.run").write_text("b")
    digest = {text: hashlib.sha256(text.encode()).hexdigest() for text in ("one", "two", "b")}
    one, two, b = (tmp_path / name for name in ("one/a.run", "two/a.run", "b.run"))
    assert checksums([one, b]) == {"a.run": digest["one"], "b.run": digest["b"]}
    assert checksums([two, one]) == {"one/a.run": digest["one"], "two/a.run": digest["two"]}
