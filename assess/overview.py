"""How far a collection is: what was imported, what is pooled, who has judged how much, and what to do next."""

from dataclasses import dataclass

from django.db.models import Count, Q

from assess import pools
from assess.models import Assignment, Collection, Judgement, Role, State


@dataclass(frozen=True)
class AssessorProgress:
    """One judge's work. `assigned` is 0 for judges whose judgements were imported."""

    member: object
    assigned: int
    judged: int
    cannot_judge: int
    later: int


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
                self.assigned,
                "Nothing is given out yet: assign the pool.",
                "assign --collection {} --judges 2",
            ),
        ]
        return next(((words, command) for done, words, command in steps if not done), ("", ""))


def overview(collection: Collection) -> Overview:
    runs = list(collection.runs.all())
    assessors = _assessors(collection)
    pooled = pools.pooled_tasks(collection).count()
    every_task = pools.Task.objects.filter(topic__collection=collection).count()
    return Overview(
        topics=collection.topics.count(),
        runs=runs,
        lines=sum(run.line_count for run in runs),
        pooled=pooled,
        outside_pool=every_task - pooled,
        without_text=pools.without_text(collection).count(),
        last_building=collection.pool_buildings.order_by("-pk").first(),
        assessors=assessors,
        assigned=sum(row.assigned for row in assessors),
        judged=sum(row.judged for row in assessors),
    )


def _assessors(collection: Collection) -> list[AssessorProgress]:
    members = collection.members.filter(role=Role.ASSESSOR)
    assigned = dict(
        Assignment.objects.filter(member__in=members).values_list("member").annotate(n=Count("pk")).order_by()
    )
    states = (State.JUDGED, State.CANNOT_JUDGE, State.LATER)
    counts = {state.value: Count("pk", filter=Q(state=state)) for state in states}
    judged = {
        row["member"]: row
        for row in Judgement.objects.filter(member__in=members, repeat=0).values("member").annotate(**counts).order_by()
    }
    return [
        AssessorProgress(
            member,
            assigned.get(member.pk, 0),
            *(judged.get(member.pk, {}).get(state.value, 0) for state in states),
        )
        for member in members
    ]
