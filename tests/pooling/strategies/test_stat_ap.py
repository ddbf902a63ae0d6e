"""statAP's sample: by hand, against a reference implementation, and how often documents are drawn."""

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import score_table
from agreement.measures.stat_ap import stat_ap as stat_ap_measure
from pooling import pool, prepare, read_qrels
from pooling.strategies.ap_weights import ap_weights
from pooling.strategies.stat_ap import stat_ap
from tests.examples import examples
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, best_of, lists, rankings_of, run
from tests.realdata import dl19_runs, real_data

SEEDS = st.integers(0, 2**64)
SHORT = lists(s="abcde", t="bfgd")


def ap_weight(rank, length):
    return (1 + sum(Fraction(1, k) for k in range(rank, length + 1))) / (2 * length)


def priors_of(rankings, depth=None):
    """The mean AP weight of each document over the runs of a topic, in fractions."""
    cut = [[doc_id for doc_id, _ in ranking[:depth]] for ranking in rankings.values()]
    priors = Counter()
    for ranking in cut:
        for rank, doc_id in enumerate(ranking, start=1):
            priors[doc_id] += ap_weight(rank, len(ranking)) / len(cut)
    return dict(priors)


def buckets_of(priors, size, query_id="1", seed=0):
    """The bucket, from 1, and the inclusion probability of each document: the mean of min(k, n) / n."""
    ranked = best_of(priors, len(priors), query_id, seed)
    expected = {}
    for number, start in enumerate(range(0, len(ranked), size), start=1):
        bucket = ranked[start : start + size]
        p = sum(priors[doc_id] for doc_id in bucket)
        chances = [comb(size, k) * p**k * (1 - p) ** (size - k) for k in range(size + 1)]
        mean = sum(chance * min(k, len(bucket)) for k, chance in enumerate(chances))
        expected |= dict.fromkeys(bucket, (str(number), float(mean / len(bucket))))
    return expected


def drawn_of(made, query_id="1"):
    frame = made.frame[made.frame["query_id"] == query_id]
    columns = ["doc_id", "stratum", "inclusion_probability"]
    return {d: (stratum, p) for d, stratum, p in frame[columns].itertuples(index=False, name=None)}


def test_ap_weights_by_hand():
    # Length 3: (1 + 1 + 1/2 + 1/3) / 6 = 17/36, (1 + 1/2 + 1/3) / 6 = 11/36, (1 + 1/3) / 6 = 8/36. Length 1: 2/2.
    assert ap_weights(np.array([3, 1, 0]), 3) == pytest.approx(
        np.array([[17 / 36, 11 / 36, 8 / 36], [1, 0, 0], [0, 0, 0]])
    )


@pytest.mark.parametrize("length", [1, 2, 5, 11])
def test_ap_weights_are_the_chances_of_pairs_of_ranks(length):
    # All ordered pairs of ranks, a pair in proportion to 1 / max: how often the first one is r.
    ranks = range(1, length + 1)
    pairs = {(r, s): Fraction(1, max(r, s)) * (2 if r == s else 1) for r in ranks for s in ranks}
    total = sum(pairs.values())
    expected = [float(sum(pairs[r, s] for s in ranks) / total) for r in ranks]
    assert ap_weights(np.array([length]), length)[0] == pytest.approx(expected)


def test_by_hand():
    # Two runs of three, both a b c: the AP weights 17/36, 11/36, 8/36. Buckets of two: {a, b} 28/36, {c} 8/36.
    # Of two draws, c is drawn unless both choose the other bucket: 1 - (28/36)^2 = 32/81.
    runs = run(lists(s="abc", t="abc"))
    expected = {"a": ("1", 28 / 36), "b": ("1", 28 / 36), "c": ("2", 32 / 81)}
    drawn = {}
    for seed in range(20):
        drawn |= drawn_of(pool(runs, "stat_ap", seed=seed, size=2))
    assert drawn.keys() == expected.keys()
    for doc_id, (bucket, probability) in drawn.items():
        assert (bucket, probability) == (expected[doc_id][0], pytest.approx(expected[doc_id][1]))


@examples(40)
@given(ROWS, COUNTS, DEPTHS, SEEDS)
def test_buckets_and_probabilities_match_a_reference_implementation(rows, size, depth, seed):
    made = pool(run(rows), "stat_ap", seed=seed, size=size, depth=depth)
    for query_id, rankings in rankings_of(rows).items():
        expected = buckets_of(priors_of(rankings, depth), size, query_id, seed)
        drawn = drawn_of(made, query_id)
        assert drawn.keys() <= expected.keys()
        assert 0 < len(drawn) <= min(size, len(expected))
        for doc_id, (bucket, probability) in drawn.items():
            assert (bucket, probability) == (expected[doc_id][0], pytest.approx(expected[doc_id][1]))


@examples(20)
@given(ROWS, SEEDS)
def test_a_size_of_all_documents_takes_them_all(rows, seed):
    made = pool(run(rows), "stat_ap", seed=seed, size=200)
    assert len(made) == len({row[1:3] for row in rows})
    assert set(made.frame["inclusion_probability"]) == {1.0}


@pytest.fixture(scope="module")
def draws():
    """1,000 samples of 7 documents, size 3: the doc_ids and their inclusion probabilities.

    The buckets have 3, 3 and 1 documents, so the last one may be drawn more often than it has documents.
    """
    runs = prepare(run(SHORT))
    doc_ids = runs.doc_ids_of_items
    selections = [stat_ap(runs, size=3, seed=seed) for seed in range(1_000)]
    return [dict(zip(doc_ids[one.items], one.inclusion_probability, strict=True)) for one in selections]


@pytest.mark.soak
def test_documents_are_drawn_as_often_as_the_inclusion_probability_says(draws):
    counts = Counter(doc_id for sample in draws for doc_id in sample)
    probability = {doc_id: p for sample in draws for doc_id, p in sample.items()}
    assert len(probability) == 7
    for doc_id, p in probability.items():
        assert abs(counts[doc_id] - len(draws) * p) < 4 * (len(draws) * p * (1 - p)) ** 0.5


@pytest.mark.in_ci
def test_the_number_of_relevant_documents_is_estimated_without_bias(draws):
    # a, d and g are relevant. The mean of the sum of 1 / p is within 4 standard errors of 3.
    estimates = [sum(1 / p for doc_id, p in sample.items() if doc_id in "adg") for sample in draws]
    assert abs(np.mean(estimates) - 3) < 4 * np.std(estimates) / len(draws) ** 0.5


def test_the_same_seed_draws_the_same_and_topics_are_independent():
    alone = pool(run(lists("1", s="abcdefgh")), "stat_ap", seed=3, size=3)
    both = pool(run([*lists("1", s="abcdefgh"), *lists("2", s="abcdefgh")]), "stat_ap", seed=3, size=3)
    assert drawn_of(alone) == drawn_of(both)
    others = [drawn_of(pool(run(lists("1", s="abcdefgh")), "stat_ap", seed=seed, size=3)) for seed in range(9)]
    assert any(other != drawn_of(alone) for other in others)


def test_buckets_go_from_high_to_low_priority():
    made = pool(run(lists(s="abcdefghij")), "stat_ap", seed=4, size=4).frame
    by_priority = made.sort_values("priority", ascending=False)["stratum"].tolist()
    assert by_priority == sorted(by_priority)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 0, "seed": 1}, "size must be a whole number from 1, not 0"),
        ({"size": 2, "seed": 1, "depth": 0}, "depth must be a whole number from 1, not 0"),
        ({"size": 2, "seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"size": 2}, "strategy 'stat_ap' .*seed"),
        ({"seed": 1}, "strategy 'stat_ap' needs the parameter 'size'"),
    ],
)
def test_invalid_parameters_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run(SHORT), "stat_ap", **options)


@pytest.mark.soak
def test_statap_on_its_own_sample_estimates_ap():
    """DL 2019, ranks to 100: 100 draws per topic of about 560 documents. Bias of the mean AP over topics below 0.02."""
    runs = prepare(dl19_runs())
    qrels = read_qrels(real_data("dl19", "judges", "nist.qrels"))[["query_id", "doc_id", "relevance"]]
    ids = ["query_id", "doc_id"]
    gold = pool(runs, depth=100).frame[ids].merge(qrels, "left", on=ids).fillna({"relevance": 0})
    truth = score_table(runs, gold, "AP(rel=2)").mean(axis=1)
    n_relevant = (gold["relevance"] >= 2).sum()
    errors, shares = [], []
    for seed in range(60):
        drawn = pool(runs, "stat_ap", seed=seed, size=100, depth=100).frame
        sample = drawn[[*ids, "inclusion_probability"]].merge(gold, on=ids)
        errors.append(stat_ap_measure(runs, sample, 2).mean(axis=1) - truth)
        shares.append((1 / sample["inclusion_probability"])[sample["relevance"] >= 2].sum() / n_relevant)
    assert np.abs(np.mean(errors, axis=0)).mean() < 0.02
    assert abs(np.mean(shares) - 1) < 4 * np.std(shares) / 60**0.5
