"""Why two systems swap: by hand, by all orders, sums, real data, and golds that explain nothing."""

import json
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.attribution.why_swapped import why_swapped
from agreement.effectiveness import evaluate, prepare
from pooling.trec import read_qrels, read_run
from tests.agreement.random_collections import TOPICS, few, gold_of, random_gold, random_runs, run_of, seeded, seeds
from tests.oracles import oracle
from tests.realdata import real_data

AB = {"a": {"1": "xy"}, "b": {"1": "yx"}}
measures = st.sampled_from(["AP", "AP(rel=2)@3", "nDCG", "nDCG@2", "P(rel=2)@2"])


def contributions(why):
    return {(row.query_id, row.doc_id): row.contribution for row in why.documents.itertuples()}


def test_two_documents_share_a_swap_by_hand():
    gold_1, gold_2 = gold_of({"1": {"x": 1, "y": 0}}), gold_of({"1": {"x": 0, "y": 1}})

    why = why_swapped(run_of(AB), "a", "b", gold_1, gold_2, "AP")

    # under gold 1: a 1, b 1/2; under gold 2 the other way round. With only x regraded nothing is relevant, with
    # only y both are: a difference of 0 either way, so each of the two takes away 1/2
    assert why.differences == (0.5, -0.5)
    assert why.swapped
    assert contributions(why) == {("1", "x"): -0.5, ("1", "y"): -0.5}
    assert why.documents[["grade_1", "grade_2", "rank_a", "rank_b"]].to_numpy().tolist() == [[1, 0, 1, 2], [0, 1, 2, 1]]
    assert set(why.documents["error"]) == {0}
    assert set(why.documents["method"]) == {"exact"}


def test_a_joint_effect_is_shared_by_hand():
    runs = run_of({"a": {"1": "xyz"}, "b": {"1": "zxy"}})
    gold_1, gold_2 = gold_of({"1": {"z": 1}}), gold_of({"1": {"x": 1, "y": 1, "z": 1}})

    why = why_swapped(runs, "a", "b", gold_1, gold_2, "AP")

    # v: {} 1/3 - 1 = -2/3; x: (1 + 2/3)/2 - (1 + 1)/2 = -1/6; y: (1/2 + 2/3)/2 - (1 + 2/3)/2 = -1/4; both: 0
    # x adds 1/2 first and 1/4 second: 3/8; y adds 5/12 first and 1/6 second: 7/24
    assert contributions(why) == pytest.approx({("1", "x"): 3 / 8, ("1", "y"): 7 / 24}, abs=1e-15)


def test_a_relevant_document_that_neither_retrieved_still_counts():
    gold_1 = gold_of({"1": {"x": 1}})
    gold_2 = gold_of({"1": {"x": 1, "lost": 1, "gone": 1, "dull": 0}})

    why = why_swapped(run_of(AB), "a", "b", gold_1, gold_2, "AP")

    # 1 - 1/2 is divided by 3 instead of 1: the two relevant ones, interchangeable, share the loss of 1/3
    assert contributions(why) == pytest.approx({("1", "lost"): -1 / 6, ("1", "gone"): -1 / 6, ("1", "dull"): 0})
    assert why.documents["doc_id"].tolist() == ["gone", "lost", "dull"]
    assert why.documents[["grade_1", "rank_a", "rank_b"]].isna().all(axis=None)


def test_topics_sum_to_the_change_of_the_mean_by_hand():
    runs = run_of({"a": {"1": "xy", "2": "xy", "3": "xy"}, "b": {"1": "yx", "2": "yx", "3": "yx"}})
    x, y = {"x": 1, "y": 0}, {"x": 0, "y": 1}
    gold_1, gold_2 = gold_of({"1": x, "2": x, "3": y}), gold_of({"1": y, "2": y, "3": x})

    why = why_swapped(runs, "a", "b", {"one": gold_1}, {"two": gold_2}, "P@1", min_topics=3)

    # D: from (1 + 1 - 1) / 3 to (-1 - 1 + 1) / 3; topics 1 and 2 contribute -2/3 each, topic 3 +2/3
    assert why.differences == pytest.approx((1 / 3, -1 / 3))
    assert why.topics["query_id"].tolist() == ["1", "2", "3"]
    assert why.topics["change"].tolist() == [-2, -2, 2]
    assert why.topics["contribution"].tolist() == pytest.approx([-2 / 3, -2 / 3, 2 / 3])
    assert why.topics["share"].tolist() == pytest.approx([1, 1, -1])
    assert why.topics["n_regraded"].tolist() == [2, 2, 2]
    assert why.main_topics == ("1",)
    assert why.scores["gold"].tolist() == ["one", "two"]
    assert why.scores["score_a"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert why.summary() == (
        "Yes, a and b swap. a leads by 0.333 under one and trails by 0.333 under two (P@1, 3 topics). 1 of 3 topics "
        "accounts for at least 80% of the change, topic 1 for most (-0.667 of -0.667, most of it by document x, 1 to "
        "0)."
    )


def by_all_orders(runs, gold_1, gold_2, measure, topic):
    """The definition from scratch: golds regraded one document after the other, each scored as a whole."""
    before, after = ({row.doc_id: row.relevance for row in gold.itertuples()} for gold in (gold_1, gold_2))
    changed = sorted(doc for doc in before | after if before.get(doc) != after.get(doc))

    def difference(regraded):
        grades = {doc: (after if doc in regraded else before).get(doc) for doc in before | after}
        gold = gold_of({topic: {doc: grade for doc, grade in grades.items() if grade is not None}})
        if gold.empty:
            return 0.0
        scores = evaluate(runs, gold, measure, per_query=False).set_index("system")["value"]
        return scores["a"] - scores["b"]

    values = {frozenset(): difference(())}
    gains = {doc: [] for doc in changed}
    for order in permutations(changed):
        for place, doc in enumerate(order):
            sets = frozenset(order[:place]), frozenset(order[: place + 1])
            for one in sets:
                values[one] = values[one] if one in values else difference(one)
            gains[doc].append(values[sets[1]] - values[sets[0]])
    return {(topic, doc): np.mean(gain) for doc, gain in gains.items()}


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", ["AP", "AP(rel=2)@3", "nDCG", "nDCG@2", "P(rel=2)@2"])
@pytest.mark.parametrize("seed", [1, 2])
def test_contributions_are_the_mean_over_all_orders_of_regrading(measure, seed):
    rng = seeded(seed)
    runs = prepare(random_runs(rng, ("a", "b")))
    gold_1, gold_2 = (random_gold(rng, ("1",), 5) for _ in range(2))

    why = why_swapped(runs, "a", "b", gold_1, gold_2, measure)

    assert len(why.documents) >= 2
    assert contributions(why) == pytest.approx(by_all_orders(runs, gold_1, gold_2, measure, "1"), abs=1e-12)


@pytest.mark.in_ci
@few
@given(seeds, measures, st.integers(0, 12))
def test_contributions_sum_to_the_change(seed, measure, exact_limit):
    rng = seeded(seed)
    runs, golds = random_runs(rng), (random_gold(rng), random_gold(rng))

    why = why_swapped(runs, "a", "b", *golds, measure, seed=seed, exact_limit=exact_limit, permutations=4)

    by_topic = why.documents.groupby("query_id")[["change", "contribution"]].sum().reindex(why.topics["query_id"])
    assert by_topic["change"].fillna(0).to_numpy() == pytest.approx(why.topics["change"].to_numpy(), abs=1e-12)
    assert why.topics["contribution"].sum() == pytest.approx(why.change, abs=1e-12)
    assert why.documents["contribution"].sum() == pytest.approx(why.change, abs=1e-12)


@pytest.mark.slow
@few
@given(seeds, measures)
def test_differences_equal_those_of_the_scores(seed, measure):
    rng = seeded(seed)
    runs, golds = random_runs(rng), (random_gold(rng), random_gold(rng, TOPICS[:2]))

    why = why_swapped(runs, "a", "b", *golds, measure)

    assert why.n_topics == 2
    for gold, difference in zip(golds, why.differences, strict=True):
        scores = evaluate(runs, gold[gold["query_id"] != "3"], measure, per_query=False).set_index("system")["value"]
        assert difference == pytest.approx(scores["a"] - scores["b"], abs=1e-12)


@pytest.mark.slow
@few
@given(seeds, measures)
def test_exchanging_systems_or_golds_negates_contributions(seed, measure):
    rng = seeded(seed)
    runs, first, second = random_runs(rng), random_gold(rng), random_gold(rng)

    why = contributions(why_swapped(runs, "a", "b", {"1": first}, {"2": second}, measure))

    for other in (
        why_swapped(runs, "b", "a", {"1": first}, {"2": second}, measure),
        why_swapped(runs, "a", "b", {"2": second}, {"1": first}, measure),
    ):
        assert contributions(other) == pytest.approx({key: -value for key, value in why.items()}, abs=1e-12)


@pytest.mark.in_ci
@few
@given(seeds, measures)
def test_grades_that_the_measure_does_not_distinguish_contribute_nothing(seed, measure):
    rng = seeded(seed)
    runs, gold = random_runs(rng), random_gold(rng)
    other = gold.assign(relevance=gold["relevance"].replace({0: -1, -1: 0}))

    why = why_swapped(runs, "a", "b", gold, other, measure, exact_limit=0)

    assert len(why.documents) == gold["relevance"].isin([0, -1]).sum()
    assert set(why.documents["contribution"]) <= {0}
    assert set(why.documents["method"]) <= {"exact"}


def test_sampled_contributions_are_close_and_marked():
    rng = seeded(5)
    runs, golds = random_runs(rng), (random_gold(rng), random_gold(rng))

    exact = why_swapped(runs, "a", "b", *golds, "AP")
    drawn = why_swapped(runs, "a", "b", *golds, "AP", seed=3, exact_limit=0, permutations=400)

    again = why_swapped(runs, "a", "b", *golds, "AP", seed=3, exact_limit=0, permutations=400)
    pd.testing.assert_frame_equal(drawn.documents, again.documents)
    by_name = ["query_id", "doc_id"]
    both = exact.documents.merge(drawn.documents, on=by_name, suffixes=("", "_drawn"))
    assert len(both) == len(drawn.documents)
    assert drawn.documents["error"].max() > 0
    assert (np.abs(both["contribution"] - both["contribution_drawn"]) <= 6 * both["error_drawn"] + 1e-9).all()
    assert set(drawn.documents["method"]) <= {"exact", "400 orders"}
    assert (drawn.documents.loc[drawn.documents["method"] == "exact", "error"] == 0).all()


def test_sampling_needs_a_seed():
    gold_1 = gold_of({"1": {"x": 1, "y": 0}})

    with pytest.raises(ValueError, match=r"Topic 1 has 2 regraded documents.*exact_limit=1.* needs a seed"):
        why_swapped(run_of(AB), "a", "b", gold_1, gold_of({"1": {"x": 0, "y": 1}}), "AP", exact_limit=1)


def test_the_same_gold_changes_nothing():
    gold = gold_of({"1": {"x": 1}})

    why = why_swapped(run_of(AB), "a", "b", gold, gold, "AP", min_topics=1)

    assert (why.change, why.swapped, len(why.documents)) == (0, False, 0)
    assert why.topics["share"].isna().all()
    assert why.main_topics == ()
    assert why.summary() == (
        "No, a and b do not swap. a leads by 0.500 under gold 1 and leads by 0.500 under gold 2 (AP, 1 topic). "
        "Their difference does not change."
    )


def test_a_tie_is_not_a_swap():
    why = why_swapped(run_of(AB), "a", "b", gold_of({"1": {"x": 1}}), gold_of({"1": {"x": 1, "y": 1}}), "AP")

    assert why.differences == (0.5, 0)
    assert not why.swapped
    assert "a leads by 0.500 under gold 1 and is tied under gold 2" in why.summary()
    assert "most of it by document y, unjudged to 1" in why.summary()


def test_golds_without_a_common_topic():
    both = {system: {**topics, "2": topics["1"]} for system, topics in AB.items()}

    why = why_swapped(run_of(both), "a", "b", gold_of({"1": {"x": 1}}), gold_of({"2": {"x": 1}}), "AP")

    assert why.summary() == "Cannot be determined: gold 1 and gold 2 have no topic in common."
    assert (why.n_topics, why.change, why.differences, why.swapped) == (0, None, None, False)
    assert len(why.topics) == len(why.documents) == 0
    assert why.scores["difference"].isna().all()
    assert json.loads(json.dumps(why.to_dict()))["topics"] == []


def test_too_few_topics_are_preliminary():
    gold_1, gold_2 = gold_of({"1": {"x": 1, "y": 0}}), gold_of({"1": {"x": 0, "y": 1}})

    why = why_swapped(run_of(AB), "a", "b", {"one": gold_1}, {"two": gold_2}, "AP")

    assert not why.enough
    assert why.summary().startswith(
        "Preliminary: 1 topic in common, 100% of the first 10 documents of the systems judged; answers need 10 topics, "
        "half of the top ten judged. Yes, a and b swap. a leads by 0.500 under one and trails by 0.500 under "
        "two (AP, 1 topic)."
    )


def test_the_judged_share_is_that_of_the_two_systems():
    runs = run_of({"a": {"1": "wxyz"}, "b": {"1": "xwzy"}, "other": {"1": "qrst"}})
    gold_1, gold_2 = gold_of({"1": {"x": 1, "w": 0, "y": -1}}), gold_of({"1": {"w": 1}})

    why = why_swapped(runs, "a", "b", gold_1, gold_2, "AP", min_topics=1)

    assert why.judged_shares == (4 / 8, 2 / 8)  # -1 is not a judgement
    assert not why.enough
    assert ", 25% of the first 10 documents" in why.summary()
    assert why_swapped(runs, "a", "b", gold_1, gold_2, "AP", min_topics=1, min_judged=0.25).enough
    with pytest.raises(ValueError, match="min_judged must be a share from 0 to 1, not 2"):
        why_swapped(runs, "a", "b", gold_1, gold_2, "AP", min_judged=2)


def test_a_topic_without_runs_contributes_nothing():
    gold_1, gold_2 = gold_of({"1": {"x": 1}, "9": {"x": 1}}), gold_of({"1": {"x": 0}, "9": {"x": 0}})

    why = why_swapped(run_of(AB), "a", "b", gold_1, gold_2, "AP")

    assert contributions(why) == {("1", "x"): -0.25, ("9", "x"): 0}
    assert why.documents["rank_a"].isna().tolist() == [False, True]


def test_a_measure_for_which_lower_is_better():
    gold_1, gold_2 = gold_of({"1": {"x": 1, "y": 0}}), gold_of({"1": {"x": 0, "y": 1}})

    why = why_swapped(run_of(AB), "a", "b", gold_1, gold_2, "E@1", min_topics=1)

    assert why.differences == (-1, 1)  # a misses nothing under gold 1, everything under gold 2
    assert why.summary().startswith("Yes, a and b swap. a leads by 1.000 under gold 1 and trails by 1.000 under gold 2")


def test_a_system_without_the_topic_scores_0():
    runs = run_of({"a": {"1": "xy"}, "b": {"2": "x"}})

    why = why_swapped(runs, "a", "b", gold_of({"1": {"x": 1}}), gold_of({"1": {"x": 0}}), "AP")

    assert why.differences == (1, 0)
    assert contributions(why) == {("1", "x"): -1}


def test_grades_may_be_fractions():
    gold_1, gold_2 = gold_of({"1": {"x": 1, "y": 0.5}}), gold_of({"1": {"x": 0.5, "y": 1}})

    why = why_swapped(run_of(AB), "a", "b", gold_1, gold_2, "nDCG")

    assert why.differences[0] == pytest.approx(-why.differences[1])
    assert why.documents["grade_1"].tolist() == [1, 0.5]


def test_to_dict_is_json():
    why = why_swapped(run_of(AB), "a", "b", gold_of({"1": {"x": 1}}), gold_of({"1": {"y": 1}}), "AP", seed=7)

    data = json.loads(json.dumps(why.to_dict(), allow_nan=False))

    assert (data["systems"], data["golds"], data["seed"]) == (["a", "b"], ["gold 1", "gold 2"], 7)
    assert data["documents"][0]["grade_2"] is None
    assert list(why.tables()) == ["scores", "topics", "documents"]


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ("ac", {}, "no run of system 'c'. There are runs of a, b"),
        ("aa", {}, "Name two different systems, not 'a' twice"),
        ("ab", {"permutations": 5}, "permutations must be an even number of at least 4, not 5"),
        ("ab", {"exact_limit": 21}, "exact_limit must be a whole number from 0 to 20, not 21"),
        ("ab", {"seed": -1}, "seed must be a whole number of at least 0, not -1"),
    ],
)
def test_invalid_arguments_are_refused(systems, options, message):
    gold = gold_of({"1": {"x": 1}})

    with pytest.raises(ValueError, match=message):
        why_swapped(run_of(AB), *systems, gold, gold, "AP", **options)


def test_golds_of_the_same_name_are_refused():
    gold = gold_of({"1": {"x": 1}}).assign(gold="nist")

    with pytest.raises(ValueError, match="with different names, but gold_2 is nist"):
        why_swapped(run_of(AB), "a", "b", gold, gold, "AP")


@pytest.mark.soak
@pytest.mark.slow
def test_dl19_judges_and_published_scores():
    names = ("bm25tuned_rm3_p", "ms_duet_passage")
    runs = prepare(read_run(real_data("dl19", "runs", f"{name}.run.gz")) for name in names)
    nist, judge = (read_qrels(real_data("dl19", "judges", f"{name}.qrels")) for name in ("nist", "judge1"))

    whole = why_swapped(runs, *names, {"nist": nist}, {"same": nist}, "AP(rel=2)")
    why = why_swapped(runs, *names, {"nist": nist}, {"judge 1": judge}, "nDCG@10", seed=1)

    published = oracle("dl19_published_measures")["runs"]
    for name, score in zip(names, whole.scores.loc[0, ["score_a", "score_b"]], strict=True):
        assert round(score, 4) == published[name]["passages-eval"]["map"]
    assert why.n_topics == 13
    by_topic = why.documents.groupby("query_id")["change"].sum()[why.topics["query_id"]]
    assert by_topic.to_numpy() == pytest.approx(why.topics["change"].to_numpy(), abs=1e-12)
    assert why.documents["error"].max() < 0.1 * why.documents["contribution"].abs().max()
