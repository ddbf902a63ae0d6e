"""What searching added beyond the runs."""

import csv

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.collections.topic_sets import set_topics
from assess.errors import Refused
from assess.models import Document, Run
from assess.people.erasure import erase
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.search.find import search
from assess.search.report import report_or_pending, search_report
from tests.assess.command_output import output_of
from tests.assess.search.found import add_searcher, first_topic, judge, open_document, searchable_collection

pytestmark = pytest.mark.database(slow=True)


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


@pytest.mark.in_ci
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
    assert (report.added, report.relevant, report.only) == (3, 5, 2)
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


@pytest.mark.in_ci
def test_report_of_a_set_counts_its_topics_only(ada, bob):
    judge_pool(ada, {"a"})
    first, second = ada.collection.topics.order_by("query_id")
    for topic, query, doc_id in ((first, "mill", "mill"), (second, "mill", "mill"), (second, "wind*", "windmill")):
        _, assignment = open_document(bob, query, doc_id, topic)
        judge(bob, assignment)
    set_topics(ada.collection, [second.query_id], "test")
    report = search_report(ada.collection, "AP(rel=1)", topic_set="test")
    assert [(row.query_id, row.searches, row.only) for row in report.topics] == [(second.query_id, 2, 2)]
    (searcher,) = report.searchers
    assert (searcher.name, searcher.searches, searcher.opened, searcher.unique) == ("bob", 2, 2, 2)
    assert {document.query_id for document in report.documents} == {second.query_id}
    assert report.added == 2
    everywhere = search_report(ada.collection, "AP(rel=1)")
    assert (everywhere.added, everywhere.searchers[0].opened) == (3, 3)
    with pytest.raises(Refused, match="No topic of small is in the development set"):
        search_report(ada.collection, "AP(rel=1)", topic_set="development")


@pytest.mark.in_ci
def test_documents_of_the_report(ada, bob):
    judge_pool(ada, {"a"})
    for member, query, doc_id in ((ada, "mill", "mill"), (bob, "mill", "mill"), (bob, "wind*", "windmill")):
        _, assignment = open_document(member, query, doc_id)
        if doc_id == "mill":
            judge(member, assignment)
    mill, windmill = search_report(ada.collection, "AP(rel=1)").documents
    assert (mill.doc_id, mill.searchers, mill.judges) == ("mill", ("ada", "bob"), ("ada", "bob"))
    assert (mill.is_relevant, mill.is_only, mill.is_unique) == (True, True, False)
    assert (windmill.doc_id, windmill.searchers, windmill.judges) == ("windmill", ("bob",), ())
    assert (windmill.is_relevant, windmill.is_only) == (False, False)


@pytest.mark.in_ci
def test_document_of_an_erased_searcher_is_still_counted(ada, bob):
    judge_pool(bob, {"a"})
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assign(ada.collection, judges=2)
    judge(bob, bob.assignments.get(task=assignment.task))
    erase([ada], "on request", ada.collection)
    (document,) = search_report(bob.collection, "AP(rel=1)").documents
    assert (document.searchers, document.is_relevant, document.is_only, document.is_unique) == ((), True, True, False)


@pytest.mark.slow
def test_report_needs_equally_many_queries_for_many_documents(ada):
    judge_pool(ada, {"a"})
    numbers = []
    for query, doc_id in (("mill", "mill"), ("wind*", "windmill"), ("season", "brook")):
        _, assignment = open_document(ada, query, doc_id)
        judge(ada, assignment)
        with CaptureQueriesContext(connection) as queries:
            search_report(ada.collection, "AP(rel=1)")
        numbers.append(len(queries))
    assert numbers[0] == numbers[1] == numbers[2] <= 20


@pytest.mark.slow
def test_command_prints_the_report_and_its_tables(ada):
    judge_pool(ada, {"a", "b"})
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    set_topics(ada.collection, ["1"], "test")
    words = ["search_report", "--collection", "small", "--set", "test"]
    lines = output_of(*words)
    assert lines[:3] == [
        "Only the test set: 1 topic.",
        "Gold judge:ada; relevant from grade 1; AP(rel=1).",
        "Searching found 1 of 3 known relevant documents that no run brought into the pool.",
    ]
    assert lines[-1] == "Gold: judge:ada, because ada is the only person who judged."
    rows = [line.split(",") for line in output_of(*words, "--csv", "documents")]
    assert rows[1] == ["1", "mill", "ada", "ada", "True", "True", "True"]
    assert output_of(*words, "--csv", "topics")[1] == "1,1,3,1"


def test_command_exports_the_searches(ada, tmp_path):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    search(ada, first_topic(ada.collection), "=HYPERLINK(1)")
    out = tmp_path / "searches.csv"
    output_of("export_searches", "--collection", "small", "--out", out)
    empty, opened = csv.DictReader(out.read_text().splitlines())
    assert (empty["query"], empty["matched"], empty["doc_id"]) == ("'=HYPERLINK(1)", "0", "")
    names = ("searcher", "query_id", "query", "rank", "doc_id", "state", "relevance", "entered_pool")
    assert [opened[name] for name in names] == ["ada", "1", "mill", "1", "mill", "judged", "1", "1"]
