"""The question at the end of a topic: how difficult it was, with an optional comment."""

from typing import Any

from assess.errors import Refused
from assess.judging.judgement_input import check_comment
from assess.models import Assignment, Member, Topic, TopicFeedback

DIFFICULTIES = {1: "easy", 2: "rather easy", 3: "medium", 4: "difficult", 5: "very difficult"}


def feedback_question(member: Member, topic: Topic, done: bool) -> dict[str, Any] | None:
    """Return the question for the page.

    Returns None if the collection does not ask, or if the assessor never had a task of the topic. The database is
    queried only if the topic is `done`: while the assessor judges, they have a task of it.
    """
    if not member.collection.ask_at_topic_end or (done and not _has_task(member, topic)):
        return None
    earlier = TopicFeedback.objects.filter(member=member, topic=topic).first() if done else None
    return {
        "topic": topic,
        "difficulties": DIFFICULTIES.items(),
        "difficulty": earlier.difficulty if earlier else None,
        "comment": earlier.comment if earlier else "",
        "earlier": earlier is not None,
    }


def assigned_topic(member: Member, topic_id: int) -> Topic:
    """Return a topic in which the assessor has a task; raise Topic.DoesNotExist for any other."""
    topic = Topic.objects.get(pk=topic_id, collection=member.collection)
    if not _has_task(member, topic):
        raise Topic.DoesNotExist
    return topic


def _has_task(member: Member, topic: Topic) -> bool:
    return Assignment.objects.filter(member=member, topic=topic).exists()


def save_feedback(member: Member, topic: Topic, difficulty: int | None, comment: str, earlier: bool) -> None:
    """Save the answer; the last one counts.

    With `earlier`, the page showed the earlier answer. Without it, an empty field does not delete an earlier value.
    """
    comment = comment.replace("\r\n", "\n")  # the page counted a line end as one character
    _check(member, difficulty, comment)
    answer = {"difficulty": difficulty, "comment": comment}
    changes = answer if earlier else {name: value for name, value in answer.items() if value}
    TopicFeedback.objects.update_or_create(member=member, topic=topic, defaults=changes, create_defaults=answer)


def _check(member: Member, difficulty: int | None, comment: str) -> None:
    if not member.collection.ask_at_topic_end:
        raise Refused("This collection has no question at the end of a topic; nothing was saved.")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise Refused(f"Difficulty must be between 1 (easy) and 5 (very difficult), or empty, not {difficulty}.")
    check_comment(comment)
