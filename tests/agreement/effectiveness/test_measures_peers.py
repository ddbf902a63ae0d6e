"""Measures against independent ones: pytrec_eval, ir_measures, scikit-learn, or a slow obvious twin."""

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, dcg_score, fbeta_score, ndcg_score

from agreement.effectiveness import parse_measure, prepare
from tests.agreement.scoring import DOCS, gold_of, graded, known_of, run_of, scored_run_of, scores, some_gold, some_run
from tests.examples import examples

# Ours, with {rel} for the threshold, and trec_eval's.
TREC_EVAL = {
    "AP(rel={rel})": "map",
    "AP(rel={rel})@2": "map_cut.2",
    "RR(rel={rel})": "recip_rank",
    "Rprec(rel={rel})": "Rprec",
    "Bpref(rel={rel})": "bpref",
    "infAP(rel={rel})": "infAP",
    "P(rel={rel})@3": "P.3",
    "P(rel={rel})@10": "P.10",
    "R(rel={rel})@3": "recall.3",
    "Success(rel={rel})@2": "success.2",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg_cut.3",
    "SetP(rel={rel})": "set_P",
    "SetP(rel={rel},relative=True)": "set_relative_P",
    "SetR(rel={rel})": "set_recall",
    "SetF(rel={rel})": "set_F",
    "NumRet": "num_ret",
    "NumRet(rel={rel})": "num_rel_ret",
    "NumRel(rel={rel})": "num_rel",
    "IPrec(rel={rel})@0.0": "iprec_at_recall.0.00",
    "IPrec(rel={rel})@0.5": "iprec_at_recall.0.50",
    "IPrec(rel={rel})@1.0": "iprec_at_recall.1.00",
}
ASKED = set(TREC_EVAL.values())


def answered(name):
    """How pytrec_eval calls its answer."""
    return name.replace(".", "_", 1)


def safe(grades):
    """Topics with negative grades only make pytrec_eval write where it must not; their scores are 0."""
    return {topic: docs for topic, docs in grades.items() if max(docs.values()) >= 0}


def matrix_of(run, grades, **given_):
    return prepare(scored_run_of(run)).under(gold_of(grades), **given_)


@given(some_run, some_gold, st.integers(1, 3), st.booleans())
def test_against_pytrec_eval(run, grades, rel, judged_only):
    matrix = matrix_of(run, grades)
    matrix = matrix.judged_only() if judged_only else matrix
    # nor does it stand a ranking of which nothing is left
    left = {topic for topic, n in zip(matrix.query_ids, matrix.retrieved[0], strict=True) if n}
    asked = {topic: docs for topic, docs in safe(grades).items() if topic in left}
    evaluator = pytrec_eval.RelevanceEvaluator(asked, ASKED, rel, int(judged_only))
    peer = evaluator.evaluate(run) if asked else {}

    for name, theirs in TREC_EVAL.items():
        values = parse_measure(name.format(rel=rel))(matrix)[0]
        for topic, value in zip(matrix.query_ids, values, strict=True):
            if topic in peer:
                assert abs(value - peer[topic][answered(theirs)]) <= 1e-12, name
            elif theirs not in ("num_ret", "num_rel"):
                assert value == 0, name


@given(some_run, some_gold, st.sampled_from([0.5, 2.0, 3.0]))
def test_set_f_against_pytrec_eval(run, grades, beta):
    # alone: set_F takes the first parameter it was ever asked for
    peer = pytrec_eval.RelevanceEvaluator(safe(grades), {f"set_F.{beta}"}).evaluate(run) if safe(grades) else {}
    matrix = matrix_of(run, grades)
    values = parse_measure(f"SetF(beta={beta})")(matrix)[0]

    for topic, value in zip(matrix.query_ids, values, strict=True):
        assert value == pytest.approx(peer[topic]["set_F"] if topic in peer else 0, abs=1e-12)


@given(st.permutations(DOCS), st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1))
@examples(50)
def test_judged_against_ir_measures(ranking, grades):
    run = [ir_measures.ScoredDoc("1", doc, -place) for place, doc in enumerate(ranking)]
    qrels = [ir_measures.Qrel("1", doc, grade) for doc, grade in grades.items()]
    names = ["Judged@3", "Judged@10", "Judged"]
    peer = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)

    ours = scores(run_of({"1": ranking}), gold_of({"1": grades}), names)

    assert ours == pytest.approx([peer[ir_measures.parse_measure(name)] for name in names], abs=1e-12)


some_grades = st.lists(st.integers(0, 3), min_size=2, max_size=12)


@given(some_grades, st.integers(1, 12))
@examples(50)
def test_dcg_and_ndcg_against_scikit_learn(grades, cutoff):
    linear, exponential = np.array([grades], dtype=float), np.exp2([grades]) - 1
    ranking = [np.arange(len(grades), 0, -1)]
    names = ["DCG", "DCG(gain='exponential')", "nDCG", "nDCG(dcg='exp-log2')"]
    wanted = [peer(gains, ranking, k=cutoff) for peer in (dcg_score, ndcg_score) for gains in (linear, exponential)]

    assert scores(*graded(grades), [f"{name}@{cutoff}" for name in names]) == pytest.approx(wanted, abs=1e-12)


@given(some_grades)
@examples(50)
def test_dcg_with_the_other_discount_against_a_twin(grades):
    wanted = grades[0] + sum(grade / np.log2(rank) for rank, grade in enumerate(grades[1:], start=2))

    assert scores(*graded(grades), "DCG(discount='max2')") == pytest.approx([wanted], abs=1e-12)


sets = st.sets(st.sampled_from(DOCS))


@given(sets.filter(bool), sets.filter(bool), st.integers(0, 20), st.sampled_from([0.5, 1.0, 2.0]))
@examples(50)
def test_set_measures_against_scikit_learn(retrieved, relevant, others, beta):
    collection = [*DOCS, *(f"other{k}" for k in range(others))]
    truth, found = ([doc in those for doc in collection] for those in (relevant, retrieved))
    (left, wrong), (_, right) = confusion_matrix(truth, found, labels=[False, True])
    f = fbeta_score(truth, found, beta=beta, zero_division=0)
    wanted = [left / max(left + wrong, 1), (right + left) / len(collection), 1 - f, f]
    names = ["Specificity", "SetAccuracy", f"E(beta={beta})", f"F(beta={beta})@{len(retrieved)}"]
    runs, gold = run_of({"1": sorted(retrieved)}), gold_of({"1": dict.fromkeys(relevant, 1)})

    assert scores(runs, gold, names, collection_size=len(collection)) == pytest.approx(wanted, abs=1e-12)


@given(sets.filter(bool), sets.filter(bool), sets, st.integers(1, 8))
@examples(50)
def test_coverage_and_novelty_against_sets(retrieved, relevant, known, cutoff):
    runs, gold = run_of({"1": sorted(retrieved)}), gold_of({"1": dict.fromkeys(relevant, 1)})
    found = set(sorted(retrieved)[:cutoff]) & relevant

    ours = scores(runs, gold, [f"Coverage@{cutoff}", f"Novelty@{cutoff}"], known=known_of({"1": known}))

    assert ours == [len(found & known) / max(len(relevant & known), 1), len(found - known) / max(len(found), 1)]
