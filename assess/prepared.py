"""The five statements that every judgement needs, as SQL.

Django takes several times longer to build a queryset than the database takes to run it. These five are sent with every
request or every judgement, so they are written out; all others are ordinary querysets. Values are always sent as
parameters. The tests compare each result with that of a queryset.
"""

from datetime import date
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.transaction import TransactionManagementError

from assess.models import Assignment, Collection, Judgement, Member, Session, Task, Topic, User

BEGINNING = 1_001  # characters of a text in ASSIGNMENT: `documents.display` finds out whether it has words

SESSION = "SELECT * FROM assess_session WHERE session_key = %s"
USER = "SELECT * FROM assess_user WHERE id = %s"
MEMBER = """
    SELECT collection.*, member.id AS member_id, member.role AS member_role, member.name AS member_name,
        exercise.erase_on <= %s AS is_expired
    FROM assess_member member
    JOIN assess_collection collection ON collection.id = member.collection_id
    LEFT JOIN assess_exercise exercise ON exercise.collection_id = collection.id
    WHERE member.user_id = %s AND collection.slug = %s
"""
ASSIGNMENT = """
    SELECT assignment.*, task.document_id AS document_id, task.draw AS draw, task.wanted AS wanted, task.taken AS taken,
        member.user_id AS user_id, topic.query_id AS query_id, topic.title AS title, topic.description AS description,
        topic.narrative AS narrative, document.doc_id AS doc_id, content.sha256 AS content_hash,
        content.format AS content_format,
        SUBSTR(COALESCE(content.sanitised, content.text), 1, 1001) AS beginning,
        EXISTS (
            SELECT 1 FROM assess_searchedtask found
            WHERE found.task_id = assignment.task_id AND found.entered_at IS NULL
        ) AS is_found,
        EXISTS (
            SELECT 1 FROM assess_shownsuggestion shown
            WHERE shown.member_id = assignment.member_id AND shown.task_id = assignment.task_id
        ) AS has_suggestion
    FROM assess_assignment assignment
    JOIN assess_member member ON member.id = assignment.member_id
    JOIN assess_task task ON task.id = assignment.task_id
    JOIN assess_topic topic ON topic.id = assignment.topic_id
    JOIN assess_document document ON document.id = task.document_id
    LEFT JOIN assess_documentcontent content ON content.id = document.content_id
    WHERE assignment.member_id = %s AND assignment.public_id = %s
"""
# The member first, as in a claim: the order avoids deadlocks. The lock of the member lets the events of one chain
# follow each other. no key: rows that refer to the member do not wait.
LOCKS = "FOR NO KEY UPDATE OF member FOR UPDATE OF assignment"
MEMBER_FIELDS = ["id", "collection_id", "user_id", "role", "name"]  # the first ones of the model, in its order
TASK_FIELDS = ["id", "topic_id", "document_id", "draw", "wanted", "taken"]
TOPIC_FIELDS = ["id", "collection_id", "query_id", "title", "description", "narrative"]
# With the head of the member's chain, which is needed at the same time. Sent after the locks, so that nobody else adds
# to the chain in the meantime.
JUDGEMENT = """
    SELECT judgement.*, head.position AS head_position, head.hash AS head_hash
    FROM assess_member member
    LEFT JOIN assess_judgement judgement
        ON judgement.member_id = member.id AND judgement.task_id = %s AND judgement.repeat = %s
    LEFT JOIN assess_judgementevent head ON head.member_id = member.id
        AND head.position = (SELECT MAX(position) FROM assess_judgementevent WHERE member_id = member.id)
    WHERE member.id = %s
"""


def session(key: str) -> Session | None:
    return next(iter(Session.objects.raw(SESSION, [key])), None)


def user(pk: int) -> User | None:
    return next(iter(User.objects.raw(USER, [pk])), None)


def member(user: int | None, slug: str, today: date) -> tuple[Member, bool] | None:
    """Return the member with its collection, and whether this belongs to an exercise that is past its last day."""
    for row in Collection.objects.raw(MEMBER, [today, user, slug]):
        # mypy does not know the columns that the statement adds to the model's own.
        values = [row.member_id, row.pk, user, row.member_role, row.member_name]  # type: ignore[attr-defined]
        result = Member.from_db(DEFAULT_DB_ALIAS, MEMBER_FIELDS, values)
        result.collection = row
        return result, bool(row.is_expired)  # type: ignore[attr-defined]
    return None


def locked_assignment(member: Member, public_id: UUID) -> Assignment | None:
    """Return the assignment with its task and topic. It and the member are locked until the transaction ends.

    Returns None if there is none, or if the member lost the user after the request began. `doc_id`, `content_hash`,
    `content_format`, `beginning` (of the text), `is_found` (by a search, and not in the pool yet) and `has_suggestion`
    (which the assessor has seen) are attributes of the result. On SQLite, all writers take turns.
    """
    # Django checks this for select_for_update, but not for a statement in SQL.
    if not connection.in_atomic_block:
        raise TransactionManagementError("An assignment can only be locked inside a transaction.")
    locks = LOCKS if connection.features.has_select_for_update else ""
    value = Assignment._meta.get_field("public_id").get_db_prep_value(public_id, connection)
    for row in Assignment.objects.raw(ASSIGNMENT + locks, [member.pk, value]):
        if row.user_id != member.user_id:  # type: ignore[attr-defined]  # an added column, as below
            return None
        task = [row.document_id, row.draw, row.wanted, row.taken]  # type: ignore[attr-defined]  # added columns
        row.task = Task.from_db(DEFAULT_DB_ALIAS, TASK_FIELDS, [row.task_id, row.topic_id, *task])
        texts = [row.query_id, row.title, row.description, row.narrative]  # type: ignore[attr-defined]
        topic = [row.topic_id, member.collection_id, *texts]
        row.task.topic = Topic.from_db(DEFAULT_DB_ALIAS, TOPIC_FIELDS, topic)
        return row
    return None


def judgement_and_head(assignment: Assignment) -> tuple[Judgement | None, tuple[int, bytes | None]]:
    """Return the judgement of an assignment, and the length and last hash of its member's chain."""
    keys = [assignment.task_id, assignment.repeat, assignment.member_id]
    row: Any = next(iter(Judgement.objects.raw(JUDGEMENT, keys)))
    head = (row.head_position or 0, row.head_hash and bytes(row.head_hash))
    return (row if row.pk else None), head
