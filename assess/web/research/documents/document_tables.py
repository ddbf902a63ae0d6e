"""The tables of the page of a document, by the name of their files."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from assess.analysis.documents.filters import DocumentFilter
from assess.analysis.documents.pending import runs_or_pending
from assess.models import Member, Task
from assess.web.requests import SignedInRequest

if TYPE_CHECKING:
    import pandas as pd

Table = Callable[[SignedInRequest, Member, Task, DocumentFilter], "pd.DataFrame"]


def _judgements(_request: SignedInRequest, _member: Member, task: Task, _wanted: DocumentFilter) -> "pd.DataFrame":
    from assess.analysis.documents.page import document_page
    from assess.analysis.documents.tables import judgements_table

    return judgements_table(document_page(task))


def _history(_request: SignedInRequest, _member: Member, task: Task, _wanted: DocumentFilter) -> "pd.DataFrame":
    from assess.analysis.documents.page import document_page
    from assess.analysis.documents.tables import history_table

    return history_table(document_page(task))


def _systems(request: SignedInRequest, member: Member, task: Task, _wanted: DocumentFilter) -> "pd.DataFrame":
    from assess.analysis.documents.systems import retrieved_by
    from assess.analysis.documents.tables import systems_table

    prepared = runs_or_pending(member.collection, request.user)
    return systems_table(retrieved_by(prepared, task.topic.query_id, task.document.doc_id))


def _effect(request: SignedInRequest, member: Member, task: Task, wanted: DocumentFilter) -> "pd.DataFrame":
    from assess.analysis.documents.effect import document_effect
    from assess.analysis.documents.tables import effect_table

    prepared = runs_or_pending(member.collection, request.user)
    return effect_table(document_effect(member.collection, task, prepared, wanted.measure, wanted.gold))


TABLES: dict[str, Table] = {
    "judgements": _judgements,
    "history": _history,
    "systems": _systems,
    "effect": _effect,
}
