"""Area under the ROC curve: by hand, against scikit-learn and a count of pairs, properties, nothing there."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from agreement.measures.roc import roc_auc
from tests.agreement.graded_rankings import (
    by_topic,
    fewer,
    matrix_of,
    random_run_and_gold,
    ranked,
    scored_matrix,
    scores_of,
    some_gold,
    some_run,
)


def labelled(scores, grades, rel, collection_size=None):
    """Labels and scores of all documents that count: as ranked, and 0 for what was not retrieved."""
    place = {doc: len(scores) - rank for rank, doc in enumerate(ranked(scores))}
    if collection_size is None:
        docs = [doc for doc, grade in grades.items() if grade >= 0]
    else:
        named = {**grades, **scores}
        docs = [*named, *(f"other{i}" for i in range(collection_size - len(named)))]
    return [grades.get(doc, -1) >= rel for doc in docs], [place.get(doc, 0) for doc in docs]


def slow_auc(labels, places):
    """All pairs in order, a tie as half of one."""
    above = [place for place, label in zip(places, labels, strict=True) if label]
    below = [place for place, label in zip(places, labels, strict=True) if not label]
    pairs = sum((Fraction((a > b) * 2 + (a == b), 2) for a in above for b in below), Fraction(0))
    return pairs / (len(above) * len(below)) if above and below else Fraction(0)


def test_by_hand():
    # a relevant, u unjudged, c not, d relevant; z relevant and y not were not retrieved.
    # judged: a above c and y, d above y, z tied with y, so (2 + 1 + 1/2) of 3 x 2 pairs
    grades = {"q": {"a": 1, "c": 0, "d": 2, "z": 1, "y": 0}}

    assert roc_auc(matrix_of({"q": "aucd"}, grades)).item() == 7 / 12
    # collection of 10, 7 nonrelevant: a above 7, d above all but u and c, 5; z tied with the 5 not retrieved, 2 1/2
    assert roc_auc(matrix_of({"q": "aucd"}, grades, collection_size=10)).item() == pytest.approx(14.5 / 21, abs=1e-15)


@fewer
@given(some_run, some_gold, st.integers(1, 3), st.sampled_from([None, 14, 30]))
def test_against_scikit_learn_and_the_pairs(run, grades, rel, collection_size):
    ours = scores_of(lambda m: roc_auc(m, rel), run, grades, collection_size=collection_size)

    for topic, docs in grades.items():
        if topic not in run:
            assert ours[topic] == 0
            continue
        labels, places = labelled(run[topic], docs, rel, collection_size)
        assert ours[topic] == pytest.approx(float(slow_auc(labels, places)), abs=1e-12)
        if 0 < sum(labels) < len(labels):
            assert ours[topic] == pytest.approx(roc_auc_score(labels, places), abs=1e-12)


def test_against_scikit_learn_on_longer_rankings():
    run, grades = random_run_and_gold(3)

    for collection_size in (None, 5000):
        ours = scores_of(roc_auc, run, grades, collection_size=collection_size)
        for topic, docs in grades.items():
            labels, places = labelled(run[topic], docs, 1, collection_size)
            assert ours[topic] == pytest.approx(roc_auc_score(labels, places), abs=1e-12)


@pytest.mark.slow
@fewer
@given(some_run, some_gold)
def test_a_reversed_ranking_has_the_complement(run, grades):
    judged = {topic: {doc: max(grade, 0) for doc, grade in docs.items()} for topic, docs in grades.items()}
    full = {topic: {**dict.fromkeys(docs, 0.0), **run.get(topic, {})} for topic, docs in judged.items()}
    forwards = {topic: {doc: -float(i) for i, doc in enumerate(ranked(docs))} for topic, docs in full.items()}
    backwards = {topic: {doc: -score for doc, score in docs.items()} for topic, docs in forwards.items()}

    matrix = scored_matrix(forwards, judged)
    there, back = by_topic(matrix, roc_auc(matrix)), scores_of(roc_auc, backwards, judged)

    for topic, docs in judged.items():
        has_pairs = min(docs.values()) == 0 < max(docs.values())
        assert there[topic] + back[topic] == pytest.approx(float(has_pairs), abs=1e-12)


def test_degenerate_input():
    grades = {"lacking": {"a": 1, "b": 0}, "none": {"a": 0}, "all": {"a": 1}, "unjudged": {"a": -1}}
    matrix = matrix_of(dict.fromkeys(("none", "all", "unjudged"), "ax"), grades)

    assert roc_auc(matrix).tolist() == [[0, 0, 0, 0]]


def test_a_ranking_without_relevant_documents_is_all_tied():
    assert roc_auc(matrix_of({"q": "x"}, {"q": {"a": 1, "b": 0}})).item() == 1 / 2


def test_a_collection_that_is_too_small_is_refused():
    # x, y and a, b: each pair fits into 3, together they do not
    with pytest.raises(ValueError, match=r"collection_size must be at least 4, .*, not 3"):
        roc_auc(matrix_of({"q": "xy"}, {"q": {"a": 1, "b": 1}}, collection_size=3))
