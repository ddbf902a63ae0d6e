"""Tables of two judges and of all pairs at once, exact to the last bit."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from agreement import Ratings, brennan_prediger, cohen_kappa, gwet_ac, percent_agreement, pooled_kappa
from agreement.coefficients.all_pairs import values_of
from agreement.coefficients.formulas import fits
from agreement.coefficients.pairs import all_tables, tables_by_topic
from agreement.weights import weights_of
from tests.agreement.random_ratings import seeded, with_topics

FUNCTIONS = {
    "percent_agreement": percent_agreement,
    "pooled_kappa": pooled_kappa,
    "cohen_kappa": cohen_kappa,
    "brennan_prediger": brennan_prediger,
    "gwet_ac": gwet_ac,
}


@pytest.mark.parametrize("n_items", [0, 5000, 10000])  # counted, and by products
@pytest.mark.parametrize("n_grades", [2, 4, 8, 9, 30])
def test_all_tables_equal_each_table(n_grades, n_items):
    ratings = seeded(1, n_judges=5, n_items=n_items, n_grades=n_grades)

    tables = all_tables(ratings)

    for table, (a, b) in zip(tables, combinations(ratings.assessors, 2), strict=True):
        assert table.tolist() == ratings.table(a, b).tolist()


def test_tables_by_topic_equal_each_table():
    ratings = with_topics(seeded(2, n_judges=4, n_items=300), 7)

    blocks = list(tables_by_topic(ratings))

    assert [block.shape for block in blocks] == [(7, pairs, 4, 4) for pairs in (3, 2, 1)]
    tables = np.concatenate(blocks, axis=1)
    for topic, part in enumerate(ratings.by_topic().values()):
        for table, (a, b) in zip(tables[topic], combinations(ratings.assessors, 2), strict=True):
            assert table.tolist() == part.table(a, b).tolist()


def test_fewer_than_two_judges_have_no_tables():
    for n_grades in (2, 20):
        scale = tuple(range(n_grades))
        assert all_tables(Ratings(np.zeros((1, 4), np.int8), scale)).shape == (0, n_grades, n_grades)
        assert all_tables(Ratings(np.zeros((0, 0), np.int8), scale)).shape == (0, n_grades, n_grades)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(
    tables=arrays(np.int64, (4, 3, 3), elements=st.one_of(st.integers(0, 50), st.integers(0, 10**12))),
    weights=st.sampled_from(["identity", "linear", "quadratic", "ordinal"]),
)
def test_values_of_many_tables_equal_the_value_of_each(name, tables, weights):
    values, defined = values_of(tables, name, weights_of(weights, 3))

    for table, value, some in zip(tables, values, defined, strict=True):
        result = FUNCTIONS[name](table, weights=weights)
        assert result.defined == some
        assert not some or result.value == value


def test_numbers_beyond_64_bits_are_exact():
    table = np.array([[10**9, 7], [3, 10**9 + 1]])
    weights = weights_of("identity", 2)

    assert not fits(int(table.sum()), 2, weights)
    assert fits(10**6, 4, weights_of("quadratic", 4))
    assert values_of(table[None], "pooled_kappa", weights)[0][0] == pooled_kappa(table).value
    assert values_of(np.array([[[10**9, 0], [0, 0]]]), "pooled_kappa", weights)[1].tolist() == [False]


def test_custom_weights_with_large_denominators_are_exact():
    custom = [[1, "123456789/987654321"], ["123456789/987654321", 1]]
    tables = seeded(1, n_judges=3, n_grades=2).binary(1)

    values, _ = values_of(all_tables(tables), "cohen_kappa", weights_of(custom, 2))

    assert values.tolist() == [cohen_kappa(tables, a, b, weights=custom).value for a, b in combinations("123", 2)]
