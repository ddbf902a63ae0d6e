"""How far a collection is: what was imported, what is pooled, who has judged how much, and what to do next."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from assess.judging.difficulty import overall_difficulty
from assess.models import Assignment, Collection, Judgement, Member, Role, State, Task
from assess.pools.build import documents_without_text
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks


@dataclass(frozen=True)
class AssessorProgress:
    """One judge's work. `assigned` is 0 for judges whose judgements were imported.

    `open` is what of it waits to be judged, `later` ones among it; `claims` are those of it that are held for some
    minutes only. Hidden repeats are told apart: in all other counts a document counts once.
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
    topics: int
    runs: list
    lines: int
    pooled: int
    outside_pool: int
    without_text: int
    last_building: object | None
    assessors: list[AssessorProgress]
    assigned: int
    judged: int
    open_to_claims: bool
    difficulty: tuple[float | None, int, int]

    @property
    def difficulty_sentence(self) -> str:
        """How difficult assessors found the topics that they finished; nothing where nobody has said."""
        mean, n, topics = self.difficulty
        if not n:
            return ""
        answers = f"{n:,} answer{'s'[: n > 1]} on {topics:,} topic{'s'[: topics > 1]}"
        return f"How difficult were the topics? {mean:.1f} on average, from 1 (easy) to 5 (very difficult): {answers}."

    @property
    def next_deed(self) -> tuple[str, str]:
        """What is to be done next: a sentence, and the command that does it (or nothing)."""
        steps = [
            (self.topics, "No topics yet: import them.", "import_topics --collection {} topics.tsv"),
            (
                self.runs,
                "No runs yet: import the systems' run files.",
                "import_runs --collection {} runs/*.gz",
            ),
            (self.pooled, "No pool yet: build it from the runs.", "build_pool --collection {} --depth 10"),
            (
                not self.without_text,
                f"{self.without_text:,} pooled documents have no text yet: import the documents (again).",
                "import_documents --collection {} documents.jsonl.gz",
            ),
            (
                any(row.member.user_id for row in self.assessors),
                "Nobody can judge yet: add assessors.",
                "add_member --collection {} --role assessor NAME",
            ),
            (
                self.assigned or self.open_to_claims,
                "Nothing is given out yet: assign the pool, or open it to claims (set_judging).",
                "assign --collection {} --judges 2",
            ),
        ]
        return next(((words, command) for done, words, command in steps if not done), ("", ""))


def overview(collection: Collection) -> Overview:
    runs = list(collection.runs.all())
    found = assessors(collection)
    pooled = pooled_tasks(collection).count()
    every_task = Task.objects.filter(topic__collection=collection).count()
    return Overview(
        topics=collection.topics.count(),
        runs=runs,
        lines=sum(run.line_count for run in runs),
        pooled=pooled,
        outside_pool=every_task - pooled,
        without_text=documents_without_text(collection).count(),
        last_building=collection.pool_buildings.order_by("-pk").first(),
        assessors=found,
        assigned=sum(row.assigned for row in found),
        judged=sum(row.judged for row in found),
        open_to_claims=collection.open_to_claims,
        difficulty=overall_difficulty(collection),
    )


def assessors(collection: Collection) -> list[AssessorProgress]:
    """Every judge's work, in the order of the pseudonyms."""
    first, settled = Q(repeat=0), Q(state__in=SETTLED)
    given = {
        "assigned": first,
        "open": first & ~settled,
        "claims": Q(claimed_until__gt=timezone.now()),
        "repeats": Q(repeat=1),
        "repeats_judged": Q(repeat=1) & settled,
    }
    said = {state.value: Q(state=state) for state in (State.JUDGED, State.CANNOT_JUDGE, State.LATER)}
    work = _counted(Assignment.objects.exclude(state=LAPSED), collection, given)
    words = _counted(Judgement.objects.filter(repeat=0), collection, said)
    nothing = dict.fromkeys((*given, *said), 0)
    return [
        AssessorProgress(member, **(nothing | work.get(member.pk, {}) | words.get(member.pk, {})))
        for member in collection.members.filter(role=Role.ASSESSOR)
    ]


def _counted(rows: QuerySet, collection: Collection, what: dict[str, Q]) -> dict[int, dict[str, int]]:
    """How many rows of each kind there are for each member, in one query."""
    kinds = {name: Count("pk", filter=condition) for name, condition in what.items()}
    counted = rows.filter(member__collection=collection).order_by().values("member").annotate(**kinds)
    return {row.pop("member"): row for row in counted}


def levels(collection: Collection) -> list[tuple[int, int]]:
    """In a collection that is open to claims: how many tasks have how many of their places taken, none first."""
    tasks = Task.objects.filter(topic__collection=collection, wanted__gt=0)
    return list(tasks.order_by("taken").values_list("taken").annotate(tasks=Count("pk")))
