"""p-values of oracle steps: by hand, against scipy, by properties, under the null, and for degenerate input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.significance import adjusted
from agreement.trust.gaming import gaming_tests
from agreement.trust.gaming.oracle_steps import FLIPS, OracleRuns, _chances, _Classes, oracle_steps
from agreement.trust.scored_judges import ScoredJudges
from tests.agreement.trust.judged_runs import judged_runs
from tests.examples import examples

RUNS, PEOPLE, MODELS = judged_runs(n_systems=4, n_topics=25)
JUDGES = ScoredJudges.of(RUNS, PEOPLE, MODELS, "nDCG@10")
ORACLE = OracleRuns.of(JUDGES, seed=1)


def p_of(true, seen, seed=1):
    return _chances(_Classes.of(np.asarray(true, float)), np.asarray(seen, float), np.random.default_rng(seed))


def test_by_hand():
    """Two rankings, three topics; the judge scores the better one higher by 1, 2 and 4.

    Of the eight ways to choose the signs, only the observed one has a sum of 7 or more: p is about 1/8.
    """
    p, of_class = p_of([0.2, 0.1], [[1, 2, 4], [0, 0, 0]])
    assert p == pytest.approx(1 / 8, abs=0.03)
    assert of_class.tolist() == [p]
    assert p_of([0.1, 0.2], [[1, 2, 4], [0, 0, 0]])[0] == 1.0


def test_losses_of_classes_are_sums_over_their_pairs():
    """Scores 0, 0.1, 0.3: the pairs by difference are (1, 0), (2, 1), (2, 0), each a class."""
    classes = _Classes.of(np.array([0.0, 0.1, 0.3]))
    assert list(zip(classes.better, classes.worse, strict=True)) == [(1, 0), (2, 1), (2, 0)]
    assert classes.least == pytest.approx([0.1, 0.2, 0.3])
    assert classes.seen_losses(np.array([[1.0, 0], [3, 1], [4, 5]])).tolist() == [[2, 1], [1, 4], [3, 5]]


def test_p_is_that_of_scipy():
    """`scipy.stats.permutation_test` over all signs of the topics, on the loss of each topic."""
    true = np.array([0.5, 0.3, 0.2, 0.1])
    seen = true[:, None] + np.random.default_rng(4).normal(scale=0.5, size=(4, 10))
    losses = _Classes.of(true).seen_losses(seen).sum(axis=0)
    exact = stats.permutation_test((losses,), np.mean, permutation_type="samples", alternative="greater").pvalue
    assert p_of(true, seen)[0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / FLIPS))


@examples(15)
@given(seed=st.integers(0, 2**32), scale=st.sampled_from([0.01, 3]), shift=st.sampled_from([-2.0, 5]))
def test_p_does_not_depend_on_the_scale_of_the_judge_nor_on_hard_topics(seed, scale, shift):
    rng = np.random.default_rng(seed)
    true, seen = rng.random(12), rng.random((12, 9))
    first, second = p_of(true, seen), p_of(true, scale * seen + shift * rng.random(9))
    assert first[0] == second[0]
    assert first[1].tolist() == second[1].tolist()


@examples(15)
@given(seed=st.integers(0, 2**32))
def test_a_judge_in_reverse_has_the_other_tail(seed):
    rng = np.random.default_rng(seed)
    true, seen = rng.random(12), rng.random((12, 9))
    assert p_of(true, seen)[0] + p_of(true, -seen)[0] >= 1
    assert 1 / (FLIPS + 1) <= p_of(true, seen)[0] <= 1


@pytest.mark.slow
def test_judges_that_guess_are_found_at_the_stated_rate():
    """200 judges with people's grades in another order: at most 5 % have p < 0.05, and two standard errors more."""
    rng = np.random.default_rng(5)
    gold = PEOPLE["p0"]
    models = {f"m{n}": gold.assign(relevance=rng.permutation(gold["relevance"])) for n in range(200)}
    judges = ScoredJudges.of(RUNS, PEOPLE, models, "nDCG@10")
    found = [oracle_steps(judges, model, ORACLE, seed=number) for number, model in enumerate(models)]
    most = 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean([finding.p < 0.05 for finding, _ in found]) <= most
    assert np.mean([(steps["p_adjusted"] < 0.05).any() for _, steps in found]) <= most


def test_a_good_judge_sees_the_loss_and_the_others_do_not():
    finding, steps = oracle_steps(JUDGES, "good", ORACLE)
    assert finding.p == 1 / (FLIPS + 1)
    assert (steps["p_adjusted"] >= steps["p"]).all()
    assert (steps.loc[steps["least"] >= finding.effect, "p_adjusted"] < 0.05).all()
    assert oracle_steps(JUDGES, "random", ORACLE)[0].p > 0.05
    assert oracle_steps(JUDGES, "reverse", ORACLE)[0].p == 1.0


def test_p_is_corrected_with_the_other_tests_and_is_no_fault():
    found = gaming_tests(JUDGES, "good", rel=2, model_rel=2, oracle=ORACLE, seed=1)
    frame = found.to_frame().set_index("test")
    known = frame[frame["p"].notna()]
    assert known["p_adjusted"].tolist() == adjusted(known["p"].to_numpy(float), "holm").tolist()
    assert frame.loc["oracle steps", "p_adjusted"] < 0.05
    assert "oracle steps" not in found.flagged()


def test_a_constant_judge_sees_nothing():
    judges = ScoredJudges.of(RUNS, PEOPLE, {"one": PEOPLE["p0"].assign(relevance=1)}, "P@10")
    assert oracle_steps(judges, "one", OracleRuns.of(judges, seed=1))[0].p == 1.0


def test_rankings_that_all_have_the_same_score_have_no_class():
    people = {"p": PEOPLE["p0"].assign(relevance=1)}
    judges = ScoredJudges.of(RUNS, people, MODELS, "P@10")
    finding, steps = oracle_steps(judges, "good", OracleRuns.of(judges, seed=1))
    assert finding.p == 1.0
    assert finding.effect is None
    assert steps.empty


def test_one_topic_decides_nothing():
    assert p_of([0.2, 0.1], [[1.0], [0.0]])[0] == pytest.approx(0.5, abs=0.05)
    assert p_of([0.2, 0.1], [[0.5, 0.5], [0.5, 0.5]])[0] == 1.0


def test_the_same_seed_gives_the_same_p():
    first, second = (oracle_steps(JUDGES, "random", ORACLE, seed=3) for _ in range(2))
    assert first[0] == second[0]
    pd.testing.assert_frame_equal(first[1], second[1])
