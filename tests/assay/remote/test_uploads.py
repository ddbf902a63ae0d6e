"""Files: chunks, an upload that goes on, checksums, and what a table becomes."""

import gzip
import hashlib
import json

import httpx2
import pandas as pd
import pytest

from agreement import Ratings, read_judgements
from assay.remote import SiteError, uploads
from assay.remote.frames import document_files, judgement_files, judgement_frame, run_files, topic_files
from pooling import read_documents, read_run, read_topics
from tests.assay.remote.conftest import COLLECTION, problem

JOB = {"id": "j", "kind": "import_topics", "state": "waiting", "stage": "", "done": 0, "total": None}
CONTENT = b"0123456789"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A file of three chunks."""
    monkeypatch.setattr(uploads, "CHUNK", 4)
    path = tmp_path / "topics.tsv"
    path.write_bytes(CONTENT)
    return path


def at(offset: int) -> dict:
    return {"id": "u", "name": "topics.tsv", "offset": offset, "size": 10, "kind": "topics"}


def chunks(fake) -> list[tuple[int, bytes]]:
    puts = [each for each in fake.requests if each.method == "PUT"]
    return [(int(each.url.params["offset"]), each.content) for each in puts]


def test_a_file_is_sent_in_chunks_with_its_checksum(site_with, path):
    site, fake = site_with(COLLECTION, at(0), at(4), at(8), at(10), at(10), JOB)
    assert site.collection("robust").upload_topics(path, repair_ids="case").id == "j"
    assert chunks(fake) == [(0, b"0123"), (4, b"4567"), (8, b"89")]
    assert fake.body(1) == {"name": "topics.tsv", "size": 10}
    assert fake.body(5) == {"sha256": hashlib.sha256(CONTENT).hexdigest(), "kind": "topics"}
    assert fake.body(6) == {"uploads": ["u"], "options": {"repair_ids": "case"}}


def test_an_interrupted_upload_goes_on(site_with, path):
    site, fake = site_with(COLLECTION, at(8), at(10), at(10), JOB)
    site.collection("robust").import_files([path])
    assert chunks(fake) == [(8, b"89")]
    assert "kind" not in fake.body(3)


def test_a_lost_answer_of_a_chunk(site_with, path, waits):
    """The chunk has arrived, so the site expects the next one when it comes again."""
    expected = problem(409, "The next chunk must begin at byte 4.", offset=4)
    site, fake = site_with(COLLECTION, at(0), httpx2.ReadError("lost"), expected, at(8), at(10), at(10), JOB)
    site.collection("robust").import_files(path)
    assert [offset for offset, _ in chunks(fake)] == [0, 0, 4, 8]
    assert waits == [0.5]


def test_a_part_of_another_file_is_replaced(site_with, path):
    differs = problem(400, "The checksum differs.")
    site, fake = site_with(COLLECTION, at(8), at(10), differs, at(0), at(4), at(8), at(10), at(10), JOB)
    site.collection("robust").import_files(path)
    assert [offset for offset, _ in chunks(fake)] == [8, 0, 4, 8]


def test_a_checksum_that_differs_after_a_whole_upload_is_an_error(site_with, path):
    site, _ = site_with(COLLECTION, at(0), at(4), at(8), at(10), problem(400, "The checksum differs."))
    with pytest.raises(SiteError, match="checksum differs"):
        site.collection("robust").import_files(path)


def test_a_file_that_the_site_does_not_recognise_is_removed(site_with, path):
    site, fake = site_with(COLLECTION, at(10), at(10) | {"kind": ""}, httpx2.Response(204))
    with pytest.raises(SiteError, match=r"topics\.tsv: the site does not recognise it"):
        site.collection("robust").import_files(path)
    assert fake.paths[-1] == "DELETE /collections/robust/uploads/u"


def test_an_import_is_not_started_twice(site_with, path):
    site, fake = site_with(COLLECTION, at(8), at(10), at(10), problem(503, "Down."))
    with pytest.raises(SiteError, match="Down"):
        site.collection("robust").import_files(path)
    assert fake.paths.count("POST /collections/robust/imports") == 1


def test_an_unknown_kind_is_refused(site_with, path):
    site, _ = site_with(COLLECTION)
    with pytest.raises(ValueError, match="kind must be one of topics, scale, runs, pool"):
        site.collection("robust").import_files(path, "qrels")


def test_runs_become_a_file_for_each_system(site_with):
    frame = pd.DataFrame(
        [("b/m", "1", "d1", 0.5), ("a", "1", "d2", 2.0), ("b/m", "1", "d3", 0.75)],
        columns=["system", "query_id", "doc_id", "score"],
    )
    first, second = run_files(frame)
    assert (first.name, second.name, second.given_name) == ("a.run", "b_m.run", "b/m")
    assert read_run(second.data)["doc_id"].tolist() == ["d3", "d1"]
    site, fake = site_with(COLLECTION, *[at(10_000), at(10_000)] * 2, JOB)
    site.collection("robust").upload_runs(frame)
    assert [fake.body(number)["size"] for number in (1, 3)] == [len(first.data), len(second.data)]
    assert [fake.body(number).get("given_name") for number in (2, 4)] == ["a", "b/m"]


def test_topics_and_documents_become_json(site_with):
    topics = pd.DataFrame({"query_id": [7, 8], "title": ["a\tb", "ü"], "description": ["x", None], "other": [1, 2]})
    read = read_topics(topic_files(topics)[0].data)
    assert read["query_id"].tolist() == ["7", "8"]
    assert read["title"].tolist() == ["a b", "ü"]
    documents = pd.DataFrame({"doc_id": ["d1"], "text": ["line\nline"], "title": [float("nan")], "year": [1999]})
    data = document_files(documents)[0].data
    assert json.loads(data) == {"doc_id": "d1", "text": "line\nline", "year": 1999}
    assert [each.text for each in read_documents(data)] == ["line\nline"]


def test_judgements_there_and_back(tmp_path):
    rows = [("=ann", "1", "d1", 1), ("bob", "1", "d1", 0)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    data = judgement_files(frame)[0].data
    assert b"'=ann" in data
    assert judgement_frame(data).values.tolist() == [list(row) for row in rows]
    (tmp_path / "judgements.csv").write_bytes(data)
    read = read_judgements(tmp_path / "judgements.csv", scale=(0, 1))
    assert list(Ratings.from_judgements(read).assessors) == ["=ann", "bob"]


def test_what_was_not_judged_has_no_relevance():
    data = (
        b"assessor,query_id,doc_id,relevance,state,repeat,adjudicated\nann,01,d1,,later,0,\nann,02,NA,1,judged,0,true\n"
    )
    frame = judgement_frame(data)
    assert frame["relevance"].isna().tolist() == [True, False]
    assert frame["query_id"].tolist() == ["01", "02"]
    assert frame["doc_id"].tolist() == ["d1", "NA"]
    assert frame["adjudicated"].tolist() == [False, True]
    Ratings.from_judgements(frame, scale=(0, 1))


@pytest.mark.parametrize(
    ("make", "frame", "words"),
    [
        (topic_files, {"query_id": ["1"]}, "Missing: title"),
        (topic_files, {"query_id": [], "title": []}, "no rows"),
        (topic_files, {"query_id": [1.5], "title": ["x"]}, "query_id 1.5 is neither"),
        (judgement_files, {"assessor": ["a"], "query_id": ["1"], "doc_id": ["d"], "relevance": [None]}, "Row 1 has"),
        (judgement_files, {"assessor": ["a"], "query_id": ["1"], "doc_id": ["d"], "relevance": [0.5]}, "whole number"),
    ],
)
def test_tables_that_are_refused(make, frame, words):
    with pytest.raises(ValueError, match=words):
        make(pd.DataFrame(frame))


def test_compressed_files_keep_their_name(site_with, tmp_path):
    path = tmp_path / "bm25.run.gz"
    path.write_bytes(gzip.compress(b"1 Q0 d1 1 1 bm25\n"))
    size = path.stat().st_size
    whole = {"id": "u", "name": path.name, "offset": size, "size": size, "kind": "runs"}
    site, fake = site_with(COLLECTION, whole | {"offset": 0}, whole, whole, JOB)
    site.collection("robust").upload_runs(str(path))
    assert fake.body(1) == {"name": "bm25.run.gz", "size": size}
