"""Weights and gains of measures that are linear in the grades."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from agreement import parse_measure, prepare, score_table
from agreement.trust.few_grades.weights import gains, is_linear, pair_weights
from pooling import read_qrels
from tests.agreement.random_collections import few, random_gold, random_runs, seeds
from tests.realdata import dl19_runs, real_data

LINEAR = (
    "P@2",
    "P(rel=2)@3",
    "DCG",
    "DCG@2",
    "DCG(discount='max2',gain='exponential')@3",
    "RBP(p=0.5)",
    "RBP(rel=2)@2",
    "SetP",
    "SetP(rel=2)",
    "NumRet(rel=1)",
    "NumRel(rel=2)",
)


def mean_scores(runs, gold, name, scale=(0, 1, 2, 3)):
    """Mean scores by weights and gains."""
    gold = gold[gold["relevance"] >= 0].reset_index(drop=True)
    measure = parse_measure(name)
    found = pair_weights(prepare(runs), gold, measure)
    values = found.weights @ gains(measure, gold["relevance"].to_numpy(np.float64), scale[-1])
    return dict(zip(found.systems, values.tolist(), strict=True))


def test_weights_by_hand():
    """Two topics: P@2 gives each of the first two documents 1 / (2 * 2), and c and e nothing."""
    runs = {"lsa": {"1": {"a": 3, "b": 2, "c": 1}, "2": {"d": 1}}}
    pairs = pd.DataFrame({"query_id": ["1", "1", "1", "2", "2"], "doc_id": ["a", "b", "c", "d", "e"]})
    weights = {
        "P@2": [1 / 4, 1 / 4, 0, 1 / 4, 0],
        "DCG@2": [1 / 2, 1 / (2 * np.log2(3)), 0, 1 / 2, 0],
        "RBP(p=0.5)@2": [0.25, 0.125, 0, 0.25, 0],  # (1 - 0.5) * 0.5^0 / 2, and half of it
        "SetP": [1 / 6, 1 / 6, 1 / 6, 1 / 2, 0],
        "NumRet(rel=1)": [1 / 2, 1 / 2, 1 / 2, 1 / 2, 0],
        "NumRel": [1 / 2] * 5,
    }
    for name, expected in weights.items():
        found = pair_weights(prepare(runs), pairs, parse_measure(name))
        assert found.weights[0] == pytest.approx(expected, abs=1e-15), name
        assert found.outside.tolist() == [0]


def test_gains_by_hand():
    grades = np.array([-1.0, 0.0, 1.0, 3.0])
    assert gains(parse_measure("P(rel=2)@1"), grades).tolist() == [0, 0, 0, 1]
    assert gains(parse_measure("DCG@1"), grades).tolist() == [0, 0, 1, 3]
    assert gains(parse_measure("DCG(gain='exponential')@1"), grades).tolist() == [0, 0, 1, 7]
    assert gains(parse_measure("RBP"), grades, highest=3).tolist() == [0, 0, 1 / 3, 1]


@pytest.mark.in_ci
@pytest.mark.parametrize("name", LINEAR)
@few
@given(seed=seeds)
def test_weighted_gains_are_the_scores_of_evaluate(name, seed):
    rng = np.random.default_rng(seed)
    runs, gold = random_runs(rng), random_gold(rng)
    gold = gold[gold["relevance"] >= 0]
    expected = score_table(runs, gold, name, scale=(0, 1, 2, 3)).mean(axis=1)
    assert mean_scores(runs, gold, name) == pytest.approx(expected.to_dict(), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P(rel=2)@10", "DCG@10", "RBP(rel=2)@10"])
def test_weighted_gains_are_the_scores_of_dl19(name):
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    expected = score_table(dl19_runs(), nist, name).mean(axis=1)
    assert mean_scores(dl19_runs(), nist, name) == pytest.approx(expected.to_dict(), abs=1e-12)


def test_documents_outside_the_pool_are_counted_and_gain_nothing():
    runs = {"lsa": {"1": {"a": 3, "b": 2, "c": 1}}}
    found = pair_weights(
        prepare(runs), pd.DataFrame({"query_id": "1", "doc_id": ["a", "c", "z"]}), parse_measure("P@2")
    )
    assert found.weights.tolist() == [[0.5, 0, 0]]
    assert found.outside.tolist() == [1]


def test_a_system_without_a_topic_has_no_weight_there():
    runs = {"a": {"1": {"d": 1}, "2": {"d": 1}}, "b": {"1": {"d": 1}}}
    found = pair_weights(prepare(runs), pd.DataFrame({"query_id": ["1", "2"], "doc_id": "d"}), parse_measure("P@1"))
    assert found.weights.tolist() == [[0.5, 0.5], [0.5, 0]]


@pytest.mark.parametrize(
    "name",
    [
        "AP",
        "nDCG@10",
        "Bpref",
        "R@10",
        "RR",
        "ERR@5",
        "NumRet",
        "SetP(relative=True)",
        "P(judged_only=True)@5",
        "Judged@5",
    ],
)
def test_other_measures_are_not_linear(name):
    assert not is_linear(parse_measure(name))
    with pytest.raises(ValueError, match=r"is not linear in the grades.*Linear measures are P@k"):
        pair_weights(prepare({"1": {"a": 1}}), pd.DataFrame({"query_id": ["1"], "doc_id": ["a"]}), parse_measure(name))


def test_graded_rbp_needs_a_scale():
    with pytest.raises(ValueError, match="RBP needs the declared scale"):
        gains(parse_measure("RBP"), np.array([1.0]))
