"""What assessors answered about marginal relevance, and the diversity qrels. Pandas is imported inside the views."""

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import RESEARCHERS, member_view
from assess.models import Collection, Member
from assess.web.figures.page import Asked, Page
from assess.web.figures.shown import ShownTable, csv_file
from assess.web.figures.tables import Column, Row, Table
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.set_filter import set_filter
from assess.web.research.views import TEXT, download, figures_view_for, refused_page

if TYPE_CHECKING:
    import pandas as pd

    from assess.marginal.report import MarginalReport

PAIR_COLUMNS = (
    Column("judge_a", "first judge", "text"),
    Column("judge_b", "second judge", "text"),
    Column("documents", "documents", "count"),
    Column("kappa", "kappa of the answers"),
    Column("pairs", "pairs of documents", "count"),
    Column("shared_by_both", "subtopic shared for both", "count"),
    Column("shared_by_a", "first only", "count"),
    Column("shared_by_b", "second only", "count"),
    Column("pair_kappa", "kappa of the pairs"),
)


@figures_view_for(RESEARCHERS)
def marginal(request: SignedInRequest, member: Member) -> HttpResponse:
    """The answers of each assessor, the agreement of each pair, and the downloads; of one set with `?set=`."""
    from assess.marginal.report import report_or_pending  # loads pandas

    collection, chosen = member.collection, set_filter(request, member.collection)
    report = report_or_pending(collection, request.user, chosen.query_ids)
    query = {"set": chosen.chosen_set} if chosen.chosen_set else {}
    page = {
        "collection": collection,
        "member": member,
        "here": "agreement",
        **chosen.context(),
        "query": urlencode(query),
        "answers": _shown(_answers_table(collection, report.answers, query), collection, query),
        "n_judges": len(report.answers),
        "pairs": _shown(Table("pairs", report.pairs, PAIR_COLUMNS), collection, query),
    }
    return render(request, "research/agreement/marginal.html", page)


def _shown(table: Table, collection: Collection, query: dict[str, str]) -> ShownTable | None:
    """Return a table with the address of its file; None without rows."""
    files = csv_file(f"marginal_{table.name}", collection.slug, query=urlencode(query))
    return ShownTable(table, files) if table.n_rows else None


def _answers_table(collection: Collection, answers: "pd.DataFrame", query: dict[str, str]) -> Table:
    """The answers, with links to the relevant documents and to the diversity qrels of each assessor."""

    def documents(row: Row) -> str:
        judge = {"judge_a": row["judge"], "grade_a": "relevant"}
        return f"{reverse('research:documents', args=[collection.slug])}?{urlencode(judge | query)}"

    def qrels(row: Row) -> str:
        gold = {"gold": f"judge:{row['judge']}"}
        return f"{reverse('research:diversity_qrels', args=[collection.slug])}?{urlencode(gold | query)}"

    columns = (
        Column("judge", "judge", "text"),
        Column("relevant", "relevant", "count", documents),
        Column("new", "new", "count"),
        Column("partly", "partly", "count"),
        Column("nothing", "nothing new", "count"),
        Column("unanswered", "no answer", "count"),
        Column("subtopics", "subtopics", "count"),
        Column("qrels", "diversity qrels", "text", qrels),
    )
    return Table("answers", answers.assign(qrels="qrels of " + answers["judge"]), columns)


def _report(asked: Asked) -> "MarginalReport":
    from assess.marginal.report import report_or_pending  # loads pandas

    chosen = set_filter(asked.request, asked.member.collection)
    return report_or_pending(asked.member.collection, asked.request.user, chosen.query_ids)


MARGINAL = Page(
    file="marginal-{name}",
    tables={
        "answers": lambda asked: Table("answers", _report(asked).answers),
        "pairs": lambda asked: Table("pairs", _report(asked).pairs),
    },
)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def diversity_qrels(request: SignedInRequest, member: Member) -> HttpResponse:
    """The subtopics of the judge `?gold=judge:NAME`, or of each topic's only judge, as diversity qrels.

    With `?set=`, only those of the topics of this set.
    """
    from assess.marginal.report import ONLY_JUDGE, export_diversity_qrels  # loads pandas
    from assess.transfer.exports import record_export

    rule = request.GET.get("gold", ONLY_JUDGE)
    content = export_diversity_qrels(member.collection, rule, request.GET.get("set", ""))
    checkpoint = record_export(member.collection, audit.diversity_subject(rule), request.user)
    return download(content, f"{member.collection.slug}-diversity.qrels", TEXT, checkpoint)
