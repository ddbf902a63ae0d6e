"""Every analysis page, file and command can be limited to the development or the test set.

The judges agree on the documents of topic 1, which is the development set, and on none of topic 2, the test set.
"""

import csv
import io
import re
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.urls import reverse

import agreement
from assess.analysis import pending
from assess.analysis.data import collection_judgements
from assess.analysis.shift.golds import golds_of
from assess.analysis.shift.ranking import collection_shift
from assess.collections import runfiles
from assess.collections.topic_sets import set_topics
from assess.models import AdjudicatedTask, Judgement, JudgementKind, KnownGrade, Role, Task
from assess.transfer.exports import export_qrels
from tests.assess.analysis.test_shift import DOCUMENTS, RUNS
from tests.assess.command_output import output_of, refusal
from tests.assess.web.research.analysis.pages import judge, read
from tests.factories import small_collection
from tests.html import compact

pytestmark = pytest.mark.site

GRADES = {"first": (2, 1, 0, 1, 0, 0), "second": (2, 1, 0, 0, 2, 1)}
AGREEMENT_PAGES = ("agreement", "agreement_topics", "agreement_judges", "agreement_time")
SHIFT_PAGES = (
    *("shift", "shift_golds", "shift_swaps", "swap", "leverage", "shift_mixed", "shift_intervals"),
    *("shift_measures", "shift_differences", "shift_topics"),
)


@pytest.fixture
def collection(db):
    """Four systems and two judges on two topics, each of which is a set."""
    collection = small_collection(RUNS, "ranked", grades=["0=no", "1=some", "2=much"], depth=3)
    for name, grades in GRADES.items():
        judge(collection, name, dict(zip(DOCUMENTS, grades, strict=True)))
    set_topics(collection, ["1"], "development")
    set_topics(collection, ["2"], "test")
    return collection


@pytest.fixture
def pair(collection):
    return [collection.members.get(name=name).pk for name in GRADES]


def rows(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))


def addresses(html: str, path: str) -> list[dict[str, list[str]]]:
    """The queries of the links in the page's content to addresses that begin so."""
    main = html[html.index("<main") :]
    return [parse_qs(urlsplit(each).query) for each in re.findall(rf'href="({path}[^"]*)"', main.replace("&amp;", "&"))]


@pytest.mark.parametrize("name", AGREEMENT_PAGES)
def test_agreement_pages_show_the_set_and_keep_it_in_their_links(http, collection, name):
    html = read(http, name, collection, set="test")
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    assert '<option value="test" selected>only the test set</option>' in html
    assert 'name="topic" value="2" checked' not in html  # the set is not a choice of single topics
    links = addresses(html, "/c/ranked/(?:agreement|documents)")
    assert len(links) > 4
    assert {tuple(each.get("set", ())) for each in links} == {("test",)}


def test_agreement_is_that_of_the_set(http, collection, pair):
    observed = {}
    for name in ("", "development", "test"):
        table = read(http, "agreement_table", collection, "pairs", "csv", set=name, rel="all")
        observed[name] = [(row["n"], float(row["percent_agreement"])) for row in rows(table)]
    assert observed == {"": [("6", 0.5)], "development": [("3", 1.0)], "test": [("3", 0.0)]}
    html = read(http, "pair", collection, *pair, set="test", rel="all")
    assert "first and second agree on 0.0% of 3 documents" in html
    assert {
        row["query_id"] for row in rows(read(http, "agreement_csv", collection, set="test")) if row["query_id"]
    } <= {"2"}
    table = read(http, "pair_table", collection, *pair, "topics", "csv", set="development")
    assert [row["query_id"] for row in rows(table)] == ["1"]


def test_set_and_topics_are_combined(http, collection):
    html = read(http, "agreement", collection, set="test", topic="2")
    assert "test set: 1 topic" in html
    assert 'name="topic" value="2" checked' in html
    refused = read(http, "agreement", collection, set="test", topic="1", status=400)
    assert "topic must be a query_id of the test set, not &#x27;1&#x27;." in refused


@pytest.mark.parametrize("name", SHIFT_PAGES)
def test_shift_pages_show_the_set_and_keep_it_in_their_links(http, collection, name, django_assert_max_num_queries):
    query = {"set": "test", "reference": "judge:first", "against": "judge:second"}
    read(http, name, collection, **query)
    with django_assert_max_num_queries(27):
        html = read(http, name, collection, **query)
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    assert '<option value="test" selected>only the test set</option>' in html
    links = addresses(html, "/c/ranked/shift")
    assert len(links) > 5
    assert {tuple(each.get("set", ())) for each in links} == {("test",)}


def test_shift_is_that_of_the_set(http, collection):
    """The scores are those of the library on the judgements of the set's topics."""
    judgements = collection_judgements(collection)
    runs = [runfiles.load(run) for run in collection.runs.all()]
    for name, query_id in (("development", "1"), ("test", "2")):
        golds = golds_of(collection, judgements[judgements["query_id"] == query_id], ["judge:first", "judge:second"])
        expected = agreement.ranking_shift(runs, golds, "AP(rel=1)", "judge:first").ranks
        query = {"set": name, "golds": list(golds), "reference": "judge:first"}
        shown = rows(read(http, "shift_csv", collection, measure="AP(rel=1)", **query))
        assert {row["n_topics"] for row in shown} == {"1"}
        scores = {(row["gold"], row["system"]): float(row["score"]) for row in shown}
        assert scores == pytest.approx({(row.gold, row.system): row.score for row in expected.itertuples()})
    same = collection_shift(collection, "AP(rel=1)", ("judge:first", "judge:second"), topic_set="development")
    assert same.pair("judge:first", "judge:second").swapped == 0


def test_decisions_on_other_topics_do_not_count(http, collection, join):
    dora = join(collection, "dora", Role.RESEARCHER)
    for query_id, doc_id in (("1", "a"), ("2", "x")):
        task = Task.objects.get(topic__query_id=query_id, document__doc_id=doc_id)
        decision = {"state": "judged", "relevance": 1, "judged_at": datetime(2026, 3, 1, tzinfo=UTC)}
        Judgement.objects.create(task=task, member=dora, repeat=JudgementKind.DECISION, **decision)
    shown = rows(read(http, "shift_csv", collection, set="test", golds=["adjudicated", "union"]))
    assert {(row["gold"], row["n_topics"]) for row in shown} == {("adjudicated", "1"), ("union", "1")}
    assert export_qrels(collection, "adjudicated", topic_set="test").decode() == "2 0 x 1\n"


def judge_both_topics(member, kind: JudgementKind) -> list[Task]:
    """Judge document a of topic 1, and document x of topic 2, with grade 1."""
    tasks = [Task.objects.get(topic__query_id=topic, document__doc_id=doc) for topic, doc in (("1", "a"), ("2", "x"))]
    for task in tasks:
        judged = {"state": "judged", "relevance": 1, "judged_at": datetime(2026, 3, 1, tzinfo=UTC)}
        Judgement.objects.create(task=task, member=member, repeat=kind, **judged)
    return tasks


def test_adjudicated_documents_are_those_of_the_set(http, collection, join):
    dora = join(collection, "dora", Role.RESEARCHER)
    adjudication = collection.adjudications.create(number=1, selection="all")
    for task in judge_both_topics(dora, JudgementKind.DECISION):
        AdjudicatedTask.objects.create(adjudication=adjudication, task=task, adjudicator=dora)
    address = reverse("research:adjudication", args=["ranked"])
    everywhere, of_set = http.get(address).context, http.get(address, {"set": "test"}).context
    assert [(row.judge, row.n, row.same) for row in everywhere["judges"]] == [("first", 2, 1), ("second", 2, 0)]
    assert [(row.judge, row.n, row.same) for row in of_set["judges"]] == [("first", 1, 1), ("second", 1, 0)]
    assert [row.query_id for _, rows in of_set["adjudications"] for row in rows] == ["2"]
    html = read(http, "adjudication", collection, set="test")
    assert "Documents of this set: 1" in html
    assert "against=majority&amp;set=test" in html


def test_hidden_checks_are_those_of_the_set(http, collection):
    first = collection.members.get(name="first")
    for task, known in zip(judge_both_topics(first, JudgementKind.CHECK), (2, 1), strict=True):
        KnownGrade.objects.create(task=task, use="check", relevance=known)
    found = {}
    for name in ("", "development", "test"):
        (row,) = rows(read(http, "calibration_file", collection, "checks", "csv", set=name))
        found[name] = (row["done"], row["hits"])
    assert found == {"": ("2", "1"), "development": ("1", "0"), "test": ("1", "1")}
    html = read(http, "calibration", collection, set="test")
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    assert "checks.csv?set=test" in html


def test_documents_are_those_of_the_set(http, collection):
    html = read(http, "documents", collection, set="test")
    assert "3 documents of 6: its topic is in the test set." in html
    assert '<option value="test" selected>only the test set</option>' in html
    table = rows(read(http, "documents_file", collection, "csv", set="test"))
    assert {row["query_id"] for row in table} == {"2"}
    links = addresses(html, "/c/ranked/documents")
    assert {tuple(each["set"]) for each in links if each} == {("test",)}


def test_effect_of_documents_is_that_on_the_set(http, collection):
    everywhere = rows(read(http, "documents_file", collection, "csv", order="leverage", gold="judge:first"))
    of_set = rows(read(http, "documents_file", collection, "csv", order="leverage", gold="judge:first", set="test"))
    assert {row["query_id"] for row in of_set} == {"2"}
    largest = [{row["doc_id"]: abs(float(row["largest_change"])) for row in each} for each in (everywhere, of_set)]
    for doc_id, change in largest[1].items():  # the mean is over one topic in place of two
        assert change == pytest.approx(2 * largest[0][doc_id])
    task = Task.objects.get(topic__query_id="2", document__doc_id="x").pk
    html = read(http, "document", collection, task, set="test", gold="judge:first")
    assert "on 1 topic of the gold" in html


@pytest.mark.django_db(transaction=True)
def test_jobs_compute_the_figures_of_the_set(http, collection, monkeypatch):
    query = {"set": "test", "golds": ["judge:first", "judge:second"]}
    at_once = rows(read(http, "shift_csv", collection, measure="nDCG@10", **query))
    monkeypatch.setattr(pending, "RUN_LINES_AT_ONCE", 0)
    monkeypatch.setattr(pending, "RATINGS_OF_PAIRS_AT_ONCE", 0)
    for name, others in (("shift", {"measure": "nDCG@3", **query}), ("agreement", {"set": "test", "rel": "all"})):
        for _ in ("compute", "draw"):
            assert read(http, name, collection, status=202, **others)
            call_command("worker", once=True, verbosity=0)
        assert "test set: 1 topic" in read(http, name, collection, **others)
    assert at_once


def test_results_change_with_the_set(http, collection):
    query = {"golds": ["judge:first", "judge:second"], "set": "test"}
    assert {row["n_topics"] for row in rows(read(http, "shift_csv", collection, **query))} == {"1"}
    set_topics(collection, ["1"], "test")
    assert {row["n_topics"] for row in rows(read(http, "shift_csv", collection, **query))} == {"2"}
    assert "test set: 2 topics" in read(http, "agreement", collection, set="test")


@pytest.mark.parametrize("name", [*AGREEMENT_PAGES, *SHIFT_PAGES, "documents", "agreement_csv", "shift_csv", "qrels"])
@pytest.mark.parametrize("text", ["all", "test set", "TEST"])
def test_unknown_sets_are_refused(http, collection, name, text):
    assert "set must be one of development, test" in read(http, name, collection, set=text, status=400)


def test_empty_sets_are_refused(http, collection):
    set_topics(collection, ["2"], "none")
    for name in ("agreement", "shift", "documents", "qrels"):
        assert "is in the test set yet." in read(http, name, collection, set="test", status=400)


def test_pages_without_sets_have_no_filter(http, collection):
    set_topics(collection, ["1", "2"], "none")
    for name in ("agreement", "shift", "documents", "collection", "releases"):
        html = read(http, name, collection)
        assert 'name="set"' not in html
        assert "topic_set" not in html


def test_gold_of_a_set_is_downloaded(http, collection):
    lines = read(http, "qrels", collection, gold="union", set="test").splitlines()
    assert [line.split()[0] for line in lines] == ["2", "2", "2"]
    assert 'name="set"' in read(http, "collection", collection)


def test_commands_use_the_set(collection, tmp_path):
    lines = output_of("agreement_report", "--collection", "ranked", "--set", "test")
    assert lines[0] == "Only the test set: 1 topic."
    assert output_of("work", "--collection", "ranked", "--set", "test") == [
        *("Only the test set: 1 topic.", "2  3 documents, 0 done, 0 open", "0 recorded judgements, 0 open."),
    ]
    table = rows("\n".join(output_of("agreement_report", "--collection", "ranked", "--set", "test", "--csv")))
    assert {row["n"] for row in table if row["assessor_a"] == "first"} == {"3"}
    lines = output_of("ranking_shift", "--collection", "ranked", "--set", "development", "--gold", "judge:first")
    assert "Only the development set: 1 topic." in lines
    out = tmp_path / "test.qrels"
    output_of("export_qrels", "--collection", "ranked", "--gold", "union", "--set", "test", "--out", out)
    assert {line.split()[0] for line in out.read_text().splitlines()} == {"2"}
    output_of("create_release", "--collection", "ranked", "--name", "main", "--gold", "union", "--set", "test")
    assert collection.releases.get().spec["query_ids"] == ["2"]
    set_topics(collection, ["2"], "none")
    for words in (["agreement_report"], ["ranking_shift"], ["export_qrels", "--gold", "union"]):
        assert "No topic of ranked is in the test set yet." in refusal(
            *words, "--collection", "ranked", "--set", "test"
        )


def test_release_is_limited_to_a_set(http, collection):
    address = reverse("research:releases", args=["ranked"])
    page = compact(http.get(address, {"name": "main", "rule": "union", "topic_set": "test"}).content.decode())
    assert "The gold by union: 3 documents in 1 topic" in page
    assert '<input type="hidden" name="topic_set" value="test">' in page
    address = reverse("research:create_release", args=["ranked"])
    refused = http.post(address, {"name": "main", "rule": "union", "topic_set": "test", "topics": "1"})
    assert refused.status_code == 400
    http.post(address, {"name": "main", "rule": "union", "topic_set": "test"})
    assert collection.jobs.get().input["topics"] == ["2"]
