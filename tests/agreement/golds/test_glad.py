"""GLAD: a slow reference implementation, values of crowd-kit, and simulated judges."""

from itertools import pairwise as successive
from math import exp, log, log1p

import numpy as np
import pytest
from hypothesis import given

from agreement import Ratings, glad
from tests.agreement.golds.random_rows import SCALE, matrices, random_rows
from tests.each_value import each_value
from tests.examples import seeds
from tests.oracles import oracle


def softplus(x):
    return x + log1p(exp(-x)) if x > 0 else log1p(exp(x))


def expected(votes, value, size, scaled):
    """The part of the expected log-likelihood that belongs to one parameter, with its prior."""
    total = -((value - 1) ** 2) / 2
    for right, other in votes:
        x = scaled(value, other)
        total -= right * softplus(-x) + (1 - right) * softplus(x)
    return total


def raised(votes, value, size, scaled, slope):
    gradient, curvature = -(value - 1), 1.0
    for right, other in votes:
        p = exp(-softplus(-scaled(value, other)))
        gradient += (right - p) * slope(value, other)
        curvature += p * (1 - p) * slope(value, other) ** 2
    step, before = gradient / curvature, expected(votes, value, size, scaled)
    for _ in range(40):
        if expected(votes, value + step, size, scaled) >= before - 1e-12 * (1 + abs(before)):
            return value + step
        step /= 2
    return value


def slowly(rows, size, steps):
    """The same algorithm with dictionaries and loops; rows of codes, None for missing."""
    given_codes = {(j, i): code for j, row in enumerate(rows) for i, code in enumerate(row) if code is not None}
    judges, items = sorted({j for j, _ in given_codes}), sorted({i for _, i in given_codes})
    ability, ease = dict.fromkeys(judges, 1.0), dict.fromkeys(items, 1.0)

    def truths():
        truth = {}
        for i in items:
            joint = []
            for k in range(size):
                total = 0.0
                for j in judges:
                    if (j, i) in given_codes:
                        x = ability[j] * exp(ease[i])
                        total += -softplus(-x) if given_codes[j, i] == k else -softplus(x) - log(size - 1)
                joint.append(exp(total) / size)
            truth[i] = [each / sum(joint) for each in joint]
        return truth

    truth = truths()
    for _ in range(steps):
        for j in judges:
            votes = [(truth[i][given_codes[j, i]], exp(ease[i])) for i in items if (j, i) in given_codes]
            ability[j] = raised(votes, ability[j], size, lambda a, e: a * e, lambda _, e: e)
        for i in items:
            votes = [(truth[i][given_codes[j, i]], ability[j]) for j in judges if (j, i) in given_codes]
            ease[i] = raised(votes, ease[i], size, lambda b, a: a * exp(b), lambda b, a: a * exp(b))
        truth = truths()
    return truth, ability, ease


# published


def test_the_first_probabilities_are_those_that_crowd_kit_publishes():
    # tests/aggregation/test_glad_aggregation.py of crowd-kit: two equal votes at the start have 0.995664 and 0.004336.
    # By hand: ability 1 and log(ease) 1 give p = 1 / (1 + exp(-e)) = 0.938097, and p^2 / (p^2 + (1 - p)^2) = 0.995664.
    from agreement.golds.em_steps import JudgementList
    from agreement.golds.glad import _e_step

    votes = JudgementList(np.array([0, 0]), np.array([0, 1]), np.array([0, 0]), 2)

    posterior, _ = _e_step(votes, np.ones(2), np.ones(1))

    assert posterior[0].tolist() == pytest.approx([0.995664, 0.004336], abs=1e-6)


@pytest.mark.parametrize("case", oracle("crowd_models")["cases"], ids=lambda case: str(case["seed"]))
def test_crowd_kit_reaches_the_same_parameters(case):
    scale = tuple(range(case["n_grades"]))
    fit = glad(Ratings.from_matrix(case["rows"], scale, axis="assessors"), 20000, 0).fit

    known = case["glad"]
    assert fit.ability == pytest.approx(known["alpha"], abs=1e-3)
    assert fit.log_ease == pytest.approx(known["beta"], abs=1e-3)
    assert fit.posterior == pytest.approx(np.array(known["posterior"]), abs=1e-3)


# by hand


def test_the_first_step_by_hand():
    # One item, two judges who say 0. At the start p = s(e) = 0.938097 and T = p^2 / (p^2 + (1 - p)^2) = 0.995664.
    # Ability: g = (T - p) e = 0.156485, h = p (1 - p) e^2 + 1 = 1.429091, so 1 + g / h = 1.109500.
    fit = glad(Ratings.from_matrix([[0], [0]], (0, 1), axis="assessors"), max_iterations=1).fit

    assert fit.ability.tolist() == pytest.approx([1.109500] * 2, abs=1e-6)
    # Ease: x = 1.109500 e = 3.015933 and p = 0.953289; g = 2 (T - p) x = 0.255605, h = 2 p (1 - p) x^2 + 1 = 1.810064.
    assert fit.log_ease.tolist() == pytest.approx([1.141213], abs=1e-6)
    # x = 1.109500 exp(1.141213) = 3.473359, p = 0.969920: p^2 / (p^2 + (1 - p)^2) = 0.999039.
    assert fit.posterior[0, 0] == pytest.approx(0.999039, abs=1e-6)


# oracle


@each_value("seed", seeds(200))
def test_the_reference_gives_the_same_result(seed):
    rows, size, steps = random_rows(seed)
    result = glad(Ratings.from_matrix(rows, tuple(range(size)), axis="assessors"), max_iterations=steps, tolerance=0)

    truth, ability, ease = slowly(rows, size, result.fit.iterations)
    assert result.fit.posterior == pytest.approx(np.array(list(truth.values())), abs=1e-9)
    assert result.fit.ability == pytest.approx(list(ability.values()), abs=1e-9)
    assert result.fit.log_ease == pytest.approx(list(ease.values()), abs=1e-9)


# properties


@given(matrices)
def test_probabilities_sum_to_one_and_no_step_lowers_the_objective(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    fits = [glad(ratings, steps, 0).fit for steps in (1, 2, 3, 5, 9)]

    if fits[0] is not None:
        for probabilities in (fits[-1].posterior, fits[-1].confusion, fits[-1].priors):
            assert probabilities.sum(axis=-1) == pytest.approx(1)
        assert all(after.objective >= before.objective - 1e-9 for before, after in successive(fits))
        item, assessor = np.zeros(2, int), np.array([0, 1])
        assert fits[-1].predicted(item, assessor).sum(axis=1) == pytest.approx(1)


def test_renaming_the_grades_renames_the_truth():
    rows, size, _ = random_rows(3)
    turned = [[None if code is None else size - 1 - code for code in row] for row in rows]
    first, second = (
        glad(Ratings.from_matrix(each, tuple(range(size)), axis="assessors")).fit for each in (rows, turned)
    )

    assert first.posterior == pytest.approx(second.posterior[:, ::-1], abs=1e-9)
    assert first.ability == pytest.approx(second.ability, abs=1e-9)


def test_simulated_abilities_are_found():
    rng = np.random.default_rng(5)
    ability, ease = np.array([3.0, 2.0, 1.0, 0.0, -1.5]), rng.normal(1, 1, 400)
    truth = rng.integers(0, 2, 400)
    right = rng.random((5, 400)) < 1 / (1 + np.exp(-ability[:, None] * np.exp(ease)))
    result = glad(Ratings(np.where(right, truth, 1 - truth), (0, 1)))

    assert np.argsort(-result.fit.ability).tolist() == [0, 1, 2, 3, 4]
    assert abs(result.fit.ability[3]) < 0.3 < 1 < -result.fit.ability[4]
    assert (result.fit.posterior.argmax(axis=1) == truth).mean() > 0.95


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
    result = glad(ratings)

    assert (result.fit, result.status, result.reason, result.rule) == (None, "undefined", reason, "glad")
    assert len(result.to_gold()) == len(result.confusion_frame()) == len(result.competence_frame()) == 0


def test_one_item_and_one_grade():
    assert glad(Ratings.from_matrix([[1], [1]], SCALE, axis="assessors")).to_gold()["relevance"].tolist() == [1]
    result = glad(Ratings.from_matrix([[0], [1]], (0, 1), axis="assessors"))
    assert result.fit.posterior.tolist() == [pytest.approx([0.5, 0.5])]
    assert result.to_gold()["relevance"].tolist() == [0]
    assert result.warnings == ("two assessors: their disagreements do not show who made an error",)
