"""A test for many values calls its function with each of them, and a failure names the value."""

import pytest

from tests.each_value import each_value


def test_every_value_is_passed_with_the_fixtures():
    seen = []

    @each_value("seed", range(3))
    def check(factor, seed):
        seen.append(factor * seed)

    check(factor=2)
    assert seen == [0, 2, 4]


def test_a_failure_names_the_value():
    @each_value("name", ["kappa", "tau"])
    def check(name):
        assert name != "tau"

    with pytest.raises(AssertionError) as caught:
        check()
    assert caught.value.__notes__ == ["name = 'tau'"]


def test_a_missing_error_names_the_value():
    @each_value("number", ["1", "x", "2"])
    def check(number):
        with pytest.raises(ValueError, match="invalid literal"):
            int(number)

    with pytest.raises(pytest.fail.Exception) as caught:
        check()
    assert caught.value.__notes__ == ["number = '1'"]


def test_no_values_are_an_error():
    with pytest.raises(AssertionError, match="has no values"):
        each_value("seed", [])


@pytest.mark.parametrize("factor", [1, 2])
@each_value("seed", [3, 4])
def test_other_arguments_are_parametrised(factor, seed, tmp_path):
    assert factor * seed in (3, 4, 6, 8)
    assert tmp_path.is_dir()
