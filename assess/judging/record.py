"""What an assessor says of a task, recorded once and for ever.

Every change is one short transaction: a line in the ledger, and the judgement it leads to. A request carries the
client's own id, so that sending it again changes nothing and answers the same.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction
from django.db.models import UUIDField
from django.utils import timezone

from assess.errors import Conflict, Paused, Refused
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.lib.batches import BATCH
from assess.lib.prepared import Composed, Given, Insert, Update
from assess.models import (
    Assignment,
    Collection,
    Judgement,
    JudgementEvent,
    Member,
    Passages,
    Reason,
    State,
    User,
)
from assess.models.judgement import Verdict
from assess.pools import slots
from assess.pools.claims import open_to_claims
from assess.pools.repeats import add_repeats
from assess.pools.tasks import LAPSED, SETTLED

OWN = Composed(
    lambda: (
        Assignment.objects.select_related("task")
        .filter(member=Given("member"), public_id=Given("public_id", UUIDField()))
        .select_for_update(of=("self",))
    )
)
JUDGEMENT = Composed(
    lambda: Judgement.objects.filter(task=Given("task"), member=Given("member"), repeat=Given("repeat"))
)
SAID = Composed(lambda: JudgementEvent.objects.filter(member=Given("member"), client_id=Given("id", UUIDField())))
MOVE = Update(Assignment, "state", "holds_place", "claimed_until")
ADD_JUDGEMENT = Insert(Judgement)
ADD_EVENT = Insert(JudgementEvent)
REVISE = Update(Judgement, *(field.name for field in Verdict._meta.fields), "version", "judged_at")
RULES = """
    SELECT grade.value, collection.judges_per_task, collection.claim_minutes, collection.judging_open,
        EXISTS (SELECT 1 FROM assess_guidelines WHERE collection_id = collection.id AND version = %s),
        EXISTS (SELECT 1 FROM assess_judgement WHERE task_id = %s AND member_id = %s AND repeat = %s)
    FROM assess_grade grade JOIN assess_collection collection ON collection.id = grade.collection_id
    WHERE collection.id = %s ORDER BY grade.value
"""


def record_judgement(
    member: Member,
    public_id: uuid.UUID,
    saying: JudgementInput,
    client_id: uuid.UUID,
    actor: User | None = None,
    seen_version: int | None = None,
) -> JudgementEvent:
    """Record what the assessor says of a task of their own; returns its line in the ledger, once that is durable.

    `public_id` is the assignment's. `seen_version` is the judgement's version as the assessor's page knew it. Raises
    Assignment.DoesNotExist where the task is not theirs, Refused where the saying does not fit, Conflict where
    the client id was used for something else or judging is not open, and NotNeeded where the task has its judges by
    now.

    What was recorded once is answered again whatever has changed since: the rules, or who has the task.
    """
    collection = member.collection
    try:
        with transaction.atomic():
            # The lock puts two requests for one assignment in turn on PostgreSQL; SQLite writes in turn by itself.
            assignment = OWN.first(member=member.pk, public_id=public_id)
            if assignment is None:
                raise Assignment.DoesNotExist
            rules = _rules(collection, assignment, saying.guidelines_version)
            keys = {"task": assignment.task_id, "member": assignment.member_id, "repeat": assignment.repeat}
            judgement = JUDGEMENT.first(**keys) if rules.was_said else None
            # Of a task that nothing was said of, nothing can come again; a client id of another task cannot be saved.
            if judgement and (earlier := _said_before(member, client_id)):
                return _answer_again(earlier, assignment, saying)
            _check(collection, saying, rules)
            _check_open(collection)
            _check_turn(assignment, judgement)
            if saying.state == State.UNDONE and (judgement is None or judgement.state == State.UNDONE):
                raise Refused("There is nothing to take back: this document has not been judged.")
            _move(assignment, saying.state, collection)
            origin = {"actor": actor, "client_id": client_id, "source": JudgementEvent.Source.PAGE}
            return _write(assignment, judgement, saying, seen_version=seen_version, **origin)
    except Assignment.DoesNotExist:
        if (earlier := _said_before(member, client_id)) and saying.same_as(earlier):
            return earlier
        raise
    except IntegrityError:
        # The client id came for two tasks at once, or the grade left the scale in between: the database decides.
        raise Conflict("This judgement does not fit what was saved in the meantime; nothing was changed.") from None


def _said_before(member: Member, client_id: uuid.UUID) -> JudgementEvent | None:
    return SAID.first(member=member.pk, id=client_id)


def _check(collection: Collection, saying: JudgementInput, rules: "Rules") -> None:
    saying.check(rules.scale)
    if saying.state == State.CANNOT_JUDGE and saying.reason == Reason.OTHER and not saying.comment:
        raise Refused("Another reason needs words: say in the comment why this document cannot be judged.")
    if saying.guidelines_version and not rules.guidelines_known:
        raise Refused(f"Guidelines of version {saying.guidelines_version} are not known; reload the page.")
    relevant = saying.state == State.JUDGED and saying.relevance != rules.scale[0]
    if collection.passages == Passages.REQUIRED and relevant and not saying.passages:
        raise Refused("Mark the passage that decided it: this collection asks for it with every relevant document.")


def _check_open(collection: Collection) -> None:
    """What was recorded in time is answered again at any time; nothing new comes in while judging is closed."""
    if because := collection.closed_because:
        ends_at = collection.judging_ends_at
        kind = Conflict if ends_at and ends_at <= timezone.now() else Paused  # after a pause it may go on
        raise kind(f"{because} This was not saved; what came before is kept.")


def _check_turn(assignment: Assignment, judgement: Judgement | None) -> None:
    """A hidden repeat that a page still shows is not judged while its first judgement is taken back: it would be the
    first."""
    if judgement or not assignment.repeat:
        return
    first = Assignment.objects.filter(task=assignment.task_id, member=assignment.member_id, repeat=0)
    if not first.filter(state__in=SETTLED).exists():
        raise slots.NotNeeded("This document comes up again later. What you said of it now was not kept.")


class Rules(NamedTuple):
    """The scale, whether there are guidelines of the version that came, and whether the task was judged before."""

    scale: list[int]
    guidelines_known: bool
    was_said: bool


def _rules(collection: Collection, assignment: Assignment, version: int | None) -> Rules:
    """By what a saying is checked.

    The collection learns whether it is open, to claims and at all, by now. The request read that before it held the
    assignment, and whoever opens a collection to claims, or closes it, holds all of them: only now it cannot change.

    Every judgement asks this. Written by hand it takes a tenth of the time that composing it would.
    """
    with connection.cursor() as cursor:
        of_judgement = [assignment.task_id, assignment.member_id, assignment.repeat]
        cursor.execute(RULES, [version, *of_judgement, collection.pk])
        rows = cursor.fetchall()
    if rows:
        collection.judges_per_task, collection.claim_minutes, is_open = rows[0][1:4]
        collection.judging_open = bool(is_open)
    return Rules([row[0] for row in rows], any(row[4] for row in rows), any(row[5] for row in rows))


def _move(assignment: Assignment, state: str, collection: Collection) -> None:
    # A place may be held from a moment ago, when the collection was open: then it is given back all the same.
    if (collection.open_to_claims or assignment.holds_place) and not assignment.repeat:
        slots.settle(assignment, state, collection)
    if assignment.state == LAPSED:  # as if claimed again: its repeat went when it lapsed
        add_repeats(assignment.member, [(assignment, assignment.task)])
    assignment.state = state
    MOVE(assignment)


def _write(assignment: Assignment, judgement: Judgement | None, saying: JudgementInput, **origin) -> JudgementEvent:
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    if judgement is None:
        judgement = Judgement(member_id=assignment.member_id, repeat=assignment.repeat, version=0)
    judgement.task = assignment.task  # whoever answers the request asks for its topic
    for name, value in saying.verdict().items():
        setattr(judgement, name, value)
    judgement.active_ms = min(judgement.active_ms + saying.active_ms, LONGEST_MS)
    judgement.away_ms = min(judgement.away_ms + saying.away_ms, LONGEST_MS)
    judgement.version += 1
    judgement.judged_at = timezone.now()
    (REVISE if judgement.pk else ADD_JUDGEMENT)(judgement)
    event = _event(judgement, saying, before, **origin)
    ADD_EVENT(event)
    return event


def _event(judgement: Judgement, saying: JudgementInput, before: tuple, **origin) -> JudgementEvent:
    return JudgementEvent(
        judgement=judgement,
        member_id=judgement.member_id,
        version=judgement.version,
        before_state=before[0],
        before_relevance=before[1],
        active_ms=saying.active_ms,
        away_ms=saying.away_ms,
        at=judgement.judged_at,
        **saying.verdict(),
        **origin,
    )


def _answer_again(earlier: JudgementEvent, assignment: Assignment, saying: JudgementInput) -> JudgementEvent:
    judgement = earlier.judgement
    same_place = (judgement.task_id, judgement.repeat) == (assignment.task_id, assignment.repeat)
    if not same_place or not saying.same_as(earlier):
        raise Conflict("This client id has already been used for another judgement; nothing was changed.")
    return earlier


class ImportedJudgement(NamedTuple):
    """A judgement that was made elsewhere."""

    member: Member
    task_id: int
    repeat: int
    saying: JudgementInput
    at: datetime


def record_imported(rows: Sequence[ImportedJudgement], actor=None) -> None:
    """Write judgements that were made elsewhere and are new here, inside the caller's transaction."""
    judgements = [
        Judgement(
            task_id=row.task_id,
            member=row.member,
            repeat=row.repeat,
            judged_at=row.at,
            active_ms=row.saying.active_ms,
            away_ms=row.saying.away_ms,
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
    _tell_assignments(rows)


def _tell_assignments(rows: Sequence[ImportedJudgement]) -> None:
    """What was given to a judge here, and was judged elsewhere, is settled here too."""
    said = {(row.task_id, row.member.pk, row.repeat): row.saying.state for row in rows}
    given = Assignment.objects.filter(member__in={row.member for row in rows})
    met = [each for each in given if (each.task_id, each.member_id, each.repeat) in said]
    for each in met:
        each.state = said[each.task_id, each.member_id, each.repeat]
    Assignment.objects.bulk_update(met, ["state"], batch_size=200)
    for collection in {row.member.collection for row in rows}:
        if collection.open_to_claims:
            open_to_claims(collection, collection.judges_per_task)  # counts the places anew
