"""The tables of the documents pages, by the name of their files."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assess.analysis.documents.filters import DocumentFilter
from assess.analysis.documents.pending import runs_or_pending
from assess.models import Member, Task
from assess.web.figures.tables import Column, Table
from assess.web.requests import SignedInRequest

if TYPE_CHECKING:
    import pandas as pd

    from assess.analysis.documents.effect import Effect
    from assess.analysis.documents.systems import Retrieved

MakeTable = Callable[[SignedInRequest, Member, Task, DocumentFilter], Table]

DISTANCES = (Column("distance", "mean distance"),)
EFFECTS = (
    Column("grade", "new grade", "count"),
    Column("pairs_swapped", "swapped pairs", "count"),
    Column("top_changed", "best system changes", "text"),
    Column("tau", "tau_b"),
)
WHO = (Column("judge", "judge", "text"), Column("kind", "kind", "text"))
HOW = (Column("active", "time spent", "text"), Column("guidelines_version", "guidelines", "count"))
MOST_JUDGES = 8  # with a column each in a printed table


def list_table(member: Member, chosen: "pd.DataFrame") -> Table:
    """The listed documents with their grades."""
    from assess.analysis.documents.tables import documents_table  # loads pandas

    data = documents_table(member.collection, chosen)
    judges = [name for name in data.columns if name.startswith("judge:")]
    columns = [
        Column("query_id", "topic", "topic"),
        Column("doc_id", "document", "text"),
        Column("n", "judges", "count"),
        Column("apart", "apart", "count"),
        *(EFFECTS if "tau" in data else DISTANCES),
        Column("decision", "decision", "count"),
        *(Column(name, name.removeprefix("judge:"), "count") for name in judges if len(judges) <= MOST_JUDGES),
    ]
    return Table("documents", data, columns, "“Apart” is the number of steps between the lowest and the highest grade.")


def systems_table(systems: Sequence["Retrieved"]) -> Table:
    """The systems that retrieved a document."""
    from assess.analysis.documents import tables  # loads pandas

    columns = [Column("system", "system", "system"), Column("rank", "rank", "count")]
    return Table("systems", tables.systems_table(systems), columns)


def effect_table(effect: "Effect") -> Table:
    """What the ranking would be with each other grade."""
    from assess.analysis.documents import tables  # loads pandas

    columns = [
        Column("grade", "grade", "text"),
        Column("tau", "tau_b"),
        Column("pairs_swapped", "swapped pairs", "count"),
        Column("top_changed", "best system changes", "text"),
        Column("largest_change", "largest change of a score", "change"),
    ]
    return Table("effect", tables.effect_table(effect), columns)


def _judgements(_request: SignedInRequest, _member: Member, task: Task, _wanted: DocumentFilter) -> Table:
    from assess.analysis.documents.page import document_page
    from assess.analysis.documents.tables import judgements_table  # loads pandas

    columns = [
        *WHO,
        Column("state", "state", "text"),
        Column("grade", "grade", "count"),
        Column("reason", "reason", "text"),
        Column("comment", "comment", "text"),
        Column("confidence", "confidence", "count"),
        *HOW,
        Column("at", "judged", "time"),
    ]
    return Table("judgements", judgements_table(document_page(task)), columns)


def _history(_request: SignedInRequest, _member: Member, task: Task, _wanted: DocumentFilter) -> Table:
    from assess.analysis.documents.page import document_page
    from assess.analysis.documents.tables import history_table  # loads pandas

    columns = [
        Column("at", "when", "time"),
        *WHO,
        Column("before", "before", "text"),
        Column("after", "after", "text"),
        Column("source", "by", "text"),
        *HOW,
        Column("comment", "comment", "text"),
    ]
    return Table("history", history_table(document_page(task)), columns, "Times are UTC.")


def _systems(request: SignedInRequest, member: Member, task: Task, _wanted: DocumentFilter) -> Table:
    from assess.analysis.documents.systems import retrieved_by  # loads pandas

    prepared = runs_or_pending(member.collection, request.user)
    return systems_table(retrieved_by(prepared, task.topic.query_id, task.document.doc_id))


def _effect(request: SignedInRequest, member: Member, task: Task, wanted: DocumentFilter) -> Table:
    from assess.analysis.documents.effect import document_effect  # loads pandas

    prepared = runs_or_pending(member.collection, request.user)
    effect = document_effect(member.collection, task, prepared, wanted.measure, wanted.gold, wanted.of_set)
    return effect_table(effect)


TABLES: dict[str, MakeTable] = {
    "judgements": _judgements,
    "history": _history,
    "systems": _systems,
    "effect": _effect,
}
