"""What assessors answered about marginal relevance, and the diversity qrels. Pandas is imported inside the views."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import RESEARCHERS, member_view
from assess.models import Member
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest
from assess.web.research.set_filter import set_filter
from assess.web.research.views import TEXT, download, figures_view_for, refused_page


@figures_view_for(RESEARCHERS)
def marginal(request: SignedInRequest, member: Member) -> HttpResponse:
    """The answers of each assessor, the agreement of each pair, and the downloads; of one set with `?set=`."""
    from assess.analysis.marginal import report_or_pending

    chosen = set_filter(request, member.collection)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "agreement",
        **chosen.context(),
        "query": urlencode({"set": chosen.chosen_set} if chosen.chosen_set else {}),
        "report": report_or_pending(member.collection, request.user, chosen.query_ids),
    }
    return render(request, "research/agreement/marginal.html", page)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def diversity_qrels(request: SignedInRequest, member: Member) -> HttpResponse:
    """The subtopics of the judge `?gold=judge:NAME`, or of each topic's only judge, as diversity qrels.

    With `?set=`, only those of the topics of this set.
    """
    from assess.analysis.marginal import ONLY_JUDGE, export_diversity_qrels
    from assess.transfer.exports import record_export

    rule = request.GET.get("gold", ONLY_JUDGE)
    content = export_diversity_qrels(member.collection, rule, request.GET.get("set", ""))
    checkpoint = record_export(member.collection, audit.diversity_subject(rule), request.user)
    return download(content, f"{member.collection.slug}-diversity.qrels", TEXT, checkpoint)
