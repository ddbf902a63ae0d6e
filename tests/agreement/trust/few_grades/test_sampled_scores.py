"""Measures from drawn pairs: by hand, over all samples, against statAP and the engine, degenerate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import parse_measure, prepare, score_table
from agreement.measures.stat_ap import stat_ap
from agreement.trust.few_grades.sampled_scores import FORMS, Slots, gains_of, sampled_scores
from agreement.trust.plan.influence import ranks_of
from tests.agreement.trust.few_grades.slots import sample, samples_of_one_topic, stratified_samples, whole
from tests.agreement.trust.plan.collections import collection
from tests.examples import examples

MEASURES = [
    *("P(rel=2)@5", "DCG@5", "DCG(discount='max2',gain='exponential')@4", "nDCG@5", "nDCG", "nDCG(dcg='exp-log2')@10"),
    *("AP", "AP(rel=2)@7", "R@5", "SetR", "F(beta=2.0)@5", "Rprec(rel=2)", "BreakEven", "Bpref", "Bpref(rel=2)"),
]
RANKS = np.array([[[1, 2, 4, 0]]])  # one system and one topic: four pairs, the last was not retrieved
GAINS = np.array([[1.0, 0.0, 1.0, 1.0]])


def score(measure: str, chosen: list[int], probability: float, gains: np.ndarray = GAINS) -> float:
    slots = sample(RANKS, np.array([chosen]), probability)
    return float(sampled_scores(parse_measure(measure), slots, gains[:, chosen])[0, 0])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P@2", 1.0),  # the pair at rank 1 stands for 2: 2 / 2
        ("DCG@4", 2 + 2 / np.log2(5)),
        # the ideal has two pairs that stand for two each: ranks 1 to 4
        ("nDCG@4", (2 + 2 / np.log2(5)) / (1 + 1 / np.log2(3) + 1 / 2 + 1 / np.log2(5))),
        # R = 4; rank 1 adds 2 * 1 / 1; at rank 4, the pair above stands for (4 - 1) / (2 - 1) = 3: 2 * (1 + 3) / 4
        ("AP", (2 + 2) / 4),
        ("R@2", 2 / 4),
        ("Rprec", 4 / 4),  # R = 4, and both are among the first four
        ("F@2", 2 * 2 / (4 + 2)),
        ("Bpref", 1.0),  # no nonrelevant pair was drawn
    ],
)
def test_by_hand(measure, expected):
    assert score(measure, [0, 2], 0.5) == pytest.approx(expected, abs=1e-12)


def test_bpref_by_hand():
    # drawn: rank 2, not relevant, and rank 4, relevant. R = 2 and N = 2; above rank 4 stand 3: 1 - min(3, 2) / 2 = 0
    assert score("Bpref", [1, 2], 0.5) == 0
    assert score("Bpref", [0, 1], 0.5) == 1  # nothing is above rank 1


def test_an_ideal_of_half_a_document_takes_half_a_rank():
    slots = Slots(np.array([[[1]]]), np.ones((1, 1), bool), np.array([[2 / 3]]), np.zeros((1, 1), int))
    ideal = 1 + 0.5 / np.log2(3)  # one pair stands for 1.5
    assert sampled_scores(parse_measure("nDCG@5"), slots, np.ones((1, 1)))[0, 0] == pytest.approx(1.5 / ideal)


@pytest.mark.parametrize("seed", range(5))
def test_the_ideal_is_that_of_a_pool_in_which_each_drawn_pair_occurs_twice(seed):
    rng = np.random.default_rng(seed)
    gains, ranks = rng.integers(0, 4, 6).astype(float), rng.permutation(12)[:6] + 1
    slots = Slots(ranks[None, None], np.ones((1, 6), bool), np.full((1, 6), 0.5), np.zeros((1, 6), int))
    gained = sum(2 * gain / np.log2(rank + 1) for gain, rank in zip(gains, ranks, strict=True) if rank <= 7)
    ideal = sum(gain / np.log2(at + 2) for at, gain in enumerate(sorted([*gains, *gains], reverse=True)[:7]))
    assert sampled_scores(parse_measure("nDCG@7"), slots, gains[None]).item() == pytest.approx(
        gained / ideal, abs=1e-12
    )


@pytest.mark.parametrize("measure", ["P@3", "DCG@4"])
@pytest.mark.parametrize("gains", [GAINS, np.array([[3.0, 0.5, 0.0, 2.0]])])
def test_sums_are_unbiased_over_all_samples(measure, gains):
    parsed = parse_measure(measure)
    truth = sampled_scores(parsed, whole(RANKS), gains)[0, 0]
    found = [
        sampled_scores(parsed, sample(RANKS, chosen, 0.5), gains[:, chosen[0]])[0, 0]
        for chosen in samples_of_one_topic(4, 2)
    ]
    assert np.mean(found) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("sizes", [(7,), (4, 3)])
def test_the_numerator_of_ap_is_unbiased_over_all_samples(sizes):
    """R from all pairs, so that the only estimate is the sum of the precisions at relevant documents."""
    rng = np.random.default_rng(1)
    ranks, gains, ap = rng.permutation(7)[None, None] + 1, (rng.random((1, 7)) < 0.6) * 1.0, parse_measure("AP")
    stratum = np.repeat(np.arange(len(sizes)), sizes)[None]
    probability = np.repeat(2 / np.array(sizes), sizes)
    found = []
    for chosen in stratified_samples(sizes, 2):
        one = sample(ranks, chosen, 1.0, stratum)
        slots = Slots(one.ranks, one.filled, probability[chosen], one.stratum)
        relevant = (gains[:, chosen[0]] / probability[chosen]).sum()
        found.append(sampled_scores(ap, slots, gains[:, chosen[0]])[0, 0] * relevant)
    assert np.mean(found) == pytest.approx(sampled_scores(ap, whole(ranks), gains)[0, 0] * gains.sum(), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_all_pairs_give_the_score_of_the_engine(measure):
    data, parsed = collection(n_topics=6, n_documents=15), parse_measure(measure)
    ranked = prepare(data.runs)
    ranks = ranks_of(ranked, data.pairs).rank.reshape(-1, 6, 15)
    grades = data.people["relevance"].to_numpy(float).reshape(6, 15)
    found = sampled_scores(parsed, whole(ranks), gains_of(parsed, grades))
    np.testing.assert_allclose(found, score_table(ranked, data.people, parsed), atol=1e-12)


def test_ap_is_stat_ap_where_pairs_are_drawn_by_themselves():
    data, ap = collection(seed=3, n_topics=5), parse_measure("AP(rel=2)")
    ranked, rng = prepare(data.runs), np.random.default_rng(3)
    ranks = ranks_of(ranked, data.pairs).rank.reshape(-1, 5, 20)
    probability, drawn = rng.uniform(0.2, 1, (5, 20)), rng.random((5, 20)) < 0.6
    slots = Slots(np.where(drawn, ranks, 0), drawn, np.where(drawn, probability, 1), np.zeros((5, 20), int), False)
    gains = gains_of(ap, data.people["relevance"].to_numpy(float).reshape(5, 20))
    gold = data.people.assign(
        relevance=np.where(drawn.ravel(), data.people["relevance"], -1), inclusion_probability=probability.ravel()
    )
    np.testing.assert_allclose(sampled_scores(ap, slots, gains), stat_ap(ranked, gold, rel=2), atol=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0.1, 1), st.booleans()), min_size=1, max_size=12))
@examples(30)
def test_empty_slots_change_nothing(rows):
    grades, probability, filled = (
        np.array([column], dtype) for column, dtype in zip(zip(*rows, strict=True), (float, float, bool), strict=True)
    )
    ranks = np.where(filled, np.arange(1, len(rows) + 1), 0)[None]
    strata = np.zeros(filled.shape, int)
    with_empty = Slots(ranks, filled, np.where(filled, probability, 1), strata, False)
    keep = filled[0]
    without = Slots(ranks[..., keep], filled[:, keep], probability[:, keep], strata[:, keep], False)
    for name in ("nDCG@5", "AP", "Bpref", "Rprec"):
        measure = parse_measure(name)
        gains = gains_of(measure, grades)
        found = sampled_scores(measure, with_empty, gains)
        np.testing.assert_allclose(found, sampled_scores(measure, without, gains[:, keep]), atol=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_relevant_scores_0(measure):
    assert score(measure, [0, 1], 0.5, np.zeros((1, 4))) == 0


@pytest.mark.parametrize("measure", ["RR", "ERR@10", "infAP", "AP(judged_only=True)", "Judged@10"])
def test_other_measures_are_refused_with_those_that_work(measure):
    with pytest.raises(ValueError, match=r"cannot be estimated from few grades.*nDCG, AP"):
        sampled_scores(parse_measure(measure), whole(RANKS), GAINS)


def test_each_form_is_tested():
    assert {parse_measure(name).function for name in MEASURES} == set(FORMS)


def test_repeated_draws_are_scored_at_once():
    rng = np.random.default_rng(5)
    ranks, gains = rng.permutation(12)[None, None] + 1, rng.integers(0, 3, (1, 12)).astype(float)
    chosen = np.stack([rng.permutation(12)[:4] for _ in range(6)])[:, None]
    slots = Slots(ranks[:, 0, chosen], np.ones((6, 1, 4), bool), np.full((6, 1, 4), 1 / 3), np.zeros((6, 1, 4), int))
    for name in ("nDCG@5", "AP", "Bpref"):
        measure = parse_measure(name)
        at_once = sampled_scores(measure, slots, gains[0, chosen])
        each = [sampled_scores(measure, sample(ranks, one, 1 / 3), gains[:, one[0]]) for one in chosen]
        np.testing.assert_allclose(at_once, np.stack(each, axis=1), atol=1e-12)
