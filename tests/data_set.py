"""A small data set of ir-datasets for tests; nothing is downloaded."""

from typing import NamedTuple

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, TrecQrel, TrecQuery

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


def register(monkeypatch, *parts) -> str:
    """Register a data set, allow it, and return its `irds:` id. `parts` are objects of the classes above."""
    dataset = Dataset(*(parts or (Docs(), Queries(), Qrels())))
    monkeypatch.setitem(ir_datasets.registry._registered, NAME, dataset)
    monkeypatch.setenv("ASSAY_IRDS", f"other, {NAME}")
    return f"irds:{NAME}"
