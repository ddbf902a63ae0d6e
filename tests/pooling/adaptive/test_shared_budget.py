"""One budget for all topics: by hand, against a reference implementation, and in replays."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import next_task, prepare, replay
from pooling.adaptive import ADAPTIVE, State
from pooling.adaptive.run_chooser import RunChooser
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, run

CHOOSERS = sorted(name for name, strategy in ADAPTIVE.items() if issubclass(strategy, RunChooser))
OTHERS = {name: strategy for name, strategy in ADAPTIVE.items() if name not in (*CHOOSERS, "cal")}
RUNS = run([*lists("1", s="abcd"), *lists("2", s="efgh")])
RELEVANT_SETS = st.sets(st.text("abé", min_size=1, max_size=2), min_size=1)


def states_of(strategy, runs, judged=None):
    judged = judged or {}
    prepared = prepare(runs)
    return {q: strategy.step(strategy.start(prepared, q), judged.get(q, {})) for q in prepared.query_ids}


def qrels_of(rows, relevant):
    pairs = sorted({(q, d) for _, q, d, _ in rows} | {("9", min(relevant))})
    frame = pd.DataFrame(pairs, columns=["query_id", "doc_id"])
    return frame.assign(relevance=frame["doc_id"].isin(relevant).astype(int))


def judged_in(result):
    return list(result.judgements[["query_id", "doc_id"]].itertuples(index=False, name=None))


def test_the_names_of_the_strategies():
    assert (
        sorted(
            [
                "move_to_front",
                "bandit_random",
                "bandit_greedy",
                "bandit_ucb",
                "bandit_thompson",
                "maxmean",
                "maxmean_ns",
            ]
        )
        == CHOOSERS
    )


def test_maxmean_by_hand():
    # Means (1 + relevant) / (2 + judged). At first 1/2 and 1/2: the smaller query_id. a is not relevant: 1/3 and 1/2.
    strategy = ADAPTIVE["maxmean"](seed=1)
    assert next_task(strategy, states_of(strategy, RUNS)) == ("1", "a")
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 0}})) == ("2", "e")
    # e is relevant: 2/3. f and g are not: 2/5, still above 1/3. h is not: topic 2 is finished.
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 0}, "2": {"e": 1}})) == ("2", "f")
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 0}, "2": {"e": 1, "f": 0, "g": 0}})) == ("2", "h")
    done = {"e": 1, "f": 0, "g": 0, "h": 0}
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 0}, "2": done})) == ("1", "b")
    assert next_task(strategy, states_of(strategy, RUNS, {"1": dict.fromkeys("abcd", 0), "2": done})) is None
    assert next_task(strategy, {}) is None


def test_a_replay_by_hand():
    # As above: a (no), e (yes), f (yes, 3/4), g (no, 3/5), h (no); then b, c.
    qrels = pd.DataFrame({"query_id": ["1", "2", "2"], "doc_id": ["a", "e", "f"], "relevance": [0, 1, 1]})
    result = replay("maxmean", RUNS, qrels, 7, per="best_topic", seed=1)
    assert judged_in(result) == [("1", "a"), *(("2", d) for d in "efgh"), ("1", "b"), ("1", "c")]
    assert result.found["found"].tolist() == [0, 0, 1, 2, 2, 2, 2, 2]
    assert result.judgements["budget"].tolist() == list(range(1, 8))
    assert result.per == "best_topic"
    assert replay("maxmean", RUNS, qrels, 4, per="collection", seed=1).found["found"].tolist() == [0, 0, 1, 1, 2]


def test_of_tied_topics_the_one_with_fewest_judgements_is_next():
    # One relevant of two judged is 2/4, none of none 1/2.
    strategy = ADAPTIVE["maxmean"](seed=1)
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 1, "b": 0}})) == ("2", "e")


def test_move_to_front_keeps_the_topic_that_gives_relevant_documents():
    # The priority 0 of a run that has just found a relevant document comes before the 0 of the other topic.
    strategy = ADAPTIVE["move_to_front"](seed=1)
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 1}})) == ("1", "b")
    assert next_task(strategy, states_of(strategy, RUNS, {"1": {"a": 1, "b": 0}})) == ("2", "e")


def test_excluded_documents_are_not_proposed():
    strategy = ADAPTIVE["maxmean"](seed=1)
    states = states_of(strategy, RUNS)
    assert next_task(strategy, states, {"1": ["a"]}) == ("1", "b")
    assert next_task(strategy, states, {"1": list("abcd"), "2": ["e"]}) == ("2", "f")
    with pytest.raises(ValueError, match="exclude must be a collection of doc_ids, such as a list, not 'a'"):
        next_task(strategy, states, {"1": "a"})


@pytest.mark.in_ci
@pytest.mark.parametrize("name", CHOOSERS)
@examples(8)
@given(rows=ROWS, relevant=RELEVANT_SETS, budget=st.integers(1, 20), credit=st.sampled_from(["one", "all"]))
def test_a_replay_follows_next_task(name, rows, relevant, budget, credit):
    """The slow reference asks every topic again for each judgement, and stores every state in between."""
    strategy, qrels = ADAPTIVE[name](seed=3, credit=credit), qrels_of(rows, relevant)
    states, expected = states_of(strategy, run(rows)), []
    while len(expected) < budget and (task := next_task(strategy, states)) is not None:
        expected.append(task)
        query_id, doc_id = task
        after = strategy.step(states[query_id], {doc_id: int(doc_id in relevant)})
        states[query_id] = State.from_bytes(after.to_bytes())
    assert judged_in(replay(strategy, run(rows), qrels, budget, per="best_topic")) == expected
    if name == "bandit_random":  # all runs have the same score, so topics take turns
        assert judged_in(replay(strategy, run(rows), qrels, budget, per="collection")) == expected


@pytest.mark.parametrize("name", CHOOSERS)
def test_one_topic_is_judged_as_with_a_budget_per_topic(name):
    runs = run(lists(s="abcd", t="dxya", u="zb"))
    qrels = pd.DataFrame({"query_id": "1", "doc_id": list("axb"), "relevance": [1, 1, 0]})
    shared, alone = (replay(name, runs, qrels, 7, per=per, seed=2) for per in ("best_topic", "topic"))
    assert judged_in(shared) == judged_in(alone)


@pytest.mark.parametrize("name", OTHERS)
def test_strategies_without_an_expectation_are_refused(name):
    strategy = OTHERS[name](**({"seed": 1} if name in ("active_sampling", "ask_people_order") else {}))
    sentence = f"strategy {name!r} has no expectation that can be compared between topics"
    with pytest.raises(ValueError, match=sentence):
        next_task(strategy, states_of(strategy, RUNS))


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        ("hedge", "strategy 'hedge' has no expectation that can be compared between topics; choose one"),
        ("depth", "per='best_topic' needs an adaptive strategy that chooses runs, such as 'maxmean', not 'depth'"),
        ("best", "per='best_topic' needs an adaptive strategy that chooses runs"),
    ],
)
def test_replays_without_an_expectation_are_refused(strategy, sentence):
    qrels = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    with pytest.raises(ValueError, match=sentence):
        replay(strategy, RUNS, qrels, 3, per="best_topic")


def test_a_state_of_another_strategy_is_refused():
    states = states_of(ADAPTIVE["maxmean"](seed=1), RUNS)
    with pytest.raises(ValueError, match=r"the state was made by maxmean\("):
        next_task(ADAPTIVE["maxmean"](seed=2), states)
