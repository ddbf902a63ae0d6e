"""The 37 official passage runs of TREC Deep Learning 2019: read, ranked and pooled."""

import gzip

import pytest

from pooling import pool, ranked, read_documents
from pooling._io.lines import run_by_lines
from tests.realdata import dl19_run_paths, dl19_runs, real_data

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def paths():
    return dl19_run_paths()


@pytest.fixture(scope="module")
def runs():
    return dl19_runs()


def test_every_line_is_read(runs):
    assert len(runs) == 1_419_989
    assert runs["system"].nunique() == 37
    assert runs["query_id"].nunique() == 43


def test_the_order_matches_a_reference_implementation(runs):
    rows = runs[runs["system"] == runs["system"].iloc[-1]]
    expected = sorted(
        zip(rows["query_id"], -rows["score"], rows["doc_id"], strict=True), key=lambda row: row[2], reverse=True
    )
    expected.sort(key=lambda row: row[:2])
    assert ranked(rows)["doc_id"].tolist() == [row[2] for row in expected]


def test_the_strict_reader_reads_the_same(paths, runs):
    for path in paths[:3]:
        strict = run_by_lines(gzip.decompress(path.read_bytes()), path.name, True, "float64")
        fast = runs[runs["system"] == strict["tag"].iloc[0]].reset_index(drop=True)
        assert strict.rename(columns={"tag": "system"})[list(fast)].equals(fast)


def test_the_pool_of_depth_10_has_2495_tasks_of_which_1329_have_text(runs):
    made = pool(runs, depth=10)
    with_text = {document.doc_id for document in read_documents(real_data("dl19", "documents.jsonl.gz"))}
    assert len(made) == 2495
    assert made.frame["doc_id"].isin(with_text).sum() == 1329
    assert len(made.size_by_topic) == 43
