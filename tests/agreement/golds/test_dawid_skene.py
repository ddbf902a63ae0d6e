"""The model of Dawid and Skene: their data, simulated data, and a slow reference implementation."""

from itertools import pairwise as successive
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, dawid_skene, majority
from agreement.golds.em_steps import JudgementList, fit
from pooling.trec import read_qrels
from tests.realdata import real_data

# A. P. Dawid and A. M. Skene (1979), table 1: 45 patients; the first observer saw each three times.
TABLE = """
    1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212
    1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111
    1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111
    2322222 1211111 2222222
"""
PATIENTS = TABLE.split()
OBSERVERS = (0, 0, 0, 1, 2, 3, 4)

SCALE = (0, 1, 2)
grade = st.sampled_from([*SCALE, None])
matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=2, max_size=4)
)


def published_judgements():
    """Each judgement of the table."""
    answers = [
        (patient, observer, int(answer) - 1)
        for patient, given_answers in enumerate(PATIENTS)
        for observer, answer in zip(OBSERVERS, given_answers, strict=True)
    ]
    return JudgementList(*np.array(answers).T, 4)


def slowly(rows, n_grades, steps):
    """The same algorithm with dictionaries and loops; rows of codes, None for missing."""
    given = {(j, i): code for j, row in enumerate(rows) for i, code in enumerate(row) if code is not None}
    items = sorted({i for _, i in given})
    judges = sorted({j for j, _ in given})
    truth = {}
    for i in items:
        votes = [code for (_, item), code in given.items() if item == i]
        truth[i] = [votes.count(k) / len(votes) for k in range(n_grades)]
    for _ in range(steps):
        priors = [sum(truth[i][k] for i in items) / len(items) for k in range(n_grades)]
        errors = {}
        for j in judges:
            for k in range(n_grades):
                weights = [sum(truth[i][k] for i in items if given.get((j, i)) == code) for code in range(n_grades)]
                whole = sum(weights)
                errors[j, k] = [weight / whole if whole else 1 / n_grades for weight in weights]
        likelihood = 0
        for i in items:
            joint = []
            for k in range(n_grades):
                product = priors[k]
                for j in judges:
                    if (j, i) in given:
                        product *= errors[j, k][given[j, i]]
                joint.append(product)
            likelihood += log(sum(joint))
            truth[i] = [part / sum(joint) for part in joint]
    return truth, priors, errors, likelihood


def simulated(seed, n_items=600):
    """True grades of three kinds, and five judges of known reliability who judged 70 % of the items."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n_items, p=[0.6, 0.3, 0.1])
    right = np.array([0.95, 0.9, 0.85, 0.8, 0.4])
    codes = np.where(rng.random((5, n_items)) < right[:, None], truth, (truth + rng.integers(1, 3, (5, n_items))) % 3)
    codes[rng.random((5, n_items)) > 0.7] = -1
    return truth, right, Ratings(codes, SCALE)


# published


def test_published_priors_and_errors_of_the_first_observer():
    result = fit(published_judgements())

    assert result.converged
    assert np.round(result.priors, 2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert np.round(result.confusion[0, :3], 2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
    ]


# by hand


def test_the_first_steps_by_hand():
    # Items 1 and 2: all say 0 and all say 1; item 3: two say 0, one says 1.
    ratings = Ratings.from_matrix([[0, 1, 0], [0, 1, 0], [0, 1, 1]], (0, 1), axis="assessors")

    result = dawid_skene(ratings, max_iterations=1).fit

    # Start: T = 1 0, 0 1, 2/3 1/3. Priors (1 + 2/3) / 3 = 5/9 and 4/9.
    assert result.priors.tolist() == pytest.approx([5 / 9, 4 / 9])
    # Judges 1 and 2: of truth 0 (weight 5/3) always 0; of truth 1 (weight 4/3) 0 with 1/3 / (4/3) = 1/4.
    assert result.confusion[0].tolist() == [pytest.approx([1, 0]), pytest.approx([1 / 4, 3 / 4])]
    # Judge 3: of truth 0, 0 with 1 / (5/3) = 3/5; of truth 1 always 1.
    assert result.confusion[2].tolist() == [pytest.approx([3 / 5, 2 / 5]), pytest.approx([0, 1])]
    # Item 3: 5/9 * 1 * 1 * 2/5 = 2/9 against 4/9 * 1/4 * 1/4 * 1 = 1/36: 8/9 and 1/9.
    assert result.posterior[2].tolist() == pytest.approx([8 / 9, 1 / 9])
    # Items 1 and 2: 5/9 * 3/5 = 1/3, and 4/9 * 9/16 = 1/4; item 3: 2/9 + 1/36 = 1/4.
    assert result.log_likelihood == pytest.approx(log(1 / 3) + log(1 / 4) + log(1 / 4))
    assert (result.iterations, result.converged) == (1, False)


def test_the_gold_and_the_errors_are_tables():
    ratings = Ratings.from_matrix(
        [[0, 1, 0, None], [0, 1, 0, None], [0, 1, 1, None]], (0, 1), ("ann", "bob", "eve"), axis="assessors"
    )

    result = dawid_skene(ratings)

    gold = result.to_gold()
    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance", "probability", "n"]
    assert gold[["gold", "doc_id", "relevance", "n"]].to_numpy().tolist() == [
        ["dawid_skene", "1", 0, 3],
        ["dawid_skene", "2", 1, 3],
        ["dawid_skene", "3", 0, 3],
    ]
    errors = result.confusion_frame().set_index(["assessor", "truth", "judgement"])
    assert errors.loc[("ann", 0, 0), "probability"] == pytest.approx(1)
    assert errors.groupby(["assessor", "truth"])["probability"].sum().tolist() == pytest.approx([1] * 6)


def test_errors_without_items_are_na():
    # eve judged only the first item, which is truly 0
    ratings = Ratings.from_matrix([[0, 1], [0, 1], [0, None]], (0, 1), ("ann", "bob", "eve"), axis="assessors")

    errors = dawid_skene(ratings).confusion_frame().set_index(["assessor", "truth", "judgement"])

    assert errors.loc[("eve", 1, 0), "probability"] is pd.NA
    assert errors.loc[("eve", 1, 0), "weight"] == 0
    assert errors.loc[("eve", 0, 0), ["probability", "weight"]].tolist() == [1, 1]


# oracle


@given(matrices, st.integers(1, 6))
def test_the_reference_gives_the_same_result(rows, steps):
    result = dawid_skene(Ratings.from_matrix(rows, SCALE, axis="assessors"), max_iterations=steps, tolerance=0)

    if result.defined:
        truth, priors, errors, likelihood = slowly(rows, 3, result.fit.iterations)
        assert result.fit.posterior == pytest.approx(np.array(list(truth.values())), abs=1e-9)
        assert result.fit.priors == pytest.approx(priors, abs=1e-9)
        assert result.fit.confusion.reshape(-1, 3) == pytest.approx(np.array(list(errors.values())), abs=1e-9)
        assert result.fit.log_likelihood == pytest.approx(likelihood, abs=1e-9)


def test_simulated_true_grades_are_inferred():
    truth, right, ratings = simulated(seed=7)

    result = dawid_skene(ratings)

    gold = result.to_gold().set_index("doc_id")["relevance"]
    correct = [gold[str(item + 1)] == truth[item] for item in range(len(truth)) if str(item + 1) in gold.index]
    voted = majority(ratings, vote="plurality").set_index("doc_id")["relevance"]
    by_vote = [voted[str(item + 1)] == truth[item] for item in range(len(truth)) if str(item + 1) in voted.index]
    assert np.mean(correct) > max(np.mean(by_vote), 0.93)
    inferred = np.einsum("jkk,k->j", result.fit.confusion, result.fit.priors)
    assert inferred == pytest.approx(right, abs=0.06)
    assert result.fit.priors == pytest.approx([0.6, 0.3, 0.1], abs=0.05)
    assert result.warnings == ()


# properties


@given(matrices)
def test_probabilities_sum_to_one_and_no_step_loses_likelihood(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    steps = [dawid_skene(ratings, max_iterations=steps, tolerance=0) for steps in (1, 2, 3, 5, 9)]

    if steps[0].defined:
        result = steps[-1].fit
        for probabilities in (result.posterior, result.confusion, result.priors):
            assert probabilities.sum(axis=-1) == pytest.approx(1)
            assert probabilities.min() >= 0
        likelihoods = [step.fit.log_likelihood for step in steps]
        assert likelihoods[-1] <= 1e-12
        assert all(after >= before - 1e-9 for before, after in successive(likelihoods))
        judged = (ratings.codes >= 0).sum(axis=1)
        assert result.weight.sum(axis=1) == pytest.approx(judged[judged > 0])


@given(matrices, st.permutations(range(4)))
def test_the_order_of_judges_changes_nothing(rows, order):
    first = dawid_skene(Ratings.from_matrix(rows, SCALE, axis="assessors"), max_iterations=5)
    turned = dawid_skene(
        Ratings.from_matrix([rows[j] for j in order if j < len(rows)], SCALE, axis="assessors"), max_iterations=5
    )

    assert first.reason == turned.reason
    if first.defined:
        assert first.fit.posterior == pytest.approx(turned.fit.posterior, abs=1e-9)


def test_renaming_the_grades_renames_the_truth():
    _, _, ratings = simulated(seed=1, n_items=80)
    turned = Ratings(np.where(ratings.codes < 0, -1, 2 - ratings.codes), SCALE)

    first, second = dawid_skene(ratings).fit, dawid_skene(turned).fit

    assert first.posterior == pytest.approx(second.posterior[:, ::-1], abs=1e-9)
    assert first.confusion == pytest.approx(second.confusion[:, ::-1, ::-1], abs=1e-9)


@given(st.lists(st.sampled_from(SCALE), min_size=1, max_size=8), st.integers(2, 4))
def test_a_grade_on_which_all_agree_is_the_truth(grades, n_judges):
    result = dawid_skene(Ratings.from_matrix([grades] * n_judges, SCALE, axis="assessors"))

    assert result.fit.converged
    assert result.to_gold().sort_values("doc_id", key=lambda ids: ids.astype(int))["relevance"].tolist() == grades
    assert result.fit.posterior.max(axis=1) == pytest.approx(1)


def test_the_same_data_give_the_same_bytes():
    _, _, ratings = simulated(seed=3)

    assert dawid_skene(ratings).fit.posterior.tobytes() == dawid_skene(ratings).fit.posterior.tobytes()


# degenerate


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (Ratings.from_matrix([], SCALE, axis="assessors"), "empty"),
        (Ratings.from_matrix([[None], [None]], SCALE, axis="assessors"), "empty"),
        (Ratings.from_matrix([[0, 1, None]], SCALE, axis="assessors"), "one_assessor"),
        (Ratings.from_matrix([[0, 1], [None, None]], SCALE, axis="assessors"), "one_assessor"),
        (Ratings.from_counts([[2, 0, 0], [0, 1, 1]], SCALE), "no_identities"),
    ],
)
def test_undefined_truth(ratings, reason):
    result = dawid_skene(ratings)

    assert (result.fit, result.status, result.reason) == (None, "undefined", reason)
    assert len(result.to_gold()) == len(result.confusion_frame()) == 0


def test_a_tie_gives_the_lower_grade_and_two_judges_give_a_warning():
    result = dawid_skene(Ratings.from_matrix([[0, 1], [1, 0]], (0, 1), axis="assessors"))

    assert result.fit.posterior.tolist() == [pytest.approx([0.5, 0.5])] * 2
    assert result.to_gold()["relevance"].tolist() == [0, 0]
    assert result.warnings == ("two assessors: their disagreements do not show who made an error",)


def test_missing_convergence_gives_a_warning():
    _, _, ratings = simulated(seed=2, n_items=50)

    result = dawid_skene(ratings, max_iterations=2)

    assert (result.fit.converged, result.fit.iterations) == (False, 2)
    assert result.warnings == ("the log-likelihood did not converge within 2 iterations",)


@pytest.mark.parametrize("options", [{"max_iterations": 0}, {"tolerance": -1}, {"tolerance": float("nan")}])
def test_invalid_options_are_refused(options):
    with pytest.raises(ValueError, match="max_iterations must be 1 or more and tolerance 0 or more, not"):
        dawid_skene(Ratings.from_matrix([[0], [1]], (0, 1), axis="assessors"), **options)


# real


@pytest.mark.slow
def test_the_judges_of_dl19():
    judges = ["nist", *(f"judge{number}" for number in range(1, 9))]
    frames = [read_qrels(real_data("dl19", "judges", f"{judge}.qrels")).assign(assessor=judge) for judge in judges]
    ratings = Ratings.from_judgements(pd.concat(frames), (0, 1, 2, 3)).binary(2)

    result = dawid_skene(ratings)

    assert result.fit.converged
    assert (len(result.to_gold()), result.to_gold()["n"].max()) == (9260, 3)
    assert result.fit.weight.sum() == pytest.approx(ratings.n_judgements)
    # Three of four passages have one judgement: the truth is then near the grade of that judge, but not certain.
    assert result.to_gold()["probability"].between(0.5, 1 + 1e-12).all()
