"""Active sampling: the draws by hand and against a reference, exact expectations, and estimates from replays."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import prepare, score_table
from agreement.measures.stat_ap import stat_ap
from pooling import pool, read_qrels, replay
from pooling.adaptive import ADAPTIVE, ActiveSampling, State
from pooling.adaptive import rankings_of as rankings_from
from pooling.adaptive.active_sampling import capped, inclusion_probabilities
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, rankings_of, run
from tests.realdata import dl19_runs, real_data

RANKINGS = {"s": "abcd", "t": "edfa"}
RUNS, RELEVANT = run(lists(**RANKINGS)), {"a", "b"}
RELEVANT_SETS = st.sets(st.text("abé", min_size=1, max_size=2))


def strategy(**options):
    return ActiveSampling(**{"seed": 1} | options)


def after_draws(sampler, state, judged):
    """The state after documents that chance could have drawn in this order, proposed or not."""
    verdicts = {state.rankings.position_of[doc_id]: relevant for doc_id, relevant in judged.items()}
    return sampler._with_verdicts(state, verdicts)


def paths(sampler, state, n_draws):
    """Every sequence of `n_draws` documents, as the state after it and its chance, computed from the reference."""
    if state.n_judged == n_draws:
        yield state, 1.0
        return
    chances = chances_of([list(ranking) for ranking in RANKINGS.values()], state.judged, sampler.uniform)
    for doc_id, chance in chances.items():
        for after, rest in paths(sampler, after_draws(sampler, state, {doc_id: int(doc_id in RELEVANT)}), n_draws):
            yield after, float(chance) * rest


def chances_of(rankings, judged, uniform):
    """The chance of each document to be drawn next, in fractions; `judged` in the order of the draws."""
    rankings = [ranking for ranking in rankings if ranking]
    success = [
        sum(Fraction(1, k) for d in r if judged.get(d) for k in range(r.index(d) + 1, len(r) + 1)) for r in rankings
    ]
    share, total = Fraction(uniform).limit_denominator(100), sum(success)
    prior = {}
    for ranking, won in zip(rankings, success, strict=True):
        of_run = share / len(rankings) + (1 - share) * (won / total if total else Fraction(1, len(rankings)))
        for rank, doc_id in enumerate(ranking, start=1):
            weight = (1 + sum(Fraction(1, k) for k in range(rank, len(ranking) + 1))) / (2 * len(ranking))
            prior[doc_id] = prior.get(doc_id, 0) + of_run * weight
    n, number = len(prior), len(judged) + 1
    left = {doc_id: chance for doc_id, chance in prior.items() if doc_id not in judged}
    limit, at_limit = Fraction(n, number * (n - number + 1)), set()
    while True:  # the excess over the limit goes to the others, in proportion
        others = sum(chance for doc_id, chance in left.items() if doc_id not in at_limit)
        scale = (1 - limit * len(at_limit)) / others if others else 0
        chances = {doc_id: limit if doc_id in at_limit else chance * scale for doc_id, chance in left.items()}
        if not (above := {doc_id for doc_id, chance in chances.items() if chance > limit}):
            return chances
        at_limit |= above


def test_the_first_draw_by_hand():
    # Length 4, H = 25/12: weights 37/96, 25/96, 19/96, 15/96. Both runs count half: a (37 + 15) / 192, b 25, c 19,
    # d (15 + 25), e 37, f 19.
    sampler = strategy()
    state = sampler.start(RUNS, "1")
    for doc_id, chance in {"a": 52, "b": 25, "c": 19, "d": 40, "e": 37, "f": 19}.items():
        after = after_draws(sampler, state, {doc_id: 0})
        assert sampler.draw_probabilities(after) == pytest.approx([chance / 192])
        # One of six: w = 6 (1 + 5/5 (1 / (6 q) - 1)) = 1 / q.
        assert sampler.inclusion_probabilities(after) == {doc_id: pytest.approx(chance / 192)}


def test_a_run_with_relevant_documents_is_sampled_more():
    # b is relevant: s has 1/2 + 1/3 + 1/4, t nothing. With uniform 0.1, s has 0.95 of the probability, t 0.05.
    # Left: a 0.95 * 37 + 0.05 * 15, c 0.95 * 19, d 0.95 * 15 + 0.05 * 25, e 0.05 * 37, f 0.05 * 19; the sum is 72.25.
    sampler = strategy()
    after = after_draws(sampler, sampler.start(RUNS, "1"), {"b": 1, "c": 0})
    assert sampler.draw_probabilities(after)[1] == pytest.approx(0.95 * 19 / 72.25)


def test_probabilities_are_limited():
    assert capped(np.array([0.7, 0.2, 0.1, 0.0]), 0.5).tolist() == pytest.approx([0.5, 1 / 3, 1 / 6, 0])
    assert capped(np.array([0.6, 0.3, 0.1]), 0.4).tolist() == pytest.approx([0.4, 0.4, 0.2])
    assert capped(np.array([0.6, 0.4]), 0.5).tolist() == pytest.approx([0.5, 0.5])
    assert capped(np.array([0.6, 0.4]), 1.0).tolist() == [0.6, 0.4]


def test_inclusion_probabilities_by_hand():
    # Two of three, q = 1/2 and 1/2: w1 = 3/2 (1 + 1/2 (1 / (3/2) - 1)) = 5/4, w2 = 3/2 (1 + 1 (1 / (2/2) - 1)) = 3/2.
    assert inclusion_probabilities(np.array([0.5, 0.5]), 3) == pytest.approx([4 / 5, 2 / 3])
    assert inclusion_probabilities(np.array([0.5, 0.5, 1.0]), 3).tolist() == [1, 1, 1]
    assert inclusion_probabilities(np.array([]), 3).tolist() == []


@pytest.mark.parametrize("uniform", [0.1, 1])
@pytest.mark.parametrize("n_draws", range(1, 5))
def test_the_number_of_relevant_documents_is_unbiased_over_all_sequences_of_draws(n_draws, uniform):
    sampler = strategy(uniform=uniform)
    estimate = total = 0.0
    for state, chance in paths(sampler, sampler.start(RUNS, "1"), n_draws):
        probabilities = sampler.inclusion_probabilities(state)
        assert all(0 < p <= 1 for p in probabilities.values())
        estimate += chance * sum(1 / p for doc_id, p in probabilities.items() if doc_id in RELEVANT)
        total += chance
    assert total == pytest.approx(1)
    assert estimate == pytest.approx(2, abs=1e-12)


def test_the_probabilities_of_the_article_are_biased_in_this_case():
    # Draws with replacement from the same distributions, and 1 - prod (1 - P): why this implementation differs.
    rankings = [list(ranking) for ranking in RANKINGS.values()]

    def expected(judged, missed, draws):
        if not draws:
            return sum(1 / (1 - missed[d]) for d, relevant in judged.items() if relevant)
        success = [sum(sum(1 / k for k in range(r.index(d) + 1, 5)) for d in r if judged.get(d)) for r in rankings]
        of_run = [s / sum(success) if any(success) else 1 / 2 for s in success]
        weights = [(1 + sum(1 / k for k in range(rank, 5))) / 8 for rank in range(1, 5)]
        chance = dict.fromkeys("abcdef", 0.0)
        for ranking, p in zip(rankings, of_run, strict=True):
            for doc_id, weight in zip(ranking, weights, strict=True):
                chance[doc_id] += p * weight
        missed = {d: missed[d] * (1 - chance[d]) for d in missed}
        return sum(p * expected(judged | {d: d in RELEVANT}, missed, draws - 1) for d, p in chance.items() if p)

    values = [expected({}, dict.fromkeys("abcdef", 1.0), draws) for draws in (1, 2, 3)]
    assert values == pytest.approx([2, 1.8193, 1.8278], abs=1e-4)


@examples(25)
@given(ROWS, RELEVANT_SETS, st.integers(0, 5), st.none() | st.integers(1, 4), st.sampled_from([0.1, 0.5, 1]))
def test_the_probabilities_of_the_draws_match_the_reference(rows, relevant, seed, depth, uniform):
    sampler = strategy(seed=seed, depth=depth, uniform=uniform)
    for query_id, by_system in rankings_of(rows).items():
        rankings = [[doc_id for doc_id, _ in ranking[:depth]] for ranking in by_system.values()]
        state, expected = sampler.start(run(rows), query_id), []
        while (doc_id := sampler.next(state)) is not None:
            expected.append(float(chances_of(rankings, state.judged, uniform)[doc_id]))
            state = sampler.step(state, {doc_id: int(doc_id in relevant)})
            assert all(0 < p <= 1 for p in sampler.inclusion_probabilities(state).values())
        assert sampler.draw_probabilities(state) == pytest.approx(expected)
        assert set(sampler.inclusion_probabilities(state).values()) == {1.0}


def test_documents_are_drawn_as_often_as_their_probability_says():
    rankings = rankings_from(RUNS, "1")
    first = [strategy(seed=seed) for seed in range(400)]
    counts = pd.Series([sampler.next(sampler.begin(rankings)) for sampler in first]).value_counts()
    for doc_id, share in {"a": 52, "b": 25, "c": 19, "d": 40, "e": 37, "f": 19}.items():
        p = share / 192
        assert abs(counts[doc_id] - 400 * p) < 4 * (400 * p * (1 - p)) ** 0.5


def test_a_state_keeps_the_probabilities_of_its_draws():
    sampler = strategy()
    state = after_draws(sampler, sampler.start(RUNS, "1"), {"b": 1, "e": 0})
    again = State.from_bytes(state.to_bytes())
    assert sampler.inclusion_probabilities(again) == sampler.inclusion_probabilities(state)
    assert sampler.next(again) == sampler.next(state)
    with pytest.raises(ValueError, match="the state was made by active_sampling"):
        strategy(seed=2).inclusion_probabilities(state)


@pytest.mark.parametrize("uniform", [0, 1.5, -0.1, "1", None, float("nan")])
def test_an_invalid_uniform_share_is_refused(uniform):
    with pytest.raises(ValueError, match="uniform must be above 0 and at most 1, not"):
        strategy(uniform=uniform)


def small_collection():
    """Three runs of two topics with 12 documents each, a third of them relevant."""
    rng = np.random.default_rng(5)
    rows = [
        row
        for query_id in ("1", "2")
        for system in "stu"
        for row in lists(query_id, **{system: rng.permutation(list("abcdefghijkl"))[:9]})
    ]
    relevance = [int(doc_id in "abcd") for doc_id in "abcdefghijkl"] * 2
    qrels = pd.DataFrame({"query_id": ["1"] * 12 + ["2"] * 12, "doc_id": list("abcdefghijkl") * 2})
    return run(rows), qrels.assign(relevance=relevance)


def test_a_replay_gives_a_gold_with_inclusion_probabilities():
    runs, qrels = small_collection()
    result = replay("active_sampling", runs, qrels, 6, seed=3)
    sampler = strategy(seed=3)
    for budget in (2, 6):
        gold = result.gold_at(budget)
        assert list(gold) == ["query_id", "doc_id", "relevance", "inclusion_probability"]
        for query_id, rows in gold.groupby("query_id"):
            judged = dict(zip(rows["doc_id"], rows["relevance"], strict=True))
            state = sampler.step(sampler.start(runs, query_id), judged)
            expected = sampler.inclusion_probabilities(state)
            assert dict(zip(rows["doc_id"], rows["inclusion_probability"], strict=True)) == expected
    assert list(replay("maxmean", runs, qrels, 6, seed=3).gold_at(2)) == ["query_id", "doc_id", "relevance"]


@pytest.mark.soak
def test_the_mean_of_the_estimates_of_replays_is_near_the_truth():
    # 5 of about 12 documents of each topic: the number of relevant documents within 4 standard errors. statAP is a
    # ratio of estimates and has a bias.
    runs, qrels = small_collection()
    prepared, n = prepare(runs), 60
    reached = pool(prepared, depth=9).frame.merge(qrels, on=["query_id", "doc_id"])
    truth = score_table(prepared, reached, "AP").to_numpy().mean()
    golds = [replay("active_sampling", prepared, qrels, 5, seed=seed).gold_at(5) for seed in range(n)]
    numbers = [(gold["relevance"] / gold["inclusion_probability"]).sum() for gold in golds]
    scores = [stat_ap(prepared, gold).to_numpy().mean() for gold in golds]
    assert abs(np.mean(numbers) - reached["relevance"].sum()) < 4 * np.std(numbers) / n**0.5
    assert abs(np.mean(scores) - truth) < 0.05


def test_a_judged_sample_of_everything_gives_ap():
    runs, qrels = small_collection()
    gold = replay("active_sampling", runs, qrels, 12, seed=1).gold_at(12)
    pd.testing.assert_frame_equal(stat_ap(runs, gold), score_table(runs, gold, "AP"), check_names=False)


def test_a_budget_that_depends_on_judgements_is_refused():
    runs, qrels = small_collection()
    with pytest.raises(ValueError, match="per='best_topic' does not suit the sample of strategy 'active_sampling'"):
        replay("active_sampling", runs, qrels, 6, seed=3, per="best_topic")
    in_turn = replay("active_sampling", runs, qrels, 6, seed=3, per="collection").gold_at(6)
    by_topic = replay("active_sampling", runs, qrels, 3, seed=3).gold_at(3)
    ids = ["query_id", "doc_id"]
    pd.testing.assert_frame_equal(
        in_turn.sort_values(ids, ignore_index=True), by_topic.sort_values(ids, ignore_index=True)
    )


def test_it_is_registered():
    assert ADAPTIVE["active_sampling"] is ActiveSampling


@pytest.mark.soak
def test_replays_of_dl19_estimate_ap_nearly_without_bias():
    """Ranks to 100, about 560 documents per topic: statAP after 100 and 150 judgements, over 16 seeds.

    The bias of the mean AP over topics, averaged over the 37 systems, is below 0.02; the number of relevant documents
    is within 4 standard errors of its true value.
    """
    qrels = read_qrels(real_data("dl19", "judges", "nist.qrels"))[["query_id", "doc_id", "relevance"]]
    runs, ids, seeds = prepare(dl19_runs()), ["query_id", "doc_id"], range(16)
    reached = pool(runs, depth=100).frame[ids].merge(qrels, on=ids)
    truth, n_relevant = score_table(runs, reached, "AP(rel=2)").mean(axis=1), (reached["relevance"] >= 2).sum()
    replays = [replay("active_sampling", runs, reached, 150, rel=2, seed=seed, depth=100) for seed in seeds]
    for budget in (100, 150):
        golds = [result.gold_at(budget) for result in replays]
        errors = np.array([stat_ap(runs, gold, 2).mean(axis=1) - truth for gold in golds])
        shares = [(1 / gold["inclusion_probability"])[gold["relevance"] >= 2].sum() / n_relevant for gold in golds]
        assert np.abs(errors.mean(axis=0)).mean() < 0.02
        assert abs(np.mean(shares) - 1) < 4 * np.std(shares) / len(shares) ** 0.5


def test_a_document_that_was_not_proposed_is_refused():
    sampler = strategy()
    state = sampler.start(RUNS, "1")
    first = sampler.next(state)
    other = next(doc_id for doc_id in "abcdef" if doc_id != first)
    with pytest.raises(ValueError, match=f"document '{other}' was not drawn, .*; judge '{first}', which"):
        sampler.step(state, {other: 1})
    state = sampler.step(state, {first: 1})
    with pytest.raises(ValueError, match="was not drawn"):
        sampler.step(state, dict.fromkeys(set("abcdef") - {first, sampler.next(state)}, 0))
    assert sampler.step(state, {first: 0, "in no run": 1}).judged == {first: 0}  # a correction
