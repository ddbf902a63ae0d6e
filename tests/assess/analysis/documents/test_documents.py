"""Distances of grades, ranks, and the effect of a grade, compared with simpler computations."""

from itertools import combinations
from statistics import fmean

import pytest
from django.utils import timezone
from scipy.stats import kendalltau

import agreement
from assess.adjudication.choose import by_leverage
from assess.analysis.data import collection_gold
from assess.analysis.documents.effect import document_effect
from assess.analysis.documents.leverage import leverage_of, strongest_grades
from assess.analysis.documents.listing import judged_documents
from assess.analysis.documents.systems import ranked_runs, retrieved_by
from assess.analysis.shift_query import ShiftInputs
from assess.collections import runfiles
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Role
from tests.assess.adjudication.conftest import GRADES, disputed, people, task_of  # noqa: F401 - some are fixtures
from tests.factories import SMALL_RUNS, small_collection


@pytest.fixture
def graded(db):
    """Three judges with different documents on a scale that skips a value."""
    collection = small_collection(SMALL_RUNS, slug="graded", grades=["0=no", "1=some", "3=much"])
    grades = {"ann": {"a": 0, "b": 3, "d": 1}, "bob": {"a": 3, "b": 3, "e": 0}, "cy": {"a": 1, "b": None}}
    for name, given in grades.items():
        judge = collection.members.create(name=name, role=Role.ASSESSOR)
        for doc_id, grade in given.items():
            how = JudgementInput("cannot_judge", reason="broken") if grade is None else JudgementInput("judged", grade)
            record_imported([ImportedJudgement(judge, task_of(collection, "1", doc_id).pk, 0, how, timezone.now())])
    return collection


def test_distances_are_steps_of_the_scale(graded):
    rows = judged_documents(graded).set_index("doc_id")
    # a: grades 0, 1, 3 at positions 0, 1, 2; its pairs are 1, 1 and 2 steps apart
    assert rows.loc["a", ["n", "n_cannot", "lowest", "highest", "apart"]].tolist() == [3, 0, 0, 3, 2]
    assert rows.loc["a", "distance"] == fmean([1, 1, 2])
    assert rows.loc["b", ["n", "n_cannot", "lowest", "highest", "apart", "distance"]].tolist() == [2, 1, 3, 3, 0, 0]
    assert rows["distance"].isna()[["d", "e"]].all()
    assert rows.index.tolist() == ["a", "b", "d", "e"]


def test_table_changes_with_a_judgement(graded):
    assert "f" not in judged_documents(graded)["doc_id"].tolist()
    judge, task = graded.members.get(name="cy"), task_of(graded, "1", "d")
    record_imported([ImportedJudgement(judge, task.pk, 0, JudgementInput("judged", 3), timezone.now())])
    assert judged_documents(graded).set_index("doc_id").loc["d", "distance"] == 1


def test_ranks_are_those_of_the_run_files(collection):
    prepared = ranked_runs(list(collection.runs.all()))
    for query_id, doc_id in (("1", "b"), ("1", "f"), ("2", "z"), ("2", "a"), ("3", "a"), ("1", "unknown")):
        expected = {
            system: topics[query_id].index(doc_id) + 1
            for system, topics in SMALL_RUNS.items()
            if doc_id in topics.get(query_id, ())
        }
        assert {row.system: row.rank for row in retrieved_by(prepared, query_id, doc_id)} == expected


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["AP", "nDCG@2", "P@1"])
@pytest.mark.parametrize("cell", [(q, d) for q, docs in GRADES["ann"].items() for d in docs])
def test_effect_is_that_of_scoring_all_systems_again(disputed, measure, cell):  # noqa: F811
    task, runs = task_of(disputed, *cell), list(disputed.runs.all())
    effect = document_effect(disputed, task, ranked_runs(runs), measure, "judge:ann")
    gold = collection_gold(disputed, "judge:ann")
    changed = gold.copy()
    here = (gold["query_id"] == cell[0]) & (gold["doc_id"] == cell[1])
    other = 1 - int(gold.loc[here, "relevance"].iloc[0])
    changed.loc[here, "relevance"] = other
    before, after = (means(runs, frame, measure) for frame in (gold, changed))
    (row,) = effect.grades
    assert (row.grade, effect.gold_grade) == (other, 1 - other)
    assert row.pairs_swapped == sum(
        (before[a] - before[b]) * (after[a] - after[b]) < -1e-12 for a, b in combinations(range(3), 2)
    )
    assert row.top_changed == (best(before) != best(after))
    assert row.largest_change == pytest.approx(max(abs(a - b) for a, b in zip(before, after, strict=True)))
    tau = kendalltau([round(x, 9) for x in before], [round(x, 9) for x in after]).statistic
    assert row.shown == (f"{tau:.3f}" if tau == tau else "undefined (all systems tied)")


def means(runs, gold, measure) -> list[float]:
    return agreement.score_table(map(runfiles.load, runs), gold, measure).mean(axis=1).tolist()


def best(scores) -> set[int]:
    return {n for n, score in enumerate(scores) if max(scores) - score < 1e-12}


def test_strongest_grade_of_each_document_orders_the_adjudication(disputed):  # noqa: F811
    strongest = strongest_grades(leverage_of(disputed, ShiftInputs("AP"), gold="judge:ann"))
    assert strongest["tau"].is_monotonic_increasing
    tasks = by_leverage(disputed, "AP", "judge:ann", 3)
    chosen = [(task.topic.query_id, task.document.doc_id) for task in tasks]
    assert chosen == list(strongest[["query_id", "doc_id"]].itertuples(index=False, name=None))
