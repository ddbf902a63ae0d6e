"""What a strategy would have found: by hand, against an obvious twin, and under a scoring function."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.effectiveness.scores import score_table
from pooling import pool
from pooling.adaptive import ADAPTIVE
from pooling.evaluation.replay import replay
from pooling.ranking import prepare
from pooling.strategies import STRATEGIES
from tests.pooling.runs import ROWS, lists, run

RUNS = run([*lists(s="abc", t="bda"), *lists("2", s="xy", t="z")])
QRELS = pd.DataFrame(
    [("1", "a", 2), ("1", "b", 0), ("1", "c", 1), ("1", "q", 1), ("2", "x", 0), ("2", "y", 1)],
    columns=["query_id", "doc_id", "relevance"],
)
SEEDED = {"random", *ADAPTIVE} - {"hedge", "rbp_adaptive"}
NAMES = sorted({*STRATEGIES, *ADAPTIVE} - {"stratified", "cal"})


def average_precision(runs, gold):
    return score_table(runs, gold, "AP").mean(axis=1)


def seed_of(name):
    return 1 if name in SEEDED else None


def pairs_of(told):
    return list(told.judgements[["query_id", "doc_id"]].itertuples(index=False, name=None))


def test_depth_by_hand():
    told = replay("depth", RUNS, QRELS, budget=3)
    # Topic 1: b and a at rank 1, the later id first, then d at 2 (c is at 3). Topic 2: z and x at rank 1, y at 2.
    assert pairs_of(told) == [("1", "b"), ("1", "a"), ("1", "d"), ("2", "z"), ("2", "x"), ("2", "y")]
    # 3 of 4 relevant documents are in the runs; q is in none. d and z are not in the qrels.
    assert told.found.to_dict("list") == {
        "budget": [0, 1, 2, 3],
        "spent": [0, 2, 4, 6],
        "found": [0, 0, 1, 2],
        "share": [0, 0, 1 / 4, 2 / 4],
        "unknown": [0, 1, 1, 2],
        "n_topics": [2] * 4,
        "n_relevant": [4] * 4,
    }


def test_each_topic_is_told_apart():
    told = replay("depth", RUNS, QRELS, budget=2)
    columns = ["query_id", "budget", "spent", "found", "share", "unknown", "n_relevant"]
    assert list(told.by_topic[columns].itertuples(index=False, name=None)) == [
        *(("1", 0, 0, 0, 0, 0, 3), ("1", 1, 1, 0, 0, 0, 3), ("1", 2, 2, 1, 1 / 3, 0, 3)),
        *(("2", 0, 0, 0, 0, 0, 1), ("2", 1, 1, 0, 0, 1, 1), ("2", 2, 2, 0, 0, 1, 1)),
    ]


def test_a_judgement_says_what_the_qrels_say():
    told = replay("depth", RUNS, QRELS, budget=3).judgements
    assert told["relevance"].tolist() == [0, 2, 0, 0, 0, 1]
    assert told["known"].tolist() == [True, True, False, False, True, True]
    assert told["relevant"].tolist() == [False, True, False, False, False, True]


def test_a_budget_for_all_topics_goes_by_priority():
    told = replay("depth", RUNS, QRELS, budget=4, per="collection")
    # All of best rank 1, by doc_id descending: z, x, b, a.
    assert pairs_of(told) == [("2", "z"), ("2", "x"), ("1", "b"), ("1", "a")]
    assert told.found["spent"].tolist() == [0, 1, 2, 3, 4]
    assert told.found["found"].tolist() == [0, 0, 0, 0, 1]


def test_a_budget_for_all_topics_goes_round_them_where_the_strategy_adapts():
    told = replay("hedge", RUNS, QRELS, budget=5, per="collection")
    assert told.judgements["query_id"].tolist() == ["1", "2", "1", "2", "1"]
    assert told.judgements["budget"].tolist() == [1, 2, 3, 4, 5]


def test_a_topic_with_fewer_documents_leaves_the_rest_to_the_others():
    runs = run([*lists(s="abcd"), *lists("2", s="x")])
    told = replay("rbp_adaptive", runs, QRELS, budget=9, per="collection")
    assert pairs_of(told) == [("1", "a"), ("2", "x"), ("1", "b"), ("1", "c"), ("1", "d")]
    assert told.found["spent"].tolist() == [0, 1, 2, 3, 4, 5, 5, 5, 5, 5]


def test_an_adaptive_strategy_learns_what_the_qrels_say():
    # t begins with two relevant documents, s with none: one judgement of each, and t is preferred.
    runs = run(lists(s="abcd", t="wxyz"))
    qrels = pd.DataFrame({"query_id": "1", "doc_id": list("awx"), "relevance": [0, 1, 1]})
    for seed in range(5):
        told = replay("maxmean", runs, qrels, budget=3, seed=seed)
        assert set(told.judgements["doc_id"]) >= {"w", "x"}


def test_what_nobody_judged_teaches_the_strategy_that_it_is_not_relevant():
    qrels = pd.concat([QRELS, pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "relevance": [-1]})])
    told = replay("hedge", RUNS, qrels, budget=9)
    without = replay("hedge", RUNS, QRELS, budget=9)
    pd.testing.assert_frame_equal(told.judgements, without.judgements)


def test_topics_without_qrels_are_not_replayed_and_topics_without_runs_are_counted():
    qrels = pd.concat(
        [QRELS[QRELS["query_id"] == "1"], pd.DataFrame({"query_id": ["9"], "doc_id": ["k"], "relevance": [1]})]
    )
    told = replay("rrf", RUNS, qrels, budget=2)
    assert set(told.judgements["query_id"]) == {"1"}
    assert told.found["n_relevant"].tolist() == [4] * 3
    assert told.by_topic[told.by_topic["query_id"] == "9"]["share"].tolist() == [0]


def test_a_topic_without_relevant_documents_has_no_share_and_says_why():
    qrels = pd.concat(
        [QRELS[QRELS["query_id"] == "1"], pd.DataFrame({"query_id": ["2"], "doc_id": ["x"], "relevance": [0]})]
    )
    by_topic = replay("rrf", RUNS, qrels, budget=1).by_topic
    second = by_topic[by_topic["query_id"] == "2"]
    assert second["share"].isna().all()
    assert set(second["reason"]) == {"no relevant document in the qrels"}
    assert set(by_topic[by_topic["query_id"] == "1"]["reason"]) == {""}


def test_grades_count_from_rel_on():
    assert replay("depth", RUNS, QRELS, budget=9, rel=2).found["found"].tolist()[-1] == 1


def test_the_scores_are_those_of_the_gold_at_that_budget():
    told = replay("depth", RUNS, QRELS, budget=3, score=average_precision, at=(1, 3))
    for budget in (1, 3):
        rows = told.judgements["budget"] <= budget
        gold = told.judgements.loc[rows, ["query_id", "doc_id", "relevance"]]
        expected = average_precision(RUNS, gold)
        found = told.scores[told.scores["budget"] == budget].set_index("system")["value"]
        assert found.to_dict() == expected.to_dict()
    assert told.scores["spent"].tolist() == [2, 2, 6, 6]


def test_judging_everything_gives_the_scores_of_the_qrels_that_the_runs_can_reach():
    reached = QRELS[QRELS["doc_id"] != "q"]
    told = replay("hedge", RUNS, reached, budget=99, score=average_precision)
    pd.testing.assert_series_equal(
        told.scores.set_index("system")["value"], average_precision(RUNS, reached), check_names=False
    )


def test_without_a_scoring_function_there_are_no_scores():
    assert replay("depth", RUNS, QRELS, budget=3).scores is None


def test_scores_may_come_as_an_array_in_ascending_order_of_the_systems():
    by_series = replay("depth", RUNS, QRELS, budget=3, score=average_precision).scores
    by_array = replay("depth", RUNS, QRELS, 3, lambda *given: average_precision(*given)[["s", "t"]].to_numpy()).scores
    pd.testing.assert_frame_equal(by_array, by_series)
    mixed = replay("depth", RUNS, QRELS, 3, lambda *given: average_precision(*given)[["t", "s"]]).scores
    pd.testing.assert_frame_equal(mixed, by_series)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (pd.Series({"s": 0.5}), "the scores lack system 't'; allowed is one number for each of 2 systems"),
        (pd.Series([0.5, 0.5, 0.5], index=list("sst")), "the scores have a system twice; allowed is"),
        (np.zeros(3), r"the scores came as ndarray of shape \(3,\); allowed is"),
        (0.5, r"the scores came as float of shape \(\); allowed is"),
        (pd.DataFrame({"AP": [0.5, 0.5]}), r"the scores came as DataFrame of shape \(2, 1\); allowed is"),
        ({"s": 0.5, "t": 0.5}, "the scores came as dict and are no numbers; allowed is"),
        (pd.Series({"s": "a", "t": "b"}), "are no numbers; allowed is"),
        (None, "the scores came as NoneType"),
    ],
)
def test_other_scores_are_refused(scores, sentence):
    with pytest.raises(ValueError, match=sentence):
        replay("depth", RUNS, QRELS, budget=3, score=lambda *_: scores)


@pytest.mark.parametrize("strategy", ["hedge", ADAPTIVE["hedge"](depth=2), "depth"])
def test_runs_prepared_as_deep_as_the_strategy_looks_can_be_replayed(strategy):
    parameters = {"depth": 2} if isinstance(strategy, str) else {}
    shallow = replay(strategy, prepare(RUNS, depth=2), QRELS, 9, **parameters)
    pd.testing.assert_frame_equal(shallow.judgements, replay(strategy, RUNS, QRELS, 9, **parameters).judgements)


def test_a_pool_is_gone_through_by_its_priorities():
    by_pool = replay(pool(RUNS, depth=3), RUNS, QRELS, budget=2)
    assert pairs_of(by_pool) == pairs_of(replay("depth", RUNS, QRELS, budget=2))


def test_a_strategy_may_be_given_ready():
    strategy = ADAPTIVE["maxmean"](seed=4)
    assert pairs_of(replay(strategy, RUNS, QRELS, budget=3)) == pairs_of(replay("maxmean", RUNS, QRELS, 3, seed=4))


def test_runs_may_come_one_after_the_other():
    frames = [RUNS[RUNS["system"] == system] for system in "st"]
    told = replay("combsum", iter(frames), QRELS, budget=2, score=average_precision)
    pd.testing.assert_frame_equal(told.scores, replay("combsum", RUNS, QRELS, 2, average_precision).scores)


def test_a_layered_sample_is_replayed_too():
    told = replay("stratified", RUNS, QRELS, budget=9, strata=[(1, 1.0), (3, 1.0)], seed=1)
    assert told.found["spent"].max() == 7
    assert told.strategy == "stratified(strata=[(1, 1.0), (3, 1.0)], seed=1)"


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6)
@given(ROWS, st.sets(st.text("abé", min_size=1, max_size=2), min_size=1), st.integers(1, 9))
def test_every_strategy_is_counted_as_an_obvious_twin_counts(name, rows, relevant, budget):
    topics = sorted({row[1] for row in rows})
    qrels = pd.DataFrame(
        [(q, d, 1) for q in topics for d in sorted(relevant)], columns=["query_id", "doc_id", "relevance"]
    )
    told = replay(name, prepare(run(rows), keep_scores=True), qrels, budget, seed=seed_of(name))
    documents = {query_id: {row[2] for row in rows if row[1] == query_id} for query_id in topics}
    judged = {q: [d for query_id, d in pairs_of(told) if query_id == q] for q in topics}
    for query_id in topics:
        assert len(judged[query_id]) == len(set(judged[query_id])) == min(budget, len(documents[query_id]))
        assert set(judged[query_id]) <= documents[query_id]
    found = [sum(d in relevant for q in topics for d in judged[q][:spent]) for spent in range(budget + 1)]
    assert told.found["found"].tolist() == found
    assert told.found["share"].tolist() == [n / len(qrels) for n in found]


@pytest.mark.parametrize("name", NAMES)
def test_a_larger_budget_only_adds(name):
    small, large = (replay(name, RUNS, QRELS, budget, seed=seed_of(name)) for budget in (2, 5))
    rows = large.judgements[large.judgements["budget"] <= 2]
    pd.testing.assert_frame_equal(rows.reset_index(drop=True), small.judgements)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"budget": 0}, "budget 0 is not allowed"),
        ({"per": "run"}, "per 'run' is not allowed; it is topic or collection"),
        ({"at": (4,)}, "at 4 is not allowed; the budget ends at 3"),
        ({"at": (0,)}, "a budget of at 0 is not allowed"),
        ({"rel": 0}, "rel 0 is not allowed"),
        ({"rel": 7}, "the qrels have no relevant document"),
        ({"strategy": "best"}, "strategy 'best' is unknown; there are: bandit_greedy, "),
        ({"strategy": 7}, "strategy 7 is not allowed; it is a name, an adaptive strategy or a pool"),
        ({"strategy": "maxmean"}, "strategy 'maxmean' draws at random: give it a seed"),
        ({"strategy": "random"}, "strategy 'random' draws at random: give it a seed"),
        ({"strategy": "hedge", "seed": 1}, "strategy 'hedge' leaves nothing to chance; it takes no seed"),
        ({"seed": 1}, "strategy 'depth' leaves nothing to chance; it takes no seed"),
        ({"speed": 1}, "strategy 'depth' has no parameter 'speed'; it has: depth"),
        ({"strategy": "hedge", "speed": 1}, "strategy 'hedge' has no parameter 'speed'; it has: depth, beta"),
        ({"strategy": "stratified", "seed": 1}, "strategy 'stratified' needs the parameter 'strata'"),
        ({"strategy": "cal", "seed": 1}, "strategy 'cal' needs the parameter 'texts'"),
        ({"strategy": ADAPTIVE["hedge"](rel=2)}, "the strategy has rel 2 and the replay 1; they are the same"),
        ({"strategy": ADAPTIVE["hedge"](), "seed": 1}, "has its parameters; give none"),
        ({"qrels": QRELS.drop(columns="doc_id")}, "qrels have the columns query_id, doc_id, relevance; lacking doc_id"),
        ({"qrels": QRELS.replace({"doc_id": {"b": None}})}, "qrels have a doc_id in every row; one is missing"),
        ({"qrels": QRELS.replace({"query_id": {"2": None}})}, "qrels have a query_id in every row; one is missing"),
        ({"qrels": QRELS.replace({"relevance": {2: np.nan}})}, "a relevance of the qrels is no number; every one is"),
        ({"qrels": QRELS.astype({"relevance": "str"})}, "a relevance of the qrels is no number"),
        ({"qrels": pd.concat([QRELS, QRELS[:1]])}, "qrels, topic '1': document 'a' came twice"),
        ({"qrels": QRELS.assign(query_id="9").drop_duplicates("query_id")}, "no run has any topic of the qrels"),
    ],
)
def test_arguments_that_are_not_allowed(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        replay(**{"strategy": "depth", "runs": RUNS, "qrels": QRELS, "budget": 3} | arguments)
