"""Scoring runs under golds: lacking topics, several systems and golds at once, options, and the judged share."""

import re

import pandas as pd
import pytest
from hypothesis import given

from agreement import (
    evaluate,
    judged_share,
    mixed_golds,
    parse_measure,
    prepare,
    rank_intervals_with_judges,
    ranking_shift,
)
from agreement.effectiveness import score_table
from tests.agreement.scoring import gold_of, run_of, score, some_gold, some_run
from tests.examples import examples


@pytest.mark.slow
@given(some_run, some_gold)
@examples(40)
def test_systems_and_golds_are_independent(run, grades):
    rankings = {topic: sorted(docs) for topic, docs in run.items()}
    backwards = {topic: docs[::-1] for topic, docs in rankings.items()}
    runs = {"one": run_of(rankings, "one"), "two": run_of(backwards, "two")}
    golds = {"whole": gold_of(grades), "first": gold_of({"1": grades["1"]})}

    together = evaluate(prepare(runs.values()), golds, ["AP", "nDCG@2"], per_query=False)

    assert together.columns.tolist() == ["gold", "system", "measure", "value"]
    alone = pd.concat([evaluate(frame, golds, ["nDCG@2", "AP"], per_query=False) for frame in runs.values()])
    keys = ["gold", "system", "measure"]
    pd.testing.assert_series_equal(
        together.set_index(keys)["value"].sort_index(), alone.set_index(keys)["value"].sort_index()
    )


def test_rows_are_sorted():
    runs = pd.concat([run_of({"2": "a", "1": "a"}, "two"), run_of({"1": "a"}, "one")])
    golds = {"z": gold_of({"2": {"a": 1}, "1": {"a": 1}}), "a": gold_of({"1": {"a": 0}})}

    scores = evaluate(runs, golds, ["nDCG", "AP"])

    keys = list(zip(scores["gold"], scores["measure"], scores["system"], scores["query_id"], strict=True))
    of_z = [("one", "1"), ("one", "2"), ("two", "1"), ("two", "2")]
    of_a = [("one", "1"), ("two", "1")]
    wanted = [
        (gold, measure, *row) for gold, rows in (("z", of_z), ("a", of_a)) for measure in ("nDCG", "AP") for row in rows
    ]
    assert keys == wanted


def test_a_missing_topic_scores_zero_or_is_skipped():
    runs, gold = run_of({"1": "a"}), gold_of({"1": {"a": 1}, "2": {"b": 1}})

    assert evaluate(runs, gold, "AP")["value"].tolist() == [1, 0]
    assert evaluate(runs, gold, "AP", per_query=False)["value"].tolist() == [0.5]
    assert evaluate(runs, gold, "AP", missing="skip")["query_id"].tolist() == ["1"]
    assert evaluate(runs, gold, "AP", per_query=False, missing="skip")["value"].tolist() == [1]
    with pytest.raises(ValueError, match="missing must be one of zero, skip, not 'ignore'"):
        evaluate(runs, gold, "AP", missing="ignore")


def test_a_run_without_a_topic_of_the_gold():
    runs, gold = pd.concat([run_of({"1": "a"}, "one"), run_of({"2": "b"}, "two")]), gold_of({"2": {"b": 1}})

    assert evaluate(runs, gold, "nDCG", per_query=False)["value"].tolist() == [0, 1]
    assert evaluate(runs, gold, "nDCG", per_query=False, missing="skip")["system"].tolist() == ["two"]


def test_a_topic_without_relevant_documents_counts():
    runs, gold = run_of({"1": "a", "2": "b"}), gold_of({"1": {"a": 1}, "2": {"b": 0}})

    for measure in ("AP", "nDCG", "P@1"):
        assert evaluate(runs, gold, measure, per_query=False)["value"].tolist() == [0.5]


@pytest.mark.parametrize("gold", [gold_of({}), gold_of({"1": {"a": -1, "b": -2}})])
def test_a_gold_without_a_judged_document_is_refused(gold):
    runs = run_of({"1": "a"})
    message = "The gold 'nist' must have a judged document, with a relevance of 0 or more. It has none."

    with pytest.raises(ValueError, match=re.escape(message)):
        evaluate(runs, {"nist": gold}, ["AP", "nDCG"])
    with pytest.raises(ValueError, match=re.escape(message)):
        judged_share(runs, {"nist": gold})


def test_a_score_table_needs_a_gold_with_documents():
    runs = run_of({"1": "a"})

    with pytest.raises(ValueError, match="The gold must have a judged document"):
        score_table(runs, gold_of({}), "AP")
    # a pool without one of its systems may have lost every judgement
    assert score_table(runs, gold_of({"1": {"a": -1}}), "AP").to_numpy().tolist() == [[0]]


def test_an_empty_list_of_measures_is_refused():
    with pytest.raises(
        ValueError, match=r"one or more measures, such as 'AP' or \['AP', 'nDCG@10'\], not an empty list"
    ):
        evaluate(run_of({"1": "a"}), gold_of({"1": {"a": 1}}), [])


def test_columns_of_the_rows():
    scores = evaluate(run_of({"1": "a"}), {"mine": gold_of({"1": {"a": 1}})}, ["AP (rel=2)", "P@5", "MAP(rel=1)"])

    assert scores.columns.tolist() == ["gold", "system", "query_id", "measure", "value"]
    assert set(scores["gold"]) == {"mine"}
    assert scores["measure"].tolist() == ["AP(rel=2)", "P@5", "AP"]
    assert scores.attrs == {"missing": "zero", "judged_only": False}


def test_judged_only_removes_unjudged_documents():
    # of u, a, n, b: u is unjudged, n pooled and not judged; what is left is a, b
    runs, gold = run_of({"1": "uanb", "2": "u"}), gold_of({"1": {"a": 0, "b": 1, "n": -1}, "2": {"c": 1}})

    assert evaluate(runs, gold, ["AP", "RR"])["value"].tolist() == [1 / 4, 0, 1 / 4, 0]
    scores = evaluate(runs, gold, ["AP", "RR"], judged_only=True)
    assert scores["value"].tolist() == [1 / 2, 0, 1 / 2, 0]
    assert scores["measure"].unique().tolist() == ["AP", "RR"]
    assert scores.attrs["judged_only"]
    # topic 2 has nothing left, and is not one that the run lacks
    assert len(evaluate(runs, gold, "AP", judged_only=True, missing="skip")) == 2


def test_a_grade_off_the_scale_is_refused():
    runs, gold = run_of({"1": "a"}), gold_of({"1": {"a": 2, "b": -1}})

    # (2^2 - 1) / 2^3 at rank 1
    assert score(runs, gold, "ERR", scale=(0, 1, 2, 3)) == 3 / 8
    with pytest.raises(ValueError, match=r"Grade 2 is not on the scale 0, 1 \(topic '1', document 'a'\)"):
        evaluate(runs, gold, "AP", scale=(0, 1))


def test_score_table():
    runs = pd.concat([run_of({"1": "ab"}, "two"), run_of({"2": "ba", "1": "ba"}, "one")])
    gold = gold_of({"2": {"b": 1}, "1": {"a": 3}})

    table = score_table(runs, gold, "RR")

    assert table.to_dict("index") == {"one": {"1": 0.5, "2": 1.0}, "two": {"1": 1.0, "2": 0.0}}
    assert (table.index.name, table.columns.name) == ("system", "query_id")
    assert score_table(runs, gold, parse_measure("ERR"), scale=(0, 1, 3)).loc["two", "1"] == 7 / 8
    assert score_table(runs, gold, "SetAccuracy", collection_size=4).loc["one", "1"] == 3 / 4


def test_judged_share():
    # top 3 of topic 1: a judged, b not; topic 2: c judged, d pooled but not judged, e not; f is below
    runs, gold = run_of({"1": "ab", "2": "cdef"}), gold_of({"1": {"a": 0}, "2": {"c": 2, "d": -1, "f": 1}})

    shares = judged_share(runs, {"mine": gold}, k=3)

    assert shares.to_dict("records") == [
        {"gold": "mine", "system": "s", "k": 3, "judged": 2, "retrieved": 5, "value": 0.4}
    ]
    with pytest.raises(ValueError, match="k must be a whole number of at least 1, not"):
        judged_share(runs, gold, k=0)


def test_judged_share_of_an_empty_ranking():
    runs = pd.concat([run_of({"1": "a"}, "one"), run_of({"2": "b"}, "two")])

    shares = judged_share(runs, gold_of({"2": {"a": 1}}))

    assert shares["value"].isna().tolist() == [True, False]


def test_the_order_of_the_rows_of_a_gold_does_not_matter():
    runs = run_of({"1": "abc", "2": "cab"})
    gold = gold_of({"1": {"a": 0, "b": 2, "c": 1}, "2": {"a": 1, "b": 0, "c": 0}})

    mixed = gold.iloc[[4, 1, 3, 0, 5, 2]]  # topics in turn

    for measure in ("AP", "nDCG", "Rprec"):
        assert evaluate(runs, mixed, measure).equals(evaluate(runs, gold, measure))


def test_a_grade_above_2_to_the_53_is_refused():
    runs = run_of({"1": "ab"})
    with pytest.raises(ValueError, match=r"not 1e\+30 \(topic '1', document 'a'\)"):
        evaluate(runs, gold_of({"1": {"a": 1e30}}), "AP")
    with pytest.raises(ValueError, match="The exponential gain of grade 1024 is too large"):
        evaluate(runs, gold_of({"1": {"a": 1024}}), "nDCG(dcg='exp-log2')")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda *data: score_table(*data, per_quer=True),
            "score_table() has no option 'per_quer'. Its options are scale, collection_size, known.",
        ),
        (
            lambda *data: ranking_shift(*data, per_quer=True),
            "ranking_shift() has no option 'per_quer'. Its options are reference, topics, groups, min_topics, "
            "min_judged, evidence, repair_ids, scale, collection_size, known.",
        ),
        (lambda *data: mixed_golds(*data, per_quer=True), "mixed_golds() has no option 'per_quer'. Its options are "),
        (
            lambda *data: rank_intervals_with_judges(*data, seed=1, per_quer=True),
            "rank_intervals_with_judges() has no option 'per_quer'. Its options are draws, seed, confidence, scale,",
        ),
    ],
)
def test_an_unknown_option_names_the_function_and_its_options(call, sentence):
    with pytest.raises(TypeError, match=re.escape(sentence)):
        call(run_of({"1": "a"}), gold_of({"1": {"a": 1}}), "AP")
