"""What a file is, from its first 64 KiB; the file name decides only between topics and documents."""

import gzip
import io
import tarfile
import zipfile

import pytest

from pooling import FormatError, recognise
from pooling.formats.file_kinds import FILE_KINDS
from pooling.formats.json_keys import first_keys
from pooling.formats.recognise import SAMPLE_BYTES
from tests.realdata import real_data

REAL = {
    "beir/arcd/qrels/test.tsv": "beir_qrels",
    "beir/quirks/header_only.tsv": "beir_qrels",
    "beir/tiny/corpus.jsonl": "jsonl_documents",
    "beir/quirks/climate_fever_corpus_no_newlines.jsonl": "jsonl_documents",
    "beir/tiny/queries.jsonl": "jsonl_topics",
    "doccano/export.text_classification.jsonl": "doccano_json",
    "doccano/export_v1.classification.jsonl": "doccano_json",
    "doccano/label_config.valid.json": "doccano_labels",
    "teaching_ir/jena-kassel/doccano-label-configs.json": "doccano_labels",
    "teaching_ir/radboud/judgment-pool.json": "teaching_ir_pool",
    "teaching_ir/radboud/manual.csv": "doccano_csv",
    "label_studio/csv_test.json": "label_studio_json",
    "label_studio/previous_export.json": "label_studio_json",
    "label_studio/old_format_completions.json": "label_studio_json",
    "label_studio/csv_test2_result.csv": "label_studio_csv",
    "msmarco/collection.tsv": "tsv_documents",
    "msmarco/queries.tsv": "tsv_topics",
    "msmarco/qrels.tsv": "trec_qrels",
    "negatives/qrels.web.201-250.ndeval.first1500.txt": "trec_qrels",
    "opensearch/esci_us_judgments.json.gz": "opensearch",
    "pyserini/sample_collection_jsonl.documents.jsonl": "jsonl_documents",
    "pyserini/sample_collection_json_array.documents.json": "jsonl_documents",
    "pyserini/anserini.msmarco_v2_passage.json": "jsonl_documents",
    "pyserini/anserini.trec_docs.txt": "trec_documents",
    "pyserini/anserini.stringID_topics.jsonl": "jsonl_topics",
    "pyserini/sample_queries.tsv": "tsv_topics",
    "pyserini/simple_trec_run_msmarco_doc1.txt": "trec_run",
    "quepid/book.json.gz": "quepid_book",
    "quepid/case.json.gz": "quepid_case",
    "quepid/ratings.basic.csv": "quepid_csv",
    "teaching_ir/radboud/topics-final.csv": "csv_topics",
    "trec_topics/topics.covid-round5.xml": "xml_topics",
    "trec_topics/topics.web.51-100.txt": "xml_topics",
    "trec_topics/topics.clinical_trials_2021.xml": "xml_topics",
    "trec_topics/topics.robust04.txt": "trec_topics",
    "trec_topics/topics.fire12hi.176-225.txt": "trec_topics",
}
UNKNOWN = (
    "doccano/import_test.example_fasttext.txt",
    "ir_metadata/wows26.complete.ir-metadata.yml",
    "opensearch/queryset.json",
    "elasticsearch/rank_eval_request_1.txt",
    "teaching_ir/radboud/config.json",
)


@pytest.mark.parametrize(("path", "form"), REAL.items())
def test_real_files_are_recognised(path, form):
    assert recognise(real_data("formats", path)).format == form


@pytest.mark.parametrize("path", UNKNOWN)
def test_real_files_of_other_kinds_are_refused(path):
    with pytest.raises(FormatError, match="the format is unknown"):
        recognise(real_data("formats", path))


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b"\xef\xbb\xbf1 Q0 d 1 2.5 bm25\n", "trec_run"),
        (b"# a comment\n\n1 Q0 d 1 nan bm25\n", "trec_run"),
        (b"1 0 d 0.5\n", "trec_qrels"),
        (b"1\t0\td\t1\r\n", "trec_qrels"),
        (b"assessor,query_id,doc_id,relevance\n", "judgement_csv"),
        (b'"query","docid","Ada Lovelace"\n', "quepid_csv"),
        (b"query_id\ttitle\n1\ta\n", "tsv_topics"),
        (b"docid\turl\ttitle\tbody\n", "tsv_documents"),
        (b"D1\thttp://a.org\ttitle\tbody\n", "tsv_documents"),
        (b"1\ta\tb\tc\n", "tsv_topics"),
        (b"1 0\td\t1\n", "trec_qrels"),
        (b"1\tQ0\td\t1\t2.5\tbm25\n", "trec_run"),
        (b"1 0 d 1\n1 0 d\n1 0 e 1\n", "trec_qrels"),
        (b"<?xml version='1.0'?>\n<!-- <top> --><topics><topic number='1'/>", "xml_topics"),
        (b"<!DOCTYPE html><title>x</title>", "html"),
        (b"WARC/1.0\r\n", "warc"),
        (gzip.compress(b"WARC/1.1\r\n", mtime=0), "warc"),
        (b'[{"id": 1, "annotator": 2, "relevance": "Relevant"}]', "label_studio_json_min"),
        (b'{"doc_id": "a", "text": "b", "label": "c"}', "jsonl_documents"),
    ],
)
def test_formats_are_recognised_by_content(data, form):
    assert recognise(data, name="f") == FILE_KINDS[form]


@pytest.mark.parametrize(
    "data",
    [
        b"1\tworld cup 2022\n2\tcatch 22 1961\n",
        b"1\tbest laptops under 500 dollars\n",
        b"1\twar peace 1812\ta novel\n2\ttea\tgreen tea\n",
    ],
)
def test_topics_whose_titles_contain_numbers_are_neither_qrels_nor_runs(data):
    assert recognise(data, name="f").format == "tsv_topics"


def test_archives_are_recognised_by_their_first_bytes():
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.txt", "text")
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    assert recognise(zipped.getvalue()).format == "zip"
    assert recognise(gzip.compress(tarred.getvalue())).format == "tar"


@pytest.mark.parametrize(
    ("data", "name", "kind", "words"),
    [
        (b"1\ttext\n", "queries.tsv", "topics", "the file name 'queries.tsv' decides"),
        (b"1\ttext\n", "data/collection.tsv", "documents", "the file name 'collection.tsv' decides"),
        (b"1\ttext\n", "a.tsv", "topics", "it is read as topics"),
        (b'{"id": "1", "contents": "x"}', "a.jsonl", "documents", "it is read as documents"),
        (b'{"id": "1", "contents": "x"}', "topics.jsonl", "topics", "the file name 'topics.jsonl' decides"),
        (b"# Tea\n", "docs/tea.md", "documents", "The ending of the file name 'tea.md' decides"),
    ],
)
def test_the_name_decides_between_topics_and_documents_and_a_note_says_so(data, name, kind, words):
    found = recognise(data, name=name)
    assert found.kind == kind
    assert words in found.note


@pytest.mark.parametrize("name", ["corpus.jsonl", "docs.qrels"])
def test_the_name_cannot_contradict_the_content(name):
    assert recognise(b"1 0 d 1\n", name=name).kind == "judgements"


@pytest.mark.parametrize("data", [b"", b" \n\t", gzip.compress(b"\n", mtime=0)])
def test_an_empty_file_is_refused(data):
    with pytest.raises(FormatError, match="f: the file is empty; runs, qrels"):
        recognise(data, name="f")


def test_a_truncated_compressed_file_is_refused():
    with pytest.raises(FormatError, match="ends too early"):
        recognise(gzip.compress(b"1 0 d 1\n")[:-9], name="f")


def test_at_most_the_sample_is_read():
    class Counted(io.BytesIO):
        def readinto(self, buffer):
            size = super().readinto(buffer)
            sizes.append(size)
            return size

    sizes = []
    assert recognise(Counted(b"1 0 d 1\n" * 1_000_000), name="f").format == "trec_qrels"
    assert sum(sizes) <= 4 * SAMPLE_BYTES


def test_keys_of_a_cut_object_are_found():
    assert first_keys('{"name": "x", "list": [{"inner": 1}], "tail": "unfinish') == ["name", "list", "tail"]
    assert first_keys('[{"a": {"b": "c\\": "}}, {"d": 1}]') == ["a"]


def test_ids_that_begin_with_a_number_sign_are_no_comments():
    qrels = b"#301 0 d1 1\n#301 0 d2 0\n"
    assert recognise(qrels, name="a.txt") == recognise(b"# a comment\n" + qrels.replace(b"#", b""), name="a.txt")
    assert recognise(qrels, name="a.txt").kind == "judgements"
