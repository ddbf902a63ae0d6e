"""Replays: by hand, against a reference implementation, and with a scoring function."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.scores import score_table
from pooling import pool
from pooling.adaptive import ADAPTIVE
from pooling.evaluation.replay import replay
from pooling.ranking import prepare
from pooling.strategies import STRATEGIES
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, lot, run

RUNS = run([*lists(s="abc", t="bda"), *lists("2", s="xy", t="z")])
QRELS = pd.DataFrame(
    [("1", "a", 2), ("1", "b", 0), ("1", "c", 1), ("1", "q", 1), ("2", "x", 0), ("2", "y", 1)],
    columns=["query_id", "doc_id", "relevance"],
)
SEEDED = {"random", "ask_people", *ADAPTIVE} - {"hedge", "rbp_adaptive", "ntcir_order"}
NAMES = sorted({*STRATEGIES, *ADAPTIVE} - {"stratified", "stat_ap", "cal"})  # these may judge less than the budget


def average_precision(runs, gold):
    return score_table(runs, gold, "AP").mean(axis=1)


def seed_of(name):
    return 1 if name in SEEDED else None


def pairs_of(result):
    return list(result.judgements[["query_id", "doc_id"]].itertuples(index=False, name=None))


def test_depth_by_hand():
    result = replay("depth", RUNS, QRELS, budget=3)
    # Topic 1: b and a at rank 1, the later id first, then d at 2 (c is at 3). Topic 2: z and x at rank 1, y at 2.
    assert pairs_of(result) == [("1", "b"), ("1", "a"), ("1", "d"), ("2", "z"), ("2", "x"), ("2", "y")]
    # 3 of 4 relevant documents are in the runs; q is in none. d and z are not in the qrels.
    assert result.found.to_dict("list") == {
        "budget": [0, 1, 2, 3],
        "spent": [0, 2, 4, 6],
        "found": [0, 0, 1, 2],
        "share": [0, 0, 1 / 4, 2 / 4],
        "unknown": [0, 1, 1, 2],
        "n_topics": [2] * 4,
        "n_relevant": [4] * 4,
    }


def test_results_by_topic():
    result = replay("depth", RUNS, QRELS, budget=2)
    columns = ["query_id", "budget", "spent", "found", "share", "unknown", "n_relevant"]
    assert list(result.by_topic[columns].itertuples(index=False, name=None)) == [
        *(("1", 0, 0, 0, 0, 0, 3), ("1", 1, 1, 0, 0, 0, 3), ("1", 2, 2, 1, 1 / 3, 0, 3)),
        *(("2", 0, 0, 0, 0, 0, 1), ("2", 1, 1, 0, 0, 1, 1), ("2", 2, 2, 0, 0, 1, 1)),
    ]


def test_judgements_have_the_relevance_of_the_qrels():
    result = replay("depth", RUNS, QRELS, budget=3).judgements
    assert result["relevance"].tolist() == [0, 2, 0, 0, 0, 1]
    assert result["known"].tolist() == [True, True, False, False, True, True]
    assert result["relevant"].tolist() == [False, True, False, False, False, True]


def test_a_collection_budget_is_spent_by_priority():
    result = replay("depth", RUNS, QRELS, budget=4, per="collection")
    # All of best rank 1, by lot; the relevant one is a.
    expected = sorted([("2", "z"), ("2", "x"), ("1", "b"), ("1", "a")], key=lambda pair: -lot(*pair))
    assert pairs_of(result) == expected
    assert result.found["spent"].tolist() == [0, 1, 2, 3, 4]
    assert result.found["found"].tolist() == [0] * (expected.index(("1", "a")) + 1) + [1] * (
        4 - expected.index(("1", "a"))
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 5])
def test_a_replay_judges_the_documents_that_the_pool_has(seed):
    for budget in range(1, 9):
        replayed = replay("take", RUNS, QRELS, budget=budget, per="collection", seed=seed)
        made = pool(RUNS, "take", budget=budget, seed=seed)
        assert set(pairs_of(replayed)) == set(made.to_tasks().itertuples(index=False, name=None))
        assert pairs_of(replay(made, RUNS, QRELS, budget=budget, per="collection")) == pairs_of(replayed)
        assert replayed.strategy == f"take(seed={seed})"


def test_an_adaptive_strategy_spends_a_collection_budget_in_turn():
    result = replay("hedge", RUNS, QRELS, budget=5, per="collection")
    assert result.judgements["query_id"].tolist() == ["1", "2", "1", "2", "1"]
    assert result.judgements["budget"].tolist() == [1, 2, 3, 4, 5]


def test_a_finished_topic_leaves_the_budget_to_the_others():
    runs = run([*lists(s="abcd"), *lists("2", s="x")])
    result = replay("rbp_adaptive", runs, QRELS, budget=9, per="collection")
    assert pairs_of(result) == [("1", "a"), ("2", "x"), ("1", "b"), ("1", "c"), ("1", "d")]
    assert result.found["spent"].tolist() == [0, 1, 2, 3, 4, 5, 5, 5, 5, 5]


def test_an_adaptive_strategy_learns_from_the_qrels():
    # t begins with two relevant documents, s with none: one judgement of each, and t is preferred.
    runs = run(lists(s="abcd", t="wxyz"))
    qrels = pd.DataFrame({"query_id": "1", "doc_id": list("awx"), "relevance": [0, 1, 1]})
    for seed in range(5):
        result = replay("maxmean", runs, qrels, budget=3, seed=seed)
        assert set(result.judgements["doc_id"]) >= {"w", "x"}


def test_unjudged_documents_count_as_not_relevant():
    qrels = pd.concat([QRELS, pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "relevance": [-1]})])
    result = replay("hedge", RUNS, qrels, budget=9)
    without = replay("hedge", RUNS, QRELS, budget=9)
    pd.testing.assert_frame_equal(result.judgements, without.judgements)


def test_topics_without_qrels_are_not_replayed_and_topics_without_runs_are_counted():
    qrels = pd.concat(
        [QRELS[QRELS["query_id"] == "1"], pd.DataFrame({"query_id": ["9"], "doc_id": ["k"], "relevance": [1]})]
    )
    result = replay("rrf", RUNS, qrels, budget=2)
    assert set(result.judgements["query_id"]) == {"1"}
    assert result.found["n_relevant"].tolist() == [4] * 3
    assert result.by_topic[result.by_topic["query_id"] == "9"]["share"].tolist() == [0]


def test_a_topic_without_relevant_documents_has_no_share_but_a_reason():
    qrels = pd.concat(
        [QRELS[QRELS["query_id"] == "1"], pd.DataFrame({"query_id": ["2"], "doc_id": ["x"], "relevance": [0]})]
    )
    by_topic = replay("rrf", RUNS, qrels, budget=1).by_topic
    second = by_topic[by_topic["query_id"] == "2"]
    assert second["share"].isna().all()
    assert set(second["reason"]) == {"no relevant document in the qrels"}
    assert set(by_topic[by_topic["query_id"] == "1"]["reason"]) == {""}


def test_grades_from_rel_on_are_relevant():
    assert replay("depth", RUNS, QRELS, budget=9, rel=2).found["found"].tolist()[-1] == 1


def test_scores_use_the_gold_at_the_budget():
    result = replay("depth", RUNS, QRELS, budget=3, score=average_precision, at=(1, 3))
    for budget in (1, 3):
        rows = result.judgements["budget"] <= budget
        gold = result.judgements.loc[rows, ["query_id", "doc_id", "relevance"]]
        expected = average_precision(RUNS, gold)
        found = result.scores[result.scores["budget"] == budget].set_index("system")["value"]
        assert found.to_dict() == expected.to_dict()
    assert result.scores["spent"].tolist() == [2, 2, 6, 6]


def test_judging_everything_gives_the_scores_of_the_reachable_qrels():
    reached = QRELS[QRELS["doc_id"] != "q"]
    result = replay("hedge", RUNS, reached, budget=99, score=average_precision)
    pd.testing.assert_series_equal(
        result.scores.set_index("system")["value"], average_precision(RUNS, reached), check_names=False
    )


def test_without_a_scoring_function_there_are_no_scores():
    assert replay("depth", RUNS, QRELS, budget=3).scores is None


def test_scores_may_be_an_array_in_ascending_order_of_the_systems():
    by_series = replay("depth", RUNS, QRELS, budget=3, score=average_precision).scores
    by_array = replay("depth", RUNS, QRELS, 3, lambda *given: average_precision(*given)[["s", "t"]].to_numpy()).scores
    pd.testing.assert_frame_equal(by_array, by_series)
    mixed = replay("depth", RUNS, QRELS, 3, lambda *given: average_precision(*given)[["t", "s"]]).scores
    pd.testing.assert_frame_equal(mixed, by_series)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (pd.Series({"s": 0.5}), "one number for each of 2 systems, .*; system 't' is missing"),
        (pd.Series([0.5, 0.5, 0.5], index=list("sst")), "must return one number .*; a system occurs twice"),
        (np.zeros(3), r"must return one number for each of 2 systems, .* not ndarray of shape \(3,\)"),
        (0.5, r"must return one number .* not float of shape \(\)"),
        (pd.DataFrame({"AP": [0.5, 0.5]}), r"must return one number .* not DataFrame of shape \(2, 1\)"),
        ({"s": 0.5, "t": 0.5}, "must return one number .* not dict"),
        (pd.Series({"s": "a", "t": "b"}), "must return one number .*, not "),
        (None, "must return one number .* not NoneType"),
    ],
)
def test_invalid_scores_are_refused(scores, sentence):
    with pytest.raises(ValueError, match=sentence):
        replay("depth", RUNS, QRELS, budget=3, score=lambda *_: scores)


@pytest.mark.parametrize("strategy", ["hedge", ADAPTIVE["hedge"](depth=2), "depth"])
def test_runs_prepared_with_the_depth_of_the_strategy_can_be_replayed(strategy):
    parameters = {"depth": 2} if isinstance(strategy, str) else {}
    shallow = replay(strategy, prepare(RUNS, depth=2), QRELS, 9, **parameters)
    pd.testing.assert_frame_equal(shallow.judgements, replay(strategy, RUNS, QRELS, 9, **parameters).judgements)


def test_a_pool_is_replayed_by_priority():
    by_pool = replay(pool(RUNS, depth=3), RUNS, QRELS, budget=2)
    assert pairs_of(by_pool) == pairs_of(replay("depth", RUNS, QRELS, budget=2))


def test_a_strategy_object_can_be_replayed():
    strategy = ADAPTIVE["maxmean"](seed=4)
    assert pairs_of(replay(strategy, RUNS, QRELS, budget=3)) == pairs_of(replay("maxmean", RUNS, QRELS, 3, seed=4))


def test_runs_may_be_an_iterable():
    frames = [RUNS[RUNS["system"] == system] for system in "st"]
    result = replay("combsum", iter(frames), QRELS, budget=2, score=average_precision)
    pd.testing.assert_frame_equal(result.scores, replay("combsum", RUNS, QRELS, 2, average_precision).scores)


def test_a_stratified_sample_can_be_replayed():
    result = replay("stratified", RUNS, QRELS, budget=9, strata=[(1, 1.0), (3, 1.0)], seed=1)
    assert result.found["spent"].max() == 7
    assert result.strategy == "stratified(strata=[(1, 1.0), (3, 1.0)], seed=1)"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@examples(6)
@given(ROWS, st.sets(st.text("abé", min_size=1, max_size=2), min_size=1), st.integers(1, 9))
def test_counts_match_a_reference_implementation(name, rows, relevant, budget):
    topics = sorted({row[1] for row in rows})
    qrels = pd.DataFrame(
        [(q, d, 1) for q in topics for d in sorted(relevant)], columns=["query_id", "doc_id", "relevance"]
    )
    result = replay(name, prepare(run(rows), keep_scores=True), qrels, budget, seed=seed_of(name))
    documents = {query_id: {row[2] for row in rows if row[1] == query_id} for query_id in topics}
    judged = {q: [d for query_id, d in pairs_of(result) if query_id == q] for q in topics}
    for query_id in topics:
        assert len(judged[query_id]) == len(set(judged[query_id])) == min(budget, len(documents[query_id]))
        assert set(judged[query_id]) <= documents[query_id]
    found = [sum(d in relevant for q in topics for d in judged[q][:spent]) for spent in range(budget + 1)]
    assert result.found["found"].tolist() == found
    assert result.found["share"].tolist() == [n / len(qrels) for n in found]


@pytest.mark.in_ci
@pytest.mark.parametrize("name", NAMES)
def test_a_larger_budget_only_adds(name):
    small, large = (replay(name, RUNS, QRELS, budget, seed=seed_of(name)) for budget in (2, 5))
    rows = large.judgements[large.judgements["budget"] <= 2]
    pd.testing.assert_frame_equal(rows.reset_index(drop=True), small.judgements)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"budget": 0}, "budget must be a whole number from 1, not 0"),
        ({"per": "run"}, "per must be one of 'topic', 'collection', 'best_topic', not 'run'"),
        ({"at": (4,)}, "a budget in at must be at most 3, not 4"),
        ({"at": (0,)}, "a budget in at must be a whole number from 1, not 0"),
        ({"rel": 0}, "rel must be a number above 0, not 0"),
        ({"rel": 7}, "the qrels have no relevant document"),
        ({"strategy": "best"}, "strategy 'best' is unknown; choose from: active_sampling, ask_people, "),
        ({"strategy": 7}, "strategy must be a name, an adaptive strategy or a pool, not 7"),
        ({"strategy": "maxmean"}, "strategy 'maxmean' draws at random and needs a seed"),
        ({"strategy": "random"}, "strategy 'random' draws at random and needs a seed"),
        ({"strategy": "hedge", "seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"seed": 1}, "strategy 'depth' does not draw at random and takes no seed"),
        ({"speed": 1}, "strategy 'depth' has no parameter 'speed'; it has: depth"),
        ({"strategy": "hedge", "speed": 1}, "strategy 'hedge' has no parameter 'speed'; it has: depth, beta"),
        ({"strategy": "stratified", "seed": 1}, "strategy 'stratified' needs the parameter 'strata'"),
        ({"strategy": "cal", "seed": 1}, "strategy 'cal' needs the parameter 'texts'"),
        ({"strategy": ADAPTIVE["hedge"](rel=2)}, "rel must be the rel of the strategy, 2, not 1"),
        ({"strategy": ADAPTIVE["hedge"](), "seed": 1}, "are allowed only for a strategy given by name"),
        (
            {"qrels": QRELS.drop(columns="doc_id")},
            "a gold needs the columns .*; missing: doc_id",
        ),
        ({"qrels": QRELS.replace({"doc_id": {"b": None}})}, "every row of a gold needs a doc_id"),
        ({"qrels": QRELS.replace({"query_id": {"2": None}})}, "every row of a gold needs a query_id"),
        ({"qrels": QRELS.replace({"relevance": {2: np.nan}})}, "every relevance of a gold must be a finite number"),
        ({"qrels": QRELS.astype({"relevance": "str"})}, "every relevance of a gold must be a finite number"),
        ({"qrels": pd.concat([QRELS, QRELS[:1]])}, "the gold has document 'a' of topic '1' twice"),
        ({"qrels": QRELS.assign(query_id="9").drop_duplicates("query_id")}, "have no topic in common"),
    ],
)
def test_invalid_arguments_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        replay(**{"strategy": "depth", "runs": RUNS, "qrels": QRELS, "budget": 3} | arguments)


@pytest.mark.parametrize("budget", [4, -1, "x", 1.0, True, None])
def test_a_gold_of_a_budget_that_was_not_replayed_is_refused(budget):
    result = replay("depth", RUNS, QRELS, budget=3)
    with pytest.raises(ValueError, match=f"budget must be a whole number from 0 to 3, .*, not {budget!r}"):
        result.gold_at(budget)
    assert len(result.gold_at(0)) == 0
    assert len(result.gold_at(np.int64(3))) == 6
