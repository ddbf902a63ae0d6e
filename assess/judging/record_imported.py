"""Record judgements that were made elsewhere: many rows at once, with an event in the ledger for each."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone

from assess.judging.chain import FIELDS, Head, Key, event_hash, heads_of, salted
from assess.judging.judgement_input import JudgementInput
from assess.lib.batches import column_values, insert_rows
from assess.models import Assignment, Judgement, JudgementEvent, Member, State, Task, User
from assess.pools import claims

CHAIN_COLUMNS = ("position", "hash", "comment_salt", "comment_hash")


class ImportedJudgement(NamedTuple):
    """A judgement that was made elsewhere."""

    member: Member
    task_id: int
    repeat: int
    judgement_input: JudgementInput
    at: datetime


def record_imported(rows: Sequence[ImportedJudgement], actor: User | None = None) -> None:
    """Record judgements that are new here, inside the caller's transaction.

    The caller has locked the members, and the assignments that these judgements settle.
    """
    stored = _StoredValues()
    columns = stored.columns(Judgement)
    own = ("task_id", "member_id", "repeat", "judged_at", "version", "active_ms", "away_ms")
    insert_rows(Judgement, [*own, *columns], (_judgement_row(row, stored) for row in rows))
    keys, chains, now = _keys_of_new(rows), _Chains(rows, actor), timezone.now()
    own_of_event = ("judgement_id", "member_id", "actor_id", "source", "version", "before_state", "at", "recorded_at")
    events = (
        (
            keys[row.task_id, row.member.pk, row.repeat],
            row.member.pk,
            actor and actor.pk,
            JudgementEvent.Source.IMPORT,
            1,
            "",
            stored.time(row.at),
            stored.time(now),
            row.judgement_input.active_ms,
            row.judgement_input.away_ms,
            *chains.add(row, now),
            *stored.shared(row.judgement_input),
        )
        for row in rows
    )
    insert_rows(JudgementEvent, [*own_of_event, "active_ms", "away_ms", *CHAIN_COLUMNS, *columns], events)
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


class _Chains:
    """The chains of the members, to which the new events are added in the order of the rows."""

    def __init__(self, rows: Sequence[ImportedJudgement], actor: User | None) -> None:
        members = {row.member.pk: row.member for row in rows}
        self._heads = heads_of(Member.objects.filter(pk__in=members))
        tasks = Task.objects.filter(topic__collection__in={member.collection_id for member in members.values()})
        pairs = tasks.values_list("pk", "topic__query_id", "document__doc_id")
        self._pairs = {pk: (query_id, doc_id) for pk, query_id, doc_id in pairs}
        self._origin = {"source": JudgementEvent.Source.IMPORT.value, "actor_id": actor and actor.pk, "version": 1}

    def add(self, row: ImportedJudgement, now: datetime) -> tuple[int, bytes, bytes | None, bytes | None]:
        """Return position, hash, salt and comment hash of the row's event."""
        head, read = self._heads[row.member.pk], row.judgement_input
        salt, hashed = salted(read.comment)
        values = read.shared_fields() | self._origin
        values |= {"before_state": "", "comment_hash": hashed, "at": row.at, "recorded_at": now}
        values |= {"active_ms": read.active_ms, "away_ms": read.away_ms}
        key = Key(row.member.pk, *self._pairs[row.task_id], row.repeat)
        position = head.position + 1
        new = event_hash(head.hash, position, key, [values.get(name) for name in FIELDS])
        self._heads[row.member.pk] = Head(position, new)
        return position, new, salt, hashed


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
