"""A collection with something to show on every analysis page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from assess.collections.members import add_member
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Collection, ImportedJudge, Judgement, JudgementKind, Member, Role, Task
from tests.assess.analysis.test_shift import RUNS
from tests.factories import small_collection

# The documents a, b, c of topic 1 and x, y, z of topic 2; "x" is "cannot judge", "l" is "later", "." is not judged.
JUDGED = {"first": "10210x", "second": "0100l1", "third": "110010", "gpt": "2110.1"}
REPEATED = "20...."  # of the first judge
SECONDS = {"first": 7, "second": 12, "third": 31, "gpt": 0}
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@dataclass
class Analysis:
    collection: Collection
    reader: Member
    judges: dict[str, Member]
    disputed: int


def build_analysis() -> Analysis:
    """Four systems, three people and a model; the first judge judged two documents again, and one was decided."""
    collection = small_collection(RUNS, "ranked", grades=["0=no", "1=some", "2=much"], depth=3)
    reader = add_member(collection, "rita", Role.RESEARCHER)[0]
    judges = {name: collection.members.create(name=name, role=Role.ASSESSOR) for name in JUDGED}
    ImportedJudge.objects.create(member=judges["gpt"], kind="model")
    tasks = list(Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id"))
    for name, grades in JUDGED.items():
        record_imported(list(_judgements(judges[name], tasks, grades)))
    record_imported(list(_judgements(judges["first"], tasks, REPEATED, repeat=1)))
    decision = {"state": "judged", "relevance": 2, "judged_at": START}
    Judgement.objects.create(task=tasks[1], member=reader, repeat=JudgementKind.DECISION, **decision)
    return Analysis(collection, reader, judges, tasks[1].pk)


def _judgements(member: Member, tasks: list[Task], grades: str, repeat: int = 0) -> Iterator[ImportedJudgement]:
    seconds = SECONDS[member.name]
    for number, (task, grade) in enumerate(zip(tasks, grades, strict=True)):
        at = START + timedelta(days=repeat, minutes=number)
        if grade == "x":
            given = JudgementInput("cannot_judge", reason="broken")
        elif grade == "l":
            given = JudgementInput("later")
        else:
            active_ms = 1000 * (seconds and seconds + number)
            given = JudgementInput("judged", int(grade), active_ms=active_ms) if grade != "." else None
        if given:
            yield ImportedJudgement(member, task.pk, repeat, given, at)
