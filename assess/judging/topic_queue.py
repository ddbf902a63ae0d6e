"""The order in which an assessor goes through the topics."""

from collections.abc import Iterator

from assess.calibration.admission import queued_kinds
from assess.judging.progress import Progress, progress_by_topic
from assess.models import Assignment, JudgementKind, Member, Topic
from assess.pools.tasks import OPEN


def topics_after(member: Member, topic: Topic, postponed: bool | None = None) -> Iterator[Topic]:
    """Yield the other topics with documents to judge or claim: those after `topic`, then those before it.

    With `postponed`, only topics with postponed documents are returned, or only topics with others.
    """
    counts = progress_by_topic(member)
    left = [pk for pk, progress in counts.items() if pk != topic.pk and _has_work(progress, postponed)]
    kinds = queued_kinds(member)
    if JudgementKind.REGULAR not in kinds:  # the counts are of all kinds
        open_now = Assignment.objects.filter(member=member, topic__in=left, state__in=OPEN, repeat__in=kinds)
        left = list(open_now.values_list("topic", flat=True).distinct())
    topics = Topic.objects.filter(pk__in=left)
    yield from topics.filter(pk__gt=topic.pk).order_by("pk")
    yield from topics.filter(pk__lt=topic.pk).order_by("pk")


def _has_work(progress: Progress, postponed: bool | None) -> bool:
    if postponed:
        return progress.later > 0
    others = progress.left > progress.later or progress.to_claim > 0
    return others or (postponed is None and progress.later > 0)


def next_topic(member: Member, topic: Topic) -> Topic | None:
    """Return the topic that the assessor judges after this one; None if nothing is left."""
    return next(topics_after(member, topic), None)
