"""The pages of search: permission, blindness, results, judging a result without scripts, and the researchers' page."""

import csv
import re
import uuid
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assess.adjudication.adjudicate import create_adjudication
from assess.collections.topic_sets import set_topics
from assess.jobs.run import run
from assess.models import GradesOpening, Job, Judgement, Role, Search, SearchPermission, Task
from assess.people.erasure import erase
from assess.search import views as search_views
from assess.search.find import search
from assess.search.report_options import PARTS
from tests.assess.search.found import (
    add_documents,
    add_searcher,
    first_topic,
    judge,
    open_document,
    searchable_collection,
)
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

pytestmark = pytest.mark.database


@pytest.fixture
def ada(db):
    return add_searcher(searchable_collection())


@pytest.fixture
def owner(ada, join):
    return join(ada.collection, "olga", Role.OWNER)


def pages_of(member) -> list[str]:
    topic = first_topic(member.collection)
    made = Search.objects.filter(member=member).first() or search(member, topic, "mill OR text")
    slug = member.collection.slug
    return [
        reverse("judge:search_topics", args=[slug]),
        reverse("judge:search", args=[slug, topic.pk]),
        reverse("judge:search_results", args=[slug, made.public_id]),
    ]


def search_for(client, member, query: str):
    topic = first_topic(member.collection)
    address = reverse("judge:search", args=[member.collection.slug, topic.pk])
    return client.post(address, {"query": query}, follow=True)


def test_search_shows_ranked_results_with_marked_words(signed_in, ada):
    response = search_for(signed_in(ada), ada, "mill -wind")
    text = response.content.decode()
    assert response.redirect_chain[0][1] == 302
    assert "1 document." in text
    assert "<mark>mill</mark>" in text
    assert "Windmills" not in text


def test_invalid_query_is_shown_again_with_the_reason(signed_in, ada):
    response = search_for(signed_in(ada), ada, '"mill')
    assert response.status_code == 400
    assert "has no second one" in response.content.decode()
    assert 'value="&quot;mill"' in response.content.decode()


def test_assessors_without_permission_see_no_page_and_no_link(signed_in, ada, join):
    bob = join(ada.collection, "bob")
    client = signed_in(bob)
    made = search(ada, first_topic(ada.collection), "mill")
    for address in pages_of(ada):
        assert client.get(address).status_code == 403
    opening = reverse("judge:open_result", args=[ada.collection.slug, made.public_id, 1])
    assert client.post(opening).status_code == 403
    assert "judge/search" not in client.get(reverse("judge:topics", args=[ada.collection.slug])).content.decode()
    SearchPermission.objects.create(member=bob)
    assert "judge/search" in client.get(reverse("judge:topics", args=[ada.collection.slug])).content.decode()


def test_searches_of_others_are_not_found(signed_in, ada):
    bob = add_searcher(ada.collection, "bob")
    made = search(ada, first_topic(ada.collection), "mill")
    client = signed_in(bob)
    assert client.get(reverse("judge:search_results", args=[ada.collection.slug, made.public_id])).status_code == 404
    opening = reverse("judge:open_result", args=[ada.collection.slug, made.public_id, 1])
    assert client.post(opening).status_code == 404


def test_searchers_see_no_systems_runs_and_judgements_of_others(signed_in, ada):
    """The pages are the same, byte for byte, whatever others judged and whatever is in the pool."""
    bob = add_searcher(ada.collection, "bob")
    client = signed_in(ada)
    addresses = pages_of(ada)
    before = [_comparable(client.get(address)) for address in addresses]
    for query, doc_id in (("mill", "mill"), ("text", "a"), ("text", "b")):
        _, assignment = open_document(bob, query, doc_id)
        judge(bob, assignment)
    assert [_comparable(client.get(address)) for address in addresses] == before
    for page in before:
        assert not [word for word in ("alpha", "beta", "gamma", "bob", "/run") if word in page]


def _comparable(response) -> str:
    """The headers and the page without its tokens."""
    assert response.status_code == 200
    lines = [line for line in response.content.decode().splitlines() if "csrfmiddlewaretoken" not in line]
    return "\n".join([str(sorted(item for item in response.headers.items() if item[0] != "X-Request-ID")), *lines])


def test_pages_that_send_waiting_judgements_say_so(client, ada):
    client.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    pages = [client.get(address).content.decode() for address in pages_of(ada)]
    assert ["send-waiting.js" in page for page in pages] == [False, False, True]
    assert ['id="waiting-judgements"' in page for page in pages] == [False, False, True]


def test_addresses_contain_no_keys_of_documents(signed_in, ada):
    made = search(ada, first_topic(ada.collection), "mill")
    page = signed_in(ada).get(reverse("judge:search_results", args=[ada.collection.slug, made.public_id]))
    text = page.content.decode()
    assert all(f"/{key}/" not in text for key in made.documents)


def test_result_is_judged_without_scripts_and_leads_back(signed_in, ada):
    client = signed_in(ada)
    search_for(client, ada, "mill")
    made = Search.objects.get()
    opening = reverse("judge:open_result", args=[ada.collection.slug, made.public_id, 1])
    page = client.post(opening, follow=True)
    text = page.content.decode()
    assert "You opened this document from a search" in text
    fields = {
        "client_id": str(uuid.uuid4()),
        "member": ada.pk,
        "relevance": "1",
        "input": "form",
        "back": page.context["back_query"],
    }
    task = page.context["card"].task
    response = client.post(reverse("judge:record", args=[ada.collection.slug, task]), fields)
    assert response.status_code == 302
    assert f"judge/search/{made.public_id}/?page=1&at=1" in response["Location"]
    results = client.get(response["Location"]).content.decode()
    assert "You judged: 1" in results
    assert results.index("autofocus") > results.index("result-2")
    assert Judgement.objects.get().relevance == 1


def test_searched_words_are_highlighted_in_the_document(signed_in, ada):
    client = signed_in(ada)
    search_for(client, ada, 'title:mill "dry brook" OR wat* -season')
    opening = reverse("judge:open_result", args=[ada.collection.slug, Search.objects.get().public_id, 1])
    page = client.post(opening, follow=True)
    title = first_topic(ada.collection).title
    assert page.context["script"]["query"] == f"{title} mill dry brook wat"
    address = reverse("judge:topic", args=[ada.collection.slug, first_topic(ada.collection).pk])
    assert client.get(address).context["script"]["query"] == title
    bob = add_searcher(ada.collection, "bob")
    others = search(bob, first_topic(ada.collection), "secret OR mill").public_id
    task = {"task": page.context["card"].task, "back": f"search={others}"}
    assert client.get(address, task).context["script"]["query"] == title


def test_back_leads_only_to_results(signed_in, ada):
    client = signed_in(ada)
    _, assignment = open_document(ada, "mill", "mill")
    address = reverse("judge:topic", args=[ada.collection.slug, assignment.topic_id])
    for back in ("search=//evil.example", "search=&at=1", "search=" + "a" * 5_000):
        text = client.get(address, {"task": assignment.public_id, "back": back}).content.decode()
        assert "judge/judgements/" in text
        assert 'href="//evil' not in text


def test_results_page_has_few_queries(signed_in, ada, django_assert_max_num_queries):
    add_documents(ada.collection, {})
    made = search(ada, first_topic(ada.collection), "text OR mill OR water")
    client = signed_in(ada)
    with django_assert_max_num_queries(12):
        client.get(reverse("judge:search_results", args=[ada.collection.slug, made.public_id]))


def test_page_number_is_never_out_of_range(signed_in, ada):
    made = search(ada, first_topic(ada.collection), "mill")
    address = reverse("judge:search_results", args=[ada.collection.slug, made.public_id])
    for number in ("0", "2", "99999999", "x", "-1", "²"):
        assert signed_in(ada).get(address, {"page": number, "at": number}).status_code == 200


def test_researcher_indexes_and_permits(signed_in, join):
    collection = small_collection(SMALL_RUNS)
    olga, bob = join(collection, "olga", Role.OWNER), join(collection, "bob")
    client, page = signed_in(olga), reverse("research:search", args=[collection.slug])
    assert "are not indexed yet" in client.get(page).content.decode()
    client.post(reverse("research:build_index", args=[collection.slug]))
    job = Job.objects.get()
    assert f"/jobs/{job.public_id}/part/" in client.get(page).content.decode()
    run(job.pk, 1)
    done = client.get(reverse("research:job", args=[collection.slug, job.public_id])).content.decode()
    assert f"Indexed {collection.documents.count()} documents." in done
    assert "The index is complete" in client.get(page).content.decode()
    client.post(reverse("research:permit_search", args=[collection.slug]), {"searchers": [bob.name]})
    assert SearchPermission.objects.get().member == bob
    assert SearchPermission.objects.get().granted_by == olga.user
    client.post(reverse("research:permit_search", args=[collection.slug]))
    assert not SearchPermission.objects.exists()


def test_researcher_reads_the_searches(signed_in, ada, owner):
    _, assignment = open_document(ada, "mill wind", "windmill")
    judge(ada, assignment)
    text = signed_in(owner).get(reverse("research:search", args=[ada.collection.slug])).content.decode()
    assert "mill wind" in text
    assert "ada" in text


def test_opened_documents_are_listed_with_links(signed_in, ada, owner):
    for doc_id, grade in (("mill", 1), ("windmill", 0)):
        _, assignment = open_document(ada, "mill", doc_id)
        judge(ada, assignment, grade)
    open_document(ada, "brook", "brook")
    text = compact(signed_in(owner).get(reverse("research:search", args=[ada.collection.slug])).content.decode())
    for doc_id, judgement in (
        ("mill", "grade 1 (relevant), new in the pool"),
        ("windmill", "grade 0, new in the pool"),
        ("brook", "not judged"),
    ):
        task = Task.objects.get(document__doc_id=doc_id).pk
        assert f'<a href="/c/small/documents/{task}/">{doc_id}</a> result ' in text
        assert judgement in text[text.index(f">{doc_id}</a> result ") :][:90]


@pytest.mark.in_ci
def test_grades_of_documents_to_decide_are_not_shown(signed_in, ada, owner):
    """A researcher who is to decide a document does not see who judged it relevant."""
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    client, slug = signed_in(owner), ada.collection.slug
    create_adjudication(ada.collection, [assignment.task], [owner.name], "chosen by hand")
    task = f"documents/{assignment.task_id}/"
    pages = [reverse("research:search", args=[slug]), reverse("research:search_report_documents", args=[slug])]
    for address in pages:
        text = client.get(address).content.decode()
        assert task not in text
        assert "Documents assigned to you for a decision are left out" in text
    for address in (
        reverse("research:searches_csv", args=[slug]),
        reverse("research:search_report_csv", args=[slug, "documents"]),
    ):
        rows = list(csv.DictReader(client.get(address).content.decode().splitlines()))
        assert {row["doc_id"] for row in rows} <= {""}
    assert not GradesOpening.objects.filter(member=owner).exists()


def test_who_reads_the_searches_has_opened_their_grades(signed_in, ada, owner):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    signed_in(owner).get(reverse("research:search", args=[ada.collection.slug]))
    assert GradesOpening.objects.get(member=owner).task_id == assignment.task_id


def test_all_searches_are_on_pages_and_in_the_file(signed_in, ada, owner, monkeypatch):
    monkeypatch.setattr(search_views, "PAGE_SIZE", 2)
    for query in ("one", "two", "three", "mill"):
        search(ada, first_topic(ada.collection), query)
    open_document(ada, "brook", "brook")
    client, address = signed_in(owner), reverse("research:search", args=[ada.collection.slug])
    shown = [[row.query for row in client.get(address, {"page": page}).context["searches"]] for page in (1, 2, 3)]
    assert shown == [["brook", "mill"], ["three", "two"], ["one"]]
    response = client.get(reverse("research:searches_csv", args=[ada.collection.slug]))
    assert response["Content-Disposition"] == 'attachment; filename="small-searches.csv"'
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert [row["query"] for row in rows] == ["brook", "mill", "three", "two", "one"]
    assert [row["doc_id"] for row in rows] == ["brook", "", "", "", ""]


@pytest.mark.slow
def test_overview_needs_equally_many_queries_for_many_searches(signed_in, ada, owner):
    client, address = signed_in(owner), reverse("research:search", args=[ada.collection.slug])
    numbers = []
    for query, doc_id in (("mill", "mill"), ("wind*", "windmill"), ("season", "brook"), ("tokyo OR mill", "mill")):
        _, assignment = open_document(ada, query, doc_id)
        judge(ada, assignment)
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        numbers.append(len(queries))
    assert numbers == [numbers[0]] * 4
    assert numbers[0] <= 30


def test_page_of_researchers_after_a_searcher_was_erased(signed_in, ada, owner):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    erase([ada], "on request", ada.collection)
    assert (
        "Nobody has searched"
        in signed_in(owner).get(reverse("research:search", args=[ada.collection.slug])).content.decode()
    )


def test_search_is_refused_without_an_index(signed_in, ada):
    ada.collection.search_index.delete()
    response = search_for(signed_in(ada), ada, "mill")
    assert response.status_code == 400
    assert "not indexed yet" in response.content.decode()


@pytest.mark.in_ci
def test_report_shows_what_searching_added(signed_in, ada, owner):
    report = reverse("research:search_report", args=[ada.collection.slug])
    assert "Searching found no relevant document" in signed_in(owner).get(report).content.decode()
    for query, doc_id in (('"text of a"', "a"), ("mill", "mill")):
        _, assignment = open_document(ada, query, doc_id)
        judge(ada, assignment)
    text = " ".join(signed_in(owner).get(report).content.decode().split())
    assert "Searching found 1 of 2 known relevant documents" in text
    assert "tau_b" in text
    assert signed_in(owner).get(report, {"gold": "no"}).status_code == 400
    assert signed_in(owner).get(report, {"measure": "no"}).status_code == 400


@pytest.fixture
def judged(ada):
    """Three documents that ada opened: one of a run, one that no run has, and one that ada has not judged."""
    for query, doc_id in (('"text of a"', "a"), ("mill", "mill")):
        _, assignment = open_document(ada, query, doc_id)
        judge(ada, assignment)
    open_document(ada, "wind*", "windmill")
    return ada.collection


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("query", "doc_ids", "sentence"),
    [
        ({}, ["a", "mill", "windmill"], "3 documents were opened by a searcher."),
        ({"which": "judged"}, ["a", "mill"], "2 documents were opened and judged by a searcher."),
        ({"which": "relevant", "searcher": "ada"}, ["a", "mill"], "2 relevant documents were opened by ada."),
        ({"which": "only", "topic": "1"}, ["mill"], "For topic 1, 1 relevant document was found only by searching."),
        ({"which": "only", "topic": "2"}, [], "For topic 2, no relevant document was found only by searching."),
        ({"which": "only", "searcher": "ada", "topic": "2"}, [], "found only by searching and opened by ada."),
        ({"which": "unique", "searcher": "ada"}, ["mill"], "1 relevant document was found by ada and nobody else."),
        ({"which": "added"}, ["mill"], "1 judged document was found only by searching."),
    ],
)
def test_counts_of_the_report_lead_to_their_documents(signed_in, judged, owner, query, doc_ids, sentence):
    page = signed_in(owner).get(reverse("research:search_report_documents", args=[judged.slug]), query)
    assert [document.doc_id for document in page.context["documents"]] == doc_ids
    assert sentence in page.content.decode()


@pytest.mark.in_ci
def test_report_links_to_its_documents_and_keeps_its_choices(signed_in, judged, owner):
    set_topics(judged, ["1"], "test")
    address = reverse("research:search_report", args=[judged.slug])
    html = signed_in(owner).get(address, {"set": "test", "gold": "majority"}).content.decode()
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    links = re.findall(r'href="(/c/small/search/report/[^"]+)"', html)
    assert len(links) > 8
    for link in links:
        query = parse_qs(urlsplit(link.replace("&amp;", "&")).query)
        assert (query["set"], query["gold"]) == (["test"], ["majority"])


@pytest.mark.in_ci
@pytest.mark.parametrize("query", [{"which": "no"}, {"searcher": "eve"}, {"topic": "9"}, {"set": "no"}, {"gold": "no"}])
def test_unknown_choices_of_documents_are_refused(signed_in, judged, owner, query):
    address = reverse("research:search_report_documents", args=[judged.slug])
    assert signed_in(owner).get(address, query).status_code == 400


@pytest.mark.in_ci
def test_tables_of_the_report_are_downloaded(signed_in, judged, owner):
    client, tables = signed_in(owner), {}
    for name in PARTS:
        response = client.get(reverse("research:search_report_csv", args=[judged.slug, name]))
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        tables[name] = list(csv.DictReader(response.content.decode().splitlines()))
    assert tables["searchers"] == [
        {"name": "ada", "searches": "3", "opened": "3", "judged": "2", "relevant": "2", "only": "1", "unique": "1"}
    ]
    assert [row["doc_id"] for row in tables["documents"]] == ["a", "mill", "windmill"]
    assert {row["system"] for row in tables["systems"]} == {"alpha", "beta", "gamma"}
    assert [row["query_id"] for row in tables["topics"]] == ["1", "2"]


def test_report_page_has_few_queries(signed_in, judged, owner, django_assert_max_num_queries):
    client, address = signed_in(owner), reverse("research:search_report", args=[judged.slug])
    client.get(address)
    with django_assert_max_num_queries(30):
        client.get(address)


@pytest.mark.slow
def test_document_page_shows_which_search_found_it(signed_in, judged, owner):
    client = signed_in(owner)
    tasks = {task.document.doc_id: task.pk for task in Task.objects.select_related("document")}
    found = compact(client.get(reverse("research:document", args=[judged.slug, tasks["mill"]])).content.decode())
    assert 'ada found it with the search <q dir="auto">mill</q>' in found
    of_run = compact(client.get(reverse("research:document", args=[judged.slug, tasks["a"]])).content.decode())
    assert "found it with the search" not in of_run
    opened = compact(client.get(reverse("research:document", args=[judged.slug, tasks["windmill"]])).content.decode())
    assert "found it with the search" not in opened
    erase([Search.objects.first().member], "on request", judged)
    erased = compact(client.get(reverse("research:document", args=[judged.slug, tasks["mill"]])).content.decode())
    assert "A searcher found it" in erased
