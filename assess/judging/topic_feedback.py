"""The question at the end of a topic: how difficult it was, and whatever else there is to say of it."""

from assess.errors import Refused
from assess.judging.judgement_input import LONGEST_COMMENT
from assess.models import Assignment, Member, Topic, TopicFeedback

DIFFICULTIES = {1: "easy", 2: "rather easy", 3: "in between", 4: "difficult", 5: "very difficult"}


def feedback_question(member: Member, topic: Topic, done: bool) -> dict | None:
    """What the page shows when the topic is done, or None where the collection does not ask, or where nothing of the
    topic ever came to the assessor.

    The database is asked only where the topic is `done` already: a page in the midst of judging has something of it.
    """
    if not member.collection.ask_at_topic_end or (done and not _is_own(member, topic)):
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
    """A topic in which something was given to the assessor; any other does not exist."""
    topic = Topic.objects.get(pk=topic_id, collection=member.collection)
    if not _is_own(member, topic):
        raise Topic.DoesNotExist
    return topic


def _is_own(member: Member, topic: Topic) -> bool:
    return Assignment.objects.filter(member=member, topic=topic).exists()


def save_feedback(member: Member, topic: Topic, difficulty: int | None, comment: str, earlier: bool) -> None:
    """Keep the answer on one of the assessor's own topics; the last one counts.

    `earlier`: the page showed what was answered before. Where it did not, a field left empty takes nothing back.
    """
    comment = comment.replace("\r\n", "\n")  # as the page counted its ends of lines
    _check(member, difficulty, comment)
    said = {"difficulty": difficulty, "comment": comment}
    changes = said if earlier else {name: value for name, value in said.items() if value}
    TopicFeedback.objects.update_or_create(member=member, topic=topic, defaults=changes, create_defaults=said)


def _check(member: Member, difficulty: int | None, comment: str) -> None:
    if not member.collection.ask_at_topic_end:
        raise Refused("This collection asks nothing at the end of a topic; nothing was kept.")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise Refused(f"Difficulty {difficulty} came; it is from 1 (easy) to 5 (very difficult), or left open.")
    if len(comment) > LONGEST_COMMENT or "\0" in comment:
        raise Refused(f"The comment is too long or not text; at most {LONGEST_COMMENT:,} characters are kept.")
