"""A large collection for benchmarks: 100,000 tasks in 50 topics, 20 assessors, 300,000 judgements.

Every task has three of its four judges. So every assessor has judged 15,000 documents and has 5,000 left, 100 in each
topic; if the collection is open to claims, these are not assigned. A few documents are set to "later" or cannot be
judged. The rows are made by INSERT ... SELECT statements. `make` needs Django to be set up and the database migrated.
"""

from contextlib import suppress
from datetime import UTC, datetime

from django.db import ProgrammingError, connection, transaction
from django.db.models import F, Max, Min

from assess.collections.create import create_collection
from assess.models import (
    Assignment,
    Collection,
    Document,
    DocumentContent,
    Judgement,
    JudgementEvent,
    Member,
    Provenance,
    Role,
    Task,
    Topic,
    User,
)
from benchmarks.tiny import size

TASKS, TOPICS, ASSESSORS, JUDGED, WANTED = size(100_000, 1_000), 50, 20, 3, 4
GRADES = ("0=Not relevant", "1=Somewhat relevant", "2=Relevant", "3=Highly relevant")
TEXT = "The brook that gave the mill its name had run dry by then; what turned the wheel was a small engine. " * 8
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

NUMBERS = "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {}) SELECT i FROM n) AS {}"
RANDOM_ID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}
SECONDS_LATER = {"sqlite": "datetime(%s, {} || ' seconds')", "postgresql": "%s + {} * interval '1 second'"}


@transaction.atomic
def make(slug: str = "large", tasks: int = TASKS, topics: int = TOPICS, *, open_to_claims: bool = False) -> Collection:
    """Make a collection with `tasks` tasks, and three times as many judgements by `ASSESSORS` assessors."""
    _skip_foreign_key_checks()
    collection = create_collection(slug, slug.title(), GRADES, guidelines="Read it all.")
    if open_to_claims:
        collection.judges_per_task = WANTED
        collection.save()
    people = [User(username=f"{slug}-{number}", password="!") for number in range(ASSESSORS)]
    members = Member.objects.bulk_create(
        Member(collection=collection, user=user, role=Role.ASSESSOR, name=user.username)
        for user in User.objects.bulk_create(people)
    )
    needs = [Topic(collection=collection, query_id=str(n), title=f"what number {n} needs") for n in range(topics)]
    Topic.objects.bulk_create(needs)
    _pool(collection, tasks, topics)
    _assign(collection, members, tasks)
    _judge(collection)
    return collection


def _pool(collection: Collection, tasks: int, topics: int) -> None:
    numbers = NUMBERS.format(tasks, "number")
    _fill(
        DocumentContent,
        numbers,
        title="'Document ' || number.i",
        text=f"'{TEXT}' || number.i",
        sha256=f"'{'0' * 64}'",
        imported_at="%s",
        parameters_by_column={"imported_at": BEGIN},
    )
    first_content = _first(DocumentContent.objects.filter(document=None), tasks)
    _fill(
        Document,
        numbers,
        collection_id=str(collection.pk),
        doc_id="'d' || number.i",
        content_id=f"{first_content} + number.i",
    )
    first_topic, first = _first(collection.topics, topics), _first(collection.documents, tasks)
    number = f"(d.id - {first})"
    unsettled = " + ".join(f"CASE WHEN {_outcome_number(number, n)} IN (5, 7) THEN 1 ELSE 0 END" for n in range(JUDGED))
    _fill(
        Task,
        f"assess_document d WHERE d.collection_id = {collection.pk} ORDER BY d.id",
        topic_id=f"{first_topic} + {number} / {tasks // topics}",
        document_id="d.id",
        draw=f"({number} * 7919) %% 1000003",
        **({"wanted": str(WANTED), "taken": f"{JUDGED} - ({unsettled})"} if collection.open_to_claims else {}),
    )
    source = f"assess_task t JOIN assess_topic ON assess_topic.id = t.topic_id AND collection_id = {collection.pk}"
    _fill(Provenance, source, task_id="t.id", systems="'[\"alpha\"]'", best_rank="1")


def _assign(collection: Collection, members: list[Member], tasks: int) -> None:
    first = _first(Task.objects.filter(topic__collection=collection), tasks)
    judges = JUDGED if collection.open_to_claims else WANTED
    number, member = f"(t.id - {first})", members[0].pk
    source = f"assess_task t JOIN assess_topic ON assess_topic.id = t.topic_id AND collection_id = {collection.pk}"
    _fill(
        Assignment,
        f"{source} CROSS JOIN {NUMBERS.format(judges, 'judge')}",
        public_id=RANDOM_ID[connection.vendor],
        task_id="t.id",
        topic_id="t.topic_id",
        member_id=f"{member} + ({number} + judge.i * {ASSESSORS // WANTED}) %% {ASSESSORS}",
        position=f"({number} * 7919) %% 1009",
        state=f"""CASE WHEN judge.i >= {JUDGED} THEN '' WHEN {_outcome_number(number, "judge.i")} = 5 THEN 'later'
            WHEN {_outcome_number(number, "judge.i")} = 7 THEN 'cannot_judge' ELSE 'judged' END""",
        **({"holds_place": f"{_outcome_number(number, 'judge.i')} NOT IN (5, 7)"} if collection.open_to_claims else {}),
        created_at="%s",
        parameters_by_column={"created_at": BEGIN},
    )


def _outcome_number(task: str, judge: object) -> str:
    """Return an SQL expression that determines which judgements are "later" or "cannot judge"."""
    return f"({task} + {judge}) %% 97"


def _judge(collection: Collection) -> None:
    members = f"SELECT id FROM assess_member WHERE collection_id = {collection.pk}"
    verdict = {
        "state": "judged.state",
        "relevance": "CASE WHEN judged.state = 'judged' THEN judged.task_id %% 4 END",
        "reason": "CASE WHEN judged.state = 'cannot_judge' THEN 'language' ELSE '' END",
    }
    _fill(
        Judgement,
        f"assess_assignment judged WHERE judged.state <> '' AND judged.member_id IN ({members}) ORDER BY judged.id",
        **verdict,
        task_id="judged.task_id",
        member_id="judged.member_id",
        judged_at=SECONDS_LATER[connection.vendor].format("(judged.id %% 8000000)"),
        parameters_by_column={"judged_at": BEGIN},
    )
    _fill(
        JudgementEvent,
        f"assess_judgement judged WHERE judged.member_id IN ({members}) ORDER BY judged.id",
        **verdict,
        judgement_id="judged.id",
        member_id="judged.member_id",
        source="'page'",
        client_id=RANDOM_ID[connection.vendor],
        at="judged.judged_at",
        recorded_at="judged.judged_at",
    )


def _skip_foreign_key_checks() -> None:
    """Skip the foreign key checks of two million rows on PostgreSQL, if the user is a superuser."""
    if connection.vendor == "postgresql":
        with suppress(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")


def _first(rows, count: int) -> int:
    """Return the lowest key of rows inserted together; their keys must be consecutive."""
    ends = rows.aggregate(lowest=Min("pk"), span=Max(F("pk")) - Min(F("pk")) + 1)
    if ends["span"] != count:
        raise RuntimeError(
            f"The keys of {count} rows span {ends['span']}, because another process writes to this database."
        )
    return ends["lowest"]


def _fill(model, rows: str, /, parameters_by_column: dict | None = None, **expressions: str) -> None:
    """Run INSERT ... SELECT. A column without an expression gets its parameter, or else the model's default."""
    parameters_by_column = parameters_by_column or {}
    columns, values, parameters = [], [], []
    for field in model._meta.concrete_fields:
        if field.primary_key and field.column not in expressions:
            continue
        columns.append(f'"{field.column}"')
        values.append(expressions.pop(field.column, "%s"))
        if values[-1] == "%s" or field.column in parameters_by_column:
            value = parameters_by_column.get(field.column, field.get_default())
            parameters.append(field.get_db_prep_save(value, connection))
    if expressions:
        raise RuntimeError(f"{model.__name__} has no {', '.join(expressions)}.")
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {rows}",
            parameters,
        )
