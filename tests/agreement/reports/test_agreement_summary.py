"""The headline of an agreement report: over pairs of judges with enough data in common, or else preliminary."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, agreement_data, mean_pairwise, pairwise
from agreement.reports.agreement_summary import agreement_summary

NEEDED = "An answer needs at least 10 topics and 50 documents that both judged."
TAG = "answers need 10 topics, 50 documents in common"


def ratings_of(grades):
    """Ratings from {judge: {topic: grades of d0, d1, ...}}; None is not judged."""
    rows = [
        (judge, topic, f"d{place}", grade)
        for judge, topics in grades.items()
        for topic, values in topics.items()
        for place, grade in enumerate(values)
        if grade is not None
    ]
    return Ratings.from_judgements(pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"]), (0, 1))


def in_topics(values, n_topics=10):
    return {str(topic): values for topic in range(n_topics)}


def summary_of(grades, **options):
    return agreement_summary(pairwise(ratings_of(grades), "pooled_kappa"), **options)


def test_enough_topics_and_documents_by_hand():
    # in each topic they agree on 4 of 5 documents, a finds 2 and b 3 relevant: P(A) 0.8, P(E) 1/2, kappa 0.6
    summary = summary_of({"a": in_topics([1, 1, 0, 0, 0]), "b": in_topics([1, 1, 1, 0, 0])})

    assert summary.headline() == (
        "The judges agree poorly: on average, a pair agrees on 80% of the documents that both judged. Pooled kappa, "
        "which corrects for chance, is 0.60 (dubious) over 1 pair with 10 topics and 50 documents in common."
    )
    assert summary.left_out() == []
    assert not summary.is_early("b", "a")


@pytest.mark.parametrize(("n_topics", "n_documents"), [(9, 6), (10, 4)])
def test_with_fewer_topics_or_documents_the_answer_is_preliminary(n_topics, n_documents):
    values = [1, 0] * (n_documents // 2)

    summary = summary_of({"a": in_topics(values, n_topics), "b": in_topics(values, n_topics)})

    n = n_topics * n_documents
    assert summary.headline() == (
        f"Preliminary: {n_topics} topics and {n} documents in common; {TAG}. The judges agree well: on average, "
        "a pair agrees on 100% of the documents that both judged. "
        f"Pooled kappa, which corrects for chance, is 1.00 (good) over 1 pair with {n_topics} topics and {n} documents "
        "in common."
    )
    assert summary.left_out() == []
    assert summary.preliminary_pairs() == [f"a and b ({n_topics} topics, {n} documents, kappa 1.000)."]


def test_seven_judgements_of_one_judge_change_nothing():
    full = {"a": in_topics([1, 1, 0, 0, 0]), "b": in_topics([1, 1, 1, 0, 0])}

    summary = summary_of({**full, "c": {"0": [0, 0, 1, 1, 1]}})

    assert summary.headline() == summary_of(full).headline()
    # a and c agree on no document and find 5 of 10 relevant: (0 - 1/2) / (1/2); b and c on one, and 6 of 10: P(E) 0.52
    assert summary.left_out() == [
        f"Preliminary for 2 pairs of judges: 1 topic and 5 documents in common, kappa -1.000 to -0.667; {TAG}."
    ]
    assert summary.preliminary_pairs() == [
        "a and c (1 topic, 5 documents, kappa -1.000).",
        "b and c (1 topic, 5 documents, kappa -0.667).",
    ]
    assert summary.is_early("c", "a")


def test_pairs_with_equal_figures_keep_their_order_and_every_pair_is_found():
    full, little = in_topics([1, 1, 0, 0, 0]), {"0": [1, 1, 0, 0, 0]}

    summary = summary_of({"a": full, "b": little, "c": full, "d": little})

    assert [(pair.a, pair.b) for pair in summary.enough] == [("a", "c")]
    assert [(pair.a, pair.b) for pair in summary.early] == [("a", "b"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert not summary.is_early("c", "a")
    assert all(summary.is_early(pair.b, pair.a) for pair in summary.early)
    assert summary.is_early("a", "nobody")


def test_judges_without_a_common_document():
    summary = summary_of({"a": {"1": [1, 0]}, "b": {"2": [1, 0]}})

    assert summary.headline() == (f"Cannot be determined: no two judges have judged the same documents. {NEEDED}")
    assert summary.left_out() == []
    assert summary_of({"a": {"1": [1, 0]}}).headline() == summary.headline()


def test_an_undefined_kappa():
    summary = summary_of({"a": in_topics([0] * 5), "b": in_topics([0] * 5)})

    assert summary.headline() == (
        "Cannot be determined: kappa is undefined (one category) for every pair of judges with enough documents in "
        "common."
    )
    assert summary.left_out() == [
        "Kappa cannot be determined for a and b (10 topics, 50 documents, kappa undefined (one category))."
    ]


def test_an_undefined_kappa_of_too_few_documents():
    summary = summary_of({"a": {"1": [0, 0]}, "b": {"1": [0, 0]}})

    assert summary.headline() == (
        "Cannot be determined: kappa is undefined (one category) with 1 topic and 2 documents in common in 1 pair of "
        f"judges. {NEEDED}"
    )


def test_one_pair_with_too_little_in_common_has_its_numbers():
    # c has documents in common with a only: both gave 1 and 0 to the two
    full = {"a": {**in_topics([1, 1, 0, 0, 0]), "x": [1, 0]}, "b": in_topics([1, 1, 1, 0, 0]), "c": {"x": [1, 0]}}

    assert summary_of(full).left_out() == [f"Preliminary for a and c (1 topic, 2 documents, kappa 1.000); {TAG}."]


def test_only_some_pairs_without_a_kappa_are_named():
    grades = {f"j{number}": {"1": [1, 1, 1]} for number in range(6)}  # 15 pairs

    (line,) = summary_of(grades).left_out()

    assert line.count("kappa undefined (one category)") == 10
    assert line.endswith("; 5 more pairs in the tables.")


@pytest.mark.parametrize("options", [{"min_topics": 0}, {"min_documents": 0}, {"min_documents": 1.5}])
def test_invalid_thresholds_are_refused(options):
    with pytest.raises(ValueError, match=r"min_\w+ must be a whole number of at least 1, not "):
        summary_of({"a": {"1": [1]}, "b": {"1": [1]}}, **options)


def test_the_data_contain_the_summary():
    ratings = ratings_of({"a": in_topics([1, 0]), "b": in_topics([1, 0])})

    data = agreement_data(ratings, min_documents=20)

    assert data["summary"] == [agreement_summary(pairwise(ratings), min_documents=20).headline()]
    assert data["summary"][0].startswith("The judges agree well: on average, a pair agrees on 100%")


cells = st.lists(st.one_of(st.none(), st.integers(0, 1)), min_size=3, max_size=3)
judges = st.dictionaries(
    st.sampled_from("abcd"), st.dictionaries(st.sampled_from("123"), cells, min_size=1), min_size=2
)


@given(judges, st.integers(1, 3), st.integers(1, 6))
def test_the_headline_is_the_mean_over_the_pairs_with_enough_data(grades, min_topics, min_documents):
    ratings = ratings_of({**grades, "z": {"9": [1]}})  # never without a judgement
    pairs = pairwise(ratings, "pooled_kappa")

    summary = agreement_summary(pairs, min_topics, min_documents)

    joint = pairs[pairs["n"] > 0]
    enough = joint[(joint["topics"] >= min_topics) & (joint["n"] >= min_documents)]
    assert len(summary.enough) == len(enough)
    assert len(summary.enough) + len(summary.early) == len(joint)
    kappas = enough["pooled_kappa"].dropna()
    if len(kappas):
        assert f"is {kappas.mean():z.2f} (" in summary.headline()
    else:
        known = joint["pooled_kappa"].notna().any()
        expected = "Preliminary: " if enough.empty and known else "Cannot be determined"
        assert summary.headline().startswith(expected)
        assert (" in common. The judges agree" in summary.headline()) == (enough.empty and known)
    if len(enough) == len(pairs) and len(kappas):
        assert kappas.mean() == pytest.approx(mean_pairwise(ratings, "pooled_kappa").value)
