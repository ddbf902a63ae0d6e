"""Many rankings at once: by hand, published, against scipy and single calls, properties, and undefined cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from agreement.rank_correlation import (
    levels,
    order_counts,
    order_signs,
    tau,
    tau_a,
    tau_a_batch,
    tau_ap,
    tau_ap_a,
    tau_ap_a_batch,
    tau_ap_b,
    tau_ap_b_batch,
    tau_ap_batch,
    tau_b,
    tau_b_batch,
    tau_batch,
    tied_pairs,
)
from tests.examples import examples
from tests.oracles import oracle

PUBLISHED = [case for case in oracle("rank_correlation")["rank_correlation"] if "tauAP_a" in case]
WITH_TIES = [(tau_a_batch, tau_a), (tau_b_batch, tau_b), (tau_ap_a_batch, tau_ap_a), (tau_ap_b_batch, tau_ap_b)]
WITHOUT = [(tau_batch, tau), (tau_ap_batch, tau_ap)]
# a and b, b and c are closer than 1e-12, a and c are not
CHAIN = [0.6e-12, 0.0, -0.6e-12, -1.0]


def test_levels_by_hand():
    compact = levels([[0.3, 0.9, 0.3, 0.5], [4, 3, 2, 1]])

    # the second system is best in the first ranking, then the fourth; the others have two better ones
    assert compact.better.T.tolist() == [[2, 0, 2, 1], [0, 1, 2, 3]]
    assert compact.better.dtype == np.uint8
    assert compact.tied.tolist() == [1, 0]


def test_batches_by_hand():
    # three systems: as the reference, one swap of 3 pairs, reversed
    rankings = [[3, 2, 1], [2, 3, 1], [1, 2, 3]]
    assert tau_batch([9, 8, 7], rankings).values.tolist() == [1, 1 / 3, -1]
    # the swap at the top: b first, a after it is wrong (-1 of 1), c right (2 of 2); mean 0
    assert tau_ap_batch([9, 8, 7], rankings).values.tolist() == [1, 0, -1]
    # a tie at the top: 2 of 3 pairs in order
    assert tau_a_batch([9, 8, 7], [[2, 2, 1]]).values.tolist() == [2 / 3]
    assert tau_b_batch([9, 8, 7], [[2, 2, 1]]).values.tolist() == [2 / 6**0.5]


def test_order_counts_by_hand():
    wins, ties = order_counts([[3, 2, 1], [3, 2, 2], [1, 2, 3]])

    assert wins.tolist() == [[0, 2, 2], [1, 0, 1], [1, 1, 0]]
    assert ties.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_published(case):
    assert tau_batch(case["x"], [case["y"]])[0].value == pytest.approx(case["tau"], abs=1e-12)
    assert tau_ap_batch(case["x"], [case["y"]])[0].value == pytest.approx(case["tauAP"], abs=1e-12)
    assert tau_ap_a_batch(case["x"], [case["yt"]])[0].value == pytest.approx(case["tauAP_a"], abs=1e-12)
    assert tau_ap_b_batch(case["xt"], [case["yt"]])[0].value == pytest.approx(case["tauAP_b"], abs=1e-12)


@pytest.mark.parametrize("grades", [2, 5, 40, 10**6])
@pytest.mark.parametrize("n_systems", [2, 3, 129])
def test_tau_b_against_scipy(n_systems, grades):
    rng = np.random.default_rng([n_systems, grades])
    reference, rankings = rng.integers(grades, size=n_systems) / 7, rng.integers(grades, size=(40, n_systems)) / 7

    batch = tau_b_batch(reference, rankings)

    expected = np.array([kendalltau(reference, ranking).statistic for ranking in rankings])
    assert batch.defined.tolist() == np.isfinite(expected).tolist()
    assert np.abs(batch.values - expected)[batch.defined].max(initial=0) <= 1e-12


@pytest.mark.parametrize(("batched", "single"), WITH_TIES)
@pytest.mark.parametrize("grades", [2, 6, 10**6])
def test_batches_equal_single_calls(batched, single, grades):
    rng = np.random.default_rng(grades)
    references, rankings = rng.integers(grades, size=(3, 30)) / 3, rng.integers(grades, size=(25, 30)) / 3

    batch = batched(references, rankings)

    assert batch.values.shape == batch.defined.shape == (3, 25)
    for r, reference in enumerate(references):
        for i, ranking in enumerate(rankings):
            expected = single(reference, ranking)
            assert batch[r, i].value == pytest.approx(expected.value, abs=1e-13)
            assert (batch[r, i].reason, batch[r, i].n) == (expected.reason, expected.n)


@pytest.mark.parametrize(("batched", "single"), [*WITHOUT, *WITH_TIES])
@pytest.mark.parametrize("n_systems", [255, 256, 257, 300])
def test_more_systems_than_a_byte_holds(batched, single, n_systems):
    rng = np.random.default_rng(n_systems)
    reference, rankings = rng.permutation(n_systems), rng.permuted([range(n_systems)] * 3, axis=1)
    rankings[2] = -reference

    expected = [single(reference, ranking).value for ranking in rankings]
    assert batched(reference, rankings).values == pytest.approx(expected, abs=1e-12)


def test_levels_of_several_blocks():
    scores = np.random.default_rng(5).integers(9, size=(9000, 6))

    compact, batch = levels(scores), tau_b_batch([5, 3, 3, 2, 1, 0], scores)

    for i in (0, 1023, 1024, 8191, 8192, 8999):
        assert compact.better[:, i].tolist() == [sum(other > score for other in scores[i]) for score in scores[i]]
        assert batch[i] == tau_b([5, 3, 3, 2, 1, 0], scores[i])


def test_scores_that_differ_in_their_last_bits_are_in_order():
    # at 1e9 two neighbouring numbers are 1e-7 apart, far more than a tie
    rising = 1e9 + np.spacing(1e9) * np.arange(129)
    shuffled = np.random.default_rng(4).permuted([rising] * 20, axis=1)

    for scores in (shuffled, -shuffled):
        compact = levels(scores)
        counted = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
        assert np.array_equal(compact.better.T, counted)
        assert not compact.tied.any()


def test_levels_can_be_used_by_all_functions():
    rng = np.random.default_rng(6)
    scores, references = rng.integers(7, size=(50, 9)), rng.random((2, 9))
    compact = levels(scores)

    assert levels(compact) is compact
    for batched, _ in WITH_TIES:
        assert (batched(references, compact).values == batched(references, scores).values).all()
        assert (batched(references[1], compact).values == batched(references, scores).values[1]).all()


near = st.sampled_from([0.0, -0.0, 0.6e-12, 1.1e-12, 1.2e-12, -0.6e-12, 0.5, 0.5 + 2**-40, 0.5 + 2**-53, -3.0, 1e9])
matrices = st.tuples(st.integers(1, 6), st.integers(2, 6)).flatmap(
    lambda shape: st.tuples(arrays(float, shape[1], elements=near), arrays(float, shape, elements=near))
)


@examples(40)
@given(matrices)
def test_near_ties_are_compared_by_pairs_as_in_single_calls(case):
    reference, rankings = case
    compact = levels(rankings)

    assert compact.tied.tolist() == [tied_pairs(ranking) for ranking in rankings]
    for batched, single in ((tau_a_batch, tau_a), (tau_b_batch, tau_b)):
        batch = batched(reference, compact)
        assert [batch[i] for i in range(len(rankings))] == [single(reference, ranking) for ranking in rankings]
    for batched, single in ((tau_ap_a_batch, tau_ap_a), (tau_ap_b_batch, tau_ap_b)):
        batch = batched(reference, compact)
        for i, ranking in enumerate(rankings):
            assert batch[i].value == pytest.approx(single(reference, ranking).value, abs=1e-12)


@examples(40)
@given(matrices)
def test_order_counts_add_up(case):
    _, rankings = case
    wins, ties = order_counts(rankings)
    signs = np.array([order_signs(ranking) for ranking in rankings])

    assert (wins == (signs > 0).sum(axis=0)).all()
    assert (ties == ties.T).all()
    assert (np.diag(ties) == 0).all()
    assert (wins + wins.T + ties + len(rankings) * np.eye(rankings.shape[1], dtype=int) == len(rankings)).all()


@examples(40)
@given(matrices)
def test_the_order_of_rankings_and_systems_does_not_matter(case):
    reference, rankings = case
    batch, turned = tau_b_batch(reference, rankings), tau_b_batch(reference[::-1], rankings[::-1, ::-1])

    assert batch.values.tolist() == turned.values[::-1].tolist()


@pytest.mark.parametrize(("batched", "single"), WITH_TIES)
def test_chains_of_near_ties_in_rankings_and_reference(batched, single):
    rankings, reference = [[4, 3, 2, 1], CHAIN, [1, 1, 1, 1]], [1, 3, 2, 0]

    assert levels(rankings).chained.tolist() == [1]
    for truth in (reference, CHAIN):
        batch = batched(truth, rankings)
        assert [batch[i].value for i in range(3)] == pytest.approx([single(truth, r).value for r in rankings])
        assert not np.isnan(batch.values).any()


def test_ties_are_refused_with_the_ranking_and_the_alternatives():
    with pytest.raises(ValueError, match=r"ranking 1 has 1 tied pairs. Use tau_a_batch or tau_b_batch"):
        tau_batch([3, 2, 1], [[1, 2, 3], [1, 1, 2]])
    with pytest.raises(ValueError, match=r"reference 0 has 3 tied pairs. Use tau_ap_a_batch or tau_ap_b_batch"):
        tau_ap_batch([1, 1, 1], [[1, 2, 3]])


def test_all_tied_differs_from_a_value_of_0():
    batch = tau_b_batch([3, 2, 1], [[1, 1, 1], [1, 3, 1]])

    assert batch.defined.tolist() == [False, True]
    assert batch.reason == "all_tied"
    assert batch[0].reason == "all_tied"
    assert batch[1].value == 0
    assert tau_b_batch([3, 2, 1], [[1, 2, 3]]).reason is None


@pytest.mark.parametrize(("batched", "single"), [*WITHOUT, *WITH_TIES])
@pytest.mark.parametrize("n_systems", [0, 1])
def test_fewer_than_two_systems(batched, single, n_systems):
    batch = batched(np.zeros(n_systems), np.zeros((2, n_systems)))

    assert batch.defined.tolist() == [False, False]
    assert batch[1] == single([0.0] * n_systems, [0.0] * n_systems)


@pytest.mark.parametrize(("batched", "single"), [*WITHOUT, *WITH_TIES])
def test_no_rankings(batched, single):
    assert batched([3, 2, 1], np.zeros((0, 3))).values.shape == (0,)
    assert batched([[3, 2, 1]] * 2, np.zeros((0, 3))).values.shape == (2, 0)
    assert order_counts(np.zeros((0, 3)))[0].tolist() == [[0] * 3] * 3


def test_invalid_input_is_refused():
    with pytest.raises(ValueError, match=r"matrix \(rankings x systems\), not an array of 1 dimensions"):
        tau_b_batch([1, 2], [1, 2])
    with pytest.raises(ValueError, match=r"the 3 systems of the rankings, not the shape \(2,\)"):
        tau_b_batch([1, 2], [[1, 2, 3]])
    with pytest.raises(ValueError, match="finite"):
        tau_b_batch([1, 2], [[1, float("nan")]])
    with pytest.raises(ValueError, match="finite"):
        tau_b_batch([1, float("inf")], [[1, 2]])
