"""What the deletion of a collection will lose, and why it is refused."""

from dataclasses import dataclass

from assess.errors import Refused
from assess.judging.checkpoints import chains_of
from assess.models import (
    Action,
    Assignment,
    AuditEvent,
    Checkpoint,
    Collection,
    Exercise,
    Judgement,
    JudgementEvent,
    Task,
)

EXPORT_SUBJECT = "judgements"  # of the audit entry of an export of all raw judgements


@dataclass(frozen=True)
class Losses:
    """The numbers of rows that a deletion removes."""

    members: int
    topics: int
    documents: int
    runs: int
    tasks: int
    assignments: int
    judgements: int
    events: int


def losses_of(collection: Collection) -> Losses:
    """Count what the collection has."""
    tasks = Task.objects.filter(topic__collection=collection)
    return Losses(
        members=collection.members.count(),
        topics=collection.topics.count(),
        documents=collection.documents.count(),
        runs=collection.runs.count(),
        tasks=tasks.count(),
        assignments=Assignment.objects.filter(topic__collection=collection).count(),
        judgements=Judgement.objects.filter(task__topic__collection=collection).count(),
        events=JudgementEvent.objects.filter(member__collection=collection).count(),
    )


def check_deletable(collection: Collection) -> None:
    """Refuse the deletion of an exercise's collection, and of judgements that nobody has exported as they are now."""
    if code := Exercise.objects.filter(collection=collection).values_list("code", flat=True).first():
        raise Refused(f"{collection} belongs to the exercise {code}. The instructor erases the exercise.")
    if not is_exported(collection):
        raise Refused(
            f"{collection} has judgements that were not exported since the last change. Download all judgements as "
            "CSV first, or they would be lost."
        )


def is_exported(collection: Collection) -> bool:
    """Whether there is nothing to export, or an export of all judgements was made of the ledger as it is now."""
    chains = chains_of(collection)
    if not chains:
        return True
    exports = AuditEvent.objects.filter(collection=collection, action=Action.EXPORTED, subject=EXPORT_SUBJECT)
    last = exports.order_by("-pk").values_list("details", flat=True).first()
    if last is None:
        return False
    checkpoint = Checkpoint.objects.filter(collection=collection, hash=last.get("checkpoint", "")).first()
    return checkpoint is not None and checkpoint.chains == chains
