"""statAP: by hand, against fractions and expectations over all samples, what it becomes when nothing is left out."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import prepare, score_table
from agreement.measures.stat_ap import stat_ap
from benchmarks.sampled_estimates import (
    DESIGNS,
    ESTIMATORS,
    LIMIT,
    RECOMMENDED,
    TOP_IN_FULL,
    Judged,
    dl19,
    rows,
    sample_sizes,
    sampled,
    with_strata,
)
from benchmarks.synthetic import judgements, run_frames
from pooling import pool
from tests.agreement.graded_rankings import gold_of, ranked, run_of, scored_run_of, with_first_topic
from tests.examples import examples
from tests.realdata import real_data

DOCS = [f"d{number}" for number in range(9)]
few = examples(25)
probabilities = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(2, 5)])
samples = with_first_topic(
    ["1", "2"],
    st.dictionaries(st.sampled_from(DOCS), st.tuples(st.integers(-1, 2), probabilities), min_size=1),
)
rankings = with_first_topic(
    ["1", "2", "3"],
    st.dictionaries(st.sampled_from(DOCS), st.integers(0, 9).map(float), min_size=1),
)


def sample_gold(sample):
    """A gold with probabilities from topic -> document -> (relevance, probability)."""
    rows = [
        (topic, doc, grade, None if probability is None else float(probability))
        for topic, docs in sample.items()
        for doc, (grade, probability) in docs.items()
    ]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "inclusion_probability"])


def slow_stat_ap(ranking, sample, rel):
    """The formula in fractions, document by document."""
    stands_for = {doc: 1 / probability for doc, (grade, probability) in sample.items() if grade >= rel}
    total = Fraction(0)
    for rank, doc in enumerate(ranking, start=1):
        if doc in stands_for:
            above = sum(stands_for.get(other, 0) for other in ranking[: rank - 1])
            total += stands_for[doc] * (1 + above) / rank
    return total / sum(stands_for.values()) if stands_for else Fraction(0)


def test_by_hand():
    # a relevant, p = 1, at rank 1; b not; c relevant, p = 1/2, at rank 3; d relevant, p = 1/4, not retrieved
    # R = 1 + 2 + 4 = 7.  P(1) = 1;  P(3) = (1 + 1) / 3 = 2/3
    # statAP = (1 * 1 + 2 * 2/3) / 7 = 1/3
    gold = sample_gold({"q": {"a": (1, 1), "b": (0, 1), "c": (1, 0.5), "d": (1, 0.25)}})

    assert stat_ap(run_of({"q": "abc"}), gold).loc["s", "q"] == pytest.approx(1 / 3, abs=1e-15)


def test_it_can_exceed_one():
    # a and b relevant with p = 1/4: R = 8; P(1) = 1, P(2) = (1 + 4) / 2; (4 * 1 + 4 * 5/2) / 8 = 7/4
    gold = sample_gold({"q": {"a": (1, 0.25), "b": (1, 0.25)}})

    assert stat_ap(run_of({"q": "ab"}), gold).loc["s", "q"] == 7 / 4


@few
@given(rankings, samples, st.integers(1, 2))
def test_against_fractions(run, sample, rel):
    ours = stat_ap(scored_run_of(run), sample_gold(sample), rel)
    slow = {topic: float(slow_stat_ap(ranked(run.get(topic, {})), docs, rel)) for topic, docs in sample.items()}

    assert ours.loc["s"].to_dict() == pytest.approx(slow, abs=1e-12)


@few
@given(rankings, samples)
def test_with_probabilities_of_one_it_is_average_precision(run, sample):
    gold = sample_gold(sample).assign(inclusion_probability=1.0)
    runs = scored_run_of(run)

    assert np.allclose(stat_ap(runs, gold), score_table(runs, gold, "AP"), rtol=0, atol=1e-12)


@few
@given(rankings, samples, st.integers(0, 2**32))
def test_unjudged_rows_and_the_order_of_rows_do_not_matter(run, sample, seed):
    sample["1"] = sample.get("1", {}) | {"always": (0, Fraction(1))}
    sample["2"] = sample.get("2", {}) | {"always": (0, Fraction(1))}
    gold, runs = sample_gold(sample), scored_run_of(run)
    judged = gold[gold["relevance"] >= 0]
    judged = judged.iloc[np.random.default_rng(seed).permutation(len(judged))]

    assert np.allclose(stat_ap(runs, gold), stat_ap(runs, judged), rtol=0, atol=1e-12)


def test_weights_are_unbiased_over_all_samples():
    """Numerator and denominator of statAP over all 20 samples of 3 of 6, every one as probable.

    R is unbiased. The precision above is not quite: two documents are both drawn with probability
    (3/6) (2/5) = 1/5, not (1/2)^2, so that what stands above counts 4/5 of its number in the mean.
    """
    ranking, relevant = ["a", "b", "c", "d", "e", "f"], {"a", "c", "f"}
    sums = []
    for drawn in combinations(ranking, 3):
        gold = sample_gold({"q": {doc: (int(doc in relevant), 0.5) for doc in drawn}})
        n_relevant = 2 * len(relevant & set(drawn))
        sums.append((stat_ap(run_of({"q": ranking}), gold).loc["s", "q"] * n_relevant, n_relevant))

    numerator, estimated = np.mean(sums, axis=0)
    # 1/1 + (1 + 4/5) / 3 + (1 + 2 * 4/5) / 6
    assert estimated == pytest.approx(3, abs=1e-12)
    assert numerator == pytest.approx(1 + 1.8 / 3 + 2.6 / 6, abs=1e-12)


def test_systems_with_the_same_ranking_have_the_same_score_to_the_last_bit():
    rng = np.random.default_rng(4)
    sample = {"q": {f"d{n}": (int(rng.integers(-1, 2)), float(rng.uniform(0.1, 1))) for n in range(40)}}
    best_first, other = ({"q": rng.permutation(list(sample["q"])).tolist()} for _ in range(2))
    runs = pd.concat([run_of(best_first, "a"), run_of(other, "b"), run_of(best_first, "c")])

    scores = stat_ap(runs, sample_gold(sample))["q"]
    assert scores["a"] == scores["c"] != scores["b"]


def test_topics_are_from_the_gold_and_systems_from_the_runs():
    gold = sample_gold({"2": {"a": (1, 0.5)}, "1": {"a": (0, 0.5)}})
    runs = pd.concat([run_of({"2": "ab", "3": "a"}, "y"), run_of({"1": "a"}, "x")])

    table = stat_ap(prepare(runs), gold)
    assert table.index.tolist() == ["x", "y"]
    assert table.columns.tolist() == ["1", "2"]
    assert table.to_numpy().tolist() == [[0, 0], [0, 1]]


def test_degenerate_input():
    def one(sample):
        return stat_ap(run_of({"q": "ab"}), sample_gold({"q": sample})).loc["s", "q"]

    assert one({"a": (0, 0.5)}) == 0
    assert one({"a": (-1, None), "b": (-2, 0.5)}) == 0
    assert one({"c": (1, 0.5)}) == 0
    assert one({"a": (1, 0.5)}) == 1


def test_golds_without_probabilities_are_refused():
    runs = run_of({"q": "ab"})
    with pytest.raises(ValueError, match="needs a gold with the column inclusion_probability"):
        stat_ap(runs, gold_of({"q": {"a": 1}}))
    for wrong in (0, 1.5, None):
        with pytest.raises(
            ValueError,
            match=r"An inclusion_probability must be above 0 and at most 1, not .* \(topic 'q', document 'b'\)",
        ):
            stat_ap(runs, sample_gold({"q": {"a": (1, 1), "b": (0, wrong)}}))
    with pytest.raises(ValueError, match="rel must be a whole number of at least 0, not -1"):
        stat_ap(runs, sample_gold({"q": {"a": (1, 1)}}), rel=-1)


def test_the_simulation_samples_with_its_probabilities():
    gold = gold_of({topic: {f"d{n}": 1 for n in range(40)} for topic in "12"})
    gold["stratum"] = np.where(gold["doc_id"].str[1:].astype(int) < 10, "top", "rest")

    drawn = sampled(gold, 0.2, "stratified", np.random.default_rng(1))
    # of 40 documents 8 are judged: 4 of the 10 at the top, 4 of the 30 others
    judged = drawn[drawn["relevance"] >= 0]
    assert judged.groupby(["query_id", "stratum"]).size().tolist() == [4, 4, 4, 4]
    assert (judged["inclusion_probability"] == judged["stratum"].map({"top": 4 / 10, "rest": 4 / 30})).all()
    uniform = sampled(gold, 0.2, "uniform", np.random.default_rng(1))
    assert uniform[uniform["relevance"] >= 0].groupby("query_id").size().tolist() == [8, 8]
    assert (uniform["inclusion_probability"] == 0.2).all()


def test_the_simulation_judges_the_whole_top_at_rate_one():
    sizes, is_top, topic = np.array([30, 10]), np.array([False, True]), np.array([0, 0])

    assert sample_sizes(sizes, is_top, topic, 0.5, "stratified").tolist() == [10, 10]
    assert sample_sizes(sizes, is_top, topic, 0.01, "stratified").tolist() == [1, 1]
    assert sample_sizes(sizes, is_top, topic, 0.1, "top in full").tolist() == [3, 10]


@pytest.mark.soak
@pytest.mark.parametrize(("design", "name"), [(design, name) for design, names in DESIGNS.items() for name in names])
def test_little_bias_on_synthetic_runs_with_three_of_ten_documents_judged(design, name):
    runs = pd.concat(run_frames(n_systems=4, n_topics=4, depth=100))
    gold = judgements(pool(runs, "depth", depth=100), n_judges=1)[["query_id", "doc_id", "relevance"]]
    judged = Judged("", prepare(runs), with_strata(gold, runs), 1)
    rng = np.random.default_rng(7)

    found = [ESTIMATORS[name](judged.runs, sampled(judged.gold, 0.3, design, rng), 1).mean(axis=1) for _ in range(40)]
    truth = score_table(judged.runs, judged.gold, "AP").mean(axis=1)
    assert abs((np.mean(found, axis=0) - truth).mean()) < 0.02


@pytest.mark.soak
@pytest.mark.parametrize("name", ["xinfAP", "statAP"])
def test_little_bias_on_dl19_judgements(name):
    real_data("dl19")
    found = [row for row in rows(dl19(), samples=8, designs=(TOP_IN_FULL,)) if row.estimator == name]
    assert tuple(row.rate for row in found) == RECOMMENDED[name, TOP_IN_FULL]
    assert all(abs(row.bias) < LIMIT for row in found)
