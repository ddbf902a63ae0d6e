"""The unbiased variance of the cross-fitted estimate: over every sample and deal of tiny pools, by loops, refusals."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust.few_grades import unbiased_variance
from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
from agreement.trust.few_grades.unbiased_variance import folds_of_two, unbiased_estimate
from tests.agreement.trust.few_grades.designs import poisson, stratified, two_stage
from tests.examples import examples

GAINS = np.array([0.0, 1, 1, 0, 1, 0, 1, 2])
MODEL = np.array([0.0, 2, 1, 1, 3, 0, 2, 1])
WEIGHTS = np.array([[0.5, 0.5, 0.25, 0, 0.5, 0.5, 0.1, 1], [0.5, -0.5, 0.25, 0.3, 0, -0.5, 0.2, -1]])
SEED = 1


def deals(design, n_folds):
    """Every deal of two or three pairs of a stratum to each fold, as `folds_of_two` gives them."""
    stratum = design.stratum[design.drawn]
    parts, first = [], 0
    for members in (np.flatnonzero(stratum == h) for h in np.unique(stratum)):
        n_blocks = max(len(members) // 2, 1)
        folds = (first + np.minimum(np.arange(len(members)) // 2, n_blocks - 1)) % n_folds
        parts.append([(members, deal) for deal in set(permutations(folds))])
        first += n_blocks
    for chosen in product(*parts):
        fold = np.empty(len(stratum), dtype=int)
        for members, deal in chosen:
            fold[members] = deal
        yield fold


def over_all(monkeypatch, strata, sizes, n_folds, topics=None):
    """Values, unbiased and usual variances over every sample and deal."""
    n = len(strata)
    found = []
    for design in stratified(strata, sizes, topics):
        gains = GAINS[:n][design.drawn]
        for fold in deals(design, n_folds):
            monkeypatch.setattr(unbiased_variance, "folds_of_two", lambda *_, fold=fold: fold)
            one = unbiased_estimate(WEIGHTS[:, :n], MODEL[:n], gains, design, seed=SEED, n_folds=n_folds)
            fit = unbiased_variance.CrossFit(WEIGHTS[:, :n], MODEL[:n], gains, design)
            predicted = unbiased_variance.combined_folds(fit, design, fold, n_folds)
            usual = difference_estimate(WEIGHTS[:, :n], predicted, gains, design)
            found.append((one.values, one.variances, usual.variances))
    return np.array(found).swapaxes(0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strata", "sizes", "n_folds"),
    [
        ([0] * 6, [4], 2),
        ([0] * 6, [5], 2),
        ([0] * 7, [6], 3),
        ([0, 0, 0, 0, 1, 1, 1], [2, 2], 2),
        ([0, 0, 0, 0, 0, 1, 1, 1], [4, 2], 2),
        ([0, 0, 0, 0, 0, 1, 1, 1], [4, 2], 3),
        ([0, 0, 0, 0, 0, 1, 1, 1], [4, 3], 3),
    ],
)
def test_values_and_variances_are_unbiased_over_all_samples_and_deals(monkeypatch, strata, sizes, n_folds):
    values, unbiased, usual = over_all(monkeypatch, strata, sizes, n_folds)
    truth = WEIGHTS[:, : len(strata)] @ GAINS[: len(strata)]
    assert values.mean(axis=0) == pytest.approx(truth, abs=1e-12)
    spread = ((values - truth) ** 2).mean(axis=0)
    assert unbiased.mean(axis=0) == pytest.approx(spread, abs=1e-12)
    assert np.abs(usual.mean(axis=0) - spread).max() > 1e-4  # the reason for this variance


def random_pool(seed, n_topics=5, n_docs=12, n_each=5):
    """A stratified sample, weights of two scores and their difference, and gains of all pairs."""
    rng = np.random.default_rng(seed)
    topic = np.repeat(np.arange(n_topics), n_docs)
    drawn = np.concatenate([rng.permutation(n_docs) < n_each for _ in range(n_topics)])
    design = SampleDesign(topic, topic, np.full(len(topic), n_each / n_docs), drawn, True)
    weights = rng.choice([0, 0.5, 1], (2, len(topic)))
    return design, np.vstack([weights, weights[:1] - weights[1:]]), rng.integers(0, 4, len(topic)).astype(float)


class Loops:
    """The variance of one sum, stratum by stratum and fold by fold, as the formulas of the module say."""

    def __init__(self, weights, gains, design, fold, predict):
        self.weights, self.design, self.predict, self.fold = weights, design, predict, fold
        self.y, self.of_pair = np.full(len(weights), np.nan), np.full(len(weights), -1)
        self.y[design.drawn], self.of_pair[design.drawn] = gains, fold
        self.strata, self.folds = np.unique(design.stratum), np.unique(fold)

    def variance(self):
        within = sum(self.within(k, h) for k in self.folds for h in self.strata if self.members(h, k))
        return within + sum(self.between(j, k) for j in self.folds for k in self.folds if j != k)

    def members(self, h, *chosen):
        return [i for i in np.flatnonzero(self.design.stratum == h) if self.of_pair[i] in chosen]

    def share(self, h, k):
        return len(self.members(h, k)) / len(self.members(h, *self.folds))

    def within(self, k, h):
        inside, n_open = self.members(h, k), len(self.members(h, -1))
        errors = (self.weights * (self.y - self.predict(self.fold == k)))[inside]
        left = n_open + len(inside)
        return self.share(h, k) ** 2 * left * n_open / len(inside) * np.var(errors, ddof=1)

    def between(self, j, k):
        e = self.predict((self.fold == j) | (self.fold == k))
        d = self.weights * (self.y - e)
        of_j, of_k = self.changes(j, e), self.changes(k, e)
        total = sum(self.share(h, j) * x for h, x in of_j.items()) * sum(self.share(h, k) * x for h, x in of_k.items())
        for h in set(of_j) & set(of_k):
            in_j, in_k = self.members(h, j), self.members(h, k)
            part = len(self.members(h, -1)) * np.var(d[in_j + in_k], ddof=1)
            part += (len(in_j) * of_j[h] - len(in_k) * of_k[h]) * (d[in_j].mean() - d[in_k].mean())
            total += self.share(h, j) * self.share(h, k) * part
        return total

    def changes(self, k, before):
        gap = self.weights * (self.predict(self.fold == k) - before)
        found = {}
        for h in self.strata:
            if inside := self.members(h, k):
                open_pairs = self.members(h, -1, k)
                found[h] = sum(gap[open_pairs]) - len(open_pairs) / len(inside) * sum(gap[inside])
        return found


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_variances_are_those_of_loops(seed):
    design, weights, gains = random_pool(seed)
    model = np.random.default_rng(seed + 1).normal(size=len(gains))
    graded = gains[design.drawn]
    found = unbiased_estimate(weights, model, graded, design, seed=SEED, n_folds=3)
    fold = folds_of_two(design, np.random.default_rng(SEED), 3)
    fit = unbiased_variance.CrossFit(weights, model, graded, design)
    for row in range(3):
        loops = Loops(weights[row], graded, design, fold, lambda out, row=row: fit.without(out)[row])
        assert found.variances[row] == pytest.approx(loops.variance(), rel=1e-9)


@pytest.mark.in_ci
@examples(10)
@given(seed=st.integers(0, 2**32), factor=st.sampled_from([-3.0, 0.1, 10]))
def test_variances_grow_with_the_square_of_the_gains(seed, factor):
    design, weights, gains = random_pool(seed)
    first, second = (
        unbiased_estimate(weights, gains % 2, each[design.drawn], design, seed=SEED) for each in (gains, factor * gains)
    )
    assert second.values == pytest.approx(factor * first.values, abs=1e-9)
    assert second.variances == pytest.approx(factor**2 * first.variances, rel=1e-6, abs=1e-9)


def test_no_variance_is_left_when_all_pairs_are_graded_or_the_model_is_perfect():
    design, weights, gains = random_pool(1, n_each=12)
    found = unbiased_estimate(weights, gains % 2, gains, design, seed=SEED)
    assert found.values == pytest.approx(weights @ gains, abs=1e-9)
    assert found.variances == pytest.approx(0, abs=1e-12)
    design, weights, gains = random_pool(2)
    found = unbiased_estimate(weights, 0.3 * gains - 1, gains[design.drawn], design, seed=SEED)
    assert found.variances == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("n_each", [1, 2, 3, 7])
def test_folds_have_two_or_three_pairs_of_a_stratum_or_none(n_each):
    design, _, _ = random_pool(3, n_each=n_each)
    fold = folds_of_two(design, np.random.default_rng(SEED), 3)
    sizes = np.zeros((5, 3), dtype=int)
    np.add.at(sizes, (design.stratum[design.drawn], fold), 1)
    assert (sizes.sum(axis=1) == n_each).all()
    assert n_each == 1 or not (sizes == 1).any()


def test_a_stratum_with_one_drawn_pair_has_no_unbiased_variance():
    design, weights, gains = random_pool(4, n_each=1)
    assert np.isnan(unbiased_estimate(weights, gains, gains[design.drawn], design, seed=SEED).variances).all()


def test_topics_as_a_sample_have_the_usual_part_between_topics():
    design, weights, gains = random_pool(5)
    graded, model = gains[design.drawn], gains % 3
    these, sampled = (
        unbiased_estimate(weights, model, graded, design, claim, seed=SEED)
        for claim in ("these_topics", "sampled_topics")
    )
    assert (sampled.variances >= these.variances - 1e-12).all()
    assert sampled.values.tolist() == these.values.tolist()


@pytest.mark.parametrize("design", [next(poisson([0.5] * 4))[0], next(two_stage([0, 0, 1, 1], 1, 1))[0]])
def test_other_draws_are_refused(design):
    with pytest.raises(ValueError, match="variance='unbiased' needs a draw of a fixed number of pairs from each"):
        unbiased_estimate(np.ones((1, 4)), np.ones(4), np.ones(design.drawn.sum()), design, seed=SEED)


def test_a_drawn_pair_has_the_prediction_without_its_fold():
    design, weights, gains = random_pool(6)
    graded = gains[design.drawn]
    fold = unbiased_variance.folds_of_two(design, np.random.default_rng(SEED), 4)
    fit = unbiased_variance.CrossFit(weights, gains % 2, graded, design)
    whole = [fit.without(fold == k) for k in range(4)]
    predicted = unbiased_variance.combined_folds(fit, design, fold, 4)
    drawn = np.flatnonzero(design.drawn)
    for position, pair in enumerate(drawn):
        assert predicted[:, pair] == pytest.approx(whole[fold[position]][:, pair], abs=1e-12)
