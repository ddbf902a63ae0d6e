"""Record judgements that were made elsewhere: many rows at once, with an event in the ledger for each.

The rows and their hashes are first written to a temporary table of the connection, which nobody waits for
(`stage_imported`). `record_staged` then copies them with two statements. Inserting 100,000 rows from Python would hold
the lock of SQLite six times as long.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, Field, OuterRef, Subquery
from django.utils import timezone

from assess.judging.chain import heads_of
from assess.judging.chain_format import FIELDS, Head, Key, event_hash, salted
from assess.judging.judgement_input import JudgementInput
from assess.lib.batches import column_values, insert_into, reserve_keys, temporary_tables
from assess.marginal.stored import Answered, save_answers
from assess.models import Assignment, Judgement, JudgementEvent, Member, State, Task, User
from assess.pools import claims
from assess.pools.new_tasks import Pair
from assess.pools.tasks import LAPSED
from assess.suggestions.stored import Assisted, save_assistance

STAGED = "staged_judgement"
KEYS = ("task_id", "member_id", "repeat")
CHAIN_COLUMNS = ("position", "hash", "comment_salt", "comment_hash")
OWN_COLUMNS = ("at", "active_ms", "away_ms", *CHAIN_COLUMNS)  # of each event


class ImportedJudgement(NamedTuple):
    """A judgement that was made elsewhere."""

    member: Member
    task_id: int
    repeat: int
    judgement_input: JudgementInput
    at: datetime


@dataclass(frozen=True)
class StagedJudgements:
    """Judgements in the temporary table, which exists until the connection ends or stages others."""

    members: Sequence[Member]
    recorded_at: datetime
    actor: User | None
    answers: Mapping[int, Answered]  # about marginal relevance, by the key of the judgement
    assisted: Mapping[int, Assisted]  # the suggestions that they were made with, by the key of the judgement


def record_imported(rows: Sequence[ImportedJudgement], actor: User | None = None) -> None:
    """Record judgements that are new here, inside the caller's transaction.

    The caller has locked the members, and the assignments that these judgements settle.
    """
    members = {row.member.pk: row.member for row in rows}
    tasks = Task.objects.filter(topic__collection__in={member.collection_id for member in members.values()})
    pairs = {pk: (query, doc) for pk, query, doc in tasks.values_list("pk", "topic__query_id", "document__doc_id")}
    with transaction.atomic():
        record_staged(stage_imported(rows, heads_of(Member.objects.filter(pk__in=members)), pairs, actor))


def stage_imported(
    rows: Sequence[ImportedJudgement], heads: Mapping[int, Head], pairs: Mapping[int, Pair], actor: User | None = None
) -> StagedJudgements:
    """Write judgements to the temporary table.

    `heads` are the heads of the members' chains by primary key, without those of new members. `pairs` are the pairs of
    the tasks by primary key. Members and tasks may have reserved keys and be saved later.
    """
    now = timezone.now()
    chains, keys = _Chains(heads, pairs, actor), reserve_keys(Judgement, len(rows))
    with temporary_tables():
        _create_table()
        columns = ("judgement_id", *KEYS, *OWN_COLUMNS, *_shared_columns())
        insert_into(STAGED, columns, _staged_rows(rows, keys, chains, now))
    members = {row.member.pk: row.member for row in rows}
    inputs = [(key, row.judgement_input) for key, row in zip(keys, rows, strict=True)]
    answers = {key: _answered(read) for key, read in inputs if read.marginal}
    assisted = {key: Assisted(read.assisted, read.suggested) for key, read in inputs if read.assisted}
    return StagedJudgements(list(members.values()), now, actor, answers, assisted)


def _answered(judgement_input: JudgementInput) -> Answered:
    return Answered(judgement_input.marginal, tuple(sorted(set(judgement_input.repeated))))


def _create_table() -> None:
    quote = connection.ops.quote_name
    fields: list[Field[Any, Any]] = [_field(Judgement, name) for name in KEYS]
    fields += [_field(JudgementEvent, name) for name in (*OWN_COLUMNS, *_shared_columns())]
    columns = [f"{quote(field.column or '')} {field.db_type(connection)}" for field in fields]
    key = f"judgement_id {_field(Judgement, 'id').db_type(connection)} PRIMARY KEY"
    with connection.cursor() as cursor:
        # An import that is planned again has staged its rows before.
        cursor.execute(f"DROP TABLE IF EXISTS {STAGED}")
        cursor.execute(f"CREATE TEMPORARY TABLE {STAGED} ({', '.join([key, *columns])})")


def _field(model: type[Judgement] | type[JudgementEvent], column: str) -> Any:
    return next(field for field in model._meta.concrete_fields if field.column == column)


def _shared_columns() -> tuple[str, ...]:
    return tuple(column_values(Judgement, JudgementInput(State.LATER).shared_fields()))


def _staged_rows(
    rows: Sequence[ImportedJudgement], keys: Sequence[int], chains: "_Chains", now: datetime
) -> Iterator[tuple[Any, ...]]:
    stored = _StoredValues()
    for key, row in zip(keys, rows, strict=True):
        read = row.judgement_input
        own = (stored.time(row.at), read.active_ms, read.away_ms, *chains.add(row, now))
        yield key, row.task_id, row.member.pk, row.repeat, *own, *stored.shared(read)


class _StoredValues:
    """Values as the database stores them. Rows of an import share times and inputs, so each is converted once."""

    def __init__(self) -> None:
        self._times: dict[datetime, Any] = {}
        self._inputs: dict[int, tuple[Any, ...]] = {}

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

    def __init__(self, heads: Mapping[int, Head], pairs: Mapping[int, Pair], actor: User | None) -> None:
        self._heads = dict(heads)
        self._pairs = pairs
        self._origin = {"source": JudgementEvent.Source.IMPORT.value, "actor_id": actor and actor.pk, "version": 1}

    def add(self, row: ImportedJudgement, now: datetime) -> tuple[int, bytes, bytes | None, bytes | None]:
        """Return position, hash, salt and comment hash of the row's event."""
        head, read = self._heads.get(row.member.pk, Head()), row.judgement_input
        salt, hashed = salted(read.comment)
        values = read.shared_fields() | self._origin
        values |= {"before_state": "", "comment_hash": hashed, "at": row.at, "recorded_at": now}
        values |= {"active_ms": read.active_ms, "away_ms": read.away_ms}
        key = Key(row.member.pk, *self._pairs[row.task_id], row.repeat)
        position = head.position + 1
        marginal = [read.marginal, list(_answered(read).repeats)] if read.marginal else []
        suggested = [read.assisted, read.suggested] if read.assisted else []
        new = event_hash(head.hash, position, key, [values.get(name) for name in FIELDS], marginal, suggested)
        self._heads[row.member.pk] = Head(position, new)
        return position, new, salt, hashed


def record_staged(staged: StagedJudgements) -> None:
    """Record staged judgements, inside the caller's transaction.

    The caller has locked the members, whose chains still have the heads that the judgements were staged with, and the
    assignments that these judgements settle.
    """
    same = {column: column for column in (*KEYS, "active_ms", "away_ms", *_shared_columns())}
    _copy(Judgement, {"id": "judgement_id", "judged_at": "at", **same}, {"version": 1})
    chain = {column: column for column in ("judgement_id", "at", *CHAIN_COLUMNS)}
    origin: dict[str, Any] = {"actor": staged.actor and staged.actor.pk, "source": JudgementEvent.Source.IMPORT}
    origin |= {"version": 1, "before_state": "", "recorded_at": staged.recorded_at}
    of_judgement = ("task_id", "repeat")
    in_both = {column: staged_as for column, staged_as in same.items() if column not in of_judgement}
    _copy(JudgementEvent, chain | in_both, column_values(JudgementEvent, origin))
    save_answers(staged.answers)
    save_assistance(staged.assisted)
    _update_assignments(staged.members)


def _copy(
    model: type[Judgement] | type[JudgementEvent], copied: Mapping[str, str], constants: Mapping[str, Any]
) -> None:
    """Insert a row for each staged judgement, in the order of their keys.

    `copied` are columns of the table by the model's column; `constants` are stored values that all rows share.
    """
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, (*copied, *constants)))
    values = ", ".join((*map(quote, copied.values()), *["%s"] * len(constants)))
    statement = f"INSERT INTO {model._meta.db_table} ({names}) SELECT {values} FROM {STAGED} ORDER BY judgement_id"  # noqa: S608 - only names
    with connection.cursor() as cursor:
        cursor.execute(statement, list(constants.values()))


def _update_assignments(members: Sequence[Member]) -> None:
    """Update the assignments here that new judgements of these members settle."""
    own = {name: OuterRef(name) for name in ("task", "member", "repeat")}
    judgements = Judgement.objects.filter(**own)
    # Without a judgement, the state of an assignment was one of these.
    unjudged = Assignment.objects.filter(member__in=members, state__in=("", LAPSED))
    settled = unjudged.filter(Exists(judgements)).update(state=Subquery(judgements.values("state")[:1]))
    if settled or any(member.user_id for member in members):
        for collection in {member.collection for member in members}:
            if collection.judges_per_task is not None:  # open to claims
                claims.open_to_claims(collection, collection.judges_per_task)  # recounts the slots
