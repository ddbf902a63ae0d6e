"""Interpolated precision and break-even: by hand, the textbooks, where trec_eval says the same, properties."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.break_even import break_even
from agreement.measures.interpolated import (
    ELEVEN,
    interpolated_precision,
    iprec3,
    iprec11,
    precision_at_recalls,
)
from tests.agreement.graded_rankings import (
    at_ranks,
    by_pytrec_eval,
    by_topic,
    fewer,
    matrix_of,
    prepare,
    random_run_and_gold,
    ranked,
    scored_matrix,
    scores_of,
    some_gold,
    some_run,
)
from tests.oracles import oracle

TEXTBOOK = {case["id"]: case for case in oracle("textbook")["cases"]}
# the recalls with an exact decimal meaning, and as the floating-point numbers that users write
tenths = st.integers(0, 10)


def slow_interpolated(scores, grades, recall, rel):
    """The highest precision at any rank of enough recall, in fractions."""
    relevant = sum(grade >= rel for grade in grades.values())
    best, found = Fraction(0), 0
    for rank, doc in enumerate(ranked(scores), start=1):
        found += grades.get(doc, -1) >= rel
        if found and Fraction(found, relevant) >= recall:
            best = max(best, Fraction(found, rank))
    return best


def textbook_matrix(case):
    given_ = TEXTBOOK[case]["given"]
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])
    return prepare(runs).under(gold)


def test_by_hand():
    # relevant at ranks 2 and 3 of 3: precisions 1/2 and 2/3, recalls 1/3 and 2/3; the third is never reached
    matrix = matrix_of({"q": "xabc"}, {"q": {"a": 1, "b": 2, "z": 1}})

    assert interpolated_precision(matrix, 0).item() == 2 / 3
    assert interpolated_precision(matrix, 2 / 3).item() == 2 / 3
    assert interpolated_precision(matrix, 0.7).item() == 0
    assert interpolated_precision(matrix, 1.0, rel=2).item() == 1 / 3
    # recalls 0 to 0.6 of eleven have 2/3, and 0.2 and 0.5 of three
    assert iprec11(matrix).item() == pytest.approx(7 / 11 * 2 / 3, abs=1e-15)
    assert iprec3(matrix).item() == pytest.approx(2 / 3 * 2 / 3, abs=1e-15)


def test_published_interpolation():
    want = TEXTBOOK["rug-80docs"]["want"]
    matrix = textbook_matrix("rug-80docs")

    at_found = precision_at_recalls(matrix, (0.25, 0.5, 0.75, 1.0))[0, 0]

    assert at_found.tolist() == pytest.approx([float(Fraction(part)) for part in want["interpolated"]], abs=1e-15)
    assert iprec11(matrix).item() == pytest.approx(float(Fraction(want["iprec_11pt"])), abs=1e-15)
    assert iprec3(matrix).item() == pytest.approx(float(Fraction(want["iprec_3pt"])), abs=1e-15)


def test_published_interpolation_at_a_third():
    want = float(Fraction(TEXTBOOK["iir-ex8.9"]["want"]["iprec_at_033"]))

    assert interpolated_precision(textbook_matrix("iir-ex8.9"), 0.33).item() == pytest.approx(want, abs=1e-15)


@pytest.mark.parametrize("case", [case for case in TEXTBOOK if "Rprec" in TEXTBOOK[case]["want"]])
def test_published_break_even(case):
    want = float(Fraction(TEXTBOOK[case]["want"]["Rprec"]))

    assert break_even(textbook_matrix(case)).item() == pytest.approx(want, abs=1e-15)


@fewer
@given(some_run, some_gold, tenths, st.integers(1, 3))
def test_against_fractions_and_pytrec_eval(run, grades, tenth, rel):
    ours = scores_of(lambda m: interpolated_precision(m, tenth / 10, rel), run, grades)
    slow = {
        topic: float(slow_interpolated(run.get(topic, {}), docs, Fraction(tenth, 10), rel))
        for topic, docs in grades.items()
    }
    assert ours == pytest.approx(slow, abs=1e-12)

    peer = by_pytrec_eval(run, grades, f"iprec_at_recall.{tenth / 10}", rel)
    for topic, docs in grades.items():
        if tenth != 7 or sum(grade >= rel for grade in docs.values()) != 3:  # see the next test
            assert ours[topic] == pytest.approx(peer[topic], abs=1e-12)


def test_trec_eval_uses_a_recall_that_was_not_reached():
    # 0.7 x 3 = 2.0999999999999996 in floating point, and int(2.0999999999999996 + 0.9) = 2: recall 2/3 < 0.7
    run, grades = {"q": {"a": 5.0, "x": 4.0, "b": 3.0}}, {"q": {"a": 1, "b": 1, "z": 1}}

    assert by_pytrec_eval(run, grades, "iprec_at_recall.0.7") == {"q": pytest.approx(2 / 3)}
    assert scores_of(lambda m: interpolated_precision(m, 0.7), run, grades) == {"q": 0}
    # elevenths: the one point of difference
    ours, peer = scores_of(iprec11, run, grades)["q"], by_pytrec_eval(run, grades, "11pt_avg")["q"]
    assert peer - ours == pytest.approx(2 / 3 / 11, abs=1e-12)


def test_the_numbers_of_relevant_documents_where_trec_eval_differs():
    """Those that the module's docstring names, up to 100."""
    falls_short = {
        tenth: [n for n in range(1, 101) if int(tenth / 10 * n + 0.9) < ceil(Fraction(tenth, 10) * n)]
        for tenth in range(11)
    }

    assert {tenth: numbers for tenth, numbers in falls_short.items() if numbers} == {
        3: [57, 67, 77, 87, 97],
        7: [3, 23, 33, 43, 53, 63, 73, 83],
    }


@pytest.mark.parametrize("seed", range(3))
def test_eleven_points_against_pytrec_eval_on_longer_rankings(seed):
    run, grades = random_run_and_gold(seed)
    few = {topic: {doc: grade for doc, grade in docs.items() if grade < 1} for topic, docs in grades.items()}
    relevant = {topic: [doc for doc, grade in docs.items() if grade >= 1][:20] for topic, docs in grades.items()}
    grades = {topic: few[topic] | dict.fromkeys(relevant[topic], 1) for topic in grades}  # 20: no point differs

    assert scores_of(iprec11, run, grades) == pytest.approx(by_pytrec_eval(run, grades, "11pt_avg"), abs=1e-12)
    assert scores_of(break_even, run, grades) == pytest.approx(by_pytrec_eval(run, grades, "Rprec"), abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_interpolated_precision_never_rises_with_recall(run, grades):
    values = precision_at_recalls(scored_matrix(run, grades), ELEVEN)

    assert ((values >= 0) & (values <= 1)).all()
    assert (values[..., 1:] <= values[..., :-1]).all()


@fewer
@given(some_run, some_gold, st.integers(1, 3))
def test_at_the_break_even_point_precision_is_recall(run, grades, rel):
    matrix = scored_matrix(run, grades)
    ours = by_topic(matrix, break_even(matrix, rel))

    assert ours == pytest.approx(by_pytrec_eval(run, grades, "Rprec", rel), abs=1e-12)
    for topic, docs in grades.items():
        relevant = [doc for doc, grade in docs.items() if grade >= rel]
        top = ranked(run.get(topic, {}))[: len(relevant)]
        if relevant:
            recall = len(set(top) & set(relevant)) / len(relevant)
            assert ours[topic] == recall
            if len(top) == len(relevant):
                assert ours[topic] == len(set(top) & set(relevant)) / len(top)


def test_degenerate_input():
    matrix = matrix_of({"q": "ab"}, {"p": {"a": 1}, "q": {"a": 0, "b": -1}})

    assert [measure(matrix).tolist() for measure in (iprec11, iprec3, break_even)] == [[[0, 0]]] * 3
    assert iprec11(matrix_of({"q": "ab"}, {"q": {}})).shape == (1, 0)


def test_a_ranking_shorter_than_the_number_of_relevant_documents():
    # 1 of 4 found, then nothing: precision and recall at rank 4 are both 1/4
    assert break_even(matrix_of({"q": "a"}, {"q": dict.fromkeys("axyz", 1)})).item() == 1 / 4


@pytest.mark.parametrize("recall", [-0.1, 1.1, float("nan")])
def test_invalid_arguments_are_refused(recall):
    with pytest.raises(ValueError, match=f"A recall must be between 0 and 1, not {recall}"):
        interpolated_precision(matrix_of({"q": "a"}, {"q": {"a": 1}}), recall)
