"""bpref: by hand, worked cases, against pytrec_eval and fractions, properties, and where there is nothing to score."""

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.bpref import bpref
from tests.agreement.graded_rankings import (
    by_pytrec_eval,
    fewer,
    gold_of,
    matrix_of,
    random_run_and_gold,
    ranked,
    scores_of,
    some_gold,
    some_run,
)
from tests.oracles import oracle


def worked_cases():
    for case in oracle("measures")["cases"]:
        for key, hand in case["hand"].items():
            if key.endswith("/bpref"):
                options = case["trec_eval_options"]
                rel = int(options[options.index("-l") + 1]) if "-l" in options else 1
                yield pytest.param(case, key.split("/")[0], rel, hand["value"], id=case["id"])


def read(case):
    """The run and the gold of a worked case, as topic -> document -> number."""
    run, grades = {}, {}
    for line in case["run"].splitlines():
        topic, _, doc, _, score, _ = line.split()
        run.setdefault(topic, {})[doc] = float(score)
    for line in case["qrels"].splitlines():
        topic, _, doc, grade = line.split()
        grades.setdefault(topic, {})[doc] = int(grade)
    return run, grades


def slow_bpref(scores, grades, rel):
    """The formula in fractions, document by document."""
    relevant = [doc for doc, grade in grades.items() if grade >= rel]
    nonrelevant = [doc for doc, grade in grades.items() if 0 <= grade < rel]
    ranking = ranked(scores)
    total = Fraction(0)
    for doc in set(relevant) & set(ranking):
        above = sum(other in nonrelevant for other in ranking[: ranking.index(doc)])
        least = min(len(relevant), len(nonrelevant))
        total += 1 - Fraction(min(above, len(relevant)), least) if above else 1
    return total / len(relevant) if relevant else Fraction(0)


def test_by_hand():
    # R = 3 (z not retrieved), N = 2: a has none above, 1; d has both c and e above, 1 - 2/2: (1 + 0) / 3
    matrix = matrix_of({"q": "aucevd"}, {"q": {"a": 1, "c": 0, "e": 0, "d": 2, "z": 1}})

    assert bpref(matrix).tolist() == [[1 / 3]]
    # at grade 2 a is nonrelevant: R = 1, N = 4 and three of them above d; min(3, 1) / min(4, 1) = 1
    assert bpref(matrix, rel=2).tolist() == [[0]]


@pytest.mark.parametrize(("case", "topic", "rel", "wanted"), list(worked_cases()))
def test_worked_cases(case, topic, rel, wanted):
    run, grades = read(case)

    assert scores_of(lambda m: bpref(m, rel), run, grades)[topic] == pytest.approx(wanted, abs=1e-15)


@fewer
@given(some_run, some_gold, st.integers(1, 3))
def test_against_pytrec_eval_and_fractions(run, grades, rel):
    ours = scores_of(lambda m: bpref(m, rel), run, grades)
    slow = {topic: float(slow_bpref(run.get(topic, {}), docs, rel)) for topic, docs in grades.items()}

    assert ours == pytest.approx(by_pytrec_eval(run, grades, "bpref", rel), abs=1e-12)
    assert ours == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_against_pytrec_eval_on_longer_rankings(seed):
    run, grades = random_run_and_gold(seed)

    assert scores_of(bpref, run, grades) == pytest.approx(by_pytrec_eval(run, grades, "bpref"), abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_unjudged_documents_are_ignored(run, grades):
    judged = {
        topic: {doc: score for doc, score in docs.items() if grades.get(topic, {}).get(doc, -1) >= 0}
        for topic, docs in run.items()
    }
    judged = {topic: docs for topic, docs in judged.items() if docs} or {"9": {"x": 1.0}}

    assert scores_of(bpref, run, grades) == scores_of(bpref, judged, grades)


@fewer
@given(some_gold)
def test_the_ideal_ranking_scores_one(grades):
    ideal = {topic: {doc: grade + 2 for doc, grade in docs.items()} for topic, docs in grades.items()}

    for topic, score in scores_of(bpref, ideal, grades).items():
        assert score == float(max(grades[topic].values()) > 0)


def test_degenerate_input():
    assert bpref(matrix_of({"q": "ab"}, {"q": {"a": 0}})).tolist() == [[0]]  # no relevant document
    assert bpref(matrix_of({"q": "ab"}, {"q": {"a": -1, "b": -2}})).tolist() == [[0]]  # nothing judged
    assert bpref(matrix_of({"q": "ab"}, {"p": {"a": 1}})).tolist() == [[0]]  # the run lacks the topic
    assert bpref(matrix_of({"q": "ab"}, {"q": {"a": 1, "z": 1}})).tolist() == [[0.5]]  # no nonrelevant document


def test_a_gold_without_topics():
    empty = gold_of({}).astype({"query_id": "str", "doc_id": "str", "relevance": "int64"})

    assert isinstance(empty, pd.DataFrame)
    assert bpref(matrix_of({"q": "ab"}, {"q": {}})).shape == (1, 0)
