"""MACE: what the authors' program prints, values of crowd-kit, and a slow reference implementation."""

from itertools import pairwise as successive
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma

from agreement import Ratings, mace
from agreement.golds.em_steps import JudgementList
from agreement.golds.mace_steps import Parameters, fit_from, random_start
from tests.agreement.golds.random_rows import SCALE, matrices, random_rows
from tests.each_value import each_value
from tests.examples import seeds
from tests.oracles import oracle

LABELS = ("NOUN", "PRON", "VERB", "ADJ", "ADV")
# The example of the README of https://github.com/dirkhovy/MACE: five items (rows), five annotators.
EXAMPLE = ("NOUN,,,NOUN,PRON", "VERB,VERB,,VERB,", "ADJ,,ADJ,,ADV", ",VERB,,VERB,ADV", "NOUN,,,NOUN,PRON")


def listed(rows):
    given_codes = [(i, j, code) for j, row in enumerate(rows) for i, code in enumerate(row) if code is not None]
    return np.array(given_codes).T


def slowly(rows, size, steps, start, method):  # noqa: C901 - one function, as the algorithm
    """The same algorithm with dictionaries and loops."""
    judges = range(len(rows))
    given_codes = {(i, j): code for j, row in enumerate(rows) for i, code in enumerate(row) if code is not None}
    items = sorted({i for i, _ in given_codes})
    knows, guesses = list(start.knows), list(start.guesses)
    strategy = [list(row) for row in start.strategy]
    for step in range(steps + 1):
        truth, likelihood = {}, 0.0
        known = [0.0 for _ in judges]
        guessed = [[0.0] * size for _ in judges]
        for i in items:
            joint = []
            for k in range(size):
                product = 1 / size
                for j in judges:
                    if (i, j) in given_codes:
                        code = given_codes[i, j]
                        product *= guesses[j] * strategy[j][code] + (knows[j] if code == k else 0)
                joint.append(product)
            truth[i] = [each / sum(joint) for each in joint]
            likelihood += log(sum(joint))
            for j in judges:
                if (i, j) in given_codes:
                    code = given_codes[i, j]
                    knew = truth[i][code] * knows[j] / (knows[j] + guesses[j] * strategy[j][code])
                    known[j] += knew
                    guessed[j][code] += 1 - knew
        if step == steps:
            return truth, likelihood, knows
        for j in judges:
            whole = known[j] + sum(guessed[j])
            if method == "vb":
                knows[j] = exp(digamma(known[j] + 0.5) - digamma(whole + 1))
                guesses[j] = exp(digamma(sum(guessed[j]) + 0.5) - digamma(whole + 1))
                total = digamma(sum(guessed[j]) + 10 * size)
                strategy[j] = [exp(digamma(count + 10) - total) for count in guessed[j]]
            else:
                smooth = 0.01 / size
                knows[j] = (known[j] + smooth) / (whole + 2 * smooth)
                guesses[j] = (sum(guessed[j]) + smooth) / (whole + 2 * smooth)
                strategy[j] = [(count + smooth) / (sum(guessed[j]) + size * smooth) for count in guessed[j]]
    raise AssertionError


# published


def test_the_example_of_the_authors_program():
    rows = [[LABELS.index(cell) if cell else None for cell in line.split(",")] for line in EXAMPLE]
    ratings = Ratings.from_matrix(rows, range(5), axis="items")

    fit = mace(ratings, seed=1, max_iterations=50, tolerance=0).fit

    published = [0.8820970950608722, 0.7904155783217401, 0.6598575839917008, 0.8822161621354134, 0.03114062354821738]
    assert fit.competence == pytest.approx(published, abs=1e-7)
    assert fit.posterior[0] == pytest.approx([0.9997443833265887, 7.140381903855615e-5, *[6.140428479093134e-5] * 3])
    assert fit.posterior[1, [2, 0]] == pytest.approx([0.9999961943848287, 9.514037928812883e-7])
    assert fit.posterior[2, [3, 4, 0]] == pytest.approx(
        [0.9990184050335877, 2.741982824057974e-4, 2.3579889466878394e-4]
    )
    assert fit.posterior[3, [2, 4, 0]] == pytest.approx(
        [0.9994950838119411, 1.4104305366466138e-4, 1.2129104479807625e-4]
    )


@pytest.mark.parametrize("method", ["vb", "em"])
@pytest.mark.parametrize("case", oracle("crowd_models")["cases"], ids=lambda case: str(case["seed"]))
def test_crowd_kit_reaches_the_same_parameters_as_one_start(case, method):
    known, scale = case[f"mace_{method}"], tuple(range(case["n_grades"]))
    item, assessor, code = listed(case["rows"])
    judgements = JudgementList(item, assessor, code, len(scale))
    # From the result of crowd-kit, the algorithm does not move, so it is a fixed point of the same equations.
    knows = np.array(known["knows"])
    start = Parameters(knows, 1 - knows, np.array(known["strategy"]))
    near = fit_from(judgements, start, method, 2000, 0)

    assert near.posterior == pytest.approx(np.array(known["posterior"]), abs=1e-4)
    assert near.competence == pytest.approx(knows, abs=1e-4)


# by hand


def test_the_first_step_by_hand():
    # One item, two judges who say 0, each with theta 1/2 and xi 1/2, 1/2: c(0, 0) = 3/4 and c(1, 0) = 1/4.
    # T = 9/16 / (9/16 + 1/16) = 9/10. Each knew with probability 9/10 * (1/2) / (3/4) = 3/5.
    half = np.full(2, 0.5)
    votes = JudgementList(np.array([0, 0]), np.array([0, 1]), np.array([0, 0]), 2)

    fit = fit_from(votes, Parameters(half, half, np.full((2, 2), 0.5)), "em", max_iterations=1)

    # theta = (3/5 + 1/200) / (1 + 1/100), xi(0) = (2/5 + 1/200) / (2/5 + 1/100) = 81/82.
    theta, xi = 0.605 / 1.01, 81 / 82
    assert fit.competence.tolist() == pytest.approx([theta] * 2)
    right, wrong = theta + (1 - theta) * xi, (1 - theta) * xi
    assert fit.posterior[0, 0] == pytest.approx(right**2 / (right**2 + wrong**2))
    assert fit.log_likelihood == pytest.approx(log((right**2 + wrong**2) / 2))
    assert fit.confusion[0].tolist() == [pytest.approx([right, 1 - right]), pytest.approx([wrong, 1 - wrong])]


# oracle


@each_value("seed", seeds(200))
def test_the_reference_gives_the_same_result(seed):
    rows, size, steps = random_rows(seed)
    method = ("vb", "em")[seed % 2]
    item, assessor, code = listed(rows)
    item = np.unique(item, return_inverse=True)[1]
    judgements = JudgementList(item, assessor, code, size)
    start = random_start(judgements, np.random.default_rng(seed))

    fit = fit_from(judgements, start, method, steps, 0)

    truth, likelihood, knows = slowly(rows, size, fit.iterations, start, method)
    assert fit.posterior == pytest.approx(np.array(list(truth.values())), abs=1e-9)
    assert fit.competence == pytest.approx(knows, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-9)


# properties


@given(matrices, st.sampled_from(["vb", "em"]))
def test_probabilities_sum_to_one_and_no_step_lowers_the_objective(rows, method):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    fits = [mace(ratings, 1, method, 1, steps, 0).fit for steps in (1, 2, 3, 5, 9)]

    if fits[0] is not None:
        for probabilities in (fits[-1].posterior, fits[-1].confusion, fits[-1].strategy):
            assert probabilities.sum(axis=-1) == pytest.approx(1)
        assert all(after.objective >= before.objective - 1e-9 for before, after in successive(fits))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["vb", "em"])
def test_more_starts_are_never_worse_and_a_seed_gives_the_same_bytes(method):
    rows, size, _ = random_rows(11)
    ratings = Ratings.from_matrix(rows, tuple(range(size)), axis="assessors")
    one, ten, again = (mace(ratings, 3, method, starts) for starts in (1, 10, 10))

    assert ten.fit.objective >= one.fit.objective - 1e-9 * abs(one.fit.objective)
    assert ten.fit.posterior.tobytes() == again.fit.posterior.tobytes()
    assert "seed 3" in repr(ten)


def test_a_judge_who_guesses_is_found():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 300)
    right = np.array([0.9, 0.7, 0.5, 0.0])
    codes = np.where(rng.random((4, 300)) < right[:, None], truth, rng.integers(0, 3, (4, 300)))

    result = mace(Ratings(codes, SCALE), seed=1)

    assert result.fit.competence == pytest.approx(right, abs=0.12)
    assert np.argsort(-result.fit.competence).tolist() == [0, 1, 2, 3]


# degenerate


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (Ratings.from_matrix([], SCALE, axis="assessors"), "empty"),
        (Ratings.from_matrix([[0, 1, None]], SCALE, axis="assessors"), "one_assessor"),
        (Ratings.from_counts([[2, 0, 0], [0, 1, 1]], SCALE), "no_identities"),
    ],
)
def test_undefined_truth(ratings, reason):
    result = mace(ratings, seed=1)

    assert (result.fit, result.status, result.reason, result.rule) == (None, "undefined", reason, "mace")
    assert len(result.to_gold()) == len(result.competence_frame()) == 0


def test_one_item():
    assert mace(Ratings.from_matrix([[1], [1]], SCALE, axis="assessors"), 1).to_gold()["relevance"].tolist() == [1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": 1, "method": "gibbs"}, "method must be one of vb, em, not 'gibbs'"),
        ({"seed": 1, "starts": 0}, "starts must be a whole number of at least 1, not 0"),
        ({"seed": 1, "max_iterations": 0}, "max_iterations must be 1 or more"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        mace(Ratings.from_matrix([[0], [1]], (0, 1), axis="assessors"), **options)
