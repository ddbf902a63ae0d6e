"""The rows of the agreement page, which come from tables of all pairs, are those of one pair after the other."""

import pandas as pd
import pytest
from django.utils import timezone

import agreement
from assess.analysis.agreement import COEFFICIENTS, agreement_figures, pair_figures, topics_frame
from assess.analysis.data import collection_ratings
from assess.analysis.estimates import estimate_from_row
from assess.analysis.selection import Selection
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Role, Task

KAPPAS = COEFFICIENTS[1:]
BINARY = Selection(rel=1)
# Documents a, b, d, e of topic 1 and x, y, z of topic 2. cy has one document in common with each other judge; dan has
# none with cy; the grades of ada and dan are all equal in topic 2.
GRADES = {"ada": "1101000", "ben": "1011010", "cy": "..0.1..", "dan": "1.....0"}


@pytest.fixture
def judged(collection):
    return record(collection, GRADES)


def record(collection, grades_by_judge):
    tasks = list(Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id"))
    assert len(tasks) == 7
    for name, grades in grades_by_judge.items():
        member = collection.members.create(name=name, role=Role.ASSESSOR)
        given = [(task, int(grade)) for task, grade in zip(tasks, grades, strict=True) if grade != "."]
        record_imported(
            [
                ImportedJudgement(member, task.pk, 0, JudgementInput("judged", grade), timezone.now())
                for task, grade in given
            ]
        )
    return collection


def shown(estimate):
    return estimate.shown(), estimate.n, estimate.n_dropped, estimate.band


def test_rows_of_all_pairs_are_those_of_each_pair(judged):
    ratings = collection_ratings(judged, 1)

    figures = agreement_figures(judged, BINARY)

    pairs = figures.pairs.to_dict("records")
    assert [(row["assessor_a"], row["assessor_b"]) for row in pairs] == [
        ("ada", "ben"),
        ("ada", "cy"),
        ("ada", "dan"),
        ("ben", "cy"),
        ("ben", "dan"),
    ]
    assert figures.pairs_apart == 1
    for row in pairs:
        judges = row["assessor_a"], row["assessor_b"]
        for name in COEFFICIENTS:
            single = agreement.overall(ratings, name, "pooled", *judges)
            assert shown(estimate_from_row(row, name)) == shown(single)
    for row in figures.means.to_dict("records"):
        for name in KAPPAS:
            mean = agreement.overall(ratings, name, "topics", row["assessor_a"], row["assessor_b"])
            assert value(row[name]) == pytest.approx(mean.value)
            assert value(row[f"{name}_observed"]) == pytest.approx(mean.observed if mean.defined else None)
            basis = (row[f"{name}_n"], row[f"{name}_n_topics"], row[f"{name}_left_out"])
            assert basis == (mean.n, mean.n_averaged, len(mean.skipped))


def value(cell):
    return None if pd.isna(cell) else float(cell)


def test_rows_of_topics_are_the_means_over_pairs(judged):
    parts = collection_ratings(judged, 1).by_topic()

    rows = topics_frame(judged, BINARY).to_dict("records")

    assert [(row["query_id"], row["title"]) for row in rows] == [("1", "first need"), ("2", "second need")]
    for row in rows:
        for name in KAPPAS:
            single = agreement.mean_pairwise(parts[row["query_id"]], name)
            assert value(row[name]) == pytest.approx(single.value)
            assert (row["n"], row["n_pairs"]) == (single.n, single.n_averaged)
            assert value(row["percent_agreement"]) == pytest.approx(single.observed)


def test_single_judge_has_topics_without_figures(collection):
    record(collection, {"ada": GRADES["ada"]})
    figures = agreement_figures(collection, BINARY)

    assert figures.pairs.empty
    assert figures.pairs_apart == 0
    assert (figures.reference, figures.against, figures.matrix) == (None, None, None)
    assert set(topics_frame(collection, BINARY)["pooled_kappa_reason"]) == {"one_assessor"}


def test_page_of_a_pair_reads_only_the_two_judges(judged):
    figures = pair_figures(judged, "ben", "ada", BINARY)

    ratings = collection_ratings(judged, 1)
    expected = agreement.overall(ratings, "cohen_kappa", "pooled", "ben", "ada").interval("jackknife_topics")
    assert collection_ratings(judged, 1, judges=("ben", "ada")).assessors == ("ada", "ben")
    assert figures.row.cohen.shown() == expected.shown()
    assert (figures.row.cohen.low, figures.row.cohen.high) == (expected.low, expected.high)
    assert list(figures.topics["query_id"]) == ["1", "2"]
    assert [(pair.a, pair.b) for pair in (*figures.summary.enough, *figures.summary.early)] == [("ada", "ben")]
