"""Norming rounds: a group judges the same documents blind, sees the votes, discusses, and judges again.

The documents are drawn from those that nobody in the group has judged or may judge. Their judgements are of their own
kinds and enter no figure or gold. A researcher moves the round from one phase to the next. Only then do the members
see the votes.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import (
    Action,
    Assignment,
    Collection,
    Judgement,
    JudgementKind,
    Member,
    NormingRound,
    Task,
    User,
)
from assess.pools.tasks import OPEN, SETTLED, pooled_tasks
from pooling.errors import shown

MOST_DOCUMENTS = 50
MIN_PEOPLE = 2
Phase = NormingRound.Phase
NEXT_PHASE = {Phase.BEFORE: Phase.DISCUSSION, Phase.DISCUSSION: Phase.AFTER, Phase.AFTER: Phase.ENDED}
KINDS = {Phase.BEFORE: JudgementKind.NORMING_BEFORE, Phase.AFTER: JudgementKind.NORMING_AFTER}


def begin_norming(
    collection: Collection,
    documents: int,
    people: Sequence[str] = (),
    query_id: str | None = None,
    actor: User | None = None,
) -> NormingRound:
    """Draw documents, of one topic or of all, and assign them to the named assessors, or to all."""
    if not 1 <= documents <= MOST_DOCUMENTS:
        raise Refused(f"A norming round has between 1 and {MOST_DOCUMENTS} documents, not {documents:,}.")
    with transaction.atomic():
        lock_active(collection)
        members = _members(collection, people)
        number = (collection.norming_rounds.order_by("-number").values_list("number", flat=True).first() or 0) + 1
        tasks = _draw(collection, members, number, documents, query_id)
        norming = NormingRound.objects.create(collection=collection, number=number)
        norming.tasks.add(*tasks)
        norming.members.add(*members)
        _assign(norming)
        details = {"number": number, "documents": len(tasks), "people": len(members)}
        audit.record(Action.NORMING_BEGUN, actor=actor, collection=collection, details=details)
    return norming


def _members(collection: Collection, names: Sequence[str]) -> list[Member]:
    assessors = {member.name: member for member in active_assessors(collection)}
    if unknown := [name for name in names if name not in assessors]:
        raise Refused(f"{collection} has no assessor {shown(unknown[0])} who can sign in.")
    members = [assessors[name] for name in dict.fromkeys(names)] if names else list(assessors.values())
    if len(members) < MIN_PEOPLE:
        raise Refused(f"A norming round needs at least {MIN_PEOPLE} assessors who can sign in, not {len(members)}.")
    return members


def _draw(
    collection: Collection, members: Sequence[Member], number: int, documents: int, query_id: str | None
) -> list[Task]:
    held = Assignment.objects.filter(task=OuterRef("pk"), member__in=members)
    judged = Judgement.objects.filter(task=OuterRef("pk"), member__in=members)
    free = pooled_tasks(collection).exclude(Exists(held)).exclude(Exists(judged))
    free = free.filter(document__content__isnull=False)
    if query_id is not None:
        free = free.filter(topic__query_id=query_id)
    seed = collection.seed
    keys = sorted(free.values_list("draw", "pk"), key=lambda row: draw(seed, "norming", str(number), str(row[0])))
    if len(keys) < documents:
        where = f" of topic {shown(query_id)}" if query_id is not None else ""
        raise Refused(
            f"Documents{where} with a text that nobody in the group has: {len(keys):,}. The round needs {documents:,}."
        )
    return list(Task.objects.filter(pk__in=[pk for _, pk in keys[:documents]]).order_by("pk"))


def _assign(norming: NormingRound) -> None:
    """Assign all documents to all members, for the present phase."""
    kind = KINDS[Phase(norming.phase)]
    tasks = list(norming.tasks.order_by("draw", "pk"))
    Assignment.objects.bulk_create(
        # Low positions come first: other tasks have random positions in a large range.
        Assignment(task=task, topic_id=task.topic_id, member=member, repeat=kind, position=position)
        for position, task in enumerate(tasks)
        for member in norming.members.order_by("pk")
    )


def move_on(collection: Collection, number: int, phase: str, actor: User | None = None) -> NormingRound:
    """Move a round from `phase` to the next one. What is not judged in this phase stays without a vote."""
    with transaction.atomic():
        lock_active(collection)
        norming = _find_in(collection, number, phase)
        _remove_open(norming)
        norming.phase = NEXT_PHASE[Phase(phase)]
        norming.save(update_fields=["phase"])
        if norming.phase == Phase.AFTER:
            _assign(norming)
        details = {"number": number, "phase": norming.phase}
        audit.record(Action.NORMING_MOVED, actor=actor, collection=collection, details=details)
    return norming


def _find_in(collection: Collection, number: int, phase: str) -> NormingRound:
    norming = find_norming(collection, number)
    if phase not in NEXT_PHASE:
        raise Refused(f"phase must be one of {', '.join(NEXT_PHASE)}, not {shown(phase)}.")
    if norming.phase != phase:
        raise Refused(f"Somebody has already moved norming round {number} on: it is {norming.get_phase_display()}.")
    return norming


def _remove_open(norming: NormingRound) -> None:
    """Delete the assignments without a vote. Judgements that are being recorded are waited for."""
    kind = KINDS.get(Phase(norming.phase))
    assignments = Assignment.objects.filter(
        task__in=norming.tasks.values("pk"), member__in=norming.members.values("pk"), repeat=kind
    )
    list(assignments.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    Assignment.objects.filter(pk__in=list(assignments.filter(state__in=OPEN).values_list("pk", flat=True))).delete()


def progress_of(norming: NormingRound) -> tuple[int, int] | None:
    """Return how many votes of the present phase are in, and how many there can be; None if nobody judges now."""
    kind = KINDS.get(Phase(norming.phase))
    if kind is None:
        return None
    recorded = Judgement.objects.filter(
        task__in=norming.tasks.values("pk"), member__in=norming.members.values("pk"), repeat=kind, state__in=SETTLED
    )
    return recorded.count(), norming.tasks.count() * norming.members.count()


def undo_norming(collection: Collection, number: int, actor: User | None = None) -> None:
    """Remove a round and its assignments, as long as nobody has judged."""
    with transaction.atomic():
        lock_active(collection)
        norming = find_norming(collection, number)
        if norming.phase != Phase.BEFORE:
            raise Refused(f"Norming round {number} cannot be undone: the group has seen the votes.")
        _remove_open(norming)
        judged = Judgement.objects.filter(
            task__in=norming.tasks.values("pk"), member__in=norming.members.values("pk"), repeat__in=KINDS.values()
        )
        if judged.exists():
            raise Refused(f"Norming round {number} cannot be undone: some of its documents are judged.")
        norming.delete()
        audit.record(Action.NORMING_UNDONE, actor=actor, collection=collection, details={"number": number})


def find_norming(collection: Collection, number: int) -> NormingRound:
    """Return the round with this number, or refuse with the existing ones."""
    if norming := collection.norming_rounds.filter(number=number).first():
        return norming
    existing = ", ".join(str(each.number) for each in collection.norming_rounds.all()) or "none"
    raise Refused(f"{collection} has no norming round {number}. Existing rounds: {existing}.")
