"""Record judgements.

Every change is one short transaction: an event in the ledger, and the judgement that the event leads to. A request
carries a client id, so that sending it again changes nothing and gets the same answer.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from assess import prepared
from assess.errors import Conflict, Paused, Refused
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.lib.batches import column_values, insert_rows
from assess.models import Assignment, Collection, Judgement, JudgementEvent, Member, Passages, Reason, State, User
from assess.models.judgement import ALL_FIELDS
from assess.pools import claims, slots
from assess.pools.repeats import add_repeats
from assess.pools.tasks import LAPSED, SETTLED


def record_judgement(
    member: Member,
    public_id: uuid.UUID,
    judgement_input: JudgementInput,
    client_id: uuid.UUID,
    actor: User | None = None,
    seen_version: int | None = None,
) -> JudgementEvent:
    """Record a judgement of the assessor and return its event, when both are durable.

    `public_id` is the assignment's. `seen_version` is the version of the judgement that the assessor's page knew.

    Raises Assignment.DoesNotExist if the assessor does not have this task, Refused if the judgement is invalid,
    Conflict if the client id belongs to another judgement or judging is closed, and NotNeeded if the task has all its
    judges.

    A judgement that was recorded before is answered again, even if the rules or the assignment have changed since.
    """
    collection = member.collection
    try:
        with transaction.atomic():
            assignment = prepared.locked_assignment(member, public_id)
            if assignment is None:
                raise Assignment.DoesNotExist
            judgement = prepared.judgement(assignment)
            # Without a judgement nothing was recorded before: a client id used for another task cannot be saved.
            if judgement and (earlier := _earlier_event(member, client_id)):
                return _same_answer(earlier, assignment, judgement_input)
            _refresh_rules(collection)
            _check_input(collection, judgement_input)
            _check_open(collection)
            _check_repeat(assignment, judgement)
            if judgement_input.state == State.UNDONE and (judgement is None or judgement.state == State.UNDONE):
                raise Refused("There is nothing to undo: this document has not been judged.")
            _update_assignment(assignment, judgement_input.state, collection)
            origin = {"actor": actor, "client_id": client_id, "source": JudgementEvent.Source.PAGE}
            return _write(assignment, judgement, judgement_input, seen_version=seen_version, **origin)
    except Assignment.DoesNotExist:
        if (earlier := _earlier_event(member, client_id)) and judgement_input.same_as(earlier):
            return earlier
        raise
    except IntegrityError:
        # The client id arrived for two tasks at once, or the grade left the scale meanwhile: the database decides.
        raise Conflict(
            "This judgement conflicts with one that was saved in the meantime; nothing was changed."
        ) from None


def _earlier_event(member: Member, client_id: uuid.UUID) -> JudgementEvent | None:
    return JudgementEvent.objects.filter(member=member, client_id=client_id).first()


def _refresh_rules(collection: Collection) -> None:
    """Read again whether the collection is open, and open to claims.

    The request read the collection before it locked the assignment. Opening and closing a collection locks all its
    assignments, so from now on the values cannot change until this transaction ends.
    """
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes", "judging_open"])


def _check_input(collection: Collection, judgement_input: JudgementInput) -> None:
    scale = list(collection.grades.order_by("value").values_list("value", flat=True))
    judgement_input.check(scale)
    is_other = judgement_input.state == State.CANNOT_JUDGE and judgement_input.reason == Reason.OTHER
    if is_other and not judgement_input.comment:
        raise Refused("The reason 'other' needs a comment that explains why this document cannot be judged.")
    version = judgement_input.guidelines_version
    if version and not collection.guidelines.filter(version=version).exists():
        raise Refused(f"There is no version {version} of the guidelines; reload the page.")
    is_relevant = judgement_input.state == State.JUDGED and judgement_input.relevance != scale[0]
    if collection.passages == Passages.REQUIRED and is_relevant and not judgement_input.passages:
        raise Refused("Mark the passage that makes the document relevant: this collection requires one.")


def _check_open(collection: Collection) -> None:
    if because := collection.closed_because:
        ends_at = collection.judging_ends_at
        kind = Conflict if ends_at and ends_at <= timezone.now() else Paused  # after a pause, judging may continue
        raise kind(f"{because} This judgement was not saved; earlier ones are kept.")


def _check_repeat(assignment: Assignment, judgement: Judgement | None) -> None:
    """Refuse a hidden repeat that a page still shows although its first judgement was undone: it would be the first."""
    if judgement or not assignment.repeat:
        return
    first = Assignment.objects.filter(task=assignment.task_id, member=assignment.member_id, repeat=0)
    if not first.filter(state__in=SETTLED).exists():
        raise slots.NotNeeded("Judge this document when it is shown again later. This judgement was not saved.")


def _update_assignment(assignment: Assignment, state: str, collection: Collection) -> None:
    # A slot that was taken while the collection was open to claims is released even if it is closed now.
    if (collection.open_to_claims or assignment.holds_place) and not assignment.repeat:
        slots.update_slot(assignment, state, collection)
    if assignment.state == LAPSED:  # this claims the task again: its repeat was deleted when the claim lapsed
        add_repeats(assignment.member, [(assignment, assignment.task)])
    assignment.state = state
    assignment.save(update_fields=["state", "holds_place", "claimed_until"])


def _write(
    assignment: Assignment, judgement: Judgement | None, judgement_input: JudgementInput, **origin: Any
) -> JudgementEvent:
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    if judgement is None:
        judgement = Judgement(member_id=assignment.member_id, repeat=assignment.repeat, version=0)
    judgement.task = assignment.task  # the answer to the request needs its topic
    for name, value in judgement_input.shared_fields().items():
        setattr(judgement, name, value)
    judgement.active_ms = min(judgement.active_ms + judgement_input.active_ms, LONGEST_MS)
    judgement.away_ms = min(judgement.away_ms + judgement_input.away_ms, LONGEST_MS)
    judgement.version += 1
    judgement.judged_at = timezone.now()
    judgement.save(update_fields=[*ALL_FIELDS, "version", "judged_at"] if judgement.pk else None)
    event = _event(judgement, judgement_input, before, **origin)
    event.save(force_insert=True)
    return event


def _event(
    judgement: Judgement, judgement_input: JudgementInput, before: tuple[str, int | None], **origin: Any
) -> JudgementEvent:
    return JudgementEvent(
        judgement=judgement,
        member_id=judgement.member_id,
        version=judgement.version,
        before_state=before[0],
        before_relevance=before[1],
        active_ms=judgement_input.active_ms,
        away_ms=judgement_input.away_ms,
        at=judgement.judged_at,
        **judgement_input.shared_fields(),
        **origin,
    )


def _same_answer(earlier: JudgementEvent, assignment: Assignment, judgement_input: JudgementInput) -> JudgementEvent:
    judgement = earlier.judgement
    is_same_task = (judgement.task_id, judgement.repeat) == (assignment.task_id, assignment.repeat)
    if not is_same_task or not judgement_input.same_as(earlier):
        raise Conflict("This client id has already been used for another judgement; nothing was changed.")
    return earlier


# ---- judgements from files


class ImportedJudgement(NamedTuple):
    """A judgement that was made elsewhere."""

    member: Member
    task_id: int
    repeat: int
    judgement_input: JudgementInput
    at: datetime


def record_imported(rows: Sequence[ImportedJudgement], actor: User | None = None) -> None:
    """Record judgements that were made elsewhere and are new here, inside the caller's transaction."""
    stored = _StoredValues()
    columns = stored.columns(Judgement)
    own = ("task_id", "member_id", "repeat", "judged_at", "version", "active_ms", "away_ms")
    insert_rows(Judgement, [*own, *columns], (_judgement_row(row, stored) for row in rows))
    keys = _keys_of_new(rows)
    own_of_event = ("judgement_id", "member_id", "actor_id", "source", "version", "before_state", "at", "recorded_at")
    source, now = JudgementEvent.Source.IMPORT, stored.time(timezone.now())
    events = (
        (
            keys[row.task_id, row.member.pk, row.repeat],
            row.member.pk,
            actor and actor.pk,
            source,
            1,
            "",
            stored.time(row.at),
            now,
            row.judgement_input.active_ms,
            row.judgement_input.away_ms,
            *stored.shared(row.judgement_input),
        )
        for row in rows
    )
    insert_rows(JudgementEvent, [*own_of_event, "active_ms", "away_ms", *columns], events)
    _update_assignments(rows)


class _StoredValues:
    """Values as the database stores them. Rows of an import share times and inputs, so each is converted once."""

    def __init__(self) -> None:
        self._times: dict[datetime, Any] = {}
        self._inputs: dict[int, tuple[Any, ...]] = {}

    def columns(self, model: type[Judgement]) -> list[str]:
        return list(column_values(model, JudgementInput(State.LATER).shared_fields()))

    def time(self, at: datetime) -> Any:
        if at not in self._times:
            self._times[at] = column_values(Judgement, {"judged_at": at})["judged_at"]
        return self._times[at]

    def shared(self, judgement_input: JudgementInput) -> tuple[Any, ...]:
        # By identity: comparing inputs costs more than converting them. The rows keep the objects alive.
        if (key := id(judgement_input)) not in self._inputs:
            self._inputs[key] = tuple(column_values(Judgement, judgement_input.shared_fields()).values())
        return self._inputs[key]


def _judgement_row(row: ImportedJudgement, stored: _StoredValues) -> tuple[Any, ...]:
    read = row.judgement_input
    own = (row.task_id, row.member.pk, row.repeat, stored.time(row.at), 1, read.active_ms, read.away_ms)
    return *own, *stored.shared(read)


def _keys_of_new(rows: Sequence[ImportedJudgement]) -> dict[tuple[int, int, int], int]:
    """Return the primary keys of the judgements of these members, by task, member and repeat."""
    judgements = Judgement.objects.filter(member__in={row.member.pk for row in rows})
    keys = judgements.values_list("task_id", "member_id", "repeat", "pk")
    return {(task, member, repeat): pk for task, member, repeat, pk in keys}


def _update_assignments(rows: Sequence[ImportedJudgement]) -> None:
    """Update the assignments here that these judgements settle."""
    states = {(row.task_id, row.member.pk, row.repeat): row.judgement_input.state for row in rows}
    assignments = Assignment.objects.filter(member__in={row.member for row in rows})
    settled = [each for each in assignments if (each.task_id, each.member_id, each.repeat) in states]
    for assignment in settled:
        assignment.state = states[assignment.task_id, assignment.member_id, assignment.repeat]
    Assignment.objects.bulk_update(settled, ["state"], batch_size=200)
    for collection in {row.member.collection for row in rows}:
        if collection.judges_per_task is not None:  # open to claims
            claims.open_to_claims(collection, collection.judges_per_task)  # recounts the slots
