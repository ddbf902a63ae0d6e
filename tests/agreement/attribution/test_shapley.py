"""Shapley values: by hand, published games, all permutations, the axioms, and games of nobody."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.attribution.shapley import exact_values, n_states, sampled_values


def all_different(n):
    return np.arange(n)


def table_game(values):
    """A game of as many players as the table has halvings: v of a set is at the place its members' bits say."""
    n = len(values).bit_length() - 1
    return lambda coalitions: np.asarray(values, float)[coalitions @ (1 << np.arange(n))], n


def by_all_orders(value, n):
    """The definition: the mean over all orders of what each player adds when it comes."""
    sums = np.zeros(n)
    for order in permutations(range(n)):
        present = np.zeros((1, n), dtype=bool)
        for player in order:
            before = value(present)[0]
            present[0, player] = True
            sums[player] += value(present)[0] - before
    return sums / factorial(n)


games = st.integers(1, 5).flatmap(lambda n: st.lists(st.floats(-1, 1), min_size=2**n, max_size=2**n)).map(table_game)


def test_two_players_by_hand():
    # v() = 0, v(1) = 1, v(2) = 3, v(1, 2) = 8: player 1 adds 1 first and 5 second, player 2 adds 3 first and 7 second
    value, n = table_game([0, 1, 3, 8])

    assert exact_values(value, all_different(n)).tolist() == [3, 5]


def test_the_published_game_of_gloves():
    # one left glove, two right ones, a pair is worth 1: 2/3, 1/6, 1/6, as textbooks have it
    def value(coalitions):
        return (coalitions[:, 0] & coalitions[:, 1:].any(axis=1)).astype(float)

    assert exact_values(value, all_different(3)) == pytest.approx([2 / 3, 1 / 6, 1 / 6], abs=1e-15)


def test_the_published_airport_game():
    # S. C. Littlechild and G. Owen (1973): a runway for the largest; those who need a stretch share it evenly
    def value(coalitions):
        return (coalitions * np.array([1.0, 2.0, 3.0])).max(axis=1)

    assert exact_values(value, all_different(3)) == pytest.approx([1 / 3, 1 / 3 + 1 / 2, 1 / 3 + 1 / 2 + 1], abs=1e-15)


def test_the_published_power_in_the_security_council():
    # 5 members with a veto and 10 without, 9 votes needed: 421/2145 and 4/2145, the index of L. S. Shapley and
    # M. Shubik (1954) for the council as it is since 1965. 15 players are 66 states in two classes, not 32768
    def value(coalitions):
        return (coalitions[:, :5].all(axis=1) & (coalitions.sum(axis=1) >= 9)).astype(float)

    classes = np.array([0] * 5 + [1] * 10)

    assert n_states(classes) == 66
    assert exact_values(value, classes) == pytest.approx([421 / 2145] * 5 + [4 / 2145] * 10, abs=1e-15)


@given(games)
def test_exact_values_are_the_mean_over_all_orders(game):
    value, n = game

    assert exact_values(value, all_different(n)) == pytest.approx(by_all_orders(value, n), abs=1e-12)


@given(games, st.integers(0, 2**32), st.sampled_from([4, 10]))
def test_the_values_sum_to_the_whole_change(game, seed, orders):
    value, n = game
    change = float(value(np.ones((1, n), bool))[0] - value(np.zeros((1, n), bool))[0])

    sampled, _ = sampled_values(value, all_different(n), np.random.default_rng(seed), orders)

    assert exact_values(value, all_different(n)).sum() == pytest.approx(change, abs=1e-12)
    assert sampled.sum() == pytest.approx(change, abs=1e-12)


@given(games)
def test_a_player_who_changes_nothing_has_the_value_zero(game):
    value, n = game

    def with_idler(coalitions):
        return value(coalitions[:, :n])

    exact = exact_values(with_idler, all_different(n + 1))
    sampled, errors = sampled_values(with_idler, all_different(n + 1), np.random.default_rng(1), 4)

    assert exact[n] == sampled[n] == errors[n] == 0
    assert exact[:n] == pytest.approx(exact_values(value, all_different(n)), abs=1e-12)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=7), st.integers(0, 100))
def test_classes_give_the_same_values_as_single_players(classes, seed):
    """v depends only on how many of each class there are."""
    classes = np.array(classes)
    worth = np.random.default_rng(seed).random((len(classes) + 1,) * 3)

    def value(coalitions):
        return worth[tuple((coalitions & (classes == number)).sum(axis=1) for number in range(3))]

    by_class, one_by_one = exact_values(value, classes), exact_values(value, all_different(len(classes)))

    assert by_class == pytest.approx(one_by_one, abs=1e-12)
    for number in set(classes.tolist()):
        assert len(set(by_class[classes == number])) == 1


def test_sampled_values_are_within_their_errors_of_the_exact_values():
    value, n = table_game(np.random.default_rng(5).random(2**8))
    exact = exact_values(value, all_different(n))

    few, few_errors = sampled_values(value, all_different(n), np.random.default_rng(1), 100)
    many, many_errors = sampled_values(value, all_different(n), np.random.default_rng(1), 10_000)

    assert (np.abs(few - exact) < 4 * few_errors).all()
    assert (np.abs(many - exact) < 4 * many_errors).all()
    assert few_errors / many_errors == pytest.approx(10, rel=0.3)  # 100 times the orders, a tenth of the error


def test_the_error_is_the_standard_error_of_the_mean():
    value, n = table_game(np.random.default_rng(6).random(2**5))

    draws = [sampled_values(value, all_different(n), np.random.default_rng(seed), 40) for seed in range(400)]

    spread = np.std([values for values, _ in draws], axis=0)
    assert np.mean([errors for _, errors in draws], axis=0) == pytest.approx(spread, rel=0.15)


def test_the_same_seed_gives_the_same_values():
    value, n = table_game(np.random.default_rng(7).random(2**6))

    one, other = (sampled_values(value, all_different(n), np.random.default_rng(3), 20) for _ in range(2))

    assert one[0].tolist() == other[0].tolist()
    assert one[1].tolist() == other[1].tolist()


def test_games_of_zero_players_and_of_one():
    assert exact_values(lambda coalitions: np.zeros(len(coalitions)), all_different(0)).tolist() == []
    assert exact_values(table_game([1, 3.5])[0], all_different(1)).tolist() == [2.5]


@pytest.mark.parametrize("orders", [0, 2, 5])
def test_an_invalid_number_of_orders_is_refused(orders):
    with pytest.raises(ValueError, match="even number of at least 4"):
        sampled_values(table_game([0, 1])[0], all_different(1), np.random.default_rng(1), orders)


def test_too_many_players_are_refused():
    with pytest.raises(ValueError, match="at most 1000 players, not 1001"):
        exact_values(lambda coalitions: coalitions.sum(axis=1), np.zeros(1001, int))


def test_a_thousand_interchangeable_players_share_evenly():
    values = exact_values(lambda coalitions: (coalitions.sum(axis=1) / 1000) ** 2, np.zeros(1000, int))

    assert values == pytest.approx([1 / 1000] * 1000, abs=1e-15)
