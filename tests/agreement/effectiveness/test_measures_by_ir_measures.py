"""Measures that only ir_measures computes have its values, on the same rankings and topics."""

import ir_measures
import pandas as pd
import pytest
from hypothesis import example, given

from agreement.effectiveness import evaluate, parse_measure, prepare, score_table
from tests.agreement.scoring import gold_of, run_of, scored_run_of, some_gold, some_run
from tests.examples import examples

COMPUTED_BY_IR_MEASURES = ["SetAP", "SetAP(rel=2)", "Compat", "Compat(p=0.8)", "nDCG(gains={1:5,2:3})@3", "NumQ"]


def ordered(run):
    """The rankings in Assay's document order, as positive scores without ties.

    Compat of ir_measures gives an unretrieved document the score 0 when it orders the documents of a grade in the ideal
    ranking. If retrieved documents had scores of 0 or less, unretrieved documents would come before them.
    """
    ranking = {
        topic: sorted(docs, key=lambda doc: (docs[doc], doc.encode()), reverse=True) for topic, docs in run.items()
    }
    return {topic: {doc: float(len(docs) - place) for place, doc in enumerate(docs)} for topic, docs in ranking.items()}


@given(some_run, some_gold)
@example(run={"2": {"a": 0.0}}, grades={"2": {"b": 1, "a": 1}})
@examples(50)
def test_values_are_those_of_ir_measures(run, grades):
    safe = {topic: docs for topic, docs in grades.items() if max(docs.values()) >= 0}
    matrix = prepare(scored_run_of(run)).under(gold_of(grades))

    for name in COMPUTED_BY_IR_MEASURES:
        measure = ir_measures.parse_measure(name)
        metrics = list(ir_measures.iter_calc([measure], safe, ordered(run))) if safe else []
        expected = {metric.query_id: metric.value for metric in metrics if metric.query_id in run}
        for topic, value in zip(matrix.query_ids, parse_measure(name)(matrix)[0], strict=True):
            assert value == pytest.approx(expected.get(topic, 0), abs=1e-12), (name, topic)


@pytest.mark.parametrize("score", [2.0, 0.0, -2.0])
def test_compat_does_not_depend_on_the_sign_of_scores(score):
    # a and b have the same grade; the ideal ranking starts with a, which was retrieved
    runs, gold = scored_run_of({"1": {"a": score}}), gold_of({"1": {"a": 1, "b": 1}})

    # p = 0.95: weights 1 and 0.95; the overlap with (a, b) is 1 at depth 1 and 1/2 at depth 2
    assert evaluate(runs, gold, "Compat")["value"].item() == pytest.approx((1 + 0.95 / 2) / 1.95, abs=1e-15)


def test_compat_of_ir_measures_itself_depends_on_the_sign_of_scores():
    compat = {
        score: ir_measures.calc_aggregate([ir_measures.Compat], {"1": {"b": 1, "a": 1}}, {"1": {"a": score}})
        for score in (2.0, -2.0)
    }

    # with a negative score the ideal ranking is (b, a): no overlap at depth 1
    assert compat[2.0][ir_measures.Compat] == pytest.approx((1 + 0.95 / 2) / 1.95, abs=1e-15)
    assert compat[-2.0][ir_measures.Compat] == pytest.approx((0.95 / 2) / 1.95, abs=1e-15)


def test_tied_documents_are_in_the_document_order():
    # all tied, so by bytes from the last on: c, b, a; relevant is a: no document of a pair is in the right order
    runs = scored_run_of({"1": {"a": 1.0, "b": 1.0, "c": 1.0}, "2": {"a": 2.0, "b": 1.0}})
    gold = gold_of({"1": {"a": 1, "b": 0}, "2": {"a": 1}, "3": {"a": 1}})

    scores = evaluate(runs, gold, ["Accuracy", "SetAP"])

    # topic 2: one pair, in the right order; SetAP: P 1/3 times R 1, and 1/2 times 1; topic 3 is not in the run
    assert scores["value"].tolist() == pytest.approx([0, 1, 0, 1 / 3, 1 / 2, 0], abs=1e-15)
    assert evaluate(runs, gold, "SetAP", per_query=False, missing="skip")["value"].item() == pytest.approx(5 / 12)


def test_several_systems_in_a_score_table():
    runs = pd.concat([run_of({"1": "ab", "2": "c"}, "one"), run_of({"1": "ba"}, "two")])
    gold = gold_of({"1": {"a": 1}, "2": {"c": 2}})

    table = score_table(runs, gold, "SetAP")

    assert table.to_dict("index") == {"one": {"1": 0.5, "2": 1.0}, "two": {"1": 0.5, "2": 0.0}}


def test_judged_only_applies_to_ir_measures():
    runs, gold = run_of({"1": "uab"}), gold_of({"1": {"a": 1, "b": 0, "c": -1}})

    for measure, options in (("SetAP(judged_only=True)", {}), ("SetAP", {"judged_only": True})):
        assert evaluate(runs, gold, measure, **options)["value"].item() == 0.5


def test_a_division_by_zero_does_not_affect_other_topics():
    # Accuracy of topic 1 is undefined: no nonrelevant document was retrieved
    runs, gold = run_of({"1": "a", "2": "ab"}), gold_of({"1": {"a": 1}, "2": {"a": 1}})

    assert evaluate(runs, gold, "Accuracy")["value"].tolist() == [0, 1]


def test_empty_ranking():
    gold = gold_of({"1": {"a": -1}, "2": {"a": 0}})

    assert evaluate(run_of({"1": "a", "2": "a"}), gold, "SetAP")["value"].tolist() == [0, 0]
    assert evaluate(run_of({"1": "a"}), gold, "SetAP")["value"].tolist() == [0, 0]
    assert score_table(run_of({"1": "a"}), gold_of({"1": {"a": -1}}), "SetAP").to_numpy().tolist() == [[0]]


def test_a_measure_that_is_not_installed_is_refused():
    with pytest.raises(ValueError, match=r"SDCG.*@10 is a measure of ir_measures, but no installed package"):
        parse_measure("SDCG(max_rel=3)@10")


def test_fractions_are_refused_for_ir_measures():
    with pytest.raises(ValueError, match="SetAP is computed by ir_measures, which needs whole grades"):
        evaluate(run_of({"1": "a"}), gold_of({"1": {"a": 0.5}}), "SetAP")
