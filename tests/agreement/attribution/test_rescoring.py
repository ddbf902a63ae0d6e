"""Golds of one topic: scores equal those of a complete gold, and undistinguished grades score the same."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from agreement.attribution.rescoring import Rescoring, as_grades, grades_of
from agreement.effectiveness import parse_measure, prepare
from tests.agreement.random_collections import few, gold_of, random_gold, random_runs, run_of, seeded, seeds
from tests.examples import examples

MEASURES = (
    *("AP", "AP(rel=2)", "AP@2", "nDCG", "nDCG@2", "nDCG(dcg='exp-log2')@3", "P(rel=2)@2", "P@3", "R@2", "RR", "RR@2"),
    *("Rprec", "Rprec(rel=2)", "Success@2", "BreakEven", "IPrec@0.4", "IPrec11", "IPrec3", "F(rel=2)@3", "E(beta=2)"),
    *("E@3", "SetR", "SetP", "SetF", "ERR@2", "ERR", "DCG@2", "DCG", "QMeasure", "QMeasure@3", "Bpref", "infAP"),
    *("ROCAUC", "RBP(rel=1)@2", "RBP", "RBPResidual@2", "Judged@2", "NumRel", "NumRet(rel=1)", "Specificity"),
    *("SetAccuracy", "AP(judged_only=True)@2", "nDCG(judged_only=True)@2", "nDCG(gains={1: 3, 0: 1})@2"),
)
NAN = float("nan")
DECLARED = {"scale": (0, 1, 2, 3), "collection_size": 20}


def rescoring(runs, gold, measure, systems=()):
    ranked_runs = prepare(runs)
    return Rescoring(ranked_runs, parse_measure(measure), ranked_runs.under(gold, **DECLARED), systems)


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", MEASURES)
@examples(3)
@given(seeds)
def test_scores_equal_those_of_complete_golds(measure, seed):
    rng = seeded(seed)
    runs, golds = random_runs(rng), [random_gold(rng) for _ in range(3)]
    tried = rescoring(runs, golds[0], measure)
    topics = [grades_of(gold)["1"] for gold in golds]
    doc_ids = topics[0].index.union(topics[1].index).union(topics[2].index)
    grades = np.stack([topic.reindex(doc_ids).to_numpy() for topic in topics])

    scores = tried.scores("1", doc_ids, grades)

    whole = [tried.measure(tried.runs.under(gold, **DECLARED))[:, 0] for gold in golds]
    assert scores == pytest.approx(np.stack(whole, axis=1), abs=1e-15)


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", MEASURES)
@examples(3)
@given(seeds)
def test_grades_that_a_measure_does_not_distinguish_score_the_same(measure, seed):
    rng = seeded(seed)
    tried = rescoring(random_runs(rng), random_gold(rng), measure)
    doc_ids = np.array(list("pqrstu"))
    drawn = rng.choice([NAN, -1, 0, 1, 2, 3], size=(2, 6))
    same = tried.effective_grades(drawn[0]) == tried.effective_grades(drawn[1])
    other = np.where(same, drawn[1], drawn[0])

    one, another = tried.scores("1", doc_ids, np.stack([drawn[0], other])).T

    assert one.tolist() == another.tolist()


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", MEASURES)
@examples(3)
@given(seeds)
def test_a_measure_looks_at_no_rank_below_its_depth(measure, seed):
    rng = seeded(seed)
    tried = rescoring(random_runs(rng), random_gold(rng), measure)
    matrix = tried.like

    cut = replace(matrix, grades=matrix.grades[..., : tried.measure.depth])

    assert tried.measure(cut).tolist() == tried.measure(matrix).tolist()


def test_effective_grades_by_hand():
    grades = np.array([NAN, -1, 0, 1, 2])
    runs, gold = run_of({"a": {"1": "xy"}}), gold_of({"1": {"x": 1}})

    assert rescoring(runs, gold, "AP(rel=2)@5").effective_grades(grades).tolist() == [0, 0, 0, 0, 1]
    assert rescoring(runs, gold, "nDCG").effective_grades(grades).tolist() == [0, 0, 0, 1, 2]


def test_grades_are_kept_for_other_measures():
    runs, gold = run_of({"a": {"1": "xy"}}), gold_of({"1": {"x": 1}})
    tried = rescoring(runs, gold, "AP@1")
    unknown = replace(tried, measure=parse_measure("Bpref"))
    judged_only = replace(tried, measure=parse_measure("AP(judged_only=True)@1"))
    theirs = replace(tried, measure=parse_measure("nDCG(gains={0: 1})"))

    for one in (unknown, judged_only, theirs):
        assert one.effective_grades(np.array([NAN, -1, 0])).tolist() == pytest.approx([NAN, -1, 0], nan_ok=True)


def test_measures_of_known_documents_are_refused():
    with pytest.raises(ValueError, match="Novelty needs the documents that the reader knew"):
        rescoring(run_of({"a": {"1": "xy"}}), gold_of({"1": {"x": 1}}), "Novelty")


@few
@given(seeds)
def test_blocks_do_not_change_a_score(seed):
    rng = seeded(seed)
    tried = rescoring(random_runs(rng), random_gold(rng), "AP")
    grades = rng.choice([NAN, 0, 1, 2], size=(7, 6))

    at_once = tried.scores("1", np.array(list("pqrstu")), grades)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement.attribution.rescoring.CELLS", 1)
        one_by_one = tried.scores("1", np.array(list("pqrstu")), grades)

    assert at_once.tolist() == one_by_one.tolist()


def test_ranks_by_hand():
    tried = rescoring(
        run_of({"a": {"1": "xy"}, "b": {"1": "zx", "2": "y"}}), gold_of({"1": {"x": 1}}), "AP", ("b", "a")
    )

    assert tried.ranks("1", pd.Index(list("wxyz"))).tolist() == [[0, 2, 0, 1], [0, 1, 2, 0]]
    assert tried.ranks("9", pd.Index(["x"])).tolist() == [[0], [0]]


@pytest.mark.parametrize("measure", ["AP", "E", "SetAccuracy", "NumRel"])
def test_a_topic_without_runs_is_an_empty_ranking(measure):
    gold = gold_of({"1": {"x": 1}, "9": {"x": 1, "y": 0}})
    tried = rescoring(run_of({"a": {"1": "xy"}, "b": {"1": "yx"}}), gold, measure)

    scores = tried.scores("9", np.array(["x", "y"]), np.array([[1.0, 0.0], [1.0, 1.0]]))

    assert scores[:, 0].tolist() == tried.measure(tried.like)[:, 1].tolist()
    assert (scores[:, 0] != scores[:, 1]).all() == (measure == "NumRel")


def test_no_gold_gives_no_score():
    tried = rescoring(run_of({"a": {"1": "xy"}}), gold_of({"1": {"x": 1}}), "AP")

    assert tried.scores("1", np.array(["x"]), np.zeros((0, 1))).shape == (1, 0)


@pytest.mark.parametrize("grade", [3, 126, 127, 300, 70_000, 0.5, -1])
def test_every_grade_is_kept(grade):
    tried = rescoring(run_of({"a": {"1": "xy"}, "b": {"1": "yx"}}), gold_of({"1": {"x": 1}}), "nDCG")

    scores = tried.scores("1", np.array(["x", "y"]), np.array([[grade, 1.0]]))

    whole = tried.measure(tried.runs.under(gold_of({"1": {"x": grade, "y": 1}})))
    assert scores.tolist() == whole.tolist()


def test_grades_of_a_table_are_whole_unless_one_is_a_fraction():
    assert list(map(str, as_grades(np.array([2.0, NAN])))) == ["2", "<NA>"]
    assert list(map(str, as_grades(np.array([2.5, NAN, 1.0])))) == ["2.5", "<NA>", "1.0"]
