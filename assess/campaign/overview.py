"""The state of a collection: what was imported and pooled, and the progress of each assessor."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.utils import timezone

from assess.campaign.difficulty import overall_difficulty
from assess.models import (
    NOT_WITHDRAWN,
    Assignment,
    Collection,
    Judgement,
    JudgementKind,
    Member,
    PoolBuilding,
    Role,
    Run,
    State,
    Task,
)
from assess.pools.pooled_documents import documents_without_text
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks
from assess.work.counts import states_by_member


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
    members = list(collection.members.filter(role__in=roles))
    assigned, repeats = states_by_member(members), states_by_member(members, JudgementKind.REPEAT)
    judged, claims = _judged_by_member(members), _claims_by_member()
    return [
        AssessorProgress(
            member,
            assigned=assigned[member.pk].total(),
            judged=judged[member.pk][State.JUDGED],
            cannot_judge=judged[member.pk][State.CANNOT_JUDGE],
            later=judged[member.pk][State.LATER],
            open=assigned[member.pk].total() - _settled(assigned[member.pk]),
            claims=claims[member.pk],
            repeats=repeats[member.pk].total(),
            repeats_judged=_settled(repeats[member.pk]),
        )
        for member in members
    ]


def _settled(states: Counter[str]) -> int:
    return sum(states[state] for state in SETTLED)


def _judged_by_member(members: Sequence[Member]) -> dict[int, Counter[str]]:
    """Return the number of regular judgements in each state, by the key of the member; imported ones count too."""
    # By their keys and not through their collection, so that SQLite reads an index in its order and sorts nothing.
    judged = Judgement.objects.filter(member__in=members, repeat=JudgementKind.REGULAR).order_by()
    states = {state: Count("pk", filter=Q(state=state)) for state in (State.JUDGED, State.CANNOT_JUDGE, State.LATER)}
    rows = judged.values_list("member").annotate(**states)
    return defaultdict(Counter, {member: Counter(dict(zip(states, numbers, strict=True))) for member, *numbers in rows})


def _claims_by_member() -> Counter[int]:
    """Return the number of claims that have not ended, by the key of the member, in all collections."""
    # With a condition on the member, SQLite would read all assignments, and not the index of the claims.
    claims = Assignment.objects.filter(claimed_until__gt=timezone.now())
    return Counter(claims.exclude(state=LAPSED).values_list("member", flat=True))


def tasks_by_slots_taken(collection: Collection) -> list[tuple[int, int]]:
    """Return how many tasks have 0, 1, ... of their slots taken, in a collection that is open to claims."""
    tasks = Task.objects.filter(topic__collection=collection, wanted__gt=0)
    return list(tasks.order_by("taken").values_list("taken").annotate(tasks=Count("pk")))
