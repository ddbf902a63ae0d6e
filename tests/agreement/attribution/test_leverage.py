"""How far a disputed document changes the ranking: by hand, from scratch, properties, DL 2019 judges, no disputes."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement.attribution.leverage import leverage
from agreement.effectiveness import evaluate, prepare
from agreement.rank_correlation import competition_ranks, swapped_pairs, tau_b
from pooling.trec import read_qrels, read_run
from tests.agreement.random_collections import (
    JUDGEMENTS,
    few,
    gold_of,
    random_gold,
    random_judgements,
    random_runs,
    run_of,
    seeded,
    seeds,
)
from tests.realdata import real_data

RUNS = run_of({"a": {"1": "xyz", "2": "x"}, "b": {"1": "yzx", "2": "x"}, "c": {"1": "zxy", "2": "x"}})
GOLD = gold_of({"1": {"x": 1, "y": 0}, "2": {"x": 1}})
measures = st.sampled_from(["AP", "AP(rel=2)@3", "nDCG", "nDCG@2", "P(rel=2)@2"])


def judgements_of(*rows):
    return pd.DataFrame(rows, columns=JUDGEMENTS)


def test_two_documents_by_hand():
    judgements = judgements_of(
        ("ann", "1", "x", 1), ("bob", "1", "x", 0), ("cem", "1", "x", 0), ("ann", "1", "z", 0), ("bob", "1", "z", 1)
    )

    found = leverage(RUNS, judgements, "AP", GOLD)

    # AP of topic 1 before: a 1, b 1/3, c 1/2, so a > c > b; topic 2 is 1 for all. With x 0 all have 0 there: tied.
    # With z 1: a (1 + 2/3)/2 = 5/6, b (1/2 + 2/3)/2 = 7/12, c (1 + 1)/2 = 1: a and c swap, tau_b 1/3.
    # z 0 and an unjudged z are the same for AP. Means are over two topics, so changes are halved
    documents = found.documents
    assert documents[["doc_id", "grade", "judges"]].to_numpy().tolist() == [
        ["z", 1, "bob"],
        ["z", 0, "ann"],
        ["x", 0, "bob, cem"],
    ]
    assert documents["tau"].tolist()[:2] == pytest.approx([1 / 3, 1])
    assert (documents["tau"].isna().tolist(), documents["reason"].tolist()) == (
        [False, False, True],
        [None, None, "all_tied"],
    )
    assert documents["pairs_swapped"].tolist() == [1, 0, 0]
    assert documents["top_changed"].tolist() == [True, False, True]
    assert documents["largest_change"].tolist() == pytest.approx([1 / 4, 0, 1 / 2])
    assert list(map(str, documents["gold_grade"])) == ["<NA>", "<NA>", "1"]
    assert (found.n_systems, found.n_topics, found.n_disputed) == (3, 2, 2)
    assert found.summary() == (
        "2 of 2 disputed documents can change the ranking on their own (AP under gold, 3 systems, 2 topics). "
        "Document z of topic 1 matters most: grade 1 swaps 1 system pair (tau_b 0.333)."
    )


def from_scratch(runs, judgements, measure, gold):
    """Every flip by scoring a whole gold again; the slow obvious way."""

    def means(truth):
        return evaluate(runs, truth, measure, per_query=False).set_index("system")["value"].to_numpy()

    def top(scores):
        return set(np.flatnonzero(competition_ranks(scores) == 1))

    before, rows = means(gold), {}
    judged = judgements[judgements["relevance"] != -1]
    for (query_id, doc_id), dispute in judged.groupby(["query_id", "doc_id"]):
        here = (gold["query_id"] == query_id) & (gold["doc_id"] == doc_id)
        if dispute["relevance"].nunique() < 2 or query_id not in set(gold["query_id"]):
            continue
        for grade in set(dispute["relevance"]) - set(gold.loc[here, "relevance"]):
            flip = pd.DataFrame({"query_id": [query_id], "doc_id": [doc_id], "relevance": [grade]})
            after = means(pd.concat([gold[~here], flip], ignore_index=True))
            rows[query_id, doc_id, grade] = (
                tau_b(before, after).value,
                swapped_pairs(before, after),
                top(before) != top(after),
                np.abs(after - before).max(),
            )
    return rows


@pytest.mark.slow
@few
@given(seeds, measures)
def test_every_effect_equals_scoring_from_scratch(seed, measure):
    rng = seeded(seed)
    runs, judgements, gold = prepare(random_runs(rng)), random_judgements(rng), random_gold(rng, ("1", "2"))

    found = leverage(runs, judgements, measure, gold)

    expected = from_scratch(runs, judgements, measure, gold)
    assert len(found.documents) == len(expected)
    for row in found.documents.itertuples():
        tau, swapped, top, largest = expected[row.query_id, row.doc_id, row.grade]
        assert (row.pairs_swapped, row.top_changed) == (swapped, top)
        assert row.largest_change == pytest.approx(largest, abs=1e-12)
        assert pd.isna(row.tau) if tau is None else row.tau == pytest.approx(tau, abs=1e-12)
        assert (row.reason is None) == (tau is not None)


@pytest.mark.slow
@few
@given(seeds, measures)
def test_tau_equals_that_of_scipy(seed, measure):
    rng = seeded(seed)
    runs, judgements, gold = prepare(random_runs(rng)), random_judgements(rng), random_gold(rng)
    before = evaluate(runs, gold, measure, per_query=False)["value"].round(10)

    documents = leverage(runs, judgements, measure, gold).documents

    for row in documents[:3].itertuples():
        here = (gold["query_id"] == row.query_id) & (gold["doc_id"] == row.doc_id)
        flip = pd.DataFrame({"query_id": [row.query_id], "doc_id": [row.doc_id], "relevance": [row.grade]})
        after = evaluate(runs, pd.concat([gold[~here], flip]), measure, per_query=False)["value"].round(10)
        tau = kendalltau(before, after).statistic
        assert pd.isna(row.tau) if np.isnan(tau) else row.tau == pytest.approx(tau, abs=1e-12)


@pytest.mark.slow
@few
@given(seeds, measures)
def test_the_order_of_the_documents_does_not_depend_on_the_order_of_the_judgements(seed, measure):
    rng = seeded(seed)
    runs, judgements, gold = prepare(random_runs(rng)), random_judgements(rng), random_gold(rng)

    documents = leverage(runs, judgements, measure, gold).documents
    shuffled = leverage(runs, judgements.sample(frac=1, random_state=1), measure, gold).documents

    pd.testing.assert_frame_equal(documents, shuffled)
    assert documents["tau"].dropna().is_monotonic_increasing
    assert documents["tau"].isna().is_monotonic_increasing  # undefined ones last


def test_blocks_do_not_change_a_figure():
    rng = seeded(4)
    runs, judgements, gold = prepare(random_runs(rng)), random_judgements(rng), random_gold(rng)

    at_once = leverage(runs, judgements, "AP", gold).documents
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("agreement.attribution.leverage"), "PAIRS", 1)
        patch.setattr("agreement.attribution.rescoring.CELLS", 1)
        one_by_one = leverage(runs, judgements, "AP", gold).documents

    pd.testing.assert_frame_equal(at_once, one_by_one)


def test_a_document_that_no_system_retrieved_may_matter():
    judgements = judgements_of(("ann", "1", "lost", 1), ("bob", "1", "lost", 0))

    documents = leverage(RUNS, judgements, "AP", GOLD).documents

    # 1 relevant document more halves the AP of topic 1: a loses 1/2, over 2 topics 1/4; the order stays
    assert documents["grade"].tolist() == [1, 0]
    assert documents["tau"].tolist() == [1, 1]
    assert documents["largest_change"].tolist() == [0.25, 0]


def test_undisputed_documents_are_left_out():
    judgements = judgements_of(
        ("ann", "1", "x", 0), ("bob", "1", "x", 0), ("ann", "1", "y", 1), ("bob", "1", "y", -1), ("cem", "1", "y", None)
    )

    found = leverage(RUNS, judgements, "AP", GOLD)

    assert (found.n_disputed, len(found.documents), len(found.moving)) == (0, 0, 0)
    assert found.summary() == (
        "Nothing to adjudicate: no document in the topics of gold is disputed (AP under gold, 3 systems, 2 topics)."
    )


def test_only_repeat_0_counts():
    twice = judgements_of(("ann", "1", "x", 1), ("ann", "1", "x", 0)).assign(repeat=[0, 1])

    assert leverage(RUNS, twice, "AP", GOLD).n_disputed == 0


def test_topics_without_gold_are_skipped_and_counted():
    rows = [(judge, topic, doc, judge == "ann") for judge in ("ann", "bob") for topic, doc in ("1x", "8x", "9x", "9y")]

    found = leverage(RUNS, judgements_of(*rows).astype({"relevance": int}), "AP", {"nist": GOLD})

    assert (found.gold, found.skipped_topics, found.n_skipped, found.n_disputed) == ("nist", ("8", "9"), 3, 1)
    assert found.documents["query_id"].tolist() == ["1"]


def test_a_topic_without_runs_changes_nothing():
    judgements = judgements_of(("ann", "7", "x", 1), ("bob", "7", "x", 0))

    found = leverage(RUNS, judgements, "AP", gold_of({"1": {"x": 1}, "7": {"x": 1}}))

    assert found.documents[["tau", "pairs_swapped", "largest_change"]].to_numpy().tolist() == [[1, 0, 0]]
    assert found.summary().startswith("0 of 1 disputed documents can change the ranking on their own")


def test_a_single_topic_is_singular():
    judgements = judgements_of(("ann", "1", "x", 1), ("bob", "1", "x", 0))

    found = leverage(RUNS, judgements, "AP", gold_of({"1": {"x": 1}}))

    assert "(AP under gold, 3 systems, 1 topic)." in found.summary()


def test_one_system_has_no_tau():
    judgements = judgements_of(("ann", "1", "x", 1), ("bob", "1", "x", 0))

    documents = leverage(run_of({"a": {"1": "xy"}}), judgements, "AP", GOLD).documents

    assert (documents["tau"].isna().all(), documents["reason"].tolist()) == (True, ["one_system"])
    assert documents["largest_change"].tolist() == [0.5]


def test_a_new_tie_lowers_tau_without_a_swap():
    runs = run_of({"a": {"1": "xy"}, "b": {"1": "yx"}, "c": {"1": "vw"}})
    judgements = judgements_of(("ann", "1", "y", 1), ("bob", "1", "y", 0))

    found = leverage(runs, judgements, "AP", GOLD)

    # a 1, b 1/2, c 0; with y relevant a and b have 1: C = 2 of 3 pairs and of 2 untied ones, 2 / sqrt(6)
    assert found.documents["tau"].tolist() == pytest.approx([2 / 6**0.5])
    assert found.documents[["pairs_swapped", "top_changed"]].to_numpy().tolist() == [[0, True]]


def test_a_measure_for_which_lower_is_better():
    runs = run_of({"a": {"1": "xy"}, "b": {"1": "yx"}, "c": {"1": "vw"}})
    judgements = judgements_of(("ann", "1", "y", 1), ("bob", "1", "y", 0))

    documents = leverage(runs, judgements, "E@1", GOLD).documents

    # E@1 of a, b, c goes from 0, 1, 1 (a alone is best) to 1/3, 1/3, 1 (P 1, R 1/2, F 2/3), so that a and b are.
    # b gains most: 2/3 in one of two topics
    assert documents["top_changed"].tolist() == [True]
    assert documents["largest_change"].tolist() == pytest.approx([1 / 3])


def test_an_empty_gold_skips_everything():
    judgements = judgements_of(("ann", "1", "x", 1), ("bob", "1", "x", 0))

    found = leverage(RUNS, judgements, "AP", GOLD[:0])

    assert (found.n_topics, found.n_skipped, len(found.documents)) == (0, 1, 0)


def test_to_dict_is_json():
    judgements = judgements_of(("ann", "1", "z", 1), ("bob", "1", "z", 0))

    found = leverage(RUNS, judgements, "AP", GOLD)

    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["skipped_topics"] == []
    assert data["documents"][0] | {"tau": 0} == {
        "query_id": "1",
        "doc_id": "z",
        "gold_grade": None,
        "grade": 1,
        "judges": "ann",
        "tau": 0,
        "reason": None,
        "pairs_swapped": 1,
        "top_changed": True,
        "largest_change": 0.25,
    }
    assert list(found.tables()) == ["documents"]


def test_grades_off_the_declared_scale_are_refused():
    judgements = judgements_of(("ann", "1", "x", 1), ("bob", "1", "x", 3))

    documents = leverage(RUNS, judgements, "ERR", GOLD, scale=(0, 1, 2, 3)).documents

    assert documents["grade"].tolist() == [3]
    with pytest.raises(ValueError, match="not on the scale 0, 1: assessor 'bob', topic '1', document 'x', grade 3"):
        leverage(RUNS, judgements, "ERR", GOLD, scale=(0, 1))


def test_two_golds_are_refused():
    with pytest.raises(ValueError, match="Give one gold, not one, two"):
        leverage(RUNS, judgements_of(), "AP", {"one": GOLD, "two": GOLD})


@pytest.mark.slow
def test_dl19_judges_under_the_gold_of_nist():
    paths = sorted(real_data("dl19", "runs").glob("*.run.gz"))[::4]
    runs = prepare(read_run(path) for path in paths)
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    judges = [
        read_qrels(real_data("dl19", "judges", f"judge{number}.qrels")).assign(assessor=f"judge{number}")
        for number in range(1, 9)
    ]

    found = leverage(runs, pd.concat(judges), "nDCG@10", {"nist": nist})

    assert (found.n_systems, found.n_topics, found.n_disputed, found.n_skipped) == (10, 43, 2439, 0)
    first = found.documents.iloc[0]
    here = (nist["query_id"] == first["query_id"]) & (nist["doc_id"] == first["doc_id"])
    flipped = nist.assign(relevance=nist["relevance"].mask(here, first["grade"]))
    before, after = (evaluate(runs, gold, "nDCG@10", per_query=False)["value"] for gold in (nist, flipped))
    assert first["pairs_swapped"] == swapped_pairs(before, after) > 0
    assert first["tau"] == tau_b(before, after).value < 1
    assert first["largest_change"] == pytest.approx((after - before).abs().max(), abs=1e-12)
