"""Data sets of ir-datasets, with a small one that is registered here; nothing is downloaded."""

import sys
from pathlib import Path
from typing import NamedTuple

import ir_datasets
import pytest
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, TrecQrel, TrecQuery

import agreement
from pooling import FormatError, read_documents, read_qrels, read_topics

NAME = "assay-test"


class Page(NamedTuple):
    doc_id: str
    title: str
    body: str
    url: str
    parts: tuple


class Docs(BaseDocs):
    def docs_iter(self):
        return iter([Page("d1", "Tea", "Green tea.", "http://a", ()), Page("d2", "", "Black tea.", "http://b", ())])

    def docs_cls(self):
        return Page


class Queries(BaseQueries):
    def queries_iter(self):
        return iter([TrecQuery("q1", "tea", "about tea", "all of it")])

    def queries_cls(self):
        return TrecQuery


class Qrels(BaseQrels):
    def qrels_iter(self):
        return iter([TrecQrel("q1", "d1", 2, "0"), TrecQrel("q1", "d2", 0, "0")])

    def qrels_cls(self):
        return TrecQrel


@pytest.fixture
def dataset(monkeypatch):
    monkeypatch.setitem(ir_datasets.registry._registered, NAME, Dataset(Docs(), Queries(), Qrels()))
    monkeypatch.setenv("ASSAY_IRDS", f"other, {NAME}")
    return f"irds:{NAME}"


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
    monkeypatch.setitem(ir_datasets.registry._registered, NAME, Dataset(Docs()))
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
