"""Ties of the Comb strategies: equal sums are tied, other sums are not, by hand and against fractions."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from tests.examples import examples
from tests.pooling.runs import rankings_of, run

COMB = {
    "combsum": sum,
    "combmnz": lambda shares: sum(shares) * len(shares),
    "combmax": max,
    "combmin": min,
    "combmed": median,
    "combanz": lambda shares: sum(shares) / len(shares),
}
# Decimal numbers without exact floats, thirds, sevenths, tiny differences, and both ends of the range of floats.
ORDINARY = [*(n / 10 for n in range(8)), *map(float, range(8)), -0.1, -3.0]
UNUSUAL = [1 / 3, 1e-17, 2e-17, 1 + 2**-52, 0.30000000000000004, 1e13, 1e13 - 1, 5e-324, 1e-323, 1.7e308, -1.7e308]
SCORES = st.sampled_from([*ORDINARY, *UNUSUAL])
ROWS = st.lists(
    st.tuples(st.sampled_from("stuv"), st.sampled_from("12"), st.sampled_from("abcdefgh"), SCORES),
    unique_by=lambda row: row[:3],
    min_size=1,
    max_size=40,
)


def scored(system, **scores):
    return [(system, "1", doc_id, float(score)) for doc_id, score in scores.items()]


def priorities(made):
    return {(q, d): p for q, d, p in made.frame[["query_id", "doc_id", "priority"]].itertuples(index=False)}


def exact_scores(rows, combination, depth):
    """The score of each document as a fraction; a score is the decimal number that Python prints."""
    values = defaultdict(list)
    for query_id, rankings in rankings_of(rows).items():
        for ranking in rankings.values():
            scores = [Fraction(repr(score)) for _, score in ranking]
            span = scores[0] - scores[-1]
            for (doc_id, _), score in list(zip(ranking, scores, strict=True))[:depth]:
                values[query_id, doc_id].append((score - scores[-1]) / span if span else Fraction(1))
    return {pair: combination(shares) for pair, shares in values.items()}


@examples(200)
@given(st.sampled_from(sorted(COMB)), ROWS, st.none() | st.integers(1, 4))
def test_scores_are_tied_and_sorted_like_fractions(strategy, rows, depth):
    expected = exact_scores(rows, COMB[strategy], depth)
    made = priorities(pool(run(rows), strategy, size=99, depth=depth))
    assert made.keys() == expected.keys()
    for query_id in "12":
        pairs = sorted((expected[pair], made[pair]) for pair in expected if pair[0] == query_id)
        for (one, float_one), (other, float_other) in pairwise(pairs):
            assert (one < other) == (float_one < float_other)
    for pair, value in expected.items():
        assert made[pair] == pytest.approx(float(value), rel=1e-11, abs=1e-11)


def test_two_thirds_are_two_times_a_third():
    # s and t each give a third to a, u gives two thirds to b. Rounded to 40 binary digits, a third is less than half
    # of two thirds.
    rows = [*scored("s", x=3, a=1, y=0), *scored("t", x=3, a=1, y=0), *scored("u", x=3, b=2, y=0)]
    made = priorities(pool(run(rows), "combsum", size=9))
    assert made["1", "a"] == made["1", "b"] == 2 / 3


def test_ties_do_not_depend_on_the_number_of_runs():
    # Seven sevenths and one whole.
    rows = [row for n in range(7) for row in scored(f"s{n}", a=1, **{f"x{n}": 7}, **{f"y{n}": 0})]
    made = priorities(pool(run([*rows, *scored("t", b=1, z=0)]), "combsum", size=99))
    assert made["1", "a"] == made["1", "b"] == 1


@pytest.mark.parametrize("strategy", ["combsum", "combmax", "combmin", "combmed", "combanz"])
@pytest.mark.parametrize("seed", range(4))
def test_a_difference_below_the_rounding_is_kept(strategy, seed):
    # b has a share of 1 - 1e-13, less than a by a tenth of 2^-40.
    rows = [*scored("s", a=1e13, x=0), *scored("t", y=1e13, b=1e13 - 1, x=0)]
    made = priorities(pool(run(rows), strategy, size=2, seed=seed))
    assert ("1", "b") not in made


@pytest.mark.parametrize("seed", range(4))
def test_a_difference_that_no_float_shows_is_kept(seed):
    # a has 1 + 1e-30 and b has 1 + 2e-30.
    rows = [*scored("s", a=5, b=5, x=0), *scored("t", y=1, b=2e-30, a=1e-30, x=0)]
    made = pool(run(rows), "combsum", size=1, seed=seed)
    assert made.frame["doc_id"].tolist() == ["b"]


def test_only_equal_scores_are_drawn_by_lot():
    # a, b and c have 2/3; the pool of two has the two with the largest lots, which differ between seeds.
    rows = [*scored("s", x=3, a=1, y=0), *scored("t", x=3, a=1, y=0), *scored("u", x=3, b=2, y=0)]
    rows += scored("v", x=6, c=4, y=0)
    pools = {tuple(pool(run(rows), "combsum", size=3, seed=seed).frame["doc_id"]) for seed in range(20)}
    assert pools == {("a", "b", "x"), ("a", "c", "x"), ("b", "c", "x")}
