"""How difficult the assessors found the topics."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Avg, Count

from assess.models import Collection, Topic, TopicFeedback


@dataclass(frozen=True)
class TopicDifficulty:
    """The mean difficulty of a topic, from 1 (easy) to 5 (very difficult), over `n` answers; None if n is 0.

    `comments` are pairs of pseudonym and text.
    """

    query_id: str
    title: str
    n: int
    mean: float | None
    comments: list[tuple[str, str]]


def difficulty_by_topic(collection: Collection) -> list[TopicDifficulty]:
    """Return the topics that have an answer, in the order of their import."""
    answers = TopicFeedback.objects.filter(topic__collection=collection).select_related("topic", "member")
    by_topic = defaultdict(list)
    for answer in answers.order_by("topic", "member__name"):
        by_topic[answer.topic].append(answer)
    return [_difficulty(topic, answers) for topic, answers in by_topic.items()]


def _difficulty(topic: Topic, answers: list[TopicFeedback]) -> TopicDifficulty:
    difficulties = [answer.difficulty for answer in answers if answer.difficulty is not None]
    return TopicDifficulty(
        query_id=topic.query_id,
        title=topic.title,
        n=len(difficulties),
        mean=sum(difficulties) / len(difficulties) if difficulties else None,
        comments=[(answer.member.name, answer.comment) for answer in answers if answer.comment],
    )


def overall_difficulty(collection: Collection) -> tuple[float | None, int, int]:
    """Return the mean over all answers with a difficulty, their number, and the number of their topics."""
    answers = TopicFeedback.objects.filter(topic__collection=collection, difficulty__isnull=False)
    row = answers.aggregate(mean=Avg("difficulty"), n=Count("pk"), topics=Count("topic", distinct=True))
    return row["mean"], row["n"], row["topics"]
