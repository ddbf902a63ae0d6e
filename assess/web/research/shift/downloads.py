"""The tables and figures of the shift pages that can be downloaded."""

from dataclasses import replace
from typing import TYPE_CHECKING

from assess.access import READERS
from assess.adjudication.openings import record_openings
from assess.web.figures.page import MakeTable, Page
from assess.web.figures.tables import Table
from assess.web.research.shift import named_figures, named_tables
from assess.web.research.shift.source import Source

if TYPE_CHECKING:
    import pandas as pd


def record_shown_grades(source: Source, shown: Table, rows: "pd.DataFrame | None" = None) -> None:
    """Record that the member saw the grades of one judge, if a table of documents shows them in these rows or all."""
    golds = source.swap_choice[2:] if shown.name == "swap-documents" else (source.gold,)
    if shown.name not in ("swap-documents", "leverage") or not named_tables.names_a_judge(*golds):
        return
    if source.is_researcher:
        record_openings(source.member, source.tasks_of(shown.data if rows is None else rows).values())


def _recorded(name: str) -> MakeTable:
    def make(source: Source) -> Table:
        table = TABLES[name](source)
        record_shown_grades(source, table)
        return table

    return make


def _ranks(source: Source) -> Table:
    """The scores and ranks of every system under every gold."""
    return replace(named_tables.ranks(source), name="shift")


TABLES = named_tables.OF_READERS | named_tables.OF_RESEARCHERS
SHIFT = Page(
    tables={name: _recorded(name) for name in TABLES} | {"shift": _ranks},
    figures=named_figures.FIGURES,
    source=Source.from_request,
    roles=READERS,
    for_researchers=frozenset(named_tables.OF_RESEARCHERS),
)
