"""Many pairs of rankings at once: by hand, published, against the functions of two rankings, and undefined cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement.rank_correlation import (
    ranking_of,
    rbo,
    rbo_paired,
    tau_ap_b,
    tau_ap_b_paired,
    tau_b,
    tau_b_paired,
)
from tests.each_value import each_value
from tests.examples import examples, seeds
from tests.oracles import oracle

PUBLISHED = [case for case in oracle("rank_correlation")["rank_correlation"] if "tauAP_b" in case]


def rbo_of(x, y, p=0.9):
    names = list(range(len(x)))
    return rbo(ranking_of(x, names), ranking_of(y, names), p=p, ties="a")


PAIRED = [(tau_b_paired, tau_b), (tau_ap_b_paired, tau_ap_b), (lambda x, y: rbo_paired(x, y, 0.9), rbo_of)]


def random_rankings(seed, n_rankings=7):
    rng = np.random.default_rng(seed)
    n_systems = int(rng.integers(2, 9))
    return rng.integers(0, int(rng.integers(2, 12)), (2, n_rankings, n_systems)) / 4


def test_by_hand():
    # one swap of 3 pairs: (2 - 1) / 3. A swap at the top: the second is wrong (-1), the third right (1), both ways
    x, y = [[3, 2, 1], [3, 2, 1]], [[2, 3, 1], [3, 2, 1]]
    assert tau_b_paired(x, y).values.tolist() == [1 / 3, 1]
    assert tau_ap_b_paired(x, y).values.tolist() == [0, 1]
    # overlap 0 at depth 1, then all: 0.1 / 0.9 * (0.81 + 0.729 + 0.6561 / 0.1) = 0.9
    assert rbo_paired(x, y, 0.9).values.tolist() == pytest.approx([0.9, 1], abs=1e-15)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.get("name", ""))
def test_published_values(case):
    x, y = np.array(case["x"], float), np.array(case["y"], float)
    assert tau_ap_b_paired(x[None], y[None]).values[0] == pytest.approx(tau_ap_b(x, y).value, abs=1e-12)


@pytest.mark.parametrize(("paired", "single"), PAIRED, ids=["tau_b", "tau_ap_b", "rbo"])
@each_value("seed", seeds(200))
def test_against_the_functions_of_two_rankings(seed, paired, single):
    x, y = random_rankings(seed)
    batch = paired(x, y)
    for position, (first, second) in enumerate(zip(x, y, strict=True)):
        one = single(first, second)
        assert batch[position].reason == one.reason
        if one.defined:
            assert batch.values[position] == pytest.approx(one.value, abs=1e-12)


@each_value("seed", range(50))
def test_tau_b_against_scipy(seed):
    x, y = random_rankings(seed)
    expected = [kendalltau(first, second).statistic for first, second in zip(x, y, strict=True)]
    batch = tau_b_paired(x, y)
    assert batch.defined.tolist() == np.isfinite(expected).tolist()
    assert batch.values[batch.defined] == pytest.approx(np.array(expected)[batch.defined], abs=1e-9)


@given(st.integers(0, 10_000))
@examples(50)
def test_order_of_systems_and_of_rankings_does_not_matter(seed):
    x, y = random_rankings(seed)
    rng = np.random.default_rng(seed)
    systems, rows = rng.permutation(x.shape[1]), rng.permutation(len(x))
    for paired, _ in PAIRED:
        whole = paired(x, y)
        assert paired(x[:, systems], y[:, systems]).values == pytest.approx(whole.values, abs=1e-12)
        assert paired(y, x).values == pytest.approx(whole.values, abs=1e-12)
        assert paired(x[rows], y[rows]).values.tolist() == whole.values[rows].tolist()


def test_undefined():
    assert tau_b_paired([[1.0]], [[1.0]])[0].reason == "one_system"
    assert tau_ap_b_paired([[1, 1]], [[1, 2]])[0].reason == "all_tied"
    assert not rbo_paired(np.zeros((2, 0)), np.zeros((2, 0)), 0.9).defined.any()
    assert tau_b_paired(np.zeros((0, 3)), np.zeros((0, 3))).values.tolist() == []


def test_invalid():
    with pytest.raises(ValueError, match="the same shape"):
        tau_b_paired([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ValueError, match="finite"):
        tau_b_paired([[1, np.nan]], [[1, 2]])
    with pytest.raises(ValueError, match="between 0 and 1"):
        rbo_paired([[1, 2]], [[1, 2]], 1)
