"""Rank-biased overlap: by hand, published, against slow twins, properties, and undefined cases."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.rank_correlation import ranking_of, rbo
from tests.oracles import oracle

CASES = oracle("rank_correlation")["rbo"]
VARIANTS = ("ext", "min", "max", "res")


def test_by_hand():
    # agreement 0 at depth 1, 2/2 at depth 2 and beyond: 1 - (1 - p)
    assert rbo(["a", "b"], ["b", "a"], 0.9).value == pytest.approx(0.9, abs=1e-15)
    # overlap 1, 1 at depths 1, 2; ext goes on with A(2) = 1/2: .5 * 1 + .25 * .5 + .25 * .5 = 3/4
    assert rbo(["a", "b"], ["a", "c"], 0.5).value == pytest.approx(3 / 4, abs=1e-15)
    # max: shared is 1 of 3 items, depth 3 can have 3 of 3: .5 * 1 + .25 * .5 + .25 * 1
    assert rbo(["a", "b"], ["a", "c"], 0.5, "max").value == pytest.approx(7 / 8, abs=1e-15)


def test_ties_by_hand():
    # a and b tied against a before b. w: at depth 1 sizes are 2 and 1, 2 * 1 / 3; then 1. p = 1/2: 1/2 * 2/3 + 1/2
    S, T = [["a", "b"]], ["a", "b"]  # noqa: N806
    assert rbo(S, T, 0.5, ties="w").value == pytest.approx(5 / 6, abs=1e-15)
    # a: 1 for ab and 1/2 for ba, mean 3/4
    assert rbo(S, T, 0.5, ties="a").value == pytest.approx(3 / 4, abs=1e-15)
    # b: at depth 1 the overlap 1/2, sizes sqrt(1/4 + 1/4) and 1: 1 / sqrt(2)
    assert rbo(S, T, 0.5, ties="b").value == pytest.approx(0.5 / 2**0.5 + 0.5, abs=1e-15)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_published(case):
    for variant, expected in case["reference"].items():
        value = rbo(case["S"], case["T"], case["p"], variant=variant, ties=case["ties"]).value
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_all_published_cases_are_tested():
    assert len(CASES) == 45
    assert all(set(case["reference"]) == set(VARIANTS) for case in CASES)


def slow_rbo(S, T, p, variant, depths=3000):  # noqa: N803
    """Of rankings without ties: the infinite sum, written out, of what the variant takes to lie below."""
    short, long = sorted((S, T), key=len)
    s, length = len(short), len(long)

    def overlap(depth):
        return len(set(short[:depth]) & set(long[:depth]))

    shared, last = overlap(length), overlap(s) / s
    total = 0.0
    for depth in range(1, depths):
        unseen = min(depth, length) - s if depth > s else 0
        if variant == "min":
            agreement = overlap(depth) / depth
        elif variant == "ext":
            agreement = (overlap(depth) + unseen * last) / min(depth, length)
        elif depth <= length:
            agreement = (overlap(depth) + unseen) / depth
        else:
            agreement = min(1, (shared + (depth - s) + (depth - length)) / depth)
        total += agreement * p ** (depth - 1) * (1 - p)
    return total


@pytest.mark.parametrize("variant", ["ext", "min", "max"])
@pytest.mark.parametrize("seed", range(4))
def test_against_the_infinite_sum(seed, variant):
    rng = np.random.default_rng(seed)
    items = np.array(list("abcdefghij"))
    S, T = (rng.permutation(items)[: rng.integers(1, 8)].tolist() for _ in range(2))  # noqa: N806

    for ties in ("w", "a", "b"):
        value = rbo(S, T, 0.9, variant, ties).value
        assert value == pytest.approx(slow_rbo(S, T, 0.9, variant), abs=1e-12)


def breakings(ranking):
    """All rankings without ties in which only ties of this one are put in order."""
    for groups in product(*(permutations(group) for group in ranking)):
        yield [item for group in groups for item in group]


def random_groups(rng, items, n):
    chosen = rng.permutation(items)[:n].tolist()
    cuts = sorted(rng.choice(range(1, n), size=2, replace=False).tolist())
    return [chosen[: cuts[0]], chosen[cuts[0] : cuts[1]], chosen[cuts[1] :]]


@pytest.mark.parametrize("seed", range(5))
def test_ties_a_is_the_mean_over_all_ways_to_break_them(seed):
    # where both rankings are seen to the same depth, all variants are linear in the overlaps
    rng = np.random.default_rng(seed)
    S, T = (random_groups(rng, list("abcdefg"), 5) for _ in range(2))  # noqa: N806

    for variant in VARIANTS:
        broken = [rbo(s, t, 0.9, variant).value for s in breakings(S) for t in breakings(T)]
        assert rbo(S, T, 0.9, variant, ties="a").value == pytest.approx(np.mean(broken), abs=1e-12)


@st.composite
def rankings(draw, items="abcdefg"):
    """A ranking with groups of ties."""
    order = draw(st.permutations(items))[: draw(st.integers(1, len(items)))]
    groups = []
    while order:
        size = draw(st.integers(1, len(order)))
        groups, order = [*groups, order[:size]], order[size:]
    return groups


persistences = st.sampled_from([0.1, 0.5, 0.9, 0.98])


@given(rankings(), rankings(), persistences, st.sampled_from("wab"))
def test_bounds_and_symmetry(S, T, p, ties):  # noqa: N803
    low, point, high, rest = (rbo(S, T, p, variant, ties).value for variant in ("min", "ext", "max", "res"))

    assert 0 <= low <= point + 1e-12
    assert point <= high + 1e-12
    assert high <= 1
    assert rest == pytest.approx(high - low, abs=1e-15)
    assert rbo(T, S, p, ties=ties).value == pytest.approx(point, abs=1e-14)


@given(rankings(), persistences)
def test_a_ranking_with_itself(S, p):  # noqa: N803
    # a counts ties as not knowing: less than 1 where there are any
    assert rbo(S, S, p, ties="w").value == pytest.approx(1, abs=1e-12)
    assert rbo(S, S, p, ties="b").value == pytest.approx(1, abs=1e-12)
    assert rbo(S, S, p, ties="a").value <= 1


@given(rankings(), rankings(), persistences, st.sampled_from("wab"))
def test_disjoint_rankings_are_0_and_items_can_be_any_type(S, T, p, ties):  # noqa: N803
    other = [[item.upper() for item in group] for group in T]
    assert rbo(S, other, p, "ext", ties).value == 0
    assert rbo(S, other, p, "min", ties).value == 0

    numbers = [[[ord(item) for item in group] for group in ranking] for ranking in (S, T)]
    assert rbo(*numbers, p, ties=ties).value == rbo(S, T, p, ties=ties).value


def test_a_group_of_one_is_an_item():
    assert rbo([["a"], ("b", "c")], ["b", ["a"]], 0.9).value == rbo(["a", ["b", "c"]], ["b", "a"], 0.9).value


def test_rankings_of_scores():
    names = ["a", "b", "c"]
    assert rbo(ranking_of([3, 2, 2], names), ranking_of([9, 4, 1], names), 0.9, ties="a") == rbo(
        ["a", ["b", "c"]], ["a", "b", "c"], 0.9, ties="a"
    )


def test_the_convention_of_the_estimate():
    estimate = rbo(["a", "b"], ["c", "a"], 0.9, "min", "b")

    assert (estimate.coefficient, estimate.n, estimate.convention) == ("rbo", 3, "min, ties=b, p=0.9")


@pytest.mark.parametrize("empty", [([], ["a"]), (["a"], []), ([], [])])
def test_a_ranking_without_items(empty):
    assert rbo(*empty, 0.9).reason == "empty"
    assert rbo(*empty, 0.9).n == len(empty[0]) + len(empty[1])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["a"], ["a"], 1), "p must be between 0 and 1, both excluded, not 1"),
        ((["a"], ["a"], 0.0), "not 0.0"),
        ((["a"], ["a"], float("nan")), "not nan"),
        ((["a"], ["a"], 0.9, "low"), "variant must be one of ext, min, max, res, not 'low'"),
        ((["a"], ["a"], 0.9, "ext", "c"), "ties must be one of w, a, b, not 'c'"),
        ((["a", "b", "a"], ["a"], 0.9), "'a' occurs twice in ranking S"),
        ((["a"], ["b", ["a", "b"]], 0.9), "'b' occurs twice in ranking T"),
        ((["a", []], ["a"], 0.9), "ranking S has an empty one"),
        ((["a"], "ab", 0.9), "Ranking T must be a list of items, not the string 'ab'"),
        (([{"a"}], ["a"], 0.9), "A group of ties must be a list"),
    ],
)
def test_invalid_arguments_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        rbo(*arguments)
