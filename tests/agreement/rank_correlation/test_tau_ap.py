"""AP correlation: by hand, published, against slow twins, properties, and undefined cases."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.rank_correlation import tau, tau_ap, tau_ap_a, tau_ap_b, tau_ap_sym
from tests.oracles import oracle

PUBLISHED = {case["id"]: case for case in oracle("rank_correlation")["rank_correlation"]}
WITH_TIES = [case for case in PUBLISHED.values() if "tauAP_a" in case]
FOUR = (tau_ap, tau_ap_sym, tau_ap_a, tau_ap_b)


def test_by_hand():
    # in the order of the estimate c b a: b has c ahead, wrong (-1 of 1); a has both ahead, wrong (-2 of 2)
    assert tau_ap([3, 2, 1], [1, 2, 3]).value == -1
    # estimate a c b: c has a ahead, right (1 of 1); b has a right and c wrong (0 of 2); (1 + 0) / 2
    assert tau_ap([3, 2, 1], [3, 1, 2]).value == 1 / 2
    # the other way, the truth being a c b: c after b in the estimate, so b has a right (1 of 1), c one of two: the same
    assert tau_ap_sym([3, 2, 1], [3, 1, 2]).value == 1 / 2


def test_ties_by_hand():
    # the estimate ties b and c at places 2 and 3. tau_ap_a: abc is 1 and acb is 1/2, mean 3/4
    assert tau_ap_a([3, 2, 1], [2, 1, 1]).value == 3 / 4
    # tau_ap_b: by the estimate b and c have a ahead, right: 1; by the truth b 2 * 1/1 - 1, c 2 * 1/2 - 1: 1/2
    assert tau_ap_b([3, 2, 1], [2, 1, 1]).value == 3 / 4
    # the estimate ties a and b at the top: abc is 1, bac is (-1 + 1) / 2 = 0, mean 1/2
    assert tau_ap_a([3, 2, 1], [2, 2, 1]).value == 1 / 2


@pytest.mark.parametrize("case", WITH_TIES, ids=lambda case: case["id"])
def test_published(case):
    assert tau_ap(case["x"], case["y"]).value == pytest.approx(case["tauAP"], abs=1e-12)
    assert tau_ap_a(case["x"], case["yt"]).value == pytest.approx(case["tauAP_a"], abs=1e-12)
    assert tau_ap_b(case["xt"], case["yt"]).value == pytest.approx(case["tauAP_b"], abs=1e-12)


@pytest.mark.parametrize("case", [c for c in WITH_TIES if "tauAP_sym" in c], ids=lambda case: case["id"])
def test_published_symmetric(case):
    assert tau_ap_sym(case["x"], case["y"]).value == pytest.approx(case["tauAP_sym"], abs=1e-12)


def test_published_a_swap_at_the_top_costs_more():
    case = PUBLISHED["tau-vs-tauAP-topheavy"]
    for swap in ("swap_top", "swap_bottom"):
        assert tau(case["x"], case[swap]).value == pytest.approx(case["tau_both"], abs=1e-15)
        expected = float(Fraction(case[f"tauAP_{swap}"]))
        assert tau_ap(case["x"], case[swap]).value == pytest.approx(expected, abs=1e-15)


def test_the_order_of_the_systems_does_not_matter():
    case, right = PUBLISHED["ircor-README"], PUBLISHED["tau-ap-0.1.0-order-trap"]["right"]
    rng = np.random.default_rng(8)
    for _ in range(5):
        shuffled = rng.permutation(len(case["x"]))
        x, y = np.array(case["x"])[shuffled], np.array(case["y"])[shuffled]
        assert tau_ap(x, y).value == pytest.approx(right, abs=1e-12)


def slow_tau_ap(truth, estimate) -> Fraction:
    """Yilmaz, Aslam and Robertson (2008), as they write it: 2 / (n - 1) * sum of C(i) / (i - 1), less 1."""
    order = sorted(range(len(truth)), key=lambda system: -estimate[system])
    total = Fraction(0)
    for place in range(1, len(order)):
        right = sum(truth[ahead] > truth[order[place]] for ahead in order[:place])
        total += Fraction(right, place)
    return 2 * total / (len(truth) - 1) - 1


def breakings(scores):
    """All score lists without ties in which only ties of this one are put in order."""
    levels = sorted(set(scores))
    groups = [[i for i, score in enumerate(scores) if score == level] for level in levels]
    for orders in product(*(permutations(group) for group in groups)):
        worst_to_best = [system for order in orders for system in order]
        yield [worst_to_best.index(system) for system in range(len(scores))]


@pytest.mark.parametrize("seed", range(4))
def test_against_a_slow_twin(seed):
    x, y = (np.random.default_rng([seed, side]).permutation(20).tolist() for side in (0, 1))

    assert tau_ap(x, y).value == pytest.approx(float(slow_tau_ap(x, y)), abs=1e-13)
    mean = (slow_tau_ap(x, y) + slow_tau_ap(y, x)) / 2
    assert tau_ap_sym(x, y).value == pytest.approx(float(mean), abs=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_tau_ap_a_is_the_mean_over_all_ways_to_break_the_ties(seed):
    rng = np.random.default_rng(seed)
    truth, estimate = rng.permutation(6).tolist(), rng.integers(3, size=6).tolist()

    values = [slow_tau_ap(truth, broken) for broken in breakings(estimate)]
    assert tau_ap_a(truth, estimate).value == pytest.approx(float(sum(values) / len(values)), abs=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_tau_ap_a_is_the_mean_over_tie_breaks_of_the_truth_too(seed):
    truth, estimate = np.random.default_rng(seed).integers(3, size=(2, 5)).tolist()

    values = [slow_tau_ap(t, e) for t in breakings(truth) for e in breakings(estimate)]
    assert tau_ap_a(truth, estimate).value == pytest.approx(float(sum(values) / len(values)), abs=1e-13)


def slow_tau_ap_b(x, y) -> Fraction:
    """Urbano and Marrero (2017): both directions, every system against those strictly ahead of it."""

    def one_way(truth, estimate):
        shares = []
        for i in range(len(truth)):
            ahead = [j for j in range(len(truth)) if estimate[j] > estimate[i]]
            if ahead:
                shares.append(2 * Fraction(sum(truth[j] > truth[i] for j in ahead), len(ahead)) - 1)
        return sum(shares) / len(shares)

    return (one_way(x, y) + one_way(y, x)) / 2


@pytest.mark.parametrize("seed", range(6))
def test_tau_ap_b_against_a_slow_twin(seed):
    x, y = np.random.default_rng(seed).integers(5, size=(2, 12)).tolist()

    assert tau_ap_b(x, y).value == pytest.approx(float(slow_tau_ap_b(x, y)), abs=1e-13)


scores = st.lists(st.integers(0, 5), min_size=2, max_size=10)
two_lists = scores.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x)))
orders = st.permutations(range(7))


@given(two_lists)
def test_range_symmetry_and_independence_of_names(lists):
    x, y = lists
    for correlation in (tau_ap_a, tau_ap_b):
        value, relabelled = correlation(x, y).value, correlation(x[::-1], y[::-1]).value
        assert value is None or -1 <= value <= 1
        assert value == pytest.approx(relabelled, abs=1e-12)
    assert tau_ap_b(x, y).value == tau_ap_b(y, x).value


@given(orders, orders)
def test_without_ties_the_variants_are_the_same(x, y):
    assert tau_ap_a(x, y).value == tau_ap(x, y).value
    assert tau_ap_b(x, y).value == pytest.approx(tau_ap_sym(x, y).value, abs=1e-12)
    assert tau_ap_sym(x, y).value == tau_ap_sym(y, x).value
    assert tau_ap(x, [-score for score in y]).value >= -1


@given(orders)
def test_perfect_agreement_is_1_and_the_reverse_is_minus_1(x):
    for correlation in FOUR:
        assert correlation(x, x).value == 1
        assert correlation(x, [-score for score in x]).value == -1


@given(scores.filter(lambda x: len(set(x)) > 1))
def test_tau_ap_b_of_a_ranking_with_itself_is_1_ties_or_not(x):
    assert tau_ap_b(x, x).value == 1
    assert tau_ap_b(x, [-score for score in x]).value == -1


@pytest.mark.parametrize("correlation", [tau_ap, tau_ap_sym])
def test_the_error_for_ties_names_the_alternatives(correlation):
    with pytest.raises(ValueError, match=r"ties systems 0 and 1.*1 tied pairs.*Use tau_ap_a or tau_ap_b"):
        correlation([1, 1, 0], [3, 2, 1])
    with pytest.raises(ValueError, match="the second list ties 'b' and 'c'"):
        correlation([3, 2, 1], [3, 1, 1], names=["a", "b", "c"])


@pytest.mark.parametrize("correlation", FOUR)
@pytest.mark.parametrize("systems", [[], [0.5]])
def test_fewer_than_two_systems(correlation, systems):
    assert correlation(systems, systems).reason == "one_system"
    assert correlation(systems, systems).n == len(systems)


def test_all_tied():
    assert tau_ap_b([1, 1, 1], [3, 2, 1]).reason == "all_tied"
    assert tau_ap_b([3, 2, 1], [1, 1, 1]).reason == "all_tied"
    assert tau_ap_a([3, 2, 1], [1, 1, 1]).value == 0


@pytest.mark.parametrize("correlation", FOUR)
def test_invalid_lists_are_refused(correlation):
    with pytest.raises(ValueError, match="2 and 3 scores"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="finite"):
        correlation([1, float("nan")], [1, 2])
