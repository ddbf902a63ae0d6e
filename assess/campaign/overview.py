"""The state of a collection: what was imported and pooled, and the progress of each assessor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from assess.campaign.difficulty import overall_difficulty
from assess.models import NOT_WITHDRAWN, Assignment, Collection, Judgement, Member, PoolBuilding, Role, Run, State, Task
from assess.pools.pooled_documents import documents_without_text
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks


@dataclass(frozen=True)
class AssessorProgress:
    """The progress of one assessor.

    `assigned` is 0 if all judgements were imported. `open` counts assignments without a judgement, including those put
    off until later. `claims` counts assignments that are held for a few minutes. Hidden repeats are counted separately;
    all other counts include a document once.
    """

    member: Member
    assigned: int
    judged: int
    cannot_judge: int
    later: int
    open: int
    claims: int
    repeats: int
    repeats_judged: int


@dataclass(frozen=True)
class Overview:
    """What a collection has. Only `withdrawn`, the number of withdrawn judges, knows about them."""

    topics: int
    runs: list[Run]
    lines: int
    pooled: int
    outside_pool: int
    without_text: int
    last_building: PoolBuilding | None
    assessors: list[AssessorProgress]
    withdrawn: int
    assigned: int
    judged: int
    open_to_claims: bool
    free_slots: int
    difficulty: tuple[float | None, int, int]

    @property
    def difficulty_sentence(self) -> str:
        """How difficult assessors found the topics that they finished; empty without answers."""
        mean, n, topics = self.difficulty
        if not n:
            return ""
        answers = f"{n:,} answer{'s'[: n > 1]} on {topics:,} topic{'s'[: topics > 1]}"
        return f"Mean difficulty of the topics: {mean:.1f} from 1 (easy) to 5 (very difficult), {answers}."

    @property
    def has_texts(self) -> bool:
        """Whether there is a pool, and each of its documents has a text."""
        return bool(self.pooled) and not self.without_text

    @property
    def open(self) -> int:
        """How many judgements are missing: open assignments, and slots that nobody has claimed."""
        return self.free_slots + sum(row.open for row in self.assessors)


def overview(collection: Collection) -> Overview:
    runs = list(collection.runs.all())
    rows = _progress(collection, [Role.ASSESSOR, Role.WITHDRAWN])
    progress = [row for row in rows if row.member.role == Role.ASSESSOR]
    pooled = pooled_tasks(collection).count()
    # A document of practice or checks that is not pooled is not judged for the collection.
    return Overview(
        topics=collection.topics.count(),
        runs=runs,
        lines=sum(run.line_count for run in runs),
        pooled=pooled,
        outside_pool=_outside_pool(collection),
        without_text=documents_without_text(collection).count(),
        last_building=collection.pool_buildings.order_by("-pk").first(),
        assessors=progress,
        withdrawn=len(rows) - len(progress),
        assigned=sum(row.assigned for row in progress),
        judged=sum(row.judged for row in progress),
        open_to_claims=collection.open_to_claims,
        free_slots=_free_slots(collection) if collection.open_to_claims else 0,
        difficulty=overall_difficulty(collection),
    )


def _outside_pool(collection: Collection) -> int:
    # A document of practice or checks that is not pooled is not judged for the collection.
    # Few tasks have no provenance, so the other tables are read only for these.
    unpooled = Task.objects.filter(topic__collection=collection, provenance__isnull=True)
    tasks = Task.objects.filter(pk__in=unpooled.values("pk"), known_grade__isnull=True)
    opened = Q(searched__isnull=False, judgements__isnull=True)  # by a searcher, who has not judged it
    judged = Judgement.objects.filter(task=OuterRef("pk"))
    only_withdrawn = Exists(judged.filter(member__role=Role.WITHDRAWN)) & ~Exists(judged.filter(NOT_WITHDRAWN))
    return tasks.exclude(opened).exclude(only_withdrawn).count()


def _free_slots(collection: Collection) -> int:
    tasks = Task.objects.filter(topic__collection=collection)
    return tasks.aggregate(free=Sum(F("wanted") - F("taken")))["free"] or 0


def assessor_progress(collection: Collection) -> list[AssessorProgress]:
    """Return the progress of every assessor, in the order of the pseudonyms."""
    return _progress(collection, [Role.ASSESSOR])


def _progress(collection: Collection, roles: Sequence[Role]) -> list[AssessorProgress]:
    first, settled = Q(repeat=0), Q(state__in=SETTLED)
    assignment_counts = {
        "assigned": first,
        "open": first & ~settled,
        "claims": Q(claimed_until__gt=timezone.now()),
        "repeats": Q(repeat=1),
        "repeats_judged": Q(repeat=1) & settled,
    }
    judgement_counts = {state.value: Q(state=state) for state in (State.JUDGED, State.CANNOT_JUDGE, State.LATER)}
    members = list(collection.members.filter(role__in=roles))
    assigned = _count_by_member(Assignment.objects.exclude(state=LAPSED), members, assignment_counts)
    judged = _count_by_member(Judgement.objects.filter(repeat=0), members, judgement_counts)
    zeros = dict.fromkeys((*assignment_counts, *judgement_counts), 0)
    return [
        AssessorProgress(member, **(zeros | assigned.get(member.pk, {}) | judged.get(member.pk, {})))
        for member in members
    ]


def _count_by_member(
    rows: QuerySet[Any], members: Sequence[Member], conditions: Mapping[str, Q]
) -> dict[int, dict[str, int]]:
    """Count the rows of each member that meet each condition, in one query."""
    # By their keys and not through their collection, so that SQLite reads an index in its order and sorts nothing.
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    counted = rows.filter(member__in=members).order_by().values("member").annotate(**counts)
    return {row.pop("member"): row for row in counted}


def tasks_by_slots_taken(collection: Collection) -> list[tuple[int, int]]:
    """Return how many tasks have 0, 1, ... of their slots taken, in a collection that is open to claims."""
    tasks = Task.objects.filter(topic__collection=collection, wanted__gt=0)
    return list(tasks.order_by("taken").values_list("taken").annotate(tasks=Count("pk")))
