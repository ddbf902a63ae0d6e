"""The pairs of the pool as files, and what comes back from annotators."""

import io
import json
import zipfile

import pytest

from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import Document, Task
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.pool_export import FORMS, pool_file
from assess.transfer.topics import import_topics
from pooling import read_documents
from pooling.formats.courses.doccano import LEFT_OUT
from tests.factories import SMALL_RUNS, add_missing_texts, remove_content, set_content, small_collection

pytestmark = pytest.mark.django_db
GRADES = ("0=Not relevant", "1=Related:near the topic", "2=Relevant")


@pytest.fixture
def pooled(db):
    collection = small_collection(SMALL_RUNS, slug="course", grades=GRADES)
    add_missing_texts(collection)
    return collection


def written(collection, form, *arguments, **options) -> bytes:
    return b"".join(pool_file(collection, form, *arguments, **options).pieces)


def lines(content: bytes) -> list[dict]:
    return [json.loads(line) for line in content.decode().splitlines()]


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def pooled_pairs(collection) -> set[tuple[str, str]]:
    return set(Task.objects.filter(topic__collection=collection).values_list("topic__query_id", "document__doc_id"))


def pairs_of(records) -> set[tuple[str, str]]:
    return {(record["query_id"], record["doc_id"]) for record in records}


def test_every_pair_is_written_once(pooled):
    records = lines(written(pooled, "jsonl"))
    assert pairs_of(records) == pooled_pairs(pooled)
    assert len(records) == len(pooled_pairs(pooled))
    assert all(record["text"] for record in records)
    rows = written(pooled, "tsv").decode().split("\n")
    assert len(rows) == len(records) + 2  # a header, and the end of the last line


@pytest.mark.parametrize("form", FORMS)
def test_nothing_of_the_runs_is_written(pooled, form):
    content = written(pooled, form)
    files = unzipped(content).values() if FORMS[form].ending.endswith(".zip") else [content]
    for system in SMALL_RUNS:
        assert all(system.encode() not in file for file in files)
    assert all(word not in file for file in files for word in (b"score", b"rank", b"system"))


@pytest.mark.parametrize("form", FORMS)
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_order(pooled, form):
    assert written(pooled, form, seed=1) == written(pooled, form, seed=1)
    assert len({written(pooled, form, seed=seed) for seed in range(8)}) > 1


def test_umbrela_has_an_object_for_each_topic(pooled):
    requests = lines(written(pooled, "umbrela"))
    assert {request["query"]["qid"] for request in requests} == {query_id for query_id, _ in pooled_pairs(pooled)}
    found = {(r["query"]["qid"], c["docid"]) for r in requests for c in r["candidates"]}
    assert found == pooled_pairs(pooled)
    assert all(set(c) == {"docid", "doc"} and c["doc"]["segment"] for r in requests for c in r["candidates"])


def test_a_document_without_text_is_left_out_where_people_judge_and_listed(pooled):
    documents = Document.objects.filter(collection=pooled).order_by("doc_id")
    missing, blank = documents[0], documents[1]
    remove_content(documents.filter(pk=missing.pk))
    set_content(documents.filter(pk=blank.pk), title="Title", text=" \n")
    without = {pair for pair in pooled_pairs(pooled) if pair[1] in (missing.doc_id, blank.doc_id)}
    assert pairs_of(lines(written(pooled, "jsonl"))) == pooled_pairs(pooled)
    files = unzipped(written(pooled, "doccano"))
    assert pairs_of(lines(files["all.jsonl"])) == pooled_pairs(pooled) - without
    listed = files[LEFT_OUT].decode().splitlines()[1:]
    assert {tuple(line.split("\t")) for line in listed} == without


def test_texts_are_words_without_markup_and_cells_are_harmless(pooled):
    hostile = "<p>=1+1\tand <b>ünï</b>\u2028end</p>"
    documents = Document.objects.filter(collection=pooled)
    set_content(documents, title="=cmd()", text=hostile, format="html")
    assert "<" not in lines(written(pooled, "jsonl"))[0]["text"]
    row = written(pooled, "tsv").decode().split("\n")[1].split("\t")
    assert len(row) == 7
    assert row[5] == "'=cmd()"
    assert row[6].startswith("'=1+1 and")
    assert "ünï" in row[6]


def test_each_annotator_has_all_pairs_in_an_order_of_their_own(pooled):
    names = [f"ada-{number}" for number in range(6)]
    files = unzipped(written(pooled, "doccano", names))
    orders = [[(r["query_id"], r["doc_id"]) for r in lines(files[f"{name}.jsonl"])] for name in names]
    assert all(set(order) == pooled_pairs(pooled) for order in orders)
    assert len(set(map(tuple, orders))) > 1
    assert "all.jsonl" not in files


@pytest.mark.parametrize(
    ("form", "annotators", "seed", "sentence"),
    [
        (
            "xml",
            (),
            None,
            "The format 'xml' is unknown. A pool is written as jsonl, tsv, umbrela, doccano, ",
        ),
        ("tsv", ("ada",), None, "The format tsv has no files of annotators. doccano and teaching_ir have."),
        ("doccano", ("../ada",), None, "the annotator '../ada' is not allowed"),
        ("doccano", ("Ada", "ada"), None, "the annotator 'ada' is named twice"),
        ("doccano", ("all",), None, "the annotator 'all' is named twice, or like the file of all"),
        ("doccano", ("a",) * 201, None, "201 annotators are too many; at most 200 are allowed"),
        ("jsonl", (), -1, "The seed must be between 0 and 4,294,967,295, not -1."),
    ],
)
def test_what_is_not_allowed_is_refused(pooled, form, annotators, seed, sentence):
    with pytest.raises(Refused) as caught:
        pool_file(pooled, form, annotators, seed)
    assert sentence in str(caught.value)


def test_a_collection_without_a_pool_is_refused(db):
    with pytest.raises(Refused, match="has no pool yet"):
        pool_file(create_collection("empty", GRADES), "jsonl")


def test_the_layout_of_a_course_is_imported_into_another_collection(pooled, tmp_path):
    files = unzipped(written(pooled, "teaching_ir", ["ada", "bob"]))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    copy = create_collection("copy", GRADES)
    import_topics(copy, tmp_path / "topics.xml")
    import_documents(copy, read_documents(tmp_path / "corpus.jsonl"), DocumentOptions(keep_all=True))
    assert set(copy.topics.values_list("query_id", "title")) == set(pooled.topics.values_list("query_id", "title"))
    texts = set(copy.documents.values_list("doc_id", "content__text"))
    assert texts <= set(pooled.documents.values_list("doc_id", "content__text"))
    assert {doc_id for doc_id, _ in texts} == {doc_id for _, doc_id in pooled_pairs(pooled)}
    mapping = lines(files["topic-mapping.jsonl"])
    assert [account["account"] for account in mapping] == ["ada", "bob"]
    pool = json.loads(files["judgment-pool.json"])
    assert {(query_id, doc_id) for query_id, ids in pool.items() for doc_id in ids} == pooled_pairs(pooled)
    assert {record["group"] for record in lines(files["doccano-judgment-pool.jsonl"])} == {"ada", "bob"}
