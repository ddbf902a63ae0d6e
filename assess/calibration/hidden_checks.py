"""Puts hidden checks, documents with known grades, among the others of an assessor, who cannot tell them from these."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assess.lib.seeded_draw import DRAWS, draw
from assess.models import Assignment, Judgement, JudgementKind, KnownGrade, Member, Role, Topic

CHECK = JudgementKind.CHECK
WITHIN = 40  # a check among claimed documents comes at most this many documents later


def place_checks(member: Member, topic: Topic) -> int:
    """Put the check documents of a topic into the queue of an assessor who has it. Returns how many are new."""
    if not member.collection.hidden_checks or member.role != Role.ASSESSOR or not _missing(member, topic).exists():
        return 0
    with transaction.atomic():
        Member.objects.select_for_update(no_key=True).get(pk=member.pk)  # two pages at once
        count = Assignment.objects.filter(member=member, topic=topic).count()
        new = [
            Assignment(
                task=known.task, topic=topic, member=member, repeat=CHECK, position=_position(member, known, count)
            )
            for known in _missing(member, topic).select_related("task")
        ]
        Assignment.objects.bulk_create(new)
    return len(new)


def _missing(member: Member, topic: Topic) -> QuerySet[KnownGrade]:
    """Return the checks of the topic that the assessor does not have in any way."""
    has = Assignment.objects.filter(member=member, task=OuterRef("task"))
    judged = Judgement.objects.filter(member=member, task=OuterRef("task"))
    checks = KnownGrade.objects.filter(task__topic=topic, use=KnownGrade.Use.CHECK)
    return checks.exclude(Exists(has)).exclude(Exists(judged)).order_by("pk")


def _position(member: Member, known: KnownGrade, count: int) -> int:
    """Return a random position: among all of an assessor's tasks, or among the next ones that they claim."""
    collection = member.collection
    drawn = draw(collection.seed, "check", member.name, str(known.task.draw), str(known.task_id))
    return count + 1 + drawn % WITHIN if collection.open_to_claims else drawn % DRAWS
