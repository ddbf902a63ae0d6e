"""The votes of the norming rounds that an assessor takes part in. Nobody sees them before the discussion."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from assess.access import ASSESSORS, member_view
from assess.models import Member, NormingRound
from assess.web.judge.render import render_page


@require_safe
@member_view(ASSESSORS, or_assigned=True)
def norming(request: HttpRequest, member: Member) -> HttpResponse:
    """The votes of the group, the newest round first."""
    from assess.norming.results import vote_rows  # loads pandas

    rounds = member.norming_rounds.order_by("-number")
    page = {
        "rounds": [
            (each, list(each.members.values_list("name", flat=True)), vote_rows(each) if _shows_votes(each) else [])
            for each in rounds
        ],
    }
    return render_page(request, member, "judge/norming.html", page)


def _shows_votes(norming: NormingRound) -> bool:
    return norming.phase != NormingRound.Phase.BEFORE
