"""The tables of the documents pages as files. They show grades, so they record that the member opened the documents."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from assess.access import RESEARCHERS, member_view
from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.analysis.documents.filters import DocumentFilter, choices_for, read_filter
from assess.errors import Refused
from assess.jobs.pending import Pending
from assess.lib.batches import BATCH
from assess.models import Member, Task
from assess.web.figures.page import Asked, MakeTable, Page
from assess.web.figures.tables import Table, table_download
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.documents.document_tables import TABLES, list_table
from assess.web.research.documents.views import chosen_documents, leverage_of, task_or_404
from assess.web.research.views import refused_page


@dataclass(frozen=True)
class _Document:
    request: SignedInRequest
    member: Member
    task: Task
    wanted: DocumentFilter


def _document(request: SignedInRequest, member: Member, task: int) -> _Document | HttpResponse:
    """Return the document, or redirect to its page, which warns a member who is to decide it."""
    shown = task_or_404(member, task)
    if task in unseen_to_decide(member):
        return redirect("research:document", member.collection.slug, task)
    wanted = read_filter(request.GET, choices_for(member.collection))
    record_openings(member, [task])
    return _Document(request, member, shown, wanted)


def _table(make: Any) -> MakeTable:
    return lambda source: make(source.request, source.member, source.task, source.wanted)


def _documents(asked: Asked) -> Table:
    """All documents that the query string chooses, with the grade of every judge."""
    request, member = asked.request, asked.member
    wanted = read_filter(request.GET, choices_for(member.collection))
    chosen = chosen_documents(member, wanted, unseen_to_decide(member), leverage_of(request, member, wanted))
    tasks = chosen["task"].tolist()
    for start in range(0, len(tasks), BATCH):
        record_openings(member, tasks[start : start + BATCH])
    return list_table(member, chosen)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def chosen_csv(request: SignedInRequest, member: Member) -> HttpResponse:
    """The documents of the list that are checked, with the grade of every judge."""
    wanted = read_filter(request.GET, choices_for(member.collection))
    try:
        leverage = leverage_of(request, member, wanted)
    except Pending:  # the list shows the job
        return redirect(f"{reverse('research:documents', args=[member.collection.slug])}?{request.GET.urlencode()}")
    listed = chosen_documents(member, wanted, unseen_to_decide(member), leverage)
    chosen = listed[listed["task"].astype(str).isin(request.POST.getlist("task"))]
    if chosen.empty:
        raise Refused("No document is selected. Check the documents to download.")
    record_openings(member, chosen["task"].tolist())
    return table_download(list_table(member, chosen), "csv", f"{member.collection.slug}-chosen-documents")


DOCUMENTS = Page(tables={"documents": _documents})
DOCUMENT = Page(
    file="{task}-{name}",
    tables={name: _table(make) for name, make in TABLES.items()},
    source=_document,
)
