"""The assessor's own pace: how long their last judgements took."""

from assess.models import Judgement, JudgementKind, Member
from assess.pools.tasks import SETTLED

RECENT = 20  # judgements, few enough that the pace follows the work


def recent_times(member: Member) -> list[int]:
    """Return the active milliseconds of the assessor's last regular judgements, oldest first."""
    settled = Judgement.objects.filter(member=member, state__in=SETTLED, repeat=JudgementKind.REGULAR, active_ms__gt=0)
    return list(settled.order_by("-judged_at", "-pk").values_list("active_ms", flat=True)[:RECENT])[::-1]
