"""The maximum drop: by hand, published means, against scipy's ranks, properties, degenerate lists, simulation.

Voorhees (2018) gives drops of TREC runs whose scores are not published. Searched without result for a published drop
with its scores: pages of NIST on test collections built with bandit methods, public repositories, and pages on the
reusability of TREC Deep Learning. What is published are NIST's mean scores of the passage runs of TREC 2019 Deep
Learning with two thresholds of relevance, that is under two golds. The ranks can be counted in these tables, and so can
the drops. The scores of the runs themselves must give the same drops.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from agreement import prepare, score_table
from agreement.rank_correlation import maximum_drop, tau
from pooling.trec import read_qrels
from tests.each_value import each_value
from tests.examples import seeds
from tests.oracles import oracle
from tests.realdata import dl19_runs, real_data

SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=9)


def test_by_hand():
    # ranks 1 2 3 4 and 3 1 2 4: the first system falls by 2, and two rise
    drop = maximum_drop([0.9, 0.8, 0.7, 0.1], [0.5, 0.7, 0.6, 0.2], names="abcd")
    assert (drop.value, drop.n, drop.convention) == (2, 4, "a (rank 1 to 3)")
    # the other direction: two systems fall by 1
    drop = maximum_drop([0.5, 0.7, 0.6, 0.2], [0.9, 0.8, 0.7, 0.1], names="abcd")
    assert (drop.value, drop.convention) == (1, "b (rank 1 to 2), c (rank 2 to 3)")


def test_tied_systems_share_the_best_of_their_ranks():
    # ranks 1 2 2 4 and 4 1 1 1
    assert maximum_drop([3, 2, 2, 1], [0, 1, 1, 1]).value == 3
    # a ranking that ties all systems puts all of them at rank 1
    assert maximum_drop([3, 2, 1], [5, 5, 5]).value == 0
    assert maximum_drop([5, 5, 5], [3, 2, 1]).value == 2
    assert maximum_drop([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]).value == 0


def published(measure: str, golds: tuple[str, str] = ("passages-eval", "trec_eval")) -> list[pd.Series]:
    """NIST's means by a measure: relevant from grade 2 ("passages-eval") and from grade 1 ("trec_eval")."""
    runs = oracle("dl19_published_measures")["runs"]
    return [pd.Series({system: means[gold][measure] for system, means in runs.items()}) for gold in golds]


@pytest.mark.parametrize(
    ("measure", "drop", "systems"),
    [
        # counted in the tables: 11 and 10 runs have a higher map from grade 2, and 16 and 15 from grade 1
        ("map", 5, "runid3 (rank 12 to 17), runid4 (rank 11 to 16)"),
        ("recip_rank", 8, "ICT-BERT2 (rank 7 to 15)"),
        ("bpref", 7, "TUA1-1 (rank 7 to 14), test1 (rank 8 to 15)"),
        ("ndcg_cut_10", 0, "no system falls"),  # nDCG uses the grades, so that the threshold changes nothing
    ],
)
def test_drops_of_published_means(measure, drop, systems):
    strict, lenient = published(measure)
    found = maximum_drop(strict, lenient)
    assert (found.value, found.n, found.convention) == (drop, 37, systems)
    for system in [word for word in systems.split() if word in strict.index]:
        before, after = ((means > means[system]).sum() + 1 for means in (strict, lenient))
        assert f"{system} (rank {before} to {after})" in systems
        assert after - before == drop


@pytest.mark.slow
def test_runs_have_the_drops_of_their_published_means():
    runs, gold = prepare(dl19_runs()), read_qrels(real_data("dl19", "judges", "nist.qrels"))
    # the published means have four digits, which tie two runs
    strict, lenient = (score_table(runs, gold, f"AP(rel={rel})").mean(axis=1).round(4) for rel in (2, 1))
    means = [series[strict.index] for series in published("map")]
    assert maximum_drop(strict, lenient) == maximum_drop(*means)
    assert maximum_drop(lenient, strict) == maximum_drop(*means[::-1])
    assert maximum_drop(lenient, strict).convention == "bm25tuned_ax_p (rank 11 to 22)"


@each_value("seed", seeds(200))
def test_against_counted_ranks(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 15))
    truth, other = rng.random((2, n)).round(1 + seed % 3)
    falls = [sum(other > other[at]) - sum(truth > truth[at]) for at in range(n)]
    found = maximum_drop(truth, other)
    assert found.value == pytest.approx(max(0, *falls), abs=1e-9)
    names = [word.split(" ")[0] for word in found.convention.split(", ")] if found.value else []
    assert names == [str(at) for at in range(n) if found.value and falls[at] == found.value]


@given(SCORES)
def test_against_scipys_ranks(scores):
    truth, other = (-np.array(side) for side in zip(*scores, strict=True))
    falls = rankdata(other, method="min") - rankdata(truth, method="min")
    assert maximum_drop(-truth, -other).value == max(falls.max(), 0)


@given(SCORES)
def test_properties(scores):
    truth, other = (np.array(side) for side in zip(*scores, strict=True))
    drop = maximum_drop(truth, other).value
    assert 0 <= drop <= len(scores) - 1
    assert maximum_drop(truth, truth).value == 0
    assert maximum_drop(truth**3, 1 + 2 * other).value == drop
    assert maximum_drop(truth[::-1], other[::-1]).value == drop
    # adding the worst system of both rankings changes nothing
    assert maximum_drop([*truth, -1], [*other, -1]).value == drop


def test_names_are_those_of_a_series():
    truth = pd.Series([2.0, 1.0], index=["bm25", "lsa"])
    assert maximum_drop(truth, truth[::-1].set_axis(truth.index)).convention == "bm25 (rank 1 to 2)"
    assert maximum_drop([2, 1], [1, 2]).convention == "0 (rank 1 to 2)"
    assert maximum_drop(truth, truth).convention == "no system falls"


def test_degenerate_and_invalid_lists():
    assert maximum_drop([], []).reason == maximum_drop([1], [2]).reason == "one_system"
    with pytest.raises(ValueError, match="Both lists must score the same systems, not 1 and 2 scores"):
        maximum_drop([1], [1, 2])
    with pytest.raises(ValueError, match="Every system needs one score and one name, not 2 scores, 1 names"):
        maximum_drop([1, 2], [1, 2], names=["a"])
    with pytest.raises(ValueError, match="Scores must be one list of finite numbers"):
        maximum_drop([1, 2], [1, float("nan")])


def test_one_system_that_falls_is_found_though_tau_stays_high():
    rng = np.random.default_rng(1)
    truth = rng.random(50)
    other = truth.copy()
    other[np.argmax(truth)] = -1  # the best system did not contribute to the pool
    assert maximum_drop(truth, other).value == 49
    assert tau(truth, other).value == pytest.approx(1 - 2 * 49 / (50 * 49 / 2))
