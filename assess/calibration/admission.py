"""Which kinds of judgements an assessor can make now: before their practice is over, no regular ones."""

from assess.errors import Closed, Refused
from assess.judging.checks import Attempt
from assess.models import Admission, JudgementKind, Member, PracticeRule
from assess.pools.tasks import SETTLED

AFTER_PRACTICE = (JudgementKind.REGULAR, JudgementKind.REPEAT, JudgementKind.CHECK)


def is_admitted(member: Member) -> bool:
    """Whether an assessor may judge regular documents: after the practice, or if there is none."""
    return member.collection.practice == PracticeRule.OFF or Admission.objects.filter(member=member).exists()


def queued_kinds(member: Member) -> list[JudgementKind]:
    """Return the kinds of the documents that the judging page shows now. Practice has a page of its own."""
    closed = (JudgementKind.PRACTICE, *(() if is_admitted(member) else AFTER_PRACTICE))
    return [kind for kind in member.collection.open_kinds if kind not in closed]


def check_admitted(attempt: Attempt) -> None:
    """Refuse a judgement that needs an admission, if the assessor has none."""
    if attempt.kind in AFTER_PRACTICE and not is_admitted(attempt.member):
        raise Closed("The practice documents come first. This judgement was not saved; earlier ones are kept.")


def check_practised_once(attempt: Attempt) -> None:
    """Refuse a second judgement of a practice document, whose grade has been shown."""
    if attempt.kind == JudgementKind.PRACTICE and attempt.judgement and attempt.judgement.state in SETTLED:
        raise Refused("The grade of this practice document has been shown, so it cannot be judged again.")
