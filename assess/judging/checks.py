"""The checks of a judgement before it is recorded. Each refuses it with a sentence, or does nothing.

The order decides which sentence an assessor reads if several apply. An optional feature adds its check here by name, so
that the core imports no feature.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.utils import timezone
from django.utils.module_loading import import_string

from assess.documents.display import is_empty
from assess.errors import Closed, Conflict, Paused, Refused
from assess.judging.judgement_input import JudgementInput
from assess.models import Assignment, Collection, Judgement, JudgementKind, Member, State
from assess.pools.slots import NotNeeded
from assess.pools.tasks import SETTLED

CHECKS = (
    "assess.judging.checks.check_open",
    "assess.calibration.admission.check_admitted",
    "assess.calibration.admission.check_practised_once",
    "assess.norming.checks.check_phase",
    "assess.judging.checks.check_text",
    "assess.judging.checks.check_repeat",
    "assess.adjudication.checks.check_adjudicator",
    "assess.judging.checks.check_undo",
)
WITHOUT_TEXT = "It cannot be graded: choose “Later” or “Cannot judge”."


@dataclass(frozen=True)
class Attempt:
    """A judgement that an assessor tries to record, and the current one of the same assignment.

    `assignment` is that of `prepared.locked_assignment`: it is locked, and knows the beginning of the document's text.
    """

    member: Member
    collection: Collection
    assignment: Assignment
    judgement: Judgement | None
    input: JudgementInput

    @property
    def kind(self) -> int:
        """The kind of the judgement."""
        return self.assignment.repeat


Check = Callable[[Attempt], None]


@cache
def _checks() -> tuple[Check, ...]:
    return tuple(import_string(name) for name in CHECKS)


def run_checks(attempt: Attempt) -> None:
    """Raise Refused, Conflict, Closed, Paused or NotNeeded if the judgement may not be recorded."""
    for check in _checks():
        check(attempt)


def check_open(attempt: Attempt) -> None:
    """Refuse a judgement while the collection is closed for its kind."""
    collection = attempt.collection
    if because := collection.closed_for(attempt.kind):
        ends_at = collection.judging_ends_at
        has_ended = ends_at and ends_at <= timezone.now()
        # After a pause, judging may continue; and a collection that was closed may open again.
        refusal = Conflict if has_ended else Closed if collection.judging_closed_at else Paused
        raise refusal(f"{because} This judgement was not saved; earlier ones are kept.")


def check_text(attempt: Attempt) -> None:
    """Refuse a grade for a document that nobody can have read."""
    if attempt.input.state != State.JUDGED:
        return
    beginning: str | None = attempt.assignment.beginning  # type: ignore[attr-defined]  # of prepared.locked_assignment
    if beginning is None:
        raise Refused(f"The text of this document has not been imported yet. {WITHOUT_TEXT}")
    if is_empty(beginning, attempt.assignment.content_format):  # type: ignore[attr-defined]
        raise Refused(f"This document is empty. {WITHOUT_TEXT}")


def check_repeat(attempt: Attempt) -> None:
    """Refuse a hidden repeat that a page still shows although its first judgement was undone: it would be the first."""
    if attempt.judgement or attempt.kind != JudgementKind.REPEAT:
        return
    first = Assignment.objects.filter(task=attempt.assignment.task_id, member=attempt.assignment.member_id, repeat=0)
    if not first.filter(state__in=SETTLED).exists():
        raise NotNeeded("Judge this document when it is shown again later. This judgement was not saved.")


def check_undo(attempt: Attempt) -> None:
    """Refuse to undo what was not judged."""
    judgement = attempt.judgement
    if attempt.input.state == State.UNDONE and (judgement is None or judgement.state == State.UNDONE):
        raise Refused("There is nothing to undo: this document has not been judged.")
