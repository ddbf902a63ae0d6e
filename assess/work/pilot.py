"""Pilots: a few documents that everybody judges, so that people agree on the guidelines before the main round.

The documents are drawn from those that nobody has yet, by the collection's seed and the number of the pilot; ranks and
systems play no part. Their judgements are regular ones and count everywhere. The main round assigns the rest: what a
pilot has assigned counts as assigned. A pilot can be repeated with other documents, and undone until one of its
documents is judged.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Action, Assignment, Collection, Judgement, Member, Pilot, Task, User
from assess.pools.assign import adopt_judgements
from assess.pools.free_tasks import PRIME
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks
from pooling.errors import shown
from pooling.words import count

MOST_DOCUMENTS = 500
MIN_ASSESSORS = 2  # agreement needs two


@dataclass(frozen=True)
class PilotSummary:
    """A pilot with its numbers: `done` of `assigned` judgements are made. It can be undone if nothing is `recorded`."""

    number: int
    begun_at: datetime
    documents: int
    topics: int
    people: int
    assigned: int
    done: int
    recorded: int

    @property
    def is_done(self) -> bool:
        return self.done >= self.assigned


def pilots_of(collection: Collection) -> list[PilotSummary]:
    """Return the pilots of a collection with their numbers, in order."""
    counted = (
        Assignment.objects.filter(task__pilots__collection=collection)
        .order_by("task__pilots__number")
        .values(number=F("task__pilots__number"), begun_at=F("task__pilots__created_at"))
        .annotate(
            documents=Count("task", distinct=True),
            topics=Count("topic", distinct=True),
            people=Count("member", distinct=True),
            assigned=Count("pk", filter=Q(repeat=0)),
            done=Count("pk", filter=Q(repeat=0, state__in=SETTLED)),
            recorded=Count("pk", filter=~Q(state__in=("", LAPSED))),
        )
    )
    return [PilotSummary(**row) for row in counted]


@transaction.atomic
def create_pilot(
    collection: Collection,
    documents: int,
    topics: int | None = None,
    people: Sequence[str] = (),
    actor: User | None = None,
) -> Pilot:
    """Draw a pilot and assign it to the named assessors, or to all.

    `documents` are drawn from the pool; with `topics`, as many from each of this number of topics.
    """
    lock_active(collection)
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        raise Refused(f"{collection} is open to claims. Close it to claims first, and open it after the pilot.")
    members = _members(collection, people)
    adopt_judgements(collection)
    number = (collection.pilots.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    tasks = _draw(collection, number, documents, topics)
    pilot = Pilot.objects.create(collection=collection, number=number)
    pilot.tasks.add(*tasks)
    Assignment.objects.bulk_create(
        (
            Assignment(task=task, topic_id=task.topic_id, member=member, position=_position(collection, member, task))
            for task in tasks
            for member in members
        ),
        batch_size=BATCH,
    )
    details = {"number": number, "documents": len(tasks), "people": len(members)}
    audit.record(Action.PILOT_CREATED, actor=actor, collection=collection, details=details)
    return pilot


def _members(collection: Collection, names: Sequence[str]) -> list[Member]:
    assessors = {member.name: member for member in active_assessors(collection)}
    if unknown := [name for name in names if name not in assessors]:
        raise Refused(f"{collection} has no assessor {shown(unknown[0])} who can sign in.")
    members = [assessors[name] for name in dict.fromkeys(names)] if names else list(assessors.values())
    if len(members) < MIN_ASSESSORS:
        raise Refused(f"A pilot needs at least {MIN_ASSESSORS} assessors who can sign in, not {len(members)}.")
    return members


def _draw(collection: Collection, number: int, documents: int, topics: int | None) -> list[Task]:
    """Draw tasks that nobody has, or refuse if there are too few."""
    total = documents * (topics or 1)
    if documents < 1 or (topics is not None and topics < 1) or total > MOST_DOCUMENTS:
        raise Refused(f"A pilot has 1 to {MOST_DOCUMENTS} documents, not {total:,}.")
    free = _free_tasks(collection).order_by(*_order(collection, number))
    if topics is None:
        drawn = list(free[:documents])
        if len(drawn) < documents:
            raise Refused(f"{collection} has {count(len(drawn), 'document')} that nobody has yet, not {documents:,}.")
        return drawn
    by_topic: dict[int, list[int]] = defaultdict(list)
    for task, topic in free.values_list("pk", "topic"):
        by_topic[topic].append(task)
    enough = [tasks[:documents] for tasks in by_topic.values() if len(tasks) >= documents]
    if len(enough) < topics:
        free_documents = f"{count(documents, 'document')} that nobody has yet"
        raise Refused(f"{count(len(enough), 'topic')} with {free_documents}: fewer than {topics:,}.")
    return list(Task.objects.filter(pk__in=chain(*enough[:topics])).order_by("pk"))


def _free_tasks(collection: Collection) -> QuerySet[Task]:
    """Return the pooled tasks that are assigned to nobody."""
    return pooled_tasks(collection).exclude(Exists(Assignment.objects.filter(task=OuterRef("pk"))))


def _order(collection: Collection, number: int) -> tuple[Any, ...]:
    """Return a random order for each pilot: the tasks' draws times a factor, modulo a prime. The database sorts."""
    factor = 1 + draw(collection.seed, "pilot", str(number)) % (PRIME - 1)
    return Cast("draw", BigIntegerField()) * Value(factor, BigIntegerField()) % PRIME, "pk"


def _position(collection: Collection, member: Member, task: Task) -> int:
    return draw(collection.seed, "pilot", member.name, str(task.draw))


@transaction.atomic
def undo_pilot(collection: Collection, number: int, actor: User | None = None) -> None:
    """Remove a pilot and its assignments, as long as none of its documents is judged."""
    lock_active(collection)
    pilot = find_pilot(collection, number)
    assignments = Assignment.objects.filter(task__pilots=pilot)
    # A judgement locks its assignment first, so it is either seen here or finds no assignment.
    list(assignments.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    if Judgement.objects.filter(task__pilots=pilot, member__in=assignments.values("member")).exists():
        raise Refused(f"Pilot {number} cannot be undone: some of its documents are judged.")
    Assignment.objects.filter(pk__in=list(assignments.values_list("pk", flat=True))).delete()
    pilot.delete()
    audit.record(Action.PILOT_UNDONE, actor=actor, collection=collection, details={"number": number})


def find_pilot(collection: Collection, number: int) -> Pilot:
    """Return the pilot with this number, or refuse with the existing ones."""
    if pilot := collection.pilots.filter(number=number).first():
        return pilot
    existing = ", ".join(str(pilot.number) for pilot in collection.pilots.all()) or "none"
    raise Refused(f"{collection} has no pilot {number}. Existing pilots: {existing}.")
