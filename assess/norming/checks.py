"""The check of judgements in a norming round."""

from assess.errors import Closed
from assess.judging.checks import Attempt
from assess.models import JudgementKind, NormingRound

PHASES: dict[int, str] = {
    JudgementKind.NORMING_BEFORE: NormingRound.Phase.BEFORE,
    JudgementKind.NORMING_AFTER: NormingRound.Phase.AFTER,
}


def check_phase(attempt: Attempt) -> None:
    """Refuse a judgement of a norming round whose phase is over: the group has seen the votes."""
    phase = PHASES.get(attempt.kind)
    if phase is None:
        return
    rounds = NormingRound.objects.filter(tasks=attempt.assignment.task_id, members=attempt.assignment.member_id)
    if not rounds.filter(phase=phase).exists():
        raise Closed("This part of the norming round is over. This judgement was not saved; earlier ones are kept.")
