"""Documents come in: kept for the pool, asked for again when it grew, and never overwritten."""

import gzip
import json

import pytest

import pooling
from assess import collections
from assess.errors import Refused
from assess.models import Document
from assess.pools import build as pools
from assess.transfer import imports as importing
from assess.transfer import judgement_import
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics

# Depth 2 of SMALL_RUNS, by hand: topic 1 a b | b d | e b, topic 2 x y | y z | z x.
POOLED = ["a", "b", "d", "e", "x", "y", "z"]


@pytest.fixture
def pooled(db, tmp_path):
    """A collection with a pool of depth 2, and no texts."""
    collection = collections.create("pooled", "Pooled")
    importing.topics(collection, write_topics(tmp_path))
    importing.runs(collection, write_runs(tmp_path, SMALL_RUNS))
    pools.build(collection, 2)
    return collection


def import_documents(*words):
    return output_of("import_documents", "--collection", "pooled", *words)


def refused(*words):
    return refusal("import_documents", "--collection", "pooled", *words)


def lines(*records) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def texts(collection) -> dict:
    return dict(collection.documents.order_by("doc_id").values_list("doc_id", "text"))


def test_before_there_is_a_pool_they_are_asked_for_later(db, tmp_path):
    collections.create("pooled", "Pooled")
    assert refused(write_documents(tmp_path, ["a"])) == (
        "pooled has no pool yet, so no document would be kept; "
        "build the pool first and import the documents then, or keep every document with --all."
    )


def test_with_all_they_are_kept_before_there_is_a_pool(db, tmp_path):
    collection = collections.create("pooled", "Pooled")
    assert import_documents("--all", write_documents(tmp_path, ["a", "q"])) == [
        "Read 2 documents: 2 new, 0 were here already."
    ]
    importing.topics(collection, write_topics(tmp_path))
    importing.runs(collection, write_runs(tmp_path, SMALL_RUNS))
    assert pools.build(collection, 2).without_text == len(POOLED) - 1


def test_those_of_the_pool_are_kept_and_no_others(pooled, tmp_path):
    assert import_documents(write_documents(tmp_path, [*POOLED, "c", "f", "other"])) == [
        "Read 10 documents: 7 new, 0 were here already.",
        "3 documents are not in the pool and were not kept; --all keeps every document.",
    ]
    assert texts(pooled) == {doc_id: f"Text of {doc_id}." for doc_id in POOLED}


def test_with_all_every_document_is_kept(pooled, tmp_path):
    assert import_documents("--all", write_documents(tmp_path, [*POOLED, "c", "other"])) == [
        "Read 9 documents: 9 new, 0 were here already."
    ]
    assert list(texts(pooled)) == ["a", "b", "c", "d", "e", "other", "x", "y", "z"]


def test_every_field_is_kept(pooled, tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text(lines({"doc_id": "a", "title": "Ä", "text": "", "url": "u", "year": 1975}), encoding="utf-8")
    import_documents(path)
    document = Document.objects.get(doc_id="a")
    assert (document.title, document.text, document.metadata) == ("Ä", "", {"url": "u", "year": 1975})


def test_a_document_with_an_empty_text_is_not_asked_for_again(pooled, tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text(lines(*({"doc_id": doc_id, "text": ""} for doc_id in POOLED)), encoding="utf-8")
    import_documents(path)
    assert pools.lacking(pooled) == []
    assert import_documents(path)[0] == "Read 7 documents: 0 new, 7 were here already."


def test_pooled_documents_without_text_are_reported_wherever_one_would_look(pooled, tmp_path):
    assert output_of("build_pool", "--collection", "pooled", "--depth", 2)[-1] == (
        "7 pooled documents have no text yet: import_documents brings it."
    )
    assert import_documents(write_documents(tmp_path, ["a", "b", "x", "y", "z"])) == [
        "Read 5 documents: 5 new, 0 were here already.",
        "2 pooled documents still have no text; lacking_documents lists them.",
    ]
    assert output_of("lacking_documents", "--collection", "pooled") == ["d", "e"]


def test_they_are_asked_for_again_when_the_pool_grew(pooled, tmp_path):
    everything = write_documents(tmp_path, ["a", "b", "c", "d", "e", "f", "x", "y", "z"])
    import_documents(everything)
    assert pools.build(pooled, 3).without_text == 2
    assert import_documents(everything) == [
        "Read 9 documents: 2 new, 7 were here already.",
        "7 documents had their text already and were left as they are.",
    ]
    assert pools.lacking(pooled) == []


def test_texts_that_are_here_are_left_alone(pooled, tmp_path):
    import_documents(write_documents(tmp_path, POOLED))
    before = tables()
    path = tmp_path / "other.jsonl"
    path.write_text(lines({"doc_id": "a", "text": "another text"}, {"doc_id": "q", "text": ""}), encoding="utf-8")
    assert import_documents(path) == [
        "Read 2 documents: 0 new, 1 were here already.",
        "1 documents had their text already and were left as they are.",
        "1 documents are not in the pool and were not kept; --all keeps every document.",
    ]
    assert tables() == before


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_several_files_at_once_are_like_one_after_the_other(pooled, tmp_path, monkeypatch, words):
    monkeypatch.setattr(importing, "BATCH", 1)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text(lines(*({"doc_id": doc_id, "text": "first"} for doc_id in "aq")), encoding="utf-8")
    second.write_text(lines(*({"doc_id": doc_id, "text": "second"} for doc_id in "abq")), encoding="utf-8")
    import_documents(*words, first, second)
    found = texts(pooled)
    assert (found["a"], found["b"]) == ("first", "second")
    assert found.get("q") == ("first" if words else None)


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_a_bad_line_in_the_last_of_several_files_leaves_everything_as_it_was(pooled, tmp_path, monkeypatch, words):
    monkeypatch.setattr(importing, "BATCH", 2)  # so that much is written before the line is met
    good, bad = write_documents(tmp_path, POOLED), tmp_path / "bad.jsonl"
    bad.write_text(lines({"doc_id": "q1", "text": ""}, {"doc_id": "q2", "text": ""}) + '{"doc_id": "c"}\n', "utf-8")
    assert refused(*words, good, bad) == f"{bad}, line 3: text is missing or is not a string; each text is a string"


def test_trec_documents_compressed_are_read_too(pooled, tmp_path):
    path = tmp_path / "documents.gz"
    document = b"<DOC>\n<DOCNO> a </DOCNO>\n<TITLE>T &amp; t</TITLE>\n<TEXT>\n<b>1 < 2\n</TEXT>\n</DOC>\n"
    path.write_bytes(gzip.compress(document, mtime=0))
    import_documents(path)
    assert Document.objects.values_list("title", "text").get(doc_id="a") == ("T &amp; t", "<b>1 < 2")


def test_a_file_that_swells_beyond_the_limit_is_refused(pooled, tmp_path, monkeypatch):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(lines({"doc_id": "a", "text": "x" * 100_000}).encode(), mtime=0))
    monkeypatch.setitem(pooling.read_documents.__kwdefaults__, "max_bytes", 10_000)
    assert refused("--all", path) == (
        f"{path}: the file expands to more than 10,000 bytes; this is the limit for one file"
    )


def test_a_judged_document_outside_the_pool_gets_its_text_too(pooled, tmp_path):
    judgement_import.judgements(pooled, b"1 0 judged 1\n", assessor="ada")
    import_documents(write_documents(tmp_path, ["judged"]))
    assert texts(pooled)["judged"] == "Text of judged."


def test_the_format_of_the_texts_is_kept(pooled, tmp_path):
    (tmp_path / "plain.jsonl").write_text(lines({"doc_id": "a", "text": "<p>a"}), encoding="utf-8")
    (tmp_path / "pages.jsonl").write_text(lines({"doc_id": "b", "text": "<p>b"}, {"doc_id": "new", "text": "<p>"}))
    import_documents(tmp_path / "plain.jsonl")
    import_documents("--format", "html", "--all", tmp_path / "pages.jsonl")
    formats = pooled.documents.filter(doc_id__in=["a", "b", "new"]).order_by("doc_id").values_list("doc_id", "format")
    assert list(formats) == [("a", "text"), ("b", "html"), ("new", "html")]
    assert texts(pooled)["b"] == "<p>b"


def test_a_format_that_is_not_known_is_refused(pooled, tmp_path):
    path = write_documents(tmp_path, ["a"])
    assert "invalid choice: 'pdf'" in refused("--format", "pdf", path)
    with pytest.raises(Refused, match="Format 'pdf' is not known; it is one of text, html"):
        importing.documents(pooled, pooling.read_documents(path), text_format="pdf")
