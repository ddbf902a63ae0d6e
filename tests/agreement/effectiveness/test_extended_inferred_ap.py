"""Extended inferred AP: by hand, against NIST's algorithm in fractions, one stratum, the whole pool judged."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import prepare, score_table
from agreement.measures.extended_inferred_ap import extended_inferred_ap
from pooling import read_qrels, read_run
from tests.agreement.graded_rankings import gold_of, ranked, run_of, scored_run_of, with_first_topic
from tests.examples import examples
from tests.realdata import real_data

E = Fraction(1, 100_000)
DOCS = [f"d{number}" for number in range(9)]
few = examples(25)
pools = with_first_topic(
    ["1", "2"],
    st.dictionaries(st.sampled_from(DOCS), st.tuples(st.integers(-1, 2), st.sampled_from("abc")), min_size=1),
)
rankings = with_first_topic(
    ["1", "2", "3"],
    st.dictionaries(st.sampled_from(DOCS), st.integers(0, 9).map(float), min_size=1),
)


def pool_gold(pool):
    """A gold with strata from topic -> document -> (relevance, stratum)."""
    rows = [(topic, doc, *row) for topic, docs in pool.items() for doc, row in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "stratum"])


def slow_xinfap(ranking, pool, rel):
    """One topic in fractions, stratum by stratum and document by document, as sample_eval.pl goes through it."""
    names = sorted({stratum for _, stratum in pool.values()})
    members = {name: [grade for grade, stratum in pool.values() if stratum == name] for name in names}
    estimated, found = {}, {}
    for name in names:
        judged = [grade for grade in members[name] if grade >= 0]
        relevant = [grade for grade in judged if grade >= rel]
        estimated[name] = Fraction(len(relevant) * len(members[name]), len(judged)) if judged else Fraction(0)
        found[name] = (Fraction(0), len(relevant))
    for rank, doc in enumerate(ranking, start=1):
        if doc in pool and pool[doc][0] >= rel:
            above = [pool[other] for other in ranking[: rank - 1] if other in pool]
            precision = Fraction(1, rank)
            for name in names:
                grades = [grade for grade, stratum in above if stratum == name]
                r, n = sum(grade >= rel for grade in grades), sum(grade >= 0 for grade in grades)
                precision += Fraction(len(grades), rank) * (r + E) / (n + 3 * E)
            total, number = found[pool[doc][1]]
            found[pool[doc][1]] = (total + precision, number)
    whole = sum(estimated.values())
    parts = [estimated[name] / whole * found[name][0] / found[name][1] for name in names if estimated[name]]
    return float(sum(parts, Fraction(0)))


def test_by_hand():
    # ranking a b x c e; x is outside the pool
    # stratum top: a relevant, b not: N = n = 2, r = 1, w = 1
    # stratum rest: c relevant, e and f not judged, g not relevant: N = 4, n = 2, r = 1, w = 2
    # a at rank 1: 1.  c at rank 4: 1/4 + (1/4) 2 (1 + e) / (2 + 3 e) = 1/2, but for the smoothing
    # xinfAP = (1 * 1 + 2 * 1/2) / (1 + 2) = 2/3
    gold = pool_gold(
        {"q": {"a": (1, "t"), "b": (0, "t"), "c": (1, "r"), "e": (-1, "r"), "f": (-1, "r"), "g": (0, "r")}}
    )

    assert extended_inferred_ap(run_of({"q": "abxce"}), gold).loc["s", "q"] == pytest.approx(2 / 3, abs=1e-5)


def test_a_third_is_assumed_relevant_if_nothing_above_was_judged():
    # b at rank 2, a above it pooled and not judged: 1/2 + (1/2) e / (3 e) = 2/3; R is b's w on both sides
    gold = pool_gold({"q": {"a": (-1, "t"), "b": (1, "t")}})

    assert extended_inferred_ap(run_of({"q": "ab"}), gold).loc["s", "q"] == pytest.approx(2 / 3, abs=1e-15)


def test_relevant_documents_that_were_not_retrieved_count_with_the_weight_of_their_stratum():
    # a retrieved at rank 1, w = 1; b not retrieved, one judged of three, w = 3: xinfAP = 1 / (1 + 3)
    gold = pool_gold({"q": {"a": (1, "t"), "b": (1, "r"), "c": (-1, "r"), "d": (-1, "r")}})

    assert extended_inferred_ap(run_of({"q": "a"}), gold).loc["s", "q"] == pytest.approx(1 / 4, abs=1e-15)


@few
@given(rankings, pools, st.integers(1, 2))
def test_against_the_algorithm_of_nist_in_fractions(run, pool, rel):
    ours = extended_inferred_ap(scored_run_of(run), pool_gold(pool), rel)
    slow = {topic: slow_xinfap(ranked(run.get(topic, {})), docs, rel) for topic, docs in pool.items()}

    assert ours.loc["s"].to_dict() == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_against_the_algorithm_of_nist_on_longer_rankings(seed):
    rng = np.random.default_rng(seed)
    docs = np.array([f"d{number:03}" for number in range(120)])
    run = {topic: dict.fromkeys(rng.permutation(docs)[:80].tolist()) for topic in "12"}
    run = {topic: {doc: float(-place) for place, doc in enumerate(found)} for topic, found in run.items()}
    pool = {
        topic: {
            doc: (int(grade), stratum)
            for doc, grade, stratum in zip(
                docs[:90], rng.integers(-1, 3, 90), rng.choice(list("abcd"), 90), strict=True
            )
        }
        for topic in "12"
    }
    slow = {topic: slow_xinfap(ranked(run[topic]), pool[topic], 1) for topic in "12"}

    ours = extended_inferred_ap(scored_run_of(run), pool_gold(pool)).loc["s"].to_dict()
    assert ours == pytest.approx(slow, abs=1e-9)


@pytest.mark.slow
@few
@given(rankings, pools)
def test_with_all_of_the_pool_judged_it_is_average_precision(run, pool):
    gold = pool_gold(pool)
    gold["relevance"] = gold["relevance"].clip(lower=0)
    runs = scored_run_of(run)

    assert np.allclose(extended_inferred_ap(runs, gold), score_table(runs, gold, "AP"), rtol=0, atol=3e-4)


def test_with_one_stratum_and_something_judged_above_it_is_infap():
    # the two differ in their smoothing only: both take 1 of 2 judged documents above c as relevant
    gold = pool_gold({"q": {"a": (1, "t"), "b": (0, "t"), "x": (-1, "t"), "c": (1, "t"), "y": (-1, "t")}})
    runs = run_of({"q": "abxcy"})

    assert np.allclose(extended_inferred_ap(runs, gold), score_table(runs, gold, "infAP"), rtol=0, atol=3e-5)


@pytest.mark.slow
@few
@given(rankings, pools, st.permutations("abc"), st.integers(0, 2**32))
def test_names_of_strata_and_the_order_of_rows_do_not_matter(run, pool, names, seed):
    gold = pool_gold(pool)
    other = gold.assign(stratum=gold["stratum"].map(dict(zip("abc", names, strict=True))))
    other = other.iloc[np.random.default_rng(seed).permutation(len(gold))]
    runs = scored_run_of(run)

    assert np.allclose(extended_inferred_ap(runs, gold), extended_inferred_ap(runs, other), rtol=0, atol=1e-12)


@few
@given(rankings, pools)
def test_range_is_0_to_1(run, pool):
    values = extended_inferred_ap(scored_run_of(run), pool_gold(pool)).to_numpy()

    assert ((values >= 0) & (values <= 1 + 1e-12)).all()


def test_systems_with_the_same_ranking_have_the_same_score_to_the_last_bit():
    rng = np.random.default_rng(4)
    pool = {"q": {f"d{n}": (int(rng.integers(-1, 2)), str(rng.integers(4))) for n in range(40)}}
    best_first = {"q": rng.permutation(list(pool["q"])).tolist()}
    other = {"q": rng.permutation(list(pool["q"])).tolist()}
    runs = pd.concat([run_of(best_first, "a"), run_of(other, "b"), run_of(best_first, "c")])

    scores = extended_inferred_ap(runs, pool_gold(pool))["q"]
    assert scores["a"] == scores["c"] != scores["b"]


def test_topics_are_from_the_gold_and_systems_from_the_runs():
    gold = pool_gold({"2": {"a": (1, "t")}, "1": {"a": (0, "t")}})
    runs = pd.concat([run_of({"2": "ab", "3": "a"}, "y"), run_of({"1": "a"}, "x")])

    table = extended_inferred_ap(prepare(runs), gold)
    assert table.index.tolist() == ["x", "y"]
    assert table.columns.tolist() == ["1", "2"]
    assert table.to_numpy().tolist() == [[0, 0], [0, 1]]


def test_degenerate_input():
    def one(relevance):
        return extended_inferred_ap(run_of({"q": "ab"}), pool_gold({"q": relevance})).loc["s", "q"]

    assert one({"a": (0, "t"), "b": (-1, "t")}) == 0
    assert one({"a": (-1, "t"), "b": (-2, "r")}) == 0
    assert one({"c": (1, "t")}) == 0
    assert one({"a": (1, "t")}) == 1


def test_an_unjudged_stratum_adds_no_relevant_documents():
    gold = pool_gold({"q": {"a": (1, "t"), "b": (-1, "r"), "c": (-1, "r")}})

    assert extended_inferred_ap(run_of({"q": "abc"}), gold).loc["s", "q"] == 1


def test_golds_without_strata_are_refused():
    runs = run_of({"q": "ab"})
    with pytest.raises(ValueError, match="needs a gold with the column stratum"):
        extended_inferred_ap(runs, gold_of({"q": {"a": 1}}))
    with pytest.raises(ValueError, match="topic 'q', document 'b' has none"):
        extended_inferred_ap(runs, pool_gold({"q": {"a": (1, "t"), "b": (0, None)}}))
    with pytest.raises(ValueError, match="rel must be a whole number of at least 0, not -1"):
        extended_inferred_ap(runs, pool_gold({"q": {"a": (1, "t")}}), rel=-1)
    with pytest.raises(ValueError, match="A document has two grades"):
        extended_inferred_ap(runs, pd.concat([pool_gold({"q": {"a": (1, "t")}})] * 2))


def test_with_all_judged_the_real_runs_have_their_average_precision():
    paths = sorted(real_data("dl19", "runs").glob("*.run.gz"))[:2]
    runs = prepare(read_run(path) for path in paths)
    gold = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    gold = gold.assign(stratum=gold["doc_id"].str[-1])

    assert np.allclose(extended_inferred_ap(runs, gold, 2), score_table(runs, gold, "AP(rel=2)"), rtol=0, atol=3e-4)
