"""Corrections for many tests: by hand, published, against statsmodels, properties, and where there is nothing."""

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from agreement.significance import CORRECTIONS, adjusted

# Benjamini & Hochberg (1995), section 4.1: the 15 p-values of a study of thrombolysis.
THROMBOLYSIS = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
THROMBOLYSIS += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
STATSMODELS = {"bonferroni": "bonferroni", "holm": "holm", "benjamini-hochberg": "fdr_bh"}

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_by_hand():
    p = [0.04, 0.01, 0.03]

    assert adjusted(p, "none").tolist() == p
    # three tests: 3 * 0.04, 3 * 0.01, 3 * 0.03
    assert adjusted(p, "bonferroni") == pytest.approx([0.12, 0.03, 0.09])
    # ascending 0.01 * 3 = 0.03, 0.03 * 2 = 0.06, 0.04 * 1 = 0.04, which may not fall below 0.06
    assert adjusted(p, "holm") == pytest.approx([0.06, 0.03, 0.06])
    # ascending 0.01 * 3/1 = 0.03, 0.03 * 3/2 = 0.045, which may not rise above 0.04 * 3/3 = 0.04
    assert adjusted(p, "benjamini-hochberg") == pytest.approx([0.04, 0.03, 0.04])


def test_an_adjusted_p_is_at_most_one():
    assert adjusted([0.5, 0.9], "bonferroni").tolist() == [1, 1]


@pytest.mark.parametrize(("method", "rejected"), [("bonferroni", 3), ("benjamini-hochberg", 4)])
def test_published_number_of_rejections(method, rejected):
    assert (adjusted(THROMBOLYSIS, method) <= 0.05).sum() == rejected


@pytest.mark.parametrize("method", STATSMODELS)
@pytest.mark.parametrize("size", [1, 2, 15, 200])
def test_against_statsmodels(monkeypatch, method, size):
    monkeypatch.setattr(gc, "collect", int)  # multipletests collects all garbage for Holm
    rng = np.random.default_rng(size)
    for p in (rng.random(size), rng.random(size) ** 4, rng.integers(4, size=size) / 3):
        expected = multipletests(p, method=STATSMODELS[method])[1]
        assert adjusted(p, method) == pytest.approx(expected, abs=1e-12)


@given(p_values)
def test_each_correction_is_at_most_as_strict_as_the_one_before(p):
    none, bonferroni, holm, hochberg = (
        adjusted(p, method) for method in ("none", "bonferroni", "holm", "benjamini-hochberg")
    )

    assert (bonferroni >= holm - 1e-15).all()
    assert (holm >= hochberg - 1e-15).all()
    assert (hochberg >= none - 1e-15).all()


@pytest.mark.parametrize("method", CORRECTIONS)
@given(p=p_values, data=st.data())
def test_the_order_of_the_tests_does_not_matter(method, p, data):
    order = data.draw(st.permutations(range(len(p))))

    assert adjusted(np.take(p, order), method).tolist() == adjusted(p, method)[order].tolist()


@pytest.mark.parametrize("method", CORRECTIONS)
def test_nothing_to_correct(method):
    assert adjusted([], method).tolist() == []
    assert adjusted([0.02], method).tolist() == [0.02]


def test_an_unknown_correction_is_refused():
    with pytest.raises(ValueError, match="none, bonferroni, holm, benjamini-hochberg, not 'sidak'"):
        adjusted([0.1], "sidak")


@pytest.mark.parametrize("p", [[1.5], [-0.1], [float("nan")], [[0.1]]])
def test_invalid_p_values_are_refused(p):
    with pytest.raises(ValueError, match="from 0 to 1"):
        adjusted(p, "holm")
