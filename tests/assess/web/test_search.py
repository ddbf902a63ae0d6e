"""The pages of search: permission, blindness, results, judging a result without scripts, and the researchers' page."""

import uuid

import pytest
from django.urls import reverse

from assess.jobs.run import run
from assess.models import Job, Judgement, Role, Search, SearchPermission
from assess.people.erasure import erase
from assess.search.find import search
from tests.assess.search.found import (
    add_documents,
    add_searcher,
    first_topic,
    judge,
    open_document,
    searchable_collection,
)
from tests.factories import SMALL_RUNS, small_collection


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
    return "\n".join([str(sorted(response.headers.items())), *lines])


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
    assert "Open the job" in client.get(page).content.decode()
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
