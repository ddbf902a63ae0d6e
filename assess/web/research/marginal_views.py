"""What assessors answered about marginal relevance, and the diversity qrels. Pandas is imported inside the views."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import RESEARCHERS, member_view
from assess.analysis.query import set_choices
from assess.collections.groups.topic_sets import describe_set, sets_by_topic, topics_in_set
from assess.models import Member
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest
from assess.web.research.views import TEXT, download, figures_view_for, refused_page


@figures_view_for(RESEARCHERS)
def marginal(request: SignedInRequest, member: Member) -> HttpResponse:
    """The answers of each assessor, the agreement of each pair, and the downloads; of one set with `?set=`."""
    from assess.analysis.marginal import report_or_pending

    name = request.GET.get("set", "")
    topics = topics_in_set(member.collection, name)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "agreement",
        "sets": set_choices(sets_by_topic(member.collection).values()),
        "chosen_set": name,
        "topic_set": describe_set(name, topics),
        "query": urlencode({"set": name} if name else {}),
        "report": report_or_pending(member.collection, request.user, topics),
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
