"""How mixed golds are drawn and compared: chance, blocks, tables and bits must not change what is found."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.judge_scores import JudgeScores
from agreement.mixing import kernel, mixed_golds, mixed_scores
from agreement.mixing import scores as mixing_scores
from agreement.mixing.choices import Choices
from agreement.rank_correlation import levels, order_counts, tau_b_batch
from tests.agreement.mixing_examples import assert_same, random_collection, two_opposite_judges
from tests.examples import examples


def test_results_depend_on_the_seed_only():
    runs, judgements = random_collection(11, n_topics=8, skipping=0.2)

    mixed = mixed_golds(runs, judgements, "AP", draws=300, seed=1)

    assert_same(mixed, mixed_golds(runs, judgements, "AP", draws=300, seed=1))
    other = mixed_golds(runs, judgements, "AP", draws=300, seed=2)
    assert not np.array_equal(mixed.choices.judges(), other.choices.judges())


def test_the_order_of_the_rows_changes_nothing():
    runs, judgements = random_collection(12, n_topics=6)

    mixed = mixed_golds(runs, judgements, "AP", draws=100, seed=1)

    shuffled = mixed_golds(runs[::-1], judgements.sample(frac=1, random_state=5), "AP", draws=100, seed=1)
    assert_same(mixed, shuffled)


@pytest.mark.parametrize("draws", [300, 10_000])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_the_size_of_blocks_changes_nothing(monkeypatch, draws, size):
    runs, judgements = random_collection(13, n_topics=6, skipping=0.2)
    whole = mixed_golds(runs, judgements, "AP", draws=draws, seed=1)
    blocks = Choices.blocks

    monkeypatch.setattr(Choices, "blocks", lambda self: blocks(self, size))

    assert whole.exhaustive == (draws == 10_000)
    assert_same(whole, mixed_golds(runs, judgements, "AP", draws=draws, seed=1), exact=False)  # sd is a sum of blocks


def test_progress_is_reported_before_each_block():
    scores = np.random.default_rng(1).random((3, 15, 2))
    judges = ("ann", "bob")
    cube = JudgeScores(scores, np.full((15, 2), True), ("a", "b", "c"), tuple(map(str, range(15))), judges, "AP")
    calls = []

    mixed_scores(cube, draws=5000, seed=1, progress=lambda done, total: calls.append((done, total)))

    assert calls == [(0, 5000), (2048, 5000), (4096, 5000)]


@pytest.mark.parametrize("size", [1, 300, 3000])
def test_the_size_of_tables_changes_nothing_but_rounding(monkeypatch, size):
    runs, judgements = random_collection(14, n_topics=7)
    whole = mixed_golds(runs, judgements, "AP", draws=200, seed=1)

    monkeypatch.setattr(mixing_scores, "TABLE_BYTES", size)

    assert_same(whole, mixed_golds(runs, judgements, "AP", draws=200, seed=1), exact=False)


@examples(12)
@given(seed=st.integers(0, 2**32 - 1), n_systems=st.integers(1, 9), n_values=st.sampled_from([1, 2, 5, 10**6]))
def test_compare_equals_tau_b_and_order_counts(seed, n_systems, n_values):
    rng = np.random.default_rng(seed)
    scores = rng.integers(n_values, size=(40, n_systems)) / 7
    references = rng.integers(n_values, size=(3, n_systems)) / 3

    compared = kernel.compare(kernel.References.from_scores(references), levels(scores))

    batch = tau_b_batch(references, scores)
    assert np.array_equal(compared.defined, batch.defined)
    assert np.array_equal(np.where(batch.defined, compared.tau_b, 0), batch.values)
    assert np.array_equal(compared.wins, order_counts(scores)[0])


@pytest.mark.in_ci
def test_several_blocks_and_more_than_255_systems():
    rng = np.random.default_rng(18)
    scores, references = rng.integers(400, size=(30, 300)) / 400, rng.random((2, 300))
    few = rng.random((700, 4))

    large = kernel.compare(kernel.References.from_scores(references), levels(scores))
    long = kernel.compare(kernel.References.from_scores(few[:2]), levels(few))

    assert np.array_equal(large.tau_b, tau_b_batch(references, scores).values)
    assert np.array_equal(large.wins, order_counts(scores)[0])
    assert np.array_equal(long.tau_b, tau_b_batch(few[:2], few).values)
    assert np.array_equal(long.wins, order_counts(few)[0])


def test_near_ties_that_are_not_transitive():
    # of a, b and c each is as good as the next within 1e-12, but a is better than c
    scores = 0.5 + np.array([1.6e-12, 0.8e-12, 0.0])[:, None, None] + np.zeros((3, 1, 2))
    scores[:, 0, 1] = 0.1, 0.2, 0.3
    cube = JudgeScores(scores, np.ones((1, 2), dtype=bool), ("a", "b", "c"), ("1",), ("x", "y"), "AP")

    mixed = mixed_scores(cube)

    # under x: a > c alone; under y: c > b > a
    assert mixed.orders.values.tolist() == [["a", "b", 0, 1, 1], ["a", "c", 1, 0, 1], ["b", "c", 0, 1, 1]]
    assert mixed.tau_values("judge:x").tolist() == pytest.approx([1, -(3**-0.5)])
    assert mixed.systems_frame.set_index("system")["mean_rank"].to_dict() == {"a": 2, "b": 1.5, "c": 1.5}


def test_other_names_for_the_systems_change_names_only():
    runs, judgements = random_collection(15, n_topics=5)
    mixed = mixed_golds(runs, judgements, "AP", draws=50, seed=1)
    names = {"s0": "z", "s1": "y", "s2": "x", "s3": "w"}

    renamed = mixed_golds(runs.assign(system=runs["system"].map(names)), judgements, "AP", draws=50, seed=1)

    before = mixed.systems_frame.assign(system=mixed.systems_frame["system"].map(names)).sort_values("system")
    pd.testing.assert_frame_equal(
        before.reset_index(drop=True), renamed.systems_frame.sort_values("system", ignore_index=True), check_dtype=False
    )
    assert np.array_equal(mixed.tau_values(), renamed.tau_values())


def test_more_combinations_than_an_int64_holds():
    topics = [f"{number:03}" for number in range(70)]

    mixed = mixed_golds(*two_opposite_judges(topics), "AP", draws=10, seed=0)

    assert mixed.combinations == 2**70
    assert not mixed.exhaustive
    assert mixed.choices.judges().shape == (10, 70)


def test_all_combinations_are_used_if_there_are_no_more_than_draws():
    assert mixed_golds(*two_opposite_judges(), "AP", draws=4).exhaustive
    assert not mixed_golds(*two_opposite_judges(), "AP", draws=3, seed=1).exhaustive


@pytest.mark.parametrize("seed", [None, -1, 1.5, "1", True])
def test_an_invalid_seed_is_refused(seed):
    with pytest.raises(ValueError, match=r"The seed must be a whole number of at least 0.*\(3\).*\(4\)"):
        mixed_golds(*two_opposite_judges(), "AP", draws=3, seed=seed)


@pytest.mark.parametrize("draws", [0, -5, 2.5, None, True])
def test_an_invalid_number_of_draws_is_refused(draws):
    with pytest.raises(ValueError, match="draws must be a whole number of at least 1, not"):
        mixed_golds(*two_opposite_judges(), "AP", draws=draws, seed=1)
