"""What an assessor says of a task, recorded once and for ever.

Every change is one short transaction: a line in the ledger, and the judgement it leads to. A request carries the
client's own id, so that sending it again changes nothing and answers the same.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from assess.batches import BATCH
from assess.errors import Conflict, Refused
from assess.models import Assignment, Judgement, JudgementEvent, Member, Reason, State, User
from assess.models.judgement import Verdict

LONGEST_COMMENT = 5_000
LONGEST_ACTIVE_MS = 24 * 3600 * 1000  # of one saying, and of all on one task together


@dataclass(frozen=True)
class Saying:
    """What is said of a task. `check` gives the one sentence that is wrong with it."""

    state: str
    relevance: int | None = None
    reason: str = ""
    comment: str = ""
    active_ms: int = 0
    guidelines_version: int | None = None

    def check(self, scale: list[int]) -> None:
        if self.state not in State.values:
            raise Refused(f"State {self.state!r} is not known; a judgement is one of {', '.join(State.values)}.")
        if self.state == State.JUDGED and self.relevance not in scale:
            came = "No grade came" if self.relevance is None else f"Grade {self.relevance} is not on the scale"
            raise Refused(f"{came}; the grades are {', '.join(map(str, scale))}.")
        if self.state != State.JUDGED and self.relevance is not None:
            raise Refused(f"Grade {self.relevance} came with state {self.state}; only a judged document has a grade.")
        if self.state == State.CANNOT_JUDGE and self.reason not in Reason.values:
            raise Refused(f"Reason {self.reason!r} is not known; it is one of {', '.join(Reason.values)}.")
        if self.state != State.CANNOT_JUDGE and self.reason:
            raise Refused(f"A reason came with state {self.state}; only a document that cannot be judged has one.")
        if len(self.comment) > LONGEST_COMMENT or "\0" in self.comment:
            raise Refused(f"The comment is too long or not text; at most {LONGEST_COMMENT:,} characters are kept.")
        if not 0 <= self.active_ms <= LONGEST_ACTIVE_MS:
            raise Refused(f"Active time {self.active_ms} ms is not between 0 and one day.")

    def verdict(self) -> dict:
        """The columns that a judgement and its event share, but for the time spent, which adds up."""
        names = ("state", "relevance", "reason", "comment", "guidelines_version")
        return {name: getattr(self, name) for name in names}

    def same_as(self, verdict: Verdict) -> bool:
        mine = (self.state, self.relevance, self.reason, self.comment)
        return mine == (verdict.state, verdict.relevance, verdict.reason, verdict.comment)


def record(
    member: Member, public_id: uuid.UUID, saying: Saying, client_id: uuid.UUID, actor: User | None = None
) -> JudgementEvent:
    """Record what the assessor says of a task of their own; returns its line in the ledger, once that is durable.

    Raises Assignment.DoesNotExist where the task is not theirs, Refused where the saying does not fit, and Conflict
    where the client id was used for something else.
    """
    collection = member.collection
    saying.check(list(collection.grades.values_list("value", flat=True)))
    if saying.guidelines_version and not collection.guidelines.filter(version=saying.guidelines_version).exists():
        raise Refused(f"Guidelines of version {saying.guidelines_version} are not known; reload the page.")
    try:
        with transaction.atomic():
            # The lock puts two requests for one assignment in turn on PostgreSQL; SQLite writes in turn by itself.
            assignment = Assignment.objects.select_for_update(of=("self",)).get(
                member=member, task__public_id=public_id
            )
            if earlier := JudgementEvent.objects.filter(member=member, client_id=client_id).first():
                return _answer_again(earlier, assignment, saying)
            return _write(member, assignment.task_id, saying, client_id, actor)
    except IntegrityError:
        # The client id came for two tasks at once, or the grade left the scale in between: the database decides.
        raise Conflict("This judgement does not fit what was saved in the meantime; nothing was changed.") from None


def _write(member: Member, task_id: int, saying: Saying, client_id: uuid.UUID, actor: User | None) -> JudgementEvent:
    judgement = Judgement.objects.filter(task=task_id, member=member, repeat=0).first()
    if saying.state == State.UNDONE and (judgement is None or judgement.state == State.UNDONE):
        raise Refused("There is nothing to take back: this document has not been judged.")
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    judgement = judgement or Judgement(task_id=task_id, member=member)
    for name, value in saying.verdict().items():
        setattr(judgement, name, value)
    judgement.active_ms = min(judgement.active_ms + saying.active_ms, LONGEST_ACTIVE_MS)
    judgement.judged_at = timezone.now()
    judgement.save()
    event = _event(judgement, saying, before, actor=actor, client_id=client_id, source=JudgementEvent.Source.PAGE)
    event.save()
    return event


def _event(judgement: Judgement, saying: Saying, before: tuple, **origin) -> JudgementEvent:
    return JudgementEvent(
        judgement=judgement,
        member_id=judgement.member_id,
        before_state=before[0],
        before_relevance=before[1],
        active_ms=saying.active_ms,
        at=judgement.judged_at,
        **saying.verdict(),
        **origin,
    )


def _answer_again(earlier: JudgementEvent, assignment: Assignment, saying: Saying) -> JudgementEvent:
    if earlier.judgement.task_id != assignment.task_id or not saying.same_as(earlier):
        raise Conflict("This client id has already been used for another judgement; nothing was changed.")
    return earlier


class Said(NamedTuple):
    """A judgement that was made elsewhere."""

    member: Member
    task_id: int
    repeat: int
    saying: Saying
    at: datetime


def record_elsewhere(rows: Sequence[Said], actor=None) -> None:
    """Write judgements that were made elsewhere and are new here, inside the caller's transaction."""
    judgements = [
        Judgement(
            task_id=row.task_id,
            member=row.member,
            repeat=row.repeat,
            judged_at=row.at,
            active_ms=row.saying.active_ms,
            **row.saying.verdict(),
        )
        for row in rows
    ]
    Judgement.objects.bulk_create(judgements, batch_size=BATCH)
    JudgementEvent.objects.bulk_create(
        (
            _event(judgement, row.saying, ("", None), actor=actor, source=JudgementEvent.Source.IMPORT)
            for judgement, row in zip(judgements, rows, strict=True)
        ),
        batch_size=BATCH,
    )
