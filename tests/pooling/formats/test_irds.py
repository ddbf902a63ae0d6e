"""Data sets of ir-datasets, with a small one that is registered here; nothing is downloaded."""

import sys
from pathlib import Path

import pytest

import agreement
from pooling import FormatError, read_documents, read_qrels, read_topics
from pooling.formats.irds import ALLOWED, DataSet, allowed_ids, data_set, data_sets
from tests.data_set import NAME, Docs, register


@pytest.fixture
def dataset(monkeypatch):
    return register(monkeypatch)


@pytest.mark.parametrize("kind", [str, Path])
def test_documents_topics_and_qrels_are_read_by_id(dataset, kind):
    source = kind(dataset)
    first, second = read_documents(source)
    assert (first.doc_id, first.title, first.text, first.metadata) == ("d1", "Tea", "Green tea.", {"url": "http://a"})
    assert second.text == "Black tea."
    assert read_topics(source).values.tolist() == [["q1", "tea", "about tea", "all of it"]]
    assert read_qrels(source).values.tolist() == [["q1", "d1", 2], ["q1", "d2", 0]]


def test_qrels_of_a_data_set_are_those_of_a_judge(dataset):
    read = agreement.read_judgements({"nist": dataset}, scale=(0, 1, 2))
    assert read.judgements["relevance"].tolist() == [2, 0]


def test_a_data_set_that_is_not_listed_is_refused(dataset, monkeypatch):
    monkeypatch.delenv("ASSAY_IRDS")
    with pytest.raises(
        FormatError, match=r"irds:assay-test: the data set is not allowed; allowed are antique \(403,666"
    ):
        list(read_documents(dataset))


def test_a_part_that_does_not_exist_is_refused(dataset, monkeypatch):
    register(monkeypatch, Docs())
    with pytest.raises(FormatError, match="the data set has no topics"):
        read_topics(dataset)
    with pytest.raises(FormatError, match="the data set is unknown"):
        read_topics(f"{dataset}/unknown")


def test_a_failed_download_is_one_sentence(dataset, monkeypatch):
    def fail(_):
        raise OSError("no network")

    monkeypatch.setattr(Docs, "docs_iter", fail)
    with pytest.raises(FormatError, match=r"cannot be downloaded or read \(no network\)"):
        list(read_documents(dataset))


def test_without_the_package_a_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(FormatError, match=r"not installed; it is in the extra ir-assay\[irds\]"):
        read_topics("irds:vaswani")


def test_allowed_data_sets_and_their_parts_are_listed_with_sizes(dataset):
    listed = {each.dataset_id: each for each in data_sets()}
    assert listed[NAME] == DataSet(NAME, 0, 0, 0)  # ir-datasets states no sizes of it
    assert listed["vaswani"] == DataSet("vaswani", 11_429, 93, 2_083)
    assert listed["beir/scifact"].qrels is None
    assert listed["beir/scifact/test"] == data_set("beir/scifact/test") == DataSet("beir/scifact/test", 5_183, 300, 339)
    assert all(listed[name].documents == size for name, size in ALLOWED.items())


def test_all_data_sets_are_switched_off_by_none(dataset, monkeypatch):
    monkeypatch.setenv("ASSAY_IRDS", "none")
    assert allowed_ids() == data_sets() == []
    with pytest.raises(FormatError, match="vaswani: the data set is not allowed; allowed are none"):
        read_topics("irds:vaswani")
