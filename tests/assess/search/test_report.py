"""What searching added beyond the runs."""

import pytest

from assess.errors import Refused
from assess.models import Document, Run
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.search.find import search
from assess.search.report import report_or_pending, search_report
from tests.assess.search.found import add_searcher, first_topic, judge, open_document, searchable_collection


@pytest.fixture
def ada(db):
    return add_searcher(searchable_collection())


@pytest.fixture
def bob(ada):
    return add_searcher(ada.collection, "bob")


def judge_pool(member, relevant: set[str]) -> None:
    assign(member.collection, judges=1, exclude=[each.name for each in member.collection.members.exclude(pk=member.pk)])
    for assignment in member.assignments.filter(state="").select_related("task__document"):
        judge(member, assignment, int(assignment.task.document.doc_id in relevant))


def test_unique_contributions_of_searchers(ada, bob):
    judge_pool(ada, {"a", "b", "x"})
    for member, query, doc_id, grade in (
        (ada, "mill", "mill", 1),  # found by both
        (bob, "mill", "mill", 1),
        (bob, "wind*", "windmill", 1),
        (bob, "brook", "brook", 0),
        (bob, '"text of a"', "a", 1),  # a run has it
    ):
        _, assignment = open_document(member, query, doc_id)
        judge(member, assignment, grade)
    search(bob, first_topic(bob.collection), "nothing")
    report = search_report(ada.collection, "AP(rel=1)")
    one, two = report.searchers
    assert (one.name, one.searches, one.opened, one.judged, one.relevant, one.only, one.unique) == (
        *("ada", 1, 1, 1, 1),
        *(1, 0),
    )
    assert (two.name, two.searches, two.opened, two.judged, two.relevant, two.only, two.unique) == (
        *("bob", 5, 4, 4, 3),
        *(2, 1),
    )
    assert [(row.query_id, row.relevant, row.only) for row in report.topics] == [("1", 4, 2), ("2", 1, 0)]
    assert (report.found, report.relevant, report.only) == (3, 5, 2)
    assert report.topics[0].share == 0.5


def test_ranking_with_and_without_what_was_found(ada):
    """AP by hand for topic 1, with relevant documents a and b, and with one more that no run retrieved."""
    judge_pool(ada, {"a", "b"})
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    report = search_report(ada.collection, "AP(rel=1)")
    alpha = next(row for row in report.systems if row.system == "alpha")
    # alpha has a at rank 1 and b at rank 2: AP 1 without, 2/3 with; topic 2 has no relevant document and counts 0.
    assert alpha.score_without == pytest.approx((1 + 0) / 2)
    assert alpha.score_with == pytest.approx((2 / 3 + 0) / 2)
    assert report.pair.n_systems == 3
    assert report.pair.tau_b.value == pytest.approx(1)


def test_nothing_found_is_a_reason_and_not_a_figure(ada):
    judge_pool(ada, {"a"})
    report = search_report(ada.collection, "AP(rel=1)")
    assert (report.pair, report.only, report.searchers) == (None, 0, [])
    assert "the ranking is the same" in report.reason


def test_only_found_documents_are_judged(ada):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assert "no ranking without it" in search_report(ada.collection, "AP(rel=1)").reason


def test_collection_without_runs_has_no_ranking(ada):
    judge_pool(ada, {"a"})
    Run.objects.all().delete()
    assert "no runs" in search_report(ada.collection, "AP(rel=1)").reason


def test_document_that_a_run_pools_later_no_longer_counts(ada):
    collection = ada.collection
    Document.objects.filter(doc_id="mill").update(doc_id="late")
    _, assignment = open_document(ada, "water", "late")
    judge(ada, assignment)
    assert search_report(collection, "AP(rel=1)").only == 1
    # alpha retrieves c at rank 3, which the pool of depth 2 lacks.
    _, third = open_document(ada, "text OR water", "late")
    assert third == assignment
    collection.documents.filter(doc_id="c").delete()
    Document.objects.filter(doc_id="late").update(doc_id="c")
    build_pool(collection, depth=3)
    assert search_report(collection, "AP(rel=1)").only == 0


def test_unknown_measure_is_refused(ada):
    judge_pool(ada, {"a"})
    with pytest.raises(Refused):
        search_report(ada.collection, "nonsense")


def test_report_is_computed_once(ada, monkeypatch):
    judge_pool(ada, {"a"})
    calls = []
    monkeypatch.setattr("assess.search.report.search_report", lambda *arguments: calls.append(arguments) or "report")
    for _ in range(2):
        report_or_pending(ada.collection, ada.user, "AP(rel=1)", "union")
    assert len(calls) == 1
    search(ada, first_topic(ada.collection), "mill")
    report_or_pending(ada.collection, ada.user, "AP(rel=1)", "union")
    assert len(calls) == 2
