"""The tables of the report on what searching added, as data and as text. Loads pandas."""

from collections.abc import Collection as Items
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import TypeVar

import pandas as pd

from assess.search.report import SearcherRow, SearchReport, SystemRow, TopicRow
from pooling.text_tables import render, rounded
from pooling.words import count

Row = TypeVar("Row", SearcherRow, TopicRow, SystemRow)

DOCUMENT_COLUMNS = ["query_id", "doc_id", "searchers", "judges", "is_relevant", "found_only_by_searching", "is_unique"]


def report_table(report: SearchReport, part: str, hidden: Items[int] = ()) -> pd.DataFrame:
    """Return a table by its name in `options.PARTS`, unrounded.

    Documents whose tasks are `hidden` are left out, because the reader is to decide them.
    """
    if part == "documents":
        return _documents(report, hidden)
    if part == "searchers":
        return _frame(SearcherRow, report.searchers)
    if part == "topics":
        return _frame(TopicRow, report.topics)
    return _frame(SystemRow, report.systems)


def _frame(kind: type[Row], rows: Sequence[Row]) -> pd.DataFrame:
    return pd.DataFrame([asdict(row) for row in rows], columns=[field.name for field in fields(kind)])


def _documents(report: SearchReport, hidden: Items[int]) -> pd.DataFrame:
    """Return a row for each document. Several searchers are separated by commas."""
    rows = [
        (
            each.query_id,
            each.doc_id,
            ", ".join(each.searchers),
            ", ".join(each.judges),
            each.is_relevant,
            each.is_only,
            each.is_unique,
        )
        for each in report.documents
        if each.task not in hidden
    ]
    return pd.DataFrame(rows, columns=DOCUMENT_COLUMNS)


def report_lines(report: SearchReport) -> Iterator[str]:
    """Yield the report as text."""
    yield f"Gold {report.rule}; relevant from grade {report.rel}; {report.measure}."
    known = count(report.relevant, "known relevant document")
    yield f"Searching found {report.only:,} of {known} that no run brought into the pool."
    if report.pair and report.pair.swapped is not None:
        pair = report.pair
        swapped = f"{pair.swapped:,} of {pair.n_pairs:,} pairs of systems swap"
        yield f"With them, {swapped} (tau_b {pair.tau_b.shown()}, {count(pair.n_topics, 'topic')})."
    elif report.reason:
        yield report.reason
    for part in ("searchers", "topics", "systems"):
        if len(table := report_table(report, part)):
            yield ""
            yield render(rounded(table))
