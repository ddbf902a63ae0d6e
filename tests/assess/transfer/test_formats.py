"""Real files of many formats, imported as they are: recognised, read by the library, and saved by the application."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

import pooling
from assess.collections.create import create_collection, find_collection
from assess.models import Document, Judgement, Topic
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.realdata import real_data

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
CLEAN = JudgementOptions(decimals="whole")
GAINS = JudgementOptions(decimals="whole", mapping={0: 0, 1: 1, 10: 2, 100: 3})
FRACTIONS = JudgementOptions(rounding="half_up")

# file, format, and how many are imported
TOPICS = [
    ("beir/arcd/queries.jsonl", "jsonl_topics", 50),
    ("msmarco/queries.tsv", "tsv_topics", 1000),
    ("pyserini/anserini.stringID_topics.jsonl", "jsonl_topics", 2),
    ("teaching_ir/radboud/topics-final.csv", "csv_topics", 78),
    ("trec_topics/topics.clinical_trials_2021.xml", "xml_topics", 75),
    ("trec_topics/topics.covid-round5.xml", "xml_topics", 50),
    ("trec_topics/topics.epidemic-qa.expert.primary.json", "jsonl_topics", 30),
    ("trec_topics/topics.robust04.txt", "trec_topics", 250),
    ("trec_topics/topics.web.51-100.txt", "xml_topics", 50),
]
DOCUMENTS = [
    ("beir/arcd/corpus.jsonl", "jsonl_documents", 255),
    ("msmarco/collection.tsv", "tsv_documents", 89),
    ("pyserini/anserini.msmarco_v2.1_doc_segmented.json", "jsonl_documents", 2),
    ("pyserini/sample_collection_json_array.documents.json", "jsonl_documents", 3),
    ("teaching_ir/spot-check/corpus.jsonl.gz", "jsonl_documents", 113),
    ("trec_topics/topics.cacm.txt", "trec_documents", 64),
]
JUDGEMENTS = [
    ("beir/trialgpt_sigir/qrels/test.tsv", "beir_qrels", 3835, CLEAN),
    ("msmarco/qrels.tsv", "trec_qrels", 1000, CLEAN),
    ("opensearch/ImportJudgments.json", "opensearch", 40, FRACTIONS),  # of 80, 40 are repeated
    ("opensearch/esci_us_judgments.json.gz", "opensearch", 6678, GAINS),
    ("opensearch/judgments.llm.json", "opensearch", 1080, CLEAN),
    ("quepid/book.json.gz", "quepid_book", 1920, CLEAN),
    ("quepid/case.json.gz", "quepid_case", 1679, CLEAN),
    ("quepid/ratings.basic.csv", "quepid_csv", 207, CLEAN),
]
RUNS = [("pyserini/simple_trec_run_msmarco_doc1.txt", "trec_run")]


@pytest.fixture
def collection(db):
    create_collection("formats", "Formats", GRADES)
    return find_collection("formats")


def sample(path: str, form: str) -> Path:
    file = real_data("formats", path)
    assert pooling.recognise(file).format == form
    return file


def test_at_least_twelve_formats_are_imported():
    assert len({form for _, form, *_ in (*TOPICS, *DOCUMENTS, *JUDGEMENTS, *RUNS)}) >= 12


@pytest.mark.parametrize(("path", "form", "size"), TOPICS)
def test_topics(collection, path, form, size):
    file = sample(path, form)
    assert import_topics(collection, file).added == size == len(pooling.read_topics(file))
    assert not Topic.objects.filter(title="").exists()
    assert import_topics(collection, file).added == 0


@pytest.mark.parametrize(("path", "form", "size"), DOCUMENTS)
def test_documents(collection, path, form, size):
    file = sample(path, form)
    assert import_documents(collection, pooling.read_documents(file), DocumentOptions(keep_all=True)).added == size
    assert Document.objects.filter(content__isnull=False).count() == size


@pytest.mark.slow
@pytest.mark.parametrize(("path", "form", "size", "options"), JUDGEMENTS)
def test_judgements(collection, path, form, size, options):
    file = sample(path, form)
    add_topics(collection, file)
    names_judges = form in ("quepid_book", "quepid_case")
    assert import_judgements(collection, file, None if names_judges else "judge", options=options).added == size
    assert Judgement.objects.count() == size


def add_topics(collection, file: Path) -> None:
    """Topics with the ids of a file of judgements."""
    from pooling.formats.exports.reading import export_format, read_export

    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    form = export_format(content)
    frame = read_export(content, form, "f") if form else pooling.read_qrels(file)
    query_ids = frame["query_id"].unique()
    Topic.objects.bulk_create(Topic(collection=collection, query_id=each, title=f"{each} ") for each in query_ids)


@pytest.mark.parametrize(("path", "form"), RUNS)
def test_runs(collection, path, form):
    assert import_runs(collection, [sample(path, form)]).added == 1


def test_an_archive_of_pages(collection):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.write(real_data("formats", "README.md"), "readme.md")
        archive.write(real_data("formats", "beir", "README.md"), "beir/readme.md")
    assert pooling.recognise(content.getvalue()).format == "zip"
    result = import_documents(collection, pooling.read_documents(content.getvalue()), DocumentOptions(keep_all=True))
    assert result.added == 2
    assert "<table>" in Document.objects.get(doc_id="readme").content.sanitised
