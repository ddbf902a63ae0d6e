"""Paradoxes: their conditions hold, for every n from the smallest on."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement import Ratings, cohen_kappa, overall, percent_agreement, pooled_kappa
from agreement.exercises import PARADOXES, paradox
from agreement.exercises.paradox_kinds import random_walk
from agreement.exercises.tables import JUDGES, table_kappa

HIGH, SAME, FAR, TOPICS = PARADOXES

EVENLY_SPREAD, FEW_RELEVANT = ((45, 6), (9, 40)), ((5, 5), (10, 80))
NINTHS = ((0, 1), (1, 8)), ((8, 1), (1, 0))


def names_and_sizes():
    """Draw the name of a paradox, and a number of documents that it can have."""
    return st.sampled_from(list(PARADOXES)).flatmap(
        lambda name: st.tuples(st.just(name), st.integers(PARADOXES[name].min_documents, 150))
    )


def both_kappas(table):
    return cohen_kappa(table).value, pooled_kappa(table).value


def two_by_two_tables(n):
    """Yield every table of two grades in which each judge uses both."""
    for a, b, c in product(range(n + 1), repeat=3):
        table = ((a, b), (c, n - a - b - c))
        if table[1][1] >= 0 and min(a + b, c + table[1][1], a + c, b + table[1][1]) > 0:
            yield table


# By hand


def test_two_topics_with_negative_kappas_pool_to_a_positive_one():
    # Each topic: P(A) = 8/10, marginals 9 and 1: P(E) = 82/100, (80 - 82)/(100 - 82) = -1/9.
    # Together: P(A) = 16/20, marginals 10 and 10: P(E) = 1/2, (8/10 - 1/2)/(1/2) = 3/5.
    assert [table_kappa(table, "unpooled") for table in NINTHS] == [Fraction(-1, 9)] * 2
    assert [table_kappa(table, "pooled") for table in NINTHS] == [Fraction(-1, 9)] * 2
    assert PARADOXES[TOPICS].holds(NINTHS)
    assert not PARADOXES[TOPICS].holds(NINTHS[:1] * 2)  # both topics alike pool to -1/9 again


def test_pooled_and_unpooled_far_apart_by_hand():
    # 10 documents, 5 agreed; judge 1 finds 8 relevant, judge 2 finds 3.
    # Unpooled P(E) = (2*7 + 8*3)/100 = 0.38: 0.12/0.62 = 6/31. Pooled shares 9/20 and 11/20: P(E) = 202/400,
    # (200 - 202)/(400 - 202) = -1/99. Apart by 0.2037.
    table = ((2, 0), (5, 3))

    assert (table_kappa(table, "unpooled"), table_kappa(table, "pooled")) == (Fraction(6, 31), Fraction(-1, 99))
    assert PARADOXES[FAR].holds((table,))
    assert not PARADOXES[FAR].holds((((3, 0), (4, 3)),))  # 9/29 and 1/5: one agreement more, and both are above 0


# Published


def test_published_tables_are_paradoxes():
    """Feinstein and Cicchetti (1990), tables of two judges on 100 cases, kappa to two digits."""
    printed = {
        EVENLY_SPREAD: "0.70",
        FEW_RELEVANT: "0.32",
        ((15, 15), (25, 45)): "0.13",
        ((35, 35), (5, 25)): "0.26",
    }

    assert {table: f"{float(table_kappa(table, 'unpooled')):.2f}" for table in printed} == printed
    assert PARADOXES[SAME].holds((EVENLY_SPREAD, FEW_RELEVANT))
    assert not PARADOXES[SAME].holds((FEW_RELEVANT, EVENLY_SPREAD))
    assert PARADOXES[HIGH].holds((FEW_RELEVANT,))
    assert not PARADOXES[HIGH].holds((EVENLY_SPREAD,))


# Oracle


@pytest.mark.parametrize("name", PARADOXES)
def test_kappas_of_the_judgements_equal_another_implementation(name):
    found = paradox(name, 60, seed=2)
    judgements = found.judgements(judges=("ann", "bob"))
    wide = judgements.pivot(index=["query_id", "doc_id"], columns="assessor", values="relevance")

    assert set(wide.index.get_level_values("query_id")) == {str(k) for k, _ in enumerate(found.tables, 1)}
    for (_, topic), table in zip(wide.groupby("query_id"), found.tables, strict=True):
        assert cohen_kappa_score(topic["ann"], topic["bob"]) == pytest.approx(float(table_kappa(table, "unpooled")))
    assert cohen_kappa_score(wide["ann"], wide["bob"]) == pytest.approx(float(table_kappa(found.combined, "unpooled")))


def test_smaller_tables_cannot_have_high_agreement_and_low_kappa():
    assert not any(PARADOXES[HIGH].holds((table,)) for n in range(2, 20) for table in two_by_two_tables(n))


# Properties


@given(arguments=names_and_sizes(), seed=st.integers(0, 10**6))
def test_paradox_meets_its_condition_and_size(arguments, seed):
    name, n = arguments
    found = paradox(name, n, seed)

    sizes = [sum(map(sum, table)) for table in found.tables]
    assert sizes == [n] * len(sizes) if name != TOPICS else (sum(sizes) == n and len(sizes) == 2)
    assert PARADOXES[name].holds(found.tables)
    assert (found.name, found.seed) == (name, seed)
    assert paradox(name, n, seed) == found
    assert all(min(map(sum, side)) > 0 for table in found.tables for side in (table, zip(*table, strict=True)))


@given(n=st.integers(20, 150), seed=st.integers(0, 10**6))
def test_high_agreement_low_kappa_by_the_coefficients(n, seed):
    (table,) = paradox(HIGH, n, seed).tables

    assert percent_agreement(table).value >= 0.85
    assert all(0 <= value <= 0.4 for value in both_kappas(table))


@given(n=st.integers(20, 150), seed=st.integers(0, 10**6))
def test_same_agreement_different_kappa_by_the_coefficients(n, seed):
    one, other = paradox(SAME, n, seed).tables

    assert percent_agreement(one).value == percent_agreement(other).value >= 0.7
    for high, low in zip(both_kappas(one), both_kappas(other), strict=True):
        assert 0 <= low <= high - 0.3 + 1e-12


@given(n=st.integers(10, 150), seed=st.integers(0, 10**6))
def test_pooled_and_unpooled_far_apart_by_the_coefficients(n, seed):
    (table,) = paradox(FAR, n, seed).tables
    unpooled, pooled = both_kappas(table)

    assert pooled < 0 < unpooled
    assert unpooled - pooled >= 0.2 - 1e-12


@given(n=st.integers(20, 150), seed=st.integers(0, 10**6))
def test_topics_that_each_disagree_pool_to_agreement(n, seed):
    ratings = Ratings.from_judgements(paradox(TOPICS, n, seed).judgements(), (0, 1))

    for coefficient in ("cohen_kappa", "pooled_kappa"):
        assert overall(ratings, coefficient, "topics").value < 0
        assert overall(ratings, coefficient, "pooled").value >= 0.5
    assert all(value < 0 for topic in ratings.by_topic().values() for value in both_kappas(topic.table(*JUDGES)))


@pytest.mark.parametrize("name", PARADOXES)
@pytest.mark.parametrize("n", [151, 400, 997, 1000])
def test_large_paradoxes_are_found(name, n):
    assert PARADOXES[name].holds(paradox(name, n, seed=n).tables)


@pytest.mark.parametrize("name", PARADOXES)
def test_thirty_seeds_give_different_paradoxes(name):
    found = [paradox(name, 40, seed) for seed in range(30)]

    assert len({one.tables for one in found}) >= 20
    assert len({one.judgements()["relevance"].to_numpy().tobytes() for one in found}) == 30


@given(
    box=st.lists(st.integers(0, 6).map(lambda size: range(3, 3 + size)), min_size=1, max_size=4), seed=st.integers(0)
)
def test_random_walk_visits_every_point_once(box, seed):
    assert sorted(random_walk(box, np.random.default_rng(seed))) == sorted(product(*box))


# Sentences


def describe(name, tables):
    return PARADOXES[name].describe(tables)


def test_sentences_contain_the_figures():
    assert describe(HIGH, (FEW_RELEVANT,)).startswith(
        "The judges agree on 85 of 100 documents, P(A) = 0.85, but kappa is 0.3182 unpooled and 0.3143 pooled. "
        "Judge 1 finds 90 documents relevant and judge 2 finds 85. 0.875 of the judgements have the same grade, "
    )
    assert describe(SAME, (EVENLY_SPREAD, FEW_RELEVANT)).endswith(
        "But in the first kappa is 0.6995 unpooled and 0.6992 pooled, and in the second kappa is 0.3182 unpooled and "
        "0.3143 pooled. The share of relevant judgements is 0.475 in the first and 0.875 in the second, so unpooled "
        "P(E) is 0.5008 and 0.78."
    )
    assert describe(FAR, (((2, 0), (5, 3)),)).startswith(
        "The judges agree on 5 of 10 documents. Pooled kappa is −0.0101, less than chance, and unpooled kappa is "
        "0.1935, more than chance. Judge 1 finds 8 documents relevant and judge 2 finds 3."
    )
    assert describe(TOPICS, NINTHS) == (
        "In topic 1 (10 documents) kappa is −0.1111 unpooled and −0.1111 pooled. In topic 2 (10 documents) kappa is "
        "−0.1111 unpooled and −0.1111 pooled. Within each topic the judges agree less than by chance. In one table "
        "over both topics kappa is 0.60 unpooled and 0.60 pooled. The share of relevant judgements is 0.90 in topic 1 "
        "and 0.10 in topic 2, and the judges agree on this difference between the topics."
    )


def test_sentence_describes_the_tables():
    found = paradox(TOPICS, 40, seed=3)

    assert found.sentence == describe(TOPICS, found.tables)


# Limits


@pytest.mark.parametrize("name", PARADOXES)
def test_smallest_and_largest_n(name):
    smallest = PARADOXES[name].min_documents

    assert PARADOXES[name].holds(paradox(name, smallest).tables)
    for n in (smallest - 1, 1001):
        with pytest.raises(ValueError, match=f"must be a whole number from {smallest} to 1000, not {n}"):
            paradox(name, n)


def test_unknown_name_and_bad_seed_are_refused():
    with pytest.raises(ValueError, match=r"A paradox must be one of high agreement, low kappa; .* not 'the liar'"):
        paradox("the liar", 40)
    with pytest.raises(ValueError, match=r"seed must be a whole number of at least 0, not 1\.5"):
        paradox(HIGH, 40, 1.5)
