"""A collection of the size that judging must stand: 100,000 tasks in 50 topics, 20 assessors, 300,000 judgements.

Every task has three of four judges, so that every assessor has judged 15,000 documents and has 5,000 to judge, 100 in
each topic; where the collection is open to claims, these wait for whoever comes first. A few are put off or cannot be
judged. It is made by the database itself, set by set; with Django set up, `make` takes the database it finds, migrated.
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
    Judgement,
    JudgementEvent,
    Member,
    Provenance,
    Role,
    Task,
    Topic,
    User,
)

TASKS, TOPICS, ASSESSORS, JUDGED, WANTED = 100_000, 50, 20, 3, 4
GRADES = ("0=Not relevant", "1=Somewhat relevant", "2=Relevant", "3=Highly relevant")
TEXT = "The brook that gave the mill its name had run dry by then; what turned the wheel was a small engine. " * 8
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

NUMBERS = "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {}) SELECT i FROM n) AS {}"
RANDOM_ID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}
SECONDS_LATER = {"sqlite": "datetime(%s, {} || ' seconds')", "postgresql": "%s + {} * interval '1 second'"}


@transaction.atomic
def make(slug: str = "large", tasks: int = TASKS, topics: int = TOPICS, *, open_to_claims: bool = False) -> Collection:
    """A collection with `tasks` tasks, and three times as many judgements by `ASSESSORS` assessors."""
    _trust_rows()
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
    _give_out(collection, members, tasks)
    _judge(collection)
    return collection


def _pool(collection: Collection, tasks: int, topics: int) -> None:
    _fill(
        Document,
        NUMBERS.format(tasks, "number"),
        collection_id=str(collection.pk),
        doc_id="'d' || number.i",
        title="'Document ' || number.i",
        text=f"'{TEXT}' || number.i",
    )
    first_topic, first = _first(collection.topics, topics), _first(collection.documents, tasks)
    number = f"(d.id - {first})"
    unsettled = " + ".join(f"CASE WHEN {_chance(number, n)} IN (5, 7) THEN 1 ELSE 0 END" for n in range(JUDGED))
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


def _give_out(collection: Collection, members: list[Member], tasks: int) -> None:
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
        state=f"""CASE WHEN judge.i >= {JUDGED} THEN '' WHEN {_chance(number, "judge.i")} = 5 THEN 'later'
            WHEN {_chance(number, "judge.i")} = 7 THEN 'cannot_judge' ELSE 'judged' END""",
        **({"holds_place": f"{_chance(number, 'judge.i')} NOT IN (5, 7)"} if collection.open_to_claims else {}),
        created_at="%s",
        given={"created_at": BEGIN},
    )


def _chance(task: str, judge: object) -> str:
    """By this number a few are put off, or cannot be judged."""
    return f"({task} + {judge}) %% 97"


def _judge(collection: Collection) -> None:
    members = f"SELECT id FROM assess_member WHERE collection_id = {collection.pk}"
    verdict = {
        "state": "said.state",
        "relevance": "CASE WHEN said.state = 'judged' THEN said.task_id %% 4 END",
        "reason": "CASE WHEN said.state = 'cannot_judge' THEN 'language' ELSE '' END",
    }
    _fill(
        Judgement,
        f"assess_assignment said WHERE said.state <> '' AND said.member_id IN ({members}) ORDER BY said.id",
        **verdict,
        task_id="said.task_id",
        member_id="said.member_id",
        judged_at=SECONDS_LATER[connection.vendor].format("(said.id %% 8000000)"),
        given={"judged_at": BEGIN},
    )
    _fill(
        JudgementEvent,
        f"assess_judgement said WHERE said.member_id IN ({members}) ORDER BY said.id",
        **verdict,
        judgement_id="said.id",
        member_id="said.member_id",
        source="'page'",
        client_id=RANDOM_ID[connection.vendor],
        at="said.judged_at",
        recorded_at="said.judged_at",
    )


def _trust_rows() -> None:
    """On PostgreSQL two million references need not be looked up one by one; it takes a superuser to say so."""
    if connection.vendor == "postgresql":
        with suppress(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")


def _first(rows, count: int) -> int:
    """The least key of rows that were made at once, whose keys must follow each other."""
    ends = rows.aggregate(least=Min("pk"), span=Max(F("pk")) - Min(F("pk")) + 1)
    if ends["span"] != count:
        raise RuntimeError(f"{count} keys span {ends['span']}: make the world where nobody else writes.")
    return ends["least"]


def _fill(model, rows: str, /, given: dict | None = None, **expressions: str) -> None:
    """INSERT ... SELECT: a column without an expression has the model's default. `given` has parameters by column."""
    given = given or {}
    columns, values, parameters = [], [], []
    for field in model._meta.concrete_fields:
        if field.primary_key and field.column not in expressions:
            continue
        columns.append(f'"{field.column}"')
        values.append(expressions.pop(field.column, "%s"))
        if values[-1] == "%s" or field.column in given:
            value = given.get(field.column, field.get_default())
            parameters.append(field.get_db_prep_save(value, connection))
    if expressions:
        raise RuntimeError(f"{model.__name__} has no {', '.join(expressions)}.")
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {rows}",
            parameters,
        )
