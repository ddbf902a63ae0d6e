"""What assessors said of the topics when they were done with them."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Avg, Count

from assess.models import Collection, TopicFeedback


@dataclass(frozen=True)
class TopicDifficulty:
    """`mean` is over the `n` answers with a difficulty, from 1 (easy) to 5 (very difficult); None where n is 0."""

    query_id: str
    title: str
    n: int
    mean: float | None
    comments: list[tuple[str, str]]


def difficulty_by_topic(collection: Collection) -> list[TopicDifficulty]:
    """Topics with an answer, in the order in which they were imported; comments with their assessor's pseudonym."""
    answers = TopicFeedback.objects.filter(topic__collection=collection).select_related("topic", "member")
    found = defaultdict(list)
    for answer in answers.order_by("topic", "member__name"):
        found[answer.topic].append(answer)
    return [_of(topic, answers) for topic, answers in found.items()]


def _of(topic, answers: list[TopicFeedback]) -> TopicDifficulty:
    said = [answer.difficulty for answer in answers if answer.difficulty is not None]
    return TopicDifficulty(
        query_id=topic.query_id,
        title=topic.title,
        n=len(said),
        mean=sum(said) / len(said) if said else None,
        comments=[(answer.member.name, answer.comment) for answer in answers if answer.comment],
    )


def overall_difficulty(collection: Collection) -> tuple[float | None, int, int]:
    """The mean over all answers with a difficulty, how many there are, and how many topics they are of."""
    found = TopicFeedback.objects.filter(topic__collection=collection, difficulty__isnull=False)
    row = found.aggregate(mean=Avg("difficulty"), n=Count("pk"), topics=Count("topic", distinct=True))
    return row["mean"], row["n"], row["topics"]
