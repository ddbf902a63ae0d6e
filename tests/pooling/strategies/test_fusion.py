"""Fusion strategies: by hand, against the oracle, and against slow reference implementations in fractions."""

import math
from collections import defaultdict
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise, permutations
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from tests.examples import examples
from tests.oracles import oracle
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, best_of, lists, lot, rankings_of, run, tasks_of

COMB = {
    "combsum": sum,
    "combmnz": lambda shares: sum(shares) * len(shares),
    "combmax": max,
    "combmin": min,
    "combmed": median,
    "combanz": lambda shares: sum(shares) / len(shares),
}


def priorities(made):
    return dict(zip(made.frame["doc_id"], made.frame["priority"], strict=True))


def fused(rows, size, of_topic):
    """The tasks, if `of_topic` gives each document of a topic its value from the rankings."""
    return [
        (query_id, doc_id)
        for query_id, rankings in rankings_of(rows).items()
        for doc_id in best_of(of_topic(rankings), size, query_id)
    ]


def summed_weights(depth, weight):
    """A sum of weights over the first ranks of every ranking."""

    def of_topic(rankings):
        values = defaultdict(list)
        for ranking in rankings.values():
            for rank, (doc_id, _) in enumerate(ranking[:depth], start=1):
                values[doc_id].append(weight(rank))
        return {doc_id: sum(terms) for doc_id, terms in values.items()}

    return of_topic


def shares_of(ranking):
    scores = [Fraction(score) for _, score in ranking]
    span = scores[0] - scores[-1]
    return [(score - scores[-1]) / span if span else Fraction(1) for score in scores]


def combined(depth, combination):
    def of_topic(rankings):
        values = defaultdict(list)
        for ranking in rankings.values():
            for (doc_id, _), share in list(zip(ranking, shares_of(ranking), strict=True))[:depth]:
                values[doc_id].append(share)
        return {doc_id: combination(shares) for doc_id, shares in values.items()}

    return of_topic


def counted(depth, systems):
    """Borda points; a system that lacks the topic shares all of its points equally."""

    def of_topic(rankings):
        cut = [[doc_id for doc_id, _ in rankings.get(system, [])][:depth] for system in systems]
        candidates = set().union(*cut)
        points = dict.fromkeys(candidates, Fraction(0))
        for ranking in cut:
            to_give = list(range(len(candidates), 0, -1))
            for doc_id in candidates:
                left = to_give[len(ranking) :]
                points[doc_id] += (
                    to_give[ranking.index(doc_id)] if doc_id in ranking else Fraction(sum(left), len(left))
                )
        return points

    return of_topic


def beats(cut, one, other):
    """By how many runs `one` is above `other`."""
    place = [{doc_id: rank for rank, doc_id in enumerate(ranking)} for ranking in cut]
    ranks = [(by_id.get(one, math.inf), by_id.get(other, math.inf)) for by_id in place]
    return sum(a < b for a, b in ranks) - sum(a > b for a, b in ranks)


def quicksorted(cut, documents):
    if len(documents) < 2:
        return documents
    first, *others = documents
    before = [doc_id for doc_id in others if beats(cut, doc_id, first) > 0]
    after = [doc_id for doc_id in others if beats(cut, doc_id, first) <= 0]
    return [*quicksorted(cut, before), first, *quicksorted(cut, after)]


def cut_rankings(rankings, depth):
    return [[doc_id for doc_id, _ in ranking[:depth]] for ranking in rankings.values()]


@pytest.mark.parametrize(("strategy", "case"), [("rrf", "rrf_k60"), ("rbp", "rbp_sum_p08")])
def test_fusion_matches_the_fractions_of_the_oracle(strategy, case):
    expected = oracle("golds_and_pools")["pooling"]
    made = pool(run(lists(**expected["runs"])), strategy, size=6)
    assert priorities(made) == pytest.approx(
        {doc_id: float(Fraction(value)) for doc_id, value in expected[case].items()}, rel=1e-12
    )


@examples(50)
@given(ROWS, COUNTS, DEPTHS, st.integers(0, 100))
def test_rrf_matches_a_reference_implementation(rows, size, depth, k):
    expected = fused(rows, size, summed_weights(depth, lambda rank: Fraction(1, k + rank)))
    assert tasks_of(pool(run(rows), "rrf", size=size, depth=depth, k=k)) == expected


@examples(50)
@given(ROWS, COUNTS, DEPTHS, st.sampled_from(["0.5", "0.8", "0.95"]))
def test_rbp_matches_a_reference_implementation(rows, size, depth, p):
    expected = fused(rows, size, summed_weights(depth, lambda rank: (1 - Fraction(p)) * Fraction(p) ** (rank - 1)))
    assert tasks_of(pool(run(rows), "rbp", size=size, depth=depth, p=float(p))) == expected


@examples(50)
@given(ROWS, COUNTS, DEPTHS)
def test_dcg_matches_a_reference_implementation(rows, size, depth):
    exact = summed_weights(depth, lambda rank: 1 / math.log2(rank + 1))
    expected = fused(rows, size, lambda rankings: {d: round(value, 10) for d, value in exact(rankings).items()})
    assert tasks_of(pool(run(rows), "dcg", size=size, depth=depth)) == expected


@given(strategy=st.sampled_from(sorted(COMB)), rows=ROWS, size=COUNTS, depth=DEPTHS)
def test_comb_matches_a_reference_implementation(strategy, rows, size, depth):
    expected = fused(rows, size, combined(depth, COMB[strategy]))
    assert tasks_of(pool(run(rows), strategy, size=size, depth=depth)) == expected


@examples(50)
@given(ROWS, COUNTS, DEPTHS)
def test_borda_matches_a_reference_implementation(rows, size, depth):
    expected = fused(rows, size, counted(depth, sorted({row[0] for row in rows})))
    assert tasks_of(pool(run(rows), "borda", size=size, depth=depth)) == expected


@examples(50)
@given(ROWS, COUNTS, DEPTHS)
def test_condorcet_matches_a_reference_implementation(rows, size, depth):
    expected = []
    for query_id, rankings in rankings_of(rows).items():
        cut = cut_rankings(rankings, depth)
        documents = sorted(set().union(*cut), key=lambda doc_id: -lot(query_id, doc_id))
        expected += [(query_id, doc_id) for doc_id in quicksorted(cut, documents)[:size]]
    assert tasks_of(pool(run(rows), "condorcet", size=size, depth=depth)) == expected


@examples(50)
@given(ROWS)
def test_no_condorcet_document_follows_one_that_it_beats(rows):
    made = tasks_of(pool(run(rows), "condorcet", size=40))
    for query_id, rankings in rankings_of(rows).items():
        documents = [doc_id for topic, doc_id in made if topic == query_id]
        assert all(beats(cut_rankings(rankings, None), two, one) <= 0 for one, two in pairwise(documents))


@examples(50)
@given(st.permutations("abcdef"), st.integers(2, 7))
def test_without_cycles_condorcet_is_the_majority_order(ranking, runs):
    rankings = {f"s{number}": ranking for number in range(runs)} | {"x": sorted(ranking)}
    cut = [list(ranking)] * runs + [sorted(ranking)]
    by_majority = sorted(ranking, key=cmp_to_key(lambda one, other: -beats(cut, one, other)))
    assert [doc_id for _, doc_id in tasks_of(pool(run(lists(**rankings)), "condorcet", size=6))] == by_majority


def test_comb_by_hand():
    # s gives a 1, b 1/2, c 0; t gives b 1, a 0.
    rows = [
        ("s", "1", "a", 3.0),
        ("s", "1", "b", 2.0),
        ("s", "1", "c", 1.0),
        ("t", "1", "b", 90.0),
        ("t", "1", "a", 80),
    ]
    values = {
        "combsum": {"a": 1.0, "b": 1.5, "c": 0.0},
        "combmnz": {"a": 2.0, "b": 3.0, "c": 0.0},
        "combmax": {"a": 1.0, "b": 1.0, "c": 0.0},
        "combmin": {"a": 0.0, "b": 0.5, "c": 0.0},
        "combmed": {"a": 0.5, "b": 0.75, "c": 0.0},
        "combanz": {"a": 0.5, "b": 0.75, "c": 0.0},
    }
    assert {name: priorities(pool(run(rows), name, size=3)) for name in values} == values


def test_borda_by_hand():
    # Three documents. s: a 3, b 2, and what is left, 1, to c. t: c 3, and 3 points shared by a and b.
    assert priorities(pool(run(lists(s="ab", t="c")), "borda", size=3)) == {"a": 4.5, "b": 3.5, "c": 4.0}


def test_dcg_by_hand():
    # a: 1/log2(2) + 1/log2(4) = 3/2
    assert priorities(pool(run(lists(s="abc", t="xya")), "dcg", size=1)) == {"a": 1.5}


@pytest.mark.parametrize("seed", range(6))
def test_condorcet_breaks_cycles_at_the_document_with_the_largest_lot(seed):
    # a beats b, b beats c, c beats a, two to one each. The pivot follows the one that beats it.
    pivot = max("abc", key=lambda doc_id: lot("1", doc_id, seed))
    expected = {"a": list("cab"), "b": list("abc"), "c": list("bca")}[pivot]
    made = pool(run(lists(s="abc", t="bca", u="cab")), "condorcet", size=3, seed=seed)
    assert [doc_id for _, doc_id in tasks_of(made)] == expected


@pytest.mark.parametrize("strategy", ["rrf", "dcg", "rbp"])
def test_documents_with_the_same_ranks_in_different_runs_are_tied(strategy):
    # Every document has every rank once in each, in runs of another order, so that floating-point sums could differ.
    rankings = {f"s{number}": ranking for number, ranking in enumerate(permutations("abcde"))}
    made = priorities(pool(run(lists(**rankings)), strategy, size=5))
    assert len(set(made.values())) == 1


def test_documents_with_equal_shares_on_different_scales_are_tied():
    # 0.1, 0.2, 0.3 and 1, 2, 3: the middle is a half in both, though (0.2 - 0.1) / (0.3 - 0.1) is not in floats.
    rows = [("s", "1", "a", 0.3), ("s", "1", "b", 0.2), ("s", "1", "c", 0.1)]
    rows += [("t", "1", "x", 3.0), ("t", "1", "y", 2.0), ("t", "1", "z", 1.0)]
    made = priorities(pool(run(rows), "combsum", size=6))
    assert made["b"] == made["y"] == 0.5


@pytest.mark.parametrize("size", [1.7e308, 5e-324, 1e-300])
def test_scores_of_any_magnitude_are_normalised(size):
    rows = [("s", "1", "a", size), ("s", "1", "b", 0.0), ("s", "1", "c", -size)]
    assert priorities(pool(run(rows), "combmax", size=3)) == {"a": 1.0, "b": 0.5, "c": 0.0}


@pytest.mark.parametrize("strategy", COMB)
def test_equal_scores_are_all_normalised_to_one(strategy):
    rows = [("s", "1", doc_id, -4.0) for doc_id in "abc"]
    assert set(priorities(pool(run(rows), strategy, size=3)).values()) == {1.0}


def test_normalisation_uses_the_whole_ranking_at_any_depth():
    # Of s's scores 4, 3, 0 the second is 3/4, whether or not the third rank is used.
    rows = [("s", "1", "a", 4.0), ("s", "1", "b", 3.0), ("s", "1", "c", 0.0)]
    assert priorities(pool(run(rows), "combsum", size=3, depth=2)) == {"a": 1.0, "b": 0.75}


@pytest.mark.parametrize(
    ("strategy", "options", "sentence"),
    [
        ("rrf", {"k": -1}, "k must be a whole number from 0, not -1"),
        ("rbp", {"p": 1}, "p must be a number between 0 and 1, both excluded, not 1"),
        ("rbp", {"p": 0.0}, "p must be .* not 0.0"),
        ("rbp", {"p": "high"}, "p must be .* not 'high'"),
        ("rbp", {"p": float("nan")}, "p must be .* not nan"),
    ],
)
def test_parameters_out_of_range_are_refused(strategy, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run([("s", "1", "a", 1.0)]), strategy, size=1, **options)


def test_default_depth_of_condorcet_grows_with_the_size():
    # Two runs of 150 documents: 100 each are 200 in all; a size of 250 needs more than the first 100 of each.
    rows = [(system, "1", f"{system}{place:03}", -place) for system in "st" for place in range(150)]
    assert [len(pool(run(rows), "condorcet", size=size)) for size in (40, 200, 250, 300, 999)] == [
        40,
        200,
        250,
        300,
        300,
    ]
    assert len(pool(run(rows), "condorcet", size=250, depth=100)) == 200


def test_default_depth_of_condorcet_is_at_least_100():
    rows = [
        (system, "1", f"d{place * step % 151:03}", -place)
        for system, step in zip("stu", (1, 7, 40), strict=True)
        for place in range(150)
    ]
    assert tasks_of(pool(run(rows), "condorcet", size=60)) == tasks_of(pool(run(rows), "condorcet", size=60, depth=100))
