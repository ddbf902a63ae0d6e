"""Importing documents: texts of pooled documents are added, and never overwritten."""

import gzip
import json

import pytest

import pooling
from assess.collections.create import create_collection
from assess.documents.sanitiser_process import SanitiserProcess
from assess.errors import Refused
from assess.lib import batches
from assess.models import Document
from assess.pools.building.build import build_pool
from assess.pools.pooled_documents import missing_documents
from assess.transfer.documents import DocumentOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics

# Depth 2 of SMALL_RUNS, by hand: topic 1 a b | b d | e b, topic 2 x y | y z | z x.
POOLED = ["a", "b", "d", "e", "x", "y", "z"]


@pytest.fixture
def pooled(db, tmp_path):
    """A collection with a pool of depth 2, and no texts."""
    collection = create_collection("pooled", "Pooled")
    import_topics(collection, write_topics(tmp_path))
    import_runs(collection, write_runs(tmp_path, SMALL_RUNS))
    build_pool(collection, depth=2)
    return collection


def import_documents(*words):
    return output_of("import_documents", "--collection", "pooled", *words)


def refused(*words):
    return refusal("import_documents", "--collection", "pooled", *words)


def lines(*records) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def texts(collection) -> dict:
    return dict(collection.documents.order_by("doc_id").values_list("doc_id", "content__text"))


def test_import_before_the_pool_is_refused(db, tmp_path):
    create_collection("pooled", "Pooled")
    assert refused(write_documents(tmp_path, ["a"])) == (
        "pooled has no pool yet, so no document would be kept. Build the pool first, or keep every document."
    )


def test_all_imports_documents_before_the_pool(db, tmp_path):
    collection = create_collection("pooled", "Pooled")
    assert import_documents("--all", write_documents(tmp_path, ["a", "q"])) == [
        "Read 2 documents: 2 new, 0 already imported."
    ]
    import_topics(collection, write_topics(tmp_path))
    import_runs(collection, write_runs(tmp_path, SMALL_RUNS))
    assert build_pool(collection, depth=2).without_text == len(POOLED) - 1


def test_only_pooled_documents_are_imported(pooled, tmp_path):
    assert import_documents(write_documents(tmp_path, [*POOLED, "c", "f", "other"])) == [
        "Read 10 documents: 7 new, 0 already imported.",
        "Documents outside the pool, which were not kept: 3. Choose to keep them, by command with --all.",
    ]
    assert texts(pooled) == {doc_id: f"Text of {doc_id}." for doc_id in POOLED}


def test_all_imports_every_document(pooled, tmp_path):
    assert import_documents("--all", write_documents(tmp_path, [*POOLED, "c", "other"])) == [
        "Read 9 documents: 9 new, 0 already imported."
    ]
    assert list(texts(pooled)) == ["a", "b", "c", "d", "e", "other", "x", "y", "z"]


def test_every_field_is_saved(pooled, tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text(lines({"doc_id": "a", "title": "Ä", "text": " é\n", "url": "u", "year": 1975}), encoding="utf-8")
    import_documents(path)
    content = Document.objects.get(doc_id="a").content
    assert (content.title, content.text, content.metadata) == (
        "Ä",
        " é\n",
        {"url": "u", "year": 1975},
    )


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_document_with_empty_text_is_missing_until_it_has_one(pooled, tmp_path, words):
    path = tmp_path / "documents.jsonl"
    path.write_text(lines(*({"doc_id": doc_id, "text": " \n"} for doc_id in POOLED)), encoding="utf-8")
    assert import_documents(*words, path)[:2] == [
        "Read 7 documents: 0 new, 0 already imported.",
        "7 documents have an empty text, which counts as missing.",
    ]
    assert missing_documents(pooled) == sorted(POOLED)
    assert import_documents(write_documents(tmp_path, POOLED))[0] == "Read 7 documents: 7 new, 0 already imported."


@pytest.mark.slow
def test_pages_of_a_folder_are_displayed_in_their_format(pooled, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.md").write_text("# Tea\n\n| a | b |\n|---|---|\n| 1 | <script>x</script><b>2</b> |\n", "utf-8")
    (folder / "b.html").write_text("<html><title>T</title><p onclick=x>one</p>", "utf-8")
    (folder / "d.txt").write_text("<p>", "utf-8")
    assert import_documents(folder)[0] == "Read 3 documents: 3 new, 0 already imported."
    a, b, d = (Document.objects.get(doc_id=doc_id).content for doc_id in "abd")
    assert (a.format, a.text[:5]) == ("html", "# Tea")
    assert "<h1>Tea</h1>" in a.sanitised
    assert "<td>1</td>" in a.sanitised
    assert "<b>2</b>" in a.sanitised
    assert "script" not in a.sanitised
    assert (b.format, b.title, b.sanitised) == ("html", "T", "T<p>one</p>")
    assert (d.format, d.text, d.sanitised) == ("text", "<p>", None)


def test_markdown_that_takes_too_long_is_refused_or_kept_without_markup(pooled, tmp_path, monkeypatch):
    monkeypatch.setattr(SanitiserProcess, "_request", lambda *_: None)
    path = tmp_path / "documents.jsonl"
    path.write_text(lines({"doc_id": "a", "text": "*x*"}), encoding="utf-8")
    assert "its HTML of 3 characters cannot be sanitised" in refused("--format", "markdown", path)
    import_documents("--format", "markdown", "--too-complex", "text", path)
    assert Document.objects.get(doc_id="a").content.sanitised == "<p>*x*</p>"


def test_commands_report_pooled_documents_without_text(pooled, tmp_path):
    assert output_of("build_pool", "--collection", "pooled", "--depth", 2)[-1] == (
        "Pooled documents without text: 7. import_documents adds texts."
    )
    assert import_documents(write_documents(tmp_path, ["a", "b", "x", "y", "z"])) == [
        "Read 5 documents: 5 new, 0 already imported.",
        "Pooled documents still without text: 2. missing_documents lists them.",
    ]
    assert output_of("missing_documents", "--collection", "pooled") == ["d", "e"]


def test_import_after_the_pool_grew_adds_the_new_texts(pooled, tmp_path):
    everything = write_documents(tmp_path, ["a", "b", "c", "d", "e", "f", "x", "y", "z"])
    import_documents(everything)
    assert build_pool(pooled, depth=3).without_text == 2
    assert import_documents(everything) == [
        "Read 9 documents: 2 new, 7 already imported.",
        "7 documents already had a text, which was kept.",
    ]
    assert missing_documents(pooled) == []


def test_existing_texts_are_kept(pooled, tmp_path):
    import_documents(write_documents(tmp_path, POOLED))
    before = tables()
    path = tmp_path / "other.jsonl"
    path.write_text(lines({"doc_id": "a", "text": "another text"}, {"doc_id": "q", "text": "q"}), encoding="utf-8")
    assert import_documents(path) == [
        "Read 2 documents: 0 new, 1 already imported.",
        "1 document already had a text, which was kept.",
        "Documents outside the pool, which were not kept: 1. Choose to keep them, by command with --all.",
    ]
    assert tables() == before


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_importing_several_files_equals_importing_one_after_another(pooled, tmp_path, monkeypatch, words):
    monkeypatch.setattr(batches, "BATCH", 1)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text(lines(*({"doc_id": doc_id, "text": "first"} for doc_id in "aq")), encoding="utf-8")
    second.write_text(lines(*({"doc_id": doc_id, "text": "second"} for doc_id in "abq")), encoding="utf-8")
    import_documents(*words, first, second)
    result = texts(pooled)
    assert (result["a"], result["b"]) == ("first", "second")
    assert result.get("q") == ("first" if words else None)


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_invalid_line_in_the_last_file_imports_nothing(pooled, tmp_path, monkeypatch, words):
    monkeypatch.setattr(batches, "BATCH", 2)  # so that several batches are written before the invalid line is read
    good, bad = write_documents(tmp_path, POOLED), tmp_path / "bad.jsonl"
    bad.write_text(lines({"doc_id": "q1", "text": ""}, {"doc_id": "q2", "text": ""}) + '{"doc_id": "c"}\n', "utf-8")
    assert refused(*words, good, bad) == f"{bad}, line 3: text is missing or is not a string; each text is a string"


def test_compressed_trec_documents(pooled, tmp_path):
    path = tmp_path / "documents.gz"
    document = b"<DOC>\n<DOCNO> a </DOCNO>\n<TITLE>T &amp; t</TITLE>\n<TEXT>\n<b>1 < 2\n</TEXT>\n</DOC>\n"
    path.write_bytes(gzip.compress(document, mtime=0))
    import_documents(path)
    assert Document.objects.values_list("content__title", "content__text").get(doc_id="a") == ("T &amp; t", "<b>1 < 2")


def test_too_large_decompressed_file_is_refused(pooled, tmp_path, monkeypatch):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(lines({"doc_id": "a", "text": "x" * 100_000}).encode(), mtime=0))
    monkeypatch.setitem(pooling.read_documents.__kwdefaults__, "max_bytes", 10_000)
    assert refused("--all", path) == (
        f"{path}: the file expands to more than 10,000 bytes; this is the limit for one file"
    )


def test_judged_document_outside_the_pool_gets_its_text(pooled, tmp_path):
    import_judgements(pooled, b"1 0 judged 1\n", assessor="ada")
    import_documents(write_documents(tmp_path, ["judged"]))
    assert texts(pooled)["judged"] == "Text of judged."


def test_text_format_is_saved(pooled, tmp_path):
    (tmp_path / "plain.jsonl").write_text(lines({"doc_id": "a", "text": "<p>a"}), encoding="utf-8")
    (tmp_path / "pages.jsonl").write_text(lines({"doc_id": "b", "text": "<p>b"}, {"doc_id": "new", "text": "<p>"}))
    import_documents(tmp_path / "plain.jsonl")
    import_documents("--format", "html", "--all", tmp_path / "pages.jsonl")
    formats = (
        pooled.documents.filter(doc_id__in=["a", "b", "new"])
        .order_by("doc_id")
        .values_list("doc_id", "content__format")
    )
    assert list(formats) == [("a", "text"), ("b", "html"), ("new", "html")]
    assert texts(pooled)["b"] == "<p>b"


def test_unknown_format_is_refused(pooled, tmp_path):
    path = write_documents(tmp_path, ["a"])
    assert refused("--format", "pdf", path) == "Format must be one of text, html, markdown, not 'pdf'."
    with pytest.raises(Refused, match="Format must be one of text, html, markdown, not 'pdf'"):
        DocumentOptions(text_format="pdf")
