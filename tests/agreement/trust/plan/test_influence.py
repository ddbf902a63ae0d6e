"""The influence of a pair on a score: by hand, and against the change of the score in the engine."""

import numpy as np
import pandas as pd
import pytest

from agreement import parse_measure, prepare
from agreement.trust.plan.influence import gains_of, influences, ranks_of
from tests.agreement.trust.plan.collections import PAIR, collection

RUN = pd.DataFrame([("s", "1", "a", 3), ("s", "1", "x", 2), ("s", "1", "b", 1)], columns=["system", *PAIR, "score"])
PAIRS = pd.DataFrame([("1", "a"), ("1", "b"), ("1", "c")], columns=PAIR)


def influence_of(measure: str, gains: list[float], highest: float | None = None) -> list[float]:
    ranks = ranks_of(prepare(RUN), PAIRS)
    return influences(ranks, np.array(gains), parse_measure(measure))[0].round(6).tolist()


def test_ranks_count_documents_that_are_not_in_the_pool():
    assert ranks_of(prepare(RUN), PAIRS).rank.tolist() == [[1, 3, 0]]


def test_topics_that_no_run_has_count_in_the_mean():
    pairs = pd.DataFrame([("1", "a"), ("2", "z")], columns=PAIR)
    ranks = ranks_of(prepare(RUN), pairs)
    assert influences(ranks, np.ones(2), parse_measure("P@1")).tolist() == [[0.5, 0.0]]  # 1 / 1 over two topics


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P@2", [0.5, 0, 0]),
        ("DCG@3", [1, 0.5, 0]),  # 1 / log2(2), 1 / log2(4)
        ("RBP(p=0.5,rel=1)", [0.5, 0.125, 0]),  # (1 - p) p^(rank - 1)
        # a is relevant, b and c are not: AP = 1 and R = 1. b: ((1 + 1) / 3 - 1) / 1; c: (0 - 1) / 1; a: (1 - 1) / 1
        ("AP", [0, -0.333333, -1]),
        # ideal = 1 and nDCG = 1; the ideal ranks are a 1, b 2, c 3: b has 1/2 - 1/log2(3), c has 0 - 1/2
        ("nDCG", [0, -0.13093, -0.5]),
    ],
)
def test_by_hand(measure, expected):
    assert influence_of(measure, [1, 0, 0]) == expected


@pytest.mark.parametrize("measure", ["P(rel=2)@5", "DCG@5", "RBP(p=0.8)", "RBP(p=0.8,rel=2)@7"])
def test_influences_times_gains_are_the_score_of_linear_measures(measure):
    data, parsed = collection(), parse_measure(measure)
    ranked = prepare(data.runs)
    gains = gains_of(parsed, data.people["relevance"].to_numpy(), 2.0)
    predicted = influences(ranks_of(ranked, data.pairs), gains, parsed) @ gains
    scores = parsed(ranked.under(data.people, scale=(0, 1, 2))).mean(axis=1)
    np.testing.assert_allclose(predicted, scores, atol=1e-12)


@pytest.mark.parametrize("measure", ["nDCG@5", "nDCG(dcg='exp-log2')@10"])
def test_the_influence_on_ndcg_is_its_derivative(measure):
    data, parsed = collection(n_topics=3, n_documents=8), parse_measure(measure)
    ranked, step = prepare(data.runs), 1e-6
    grades = data.people["relevance"].to_numpy() + np.linspace(0, 0.3, len(data.people))  # no ties in the ideal
    gains = gains_of(parsed, grades, None)
    found = influences(ranks_of(ranked, data.pairs), gains, parsed)
    for pair in range(len(grades)):
        changed = grades.copy()
        changed[pair] += step
        scores = [parsed(ranked.under(data.pairs.assign(relevance=each))).mean(axis=1) for each in (changed, grades)]
        slope = (scores[0] - scores[1]) / (gains_of(parsed, changed, None)[pair] - gains[pair])
        np.testing.assert_allclose(found[:, pair], slope, atol=1e-5)


@pytest.mark.parametrize("cutoff", [None, 5])
def test_the_influence_on_ap_is_the_derivative_of_its_expected_form(cutoff):
    data = collection(n_topics=2, n_documents=8)
    parsed = parse_measure("AP" if cutoff is None else f"AP@{cutoff}")
    ranks = ranks_of(prepare(data.runs), data.pairs)
    gains, step = np.linspace(0.1, 0.9, len(data.pairs)), 1e-7

    def ap(values: np.ndarray) -> np.ndarray:
        """Mean over topics of sum p (1 + sum of p above) / rank / R, with loops."""
        total = np.zeros(3)
        for system in range(3):
            for topic in range(2):
                pairs = np.flatnonzero(ranks.topic == topic)
                by_rank = sorted((ranks.rank[system, pair], pair) for pair in pairs)
                above = score = 0.0
                for rank, pair in by_rank[:cutoff]:
                    score += values[pair] * (1 + above) / rank
                    above += values[pair]
                total[system] += score / values[pairs].sum() / 2
        return total

    found = influences(ranks, gains, parsed)
    for pair in range(len(gains)):
        changed = gains.copy()
        changed[pair] += step
        np.testing.assert_allclose(found[:, pair], (ap(changed) - ap(gains)) / step, atol=1e-5)


@pytest.mark.parametrize("measure", ["RR", "Bpref", "AP(judged_only=True)"])
def test_other_measures_are_refused(measure):
    with pytest.raises(ValueError, match="A plan can be made for P, DCG, RBP, nDCG, AP, not for"):
        influence_of(measure, [1, 0, 0])


def test_graded_rbp_needs_the_scale():
    with pytest.raises(ValueError, match="needs the declared scale"):
        gains_of(parse_measure("RBP(p=0.8)"), np.array([1, 2]), None)
