"""The check of decisions of adjudicators."""

from assess.errors import Refused
from assess.judging.checks import Attempt
from assess.models import Judgement, JudgementKind, State


def check_adjudicator(attempt: Attempt) -> None:
    """Refuse a decision of somebody who judged the document: they may have claimed it while it was chosen."""
    if attempt.kind != JudgementKind.DECISION:
        return
    own = Judgement.objects.filter(
        task=attempt.assignment.task_id, member=attempt.assignment.member_id, state=State.JUDGED
    )
    if own.exclude(repeat=JudgementKind.DECISION).exists():
        raise Refused("You judged this document, so somebody else has to decide it. This judgement was not saved.")
