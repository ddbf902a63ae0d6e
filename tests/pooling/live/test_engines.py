"""Each engine's contract over a real connection: the request, the run, texts, versions, and partial answers."""

import json

import pandas as pd
import pytest

from pooling.live import Engine, IncompleteRun, run
from pooling.outgoing import Limits
from tests.pooling.live import servers
from tests.pooling.live.servers import DOCUMENTS, Reply, Server, search

QUICK = Limits(seconds=5, attempts=1)
TOPICS = pd.DataFrame({"query_id": ["1", "2", "3"], "title": ["rye bread", "river bridge", "zebra"]})
PYSERINI = {"results": "candidates", "id": "docid", "title": "", "text": "doc.contents"}


def engine_at(kind: str, url: str, **settings: str) -> Engine:
    if kind == "json":
        return Engine.of("json", f"{url}/v1/news/search?query={{query}}&hits={{depth}}", **(PYSERINI | settings))
    path = {"elasticsearch": "/news", "solr": "/solr/news", "vespa": ""}[kind]
    return Engine.of(kind, url + path, **settings)


CONTRACTS = {
    "elasticsearch": servers.elasticsearch,
    "solr": servers.solr,
    "vespa": servers.vespa,
    "json": servers.other,
}


@pytest.mark.parametrize("kind", CONTRACTS)
def test_the_run_is_what_the_engine_finds(kind):
    with Server(CONTRACTS[kind]) as server:
        found = run(engine_at(kind, server.url), TOPICS, 3, system="bm25", limits=QUICK)
    wanted = [("bm25", "1", *pair) for pair in search("rye bread", 3)] + [
        ("bm25", "2", *pair) for pair in search("river bridge", 3)
    ]
    assert list(found.run.itertuples(index=False, name=None)) == wanted
    assert len(wanted) == 5
    assert found.empty == ["3"]  # no hits are an answer, and no failure
    assert found.failed == {}
    assert found.notes[0] == "The engine found nothing for 1 topic (3)."


@pytest.mark.parametrize(
    ("kind", "version"), [("elasticsearch", "9.2.1"), ("solr", "10.0.0"), ("vespa", "8.600.1"), ("json", "")]
)
def test_texts_and_version_come_along(kind, version):
    with Server(CONTRACTS[kind]) as server:
        found = run(engine_at(kind, server.url, secret="ApiKey very-secret"), TOPICS, 3, limits=QUICK)
        assert all(asked.headers["authorization"] == "ApiKey very-secret" for asked in server.asked)
    texts = found.documents.set_index("doc_id")["text"].to_dict()
    assert texts == {doc_id: DOCUMENTS[doc_id][1] for doc_id in texts}
    assert {"d1", "d3"} <= texts.keys()
    assert found.record["version"] == version
    assert "very-secret" not in json.dumps(dict(found.record)) + repr(engine_at(kind, "http://a", secret="very-secret"))


HOSTILE = 'x", "size": 9999}} & n=1 {depth} {title} \\ \' OR 1=1 %0d%0a Ünï \U0001f600'


@pytest.mark.parametrize("kind", CONTRACTS)
def test_no_topic_changes_the_form_of_a_request(kind):
    topics = pd.DataFrame({"query_id": ["1"], "title": [HOSTILE], "description": ["secret description"]})
    empty = {
        "elasticsearch": {"hits": {"hits": []}},
        "solr": {"response": {"docs": []}},
        "vespa": {"root": {}},
        "json": {"candidates": []},
    }
    with Server(lambda _: Reply(empty[kind])) as server:
        found = run(engine_at(kind, server.url), topics, 7, limits=QUICK)
        asked = server.asked[0]
    assert found.empty == ["1"]
    if kind == "json":
        assert asked.params == {"query": [HOSTILE], "hits": ["7"]}
    elif kind == "elasticsearch":
        assert asked.body == {"query": {"match": {"text": HOSTILE}}, "size": 7}
        assert asked.params == {"preference": ["assay"]}
    else:
        assert asked.body["query"] == HOSTILE
        assert asked.body["limit" if kind == "solr" else "hits"] == 7


HIT = {"_id": "d1", "_score": 1.0}
PARTIAL = [
    ("elasticsearch", {"timed_out": True, "hits": {"hits": [HIT]}}, "timed_out is true"),
    ("elasticsearch", {"_shards": {"failed": 2}, "hits": {"hits": [HIT]}}, "2 of the shards failed"),
    ("elasticsearch", {"terminated_early": True, "hits": {"hits": []}}, "terminated_early is true"),
    ("elasticsearch", {"_clusters": {"skipped": 1}, "hits": {"hits": []}}, "clusters were skipped"),
    ("elasticsearch", {"error": {"reason": "no such index"}}, "no such index"),
    (
        "solr",
        {"responseHeader": {"status": 0, "partialResults": True}, "response": {"docs": []}},
        "partialResults is set",
    ),
    ("solr", {"responseHeader": {"partialResults": "omitted"}, "response": {"docs": []}}, "partialResults is set"),
    ("solr", {"responseHeader": {"status": 500}, "response": {"docs": []}}, "the status is 500"),
    ("solr", {"error": {"msg": "undefined field", "code": 400}}, "undefined field"),
    ("vespa", {"root": {"errors": [{"message": "Timeout"}], "children": []}}, "Timeout"),
    ("vespa", {"root": {"coverage": {"coverage": 80, "full": False}}}, "the coverage is 80%"),
    ("vespa", {"root": {"coverage": {"coverage": 100, "full": True, "degraded": {"timeout": True}}}}, "degraded"),
    ("json", {"errors": [{"message": "class not found"}], "candidates": []}, "class not found"),
    ("json", {"degraded": True, "candidates": []}, "degraded is true"),
    ("json", {"search_cutoff": True, "candidates": []}, "search_cutoff is true"),
    ("json", {"status": "error", "candidates": []}, "the status is error"),
]


@pytest.mark.parametrize(("kind", "payload", "reason"), PARTIAL)
def test_a_partial_answer_is_asked_again_and_is_no_result(kind, payload, reason):
    with Server(lambda _: Reply(payload)) as server:
        found = run(engine_at(kind, server.url), TOPICS.head(1), 3, limits=QUICK)
        questions = [
            asked for asked in server.asked if asked.path not in ("/", "/solr/admin/info/system", "/state/v1/version")
        ]
    assert len(questions) == 2
    assert reason in found.failed["1"]
    with pytest.raises(IncompleteRun, match="1 topic of 1 has no result"):
        _ = found.run


def test_an_answer_that_is_complete_at_the_second_time_is_used():
    replies = iter([{"timed_out": True, "hits": {"hits": []}}, {"timed_out": False, "hits": {"hits": [HIT]}}])
    with Server(lambda asked: Reply({} if asked.path == "/" else next(replies))) as server:
        found = run(engine_at("elasticsearch", server.url), TOPICS.head(1), 3, limits=QUICK)
    assert list(found.run["doc_id"]) == ["d1"]


def hits(*found: dict) -> dict:
    return {"hits": {"hits": list(found)}}


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"hits": {}}, "no list at 'hits.hits'"),
        ([], "no list at 'hits.hits'"),
        (b"<html>Not JSON</html>", "no JSON"),
        (b'{"hits": {"hits": [{"_id": "d1", "_score": NaN}]}}', "no JSON"),
        (b"[" * 200_000, "no JSON"),
        (b"1" * 10_000, "no JSON"),
        (hits({"_score": 1.0}), "must be a text or an integer"),
        (hits({"_id": True}), "must be a text or an integer"),
        (hits({"_id": "two words"}), "contains white space"),
        (hits({"_id": ""}), "is empty"),
        (hits({"_id": "a", "_score": "high"}), "must be a finite number"),
        (hits({"_id": "a", "_score": 1e999}), "no JSON"),
        (hits({"_id": "a", "_score": 2}, {"_id": "b"}), "others have none"),
        (hits({"_id": "a", "_score": 1}, {"_id": "b", "_score": 2}), "The scores rise"),
    ],
)
def test_an_answer_of_another_form_names_the_problem(payload, reason):
    with Server(lambda _: Reply(payload)) as server:
        found = run(engine_at("elasticsearch", server.url), TOPICS.head(1), 3, limits=QUICK)
    assert reason in found.failed["1"]


def answer_of(*found: dict, depth: int = 3, **settings: str):
    with Server(lambda _: Reply(hits(*found))) as server:
        return run(engine_at("elasticsearch", server.url, **settings), TOPICS.head(1), depth, limits=QUICK)


def test_a_document_that_comes_twice_counts_once():
    found = answer_of({"_id": "a", "_score": 3}, {"_id": "a", "_score": 2}, {"_id": "b", "_score": 1})
    assert list(found.run["doc_id"]) == ["a", "b"]
    assert "Left out: documents that came twice (1)." in found.notes


def test_chunks_are_mapped_to_their_documents():
    found = answer_of(
        {"_id": "a#0", "_score": 3}, {"_id": "a#4", "_score": 2}, {"_id": "b#1", "_score": 1}, chunk_separator="#"
    )
    assert list(found.run["doc_id"]) == ["a", "b"]
    assert "Left out: chunks of a document that came before (1)." in found.notes


def test_answers_without_scores_have_ranks():
    found = answer_of({"_id": "a", "_score": None}, {"_id": "b", "_score": None}, depth=10)
    assert list(found.run["score"]) == [10.0, 9.0]
    assert any("depth minus rank" in note for note in found.notes)


def test_equal_scores_are_named_and_ranks_keep_the_order():
    tied = [{"_id": "a", "_score": 1}, {"_id": "b", "_score": 1}]
    assert any("equal scores" in note for note in answer_of(*tied).notes)
    assert list(answer_of(*tied, scores="rank").run["score"]) == [3.0, 2.0]


def test_a_document_below_the_depth_is_left_out():
    found = answer_of({"_id": "a", "_score": 3}, {"_id": "b", "_score": 2}, depth=1)
    assert list(found.run["doc_id"]) == ["a"]
    assert "Left out: documents below the depth (1)." in found.notes


def test_two_texts_of_a_document_are_named_and_left_out():
    texts = iter(["one", "another"])

    def reply(asked):
        found = {"_id": "a", "_score": 1, "_source": {"text": next(texts, "")}}
        return Reply({} if asked.path == "/" else hits(found))

    with Server(reply) as server:
        found = run(engine_at("elasticsearch", server.url), TOPICS.head(2), 3, limits=QUICK, concurrency=1)
    assert found.documents.empty
    assert any("1 document (a) came with different texts" in note for note in found.notes)


def test_groups_of_vespa_are_read_in_order():
    def leaf(doc_id, relevance):
        return {"id": f"id:n:t::{doc_id}", "relevance": relevance}

    root = {"children": [{"id": "group:1", "children": [leaf("a", 3), leaf("b", 2)]}, leaf("c", 1)]}
    with Server(lambda _: Reply({"root": root})) as server:
        found = run(engine_at("vespa", server.url), TOPICS.head(1), 9, limits=QUICK)
    assert list(found.run["doc_id"]) == ["a", "b", "c"]


def test_an_internal_id_of_vespa_is_refused():
    with Server(lambda _: Reply({"root": {"children": [{"id": "index:news/0/abc", "relevance": 1}]}})) as server:
        found = run(engine_at("vespa", server.url), TOPICS.head(1), 9, limits=QUICK)
    assert "Name the field of the id" in found.failed["1"]


@pytest.mark.parametrize(
    ("status", "words"), [(401, "secret is missing"), (403, "does not allow"), (404, "nothing has")]
)
def test_a_refusal_says_what_to_do(status, words):
    with Server(lambda _: Reply({"error": "x"}, status)) as server:
        found = run(engine_at("json", server.url), TOPICS.head(1), 3, limits=QUICK)
        assert len(server.asked) == 1
    assert words in found.failed["1"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "sphinx"}, "kind must be one of"),
        ({"address": "ftp://a/b"}, "must begin with http"),
        ({"address": "http://user:pass@a/b"}, "must not contain a name or password"),
        ({"address": "http://a/{query}"}, "may stand in the parameters"),
        ({"address": "http://a/b?api_key=1"}, "looks like a secret"),
        ({"body": "{"}, "The template is no JSON"),
        ({"body": "[]"}, "must be a JSON object"),
        ({"body": '{"q": "all"}'}, "has a field such as"),
        ({"results": "hits[?x]"}, "allowed are fields"),
        ({"id": "to_string(@)"}, "allowed are fields"),
        ({"id": "[@, @]"}, "allowed are fields"),
        ({"id": "a["}, "is no path"),
        ({"id": "a" * 201}, "at most 200"),
        ({"scores": "best"}, "scores must be one of"),
        ({"escape": "sql"}, "escape must be one of"),
        ({"header": "X\r\nHost"}, "must be a name"),
        ({"header": "Host"}, "must be a name"),
        ({"secret": "a\r\nb"}, "printable ASCII"),
    ],
)
def test_an_invalid_setting_is_named(settings, words):
    kind = settings.pop("kind", "elasticsearch")
    address = settings.pop("address", "http://a/b")
    with pytest.raises(ValueError, match=words):
        Engine.of(kind, address, **settings)
