"""Collections, lists and cards: what is asked, and what a notebook shows."""

import httpx2
import pytest

from assay.remote import SiteError
from assay.remote.lists import PAGE
from tests.assay.remote.conftest import COLLECTION, problem


def rows(*query_ids):
    return [{"query_id": each, "title": f"<b>{each}</b>"} for each in query_ids]


def test_a_list_asks_for_a_page_when_it_is_needed(site_with):
    pages = [{"results": rows("1", "2"), "next": 17}, {"results": rows("3"), "next": None}]
    site, fake = site_with(COLLECTION, *pages)
    topics = site.collection("robust").topics()
    first = iter(topics)
    assert next(first)["query_id"] == "1"
    assert len(fake.requests) == 2
    assert len(topics) == 3
    assert [topic["query_id"] for topic in topics] == ["1", "2", "3"]
    assert topics[2]["query_id"] == "3"
    assert topics.to_pandas()["query_id"].tolist() == ["1", "2", "3"]
    assert [dict(each.url.params) for each in fake.requests[1:]] == [
        {"after": "0", "limit": str(PAGE)},
        {"after": "17", "limit": str(PAGE)},
    ]


def test_an_empty_list(site_with):
    site, _ = site_with({"results": [], "next": None})
    collections = site.collections()
    assert (list(collections), len(collections), collections.to_pandas().empty) == ([], 0, True)


def test_a_missing_collection_names_similar_ones(site_with):
    site, _ = site_with(problem(404, "There is no such thing."), {"results": [COLLECTION], "next": None})
    with pytest.raises(KeyError, match=r"no collection 'robus' that this token may see\. Did you mean 'robust'"):
        site.collection("robus")


def test_a_collection_is_found_by_its_name(site_with):
    site, fake = site_with({"results": [COLLECTION], "next": None})
    assert site.collection("Robust <04>").slug == "robust"
    assert fake.paths == ["GET /collections"]


def test_another_error_is_not_a_missing_collection(site_with):
    site, _ = site_with(problem(401, "This token has expired."))
    with pytest.raises(SiteError, match="expired"):
        site.collection("robust")


def test_the_scale_is_that_of_ratings(site_with):
    site, fake = site_with(COLLECTION)
    created = site.create_collection("Robust", scale={0: "no", 1: "yes"})
    assert created.scale == (0, 1)
    assert fake.body(0)["scale"] == ["0=no", "1=yes"]


def test_cards_escape_what_others_wrote(site_with):
    site, _ = site_with(COLLECTION, {"results": rows("1"), "next": None})
    collection = site.collection("robust")
    assert "Robust &lt;04&gt;" in collection._repr_html_()
    html = collection.topics()._repr_html_()
    assert "&lt;b&gt;1&lt;/b&gt;" in html
    assert "<b>" not in html


def test_long_lists_are_cut_in_a_notebook(site_with):
    site, _ = site_with(COLLECTION, {"results": rows(*map(str, range(12))), "next": None})
    assert "and 2 more" in site.collection("robust").topics()._repr_html_()


def test_a_site_shows_its_user_and_no_token(site_with):
    site, _ = site_with({"username": "olga", "token": "laptop", "scope": "read", "expires_at": "2027-01-01"})
    assert "laptop" in site._repr_html_()


def test_an_invitation_is_a_whole_address(site_with):
    site, fake = site_with(COLLECTION, {"path": "/join/abc/"})
    assert site.collection("robust").invite("assessor", uses=3) == "https://assay.example.org/join/abc/"
    assert fake.body(1) == {"role": "assessor", "uses": 3, "days": 14}


def test_a_pool_has_its_strategy_and_parameters(site_with):
    job = {"id": "j", "kind": "build_pool", "state": "waiting", "stage": "", "done": 0, "total": None}
    site, fake = site_with(COLLECTION, job)
    assert site.collection("robust").pool("depth", depth=10, seed=3).kind == "build_pool"
    wanted = {"strategy": "depth", "parameters": {"depth": 10}, "documents_per_topic": None, "seed": 3}
    assert fake.body(1) == wanted


def test_a_table_is_awaited(site_with, waits):
    pending = httpx2.Response(202, json={"id": "j"}, headers={"Retry-After": "2"})
    site, fake = site_with(COLLECTION, pending, pending, httpx2.Response(200, text="query_id,value\n007,0.5\n'=x,\n"))
    frame = site.collection("robust").table("shift", "measures", measure="nDCG@10", binary=True)
    assert waits == [2.0, 2.0]
    assert frame["query_id"].tolist() == ["007", "=x"]
    assert frame["value"].isna().tolist() == [False, True]
    assert dict(fake.requests[-1].url.params) == {"measure": "nDCG@10", "binary": "true"}


def test_an_empty_table_and_a_figure(site_with):
    site, fake = site_with(COLLECTION, httpx2.Response(200, text=""), httpx2.Response(200, content=b"%PDF"))
    collection = site.collection("robust")
    assert collection.table("shift", "measures").empty
    assert collection.figure("shift", "slope", "pdf") == b"%PDF"
    assert fake.paths[-1] == "GET /collections/robust/figures/shift/slope.pdf"


def test_rules_with_signs_reach_the_site(site_with):
    site, fake = site_with(COLLECTION, httpx2.Response(200, text="1 0 d1 1\n"))
    frame = site.collection("robust").gold("judge:a/b?c")
    assert fake.requests[1].url.raw_path.partition(b"?")[0].endswith(b"/golds/judge:a%2Fb%3Fc")
    assert frame.to_dict("records") == [{"gold": "judge:a/b?c", "query_id": "1", "doc_id": "d1", "relevance": 1}]


def test_an_unknown_topic_of_an_assessor(site_with):
    site, _ = site_with(COLLECTION, [{"id": 5, "query_id": "301"}])
    with pytest.raises(KeyError, match=r"no topic '302' to judge\. You have 301"):
        site.collection("robust").tasks("302")
