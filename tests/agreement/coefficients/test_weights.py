"""Named and custom weights, and invalid ones."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import cohen_kappa
from agreement.weights import NAMED, weights_of


def fractions(weights):
    return [[Fraction(number, weights.denominator) for number in row] for row in weights.numerators]


def test_by_hand():
    half, third = Fraction(1, 2), Fraction(1, 3)

    assert fractions(weights_of("identity", 2)) == [[1, 0], [0, 1]]
    assert fractions(weights_of("linear", 3))[0] == [1, half, 0]
    assert fractions(weights_of("quadratic", 3))[0] == [1, Fraction(3, 4), 0]
    # C(2, 2) / C(3, 2) = 1/3 for neighbours, C(3, 2) / C(3, 2) = 1 at the ends
    assert fractions(weights_of("ordinal", 3))[0] == [1, 1 - third, 0]


def test_custom_weights_are_read_as_written():
    weights = weights_of([["1", "8/9", 0.4444], ["8/9", 1, 0], [0.4444, 0, 1]], 3)

    assert fractions(weights)[0] == [1, Fraction(8, 9), Fraction(1111, 2500)]
    assert weights.name == "own"
    assert weights.floats()[0].tolist() == [1, 8 / 9, 0.4444]


def test_custom_weights_as_an_array():
    table = [[5, 3, 0], [1, 4, 2], [0, 2, 6]]
    steps = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))

    for custom in (1 - steps / 2, (1 - steps / 2).astype(np.float32), np.eye(3, dtype=int)):
        name = "identity" if custom.dtype == int else "linear"
        assert cohen_kappa(table, weights=custom).value == cohen_kappa(table, weights=name).value


@pytest.mark.parametrize("name", NAMED)
@given(size=st.integers(1, 8))
def test_named_weights_are_valid_custom_weights(name, size):
    named = fractions(weights_of(name, size))

    assert fractions(weights_of([list(map(str, row)) for row in named], size)) == named
    assert all(0 <= value <= 1 for row in named for value in row)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ("cubic", "weights must be identity, linear, quadratic, ordinal or a table of 2 x 2, not 'cubic'"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "2 rows of 2 numbers"),
        ([[1, 0], [0]], "2 rows of 2 numbers"),
        ([1, 0], "2 rows of 2 numbers"),
        (3, "2 rows of 2 numbers"),
        (None, "2 rows of 2 numbers"),
        ([[1, 0.5], [0.4, 1]], "symmetric"),
        ([[1, 0], [0, 0.9]], "diagonal"),
        ([[1, 1.5], [1.5, 1]], "between 0 and 1, not 1.5"),
        ([[1, -0.5], [-0.5, 1]], "between 0 and 1, not -0.5"),
        ([[1, float("nan")], [0, 1]], "a number or a fraction"),
        ([[1, float("inf")], [0, 1]], "a number or a fraction"),
        ([[1, "1/0"], [0, 1]], "a number or a fraction"),
        ([[1, "half"], [0, 1]], "a number or a fraction"),
        ([[1, 1], [1, 1]], "must not all be 1"),
    ],
)
def test_invalid_weights_are_refused(weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        cohen_kappa([[3, 1], [1, 3]], weights=weights)


def test_the_convention_names_the_weights():
    assert cohen_kappa([[3, 1], [1, 3]], weights="linear").convention == "unpooled, linear weights"
    assert cohen_kappa([[3, 1], [1, 3]], weights=[[1, 0.5], [0.5, 1]]).convention == "unpooled, own weights"
