"""Continuous active learning from a whole collection, and from all judgements at once."""

import random

import numpy as np
import pytest

from pooling.adaptive import ADAPTIVE, collection_rankings
from pooling.adaptive.cal import next_batch
from tests.pooling.adaptive.test_adaptive_cal import TEXTS, cal, proposed
from tests.pooling.runs import lists, run

pytest.importorskip("sklearn")


def some_texts(size: int, seed: int = 5) -> dict[str, str]:
    """Documents of few words, many of them the same: their scores are tied."""
    chance = random.Random(seed)
    return {f"d{n}": " ".join(chance.choices(["ship", "sail", "bread", "cake", "town"], k=3)) for n in range(size)}


def test_documents_of_a_collection_are_ordered_by_their_bytes():
    rankings = collection_rankings("1", ["b", "é", "a", "Z"])
    assert rankings.doc_ids == ("Z", "a", "b", "é")
    assert rankings.positions.tolist() == [[0, 1, 2, 3]]


def test_with_the_words_of_the_topic_runs_do_not_matter():
    strategy = cal(queries={"1": "ships harbour"})
    by_runs = strategy.start(run(lists(s="dagfb", t="edcb")), "1")
    assert proposed(strategy, strategy.begin(collection_rankings("1", TEXTS)), "abc") == proposed(
        strategy, by_runs, "abc"
    )


def test_learning_at_once_gives_the_scores_of_the_last_of_many_trainings():
    texts = some_texts(40)
    strategy = cal(texts=texts, queries={"1": "ship"})
    rankings = collection_rankings("1", texts)
    state, trained = strategy.begin(rankings), 0
    for doc_id in list(texts)[:20]:
        state = strategy.step(state, {doc_id: int("ship" in texts[doc_id])})
        batch, learnt_at = state.memory["batch"].tolist()
        if learnt_at == state.n_judged:
            trained += 1
            at_once = strategy.learn(rankings, state.judged, batch)
            np.testing.assert_array_equal(at_once.memory["scores"], state.memory["scores"])
            assert at_once.memory["batch"].tolist() == [batch, learnt_at]
            assert at_once.judged == state.judged
    assert trained == 5  # after 1, 3, 6, 10 and 15 judgements


@pytest.mark.parametrize("judged", [{}, {"d0": 1, "d7": 0}])
def test_the_ranking_is_what_next_proposes_one_after_the_other(judged):
    texts = some_texts(60)
    strategy = cal(texts=texts, queries={"1": "ship sail"})
    state = strategy.learn(collection_rankings("1", texts), judged)
    one_by_one = []
    while (doc_id := strategy.next(state, ["d3", *one_by_one])) is not None:
        one_by_one.append(doc_id)
    assert strategy.ranking(state, exclude=["d3"]) == one_by_one
    assert strategy.ranking(state, 9, exclude=["d3"]) == one_by_one[:9]
    assert len(one_by_one) == len(texts) - len(judged) - 1
    assert len(np.unique(state.memory["scores"])) < 45  # there are ties


def test_scores_that_differ_by_less_than_a_tie_go_by_lot():
    texts = some_texts(30)
    strategy = cal(texts=texts, queries={"1": "ship"})
    state = strategy.learn(collection_rankings("1", texts), {})
    chain = 1 - 4e-13 * np.arange(30)  # each is tied with its neighbours, the first one not with the last
    np.copyto(state.memory["scores"], chain)
    one_by_one = []
    while (doc_id := strategy.next(state, one_by_one)) is not None:
        one_by_one.append(doc_id)
    assert strategy.ranking(state) == one_by_one


def test_without_anything_to_learn_from_documents_go_by_rank():
    strategy = cal()
    rankings = strategy.start(run(lists(s="dagfb", t="edcb")), "1").rankings
    order = strategy.ranking(strategy.learn(rankings, {"d": 0}))
    # b is at ranks 5 and 4, e at 1, a at 2, f at 4; c and g, both at 3, are tied.
    assert order[:3] + order[5:] == ["b", "e", "a", "f"]


def test_batches_grow_by_a_tenth_rounded_up():
    sizes = [1]
    for _ in range(12):
        sizes.append(next_batch(sizes[-1]))
    assert sizes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15]


def test_invalid_batches_and_limits_are_refused():
    strategy = cal(queries={"1": "ships"})
    rankings = collection_rankings("1", TEXTS)
    state = strategy.learn(rankings, {})
    with pytest.raises(ValueError, match="batch must be a whole number from 1, not 0"):
        strategy.learn(rankings, {}, 0)
    with pytest.raises(ValueError, match="limit must be a whole number from 1, not 0"):
        strategy.ranking(state, 0)
    with pytest.raises(ValueError, match="exclude must be a collection of doc_ids"):
        strategy.ranking(state, exclude="abc")
    with pytest.raises(ValueError, match="the state was made by"):
        ADAPTIVE["cal"](texts=TEXTS, seed=2).ranking(state)
