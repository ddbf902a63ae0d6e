"""A database from before the judging page migrates with all judgements, triggers and constraints."""

import importlib
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from assess.documents.contents import content_hash
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems, ledger_size
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Checkpoint, DocumentContent, Judgement, JudgementEvent, Member, Task

BEFORE = ("assess", "0002_judgement_on_scale")
AT = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
# document -> its judgements, in this order: (state, grade, milliseconds)
JUDGEMENTS = {
    "a": [("judged", 1, 5)],
    "b": [("judged", 0, 5), ("undone", None, 1), ("judged", 1, 7)],
    "c": [("later", None, 2)],
    "d": [("judged", 1, 3), ("undone", None, 0)],
}
UNTOUCHED = "e"

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database(slow=True)]


def migrate(*targets):
    executor = MigrationExecutor(connection)
    executor.migrate(targets or executor.loader.graph.leaf_nodes())
    return MigrationExecutor(connection).loader.project_state(targets).apps if targets else None


@dataclass
class Migrated:
    """What the test of a migration compares: rows before and after, statements, and triggers at each step."""

    rows: dict[type[Model], list[dict[str, Any]]]
    filling: list[str]
    filled: tuple[int, dict[str, int]]
    triggers: list[set[str]]


@pytest.fixture(scope="module")
def migrated(django_db_setup, django_db_blocker, allow_table_flush):
    """Five documents assigned to two judges, migrated: ada judged four, and one judgement of bob was imported.

    The database is migrated back to the earlier tables, filled, and migrated again, once for all tests."""
    with django_db_blocker.unblock():
        newest = triggers()
        collection = OldCollection(migrate(BEFORE))
        for document, judgements in JUDGEMENTS.items():
            for judgement in judgements:
                collection.judge(collection.ada, document, judgement)
        collection.judge(collection.bob, "a", ("cannot_judge", None, 0))
        rows = {model: rows_of(collection.model(model.__name__)) for model in (JudgementEvent, Judgement)}
        before = triggers()
        filling, filled = fill_in_batches()
        migrate()
        yield Migrated(rows, filling, filled, [newest, before, triggers()])
        call_command("flush", verbosity=0, interactive=False)


def rows_of(model) -> list[dict[str, Any]]:
    return list(model.objects.order_by("pk").values())


def fill_in_batches() -> tuple[list[str], tuple[int, dict[str, int]]]:
    """Fill the new columns of 0003 in batches of 3 rows. Return the statements, and what was filled."""
    filling = importlib.import_module("assess.migrations.0004_fill_judging_page")
    apps = migrate(("assess", "0003_judging_page"))
    with pytest.MonkeyPatch.context() as patch, CaptureQueriesContext(connection) as queries, transaction.atomic():
        patch.setattr(filling, "BATCH", 3)
        filling.fill_assignments(apps, None)
        filling.fill_tasks(apps, None)
    public_ids = apps.get_model("assess", "Assignment").objects.values("public_id").distinct().count()
    draws = apps.get_model("assess", "Task").objects.values_list("document__doc_id", "draw")
    return [query["sql"] for query in queries], (public_ids, dict(draws))


class OldCollection:
    """A small collection in the earlier tables."""

    def __init__(self, apps):
        self.model = lambda name: apps.get_model("assess", name)
        create = self.create
        self.collection = create("Collection", slug="old", name="Old", seed=7)
        for value in (0, 1):
            create("Grade", collection=self.collection, value=value, name=str(value))
        self.topic = create("Topic", collection=self.collection, query_id="1", title="one need")
        user = create("User", username="ada", password="!")
        self.ada = create("Member", collection=self.collection, user=user, role="assessor", name="assessor-1")
        self.bob = create("Member", collection=self.collection, role="assessor", name="bob")
        self.tasks = {doc_id: self.task(doc_id) for doc_id in (*JUDGEMENTS, UNTOUCHED)}
        for member in (self.ada, self.bob):
            for position, task in enumerate(self.tasks.values()):
                create("Assignment", task=task, member=member, position=position)

    def create(self, model: str, **fields):
        return self.model(model).objects.create(**fields)

    def task(self, doc_id: str):
        document = self.create("Document", collection=self.collection, doc_id=doc_id, text="Text.")
        return self.create("Task", topic=self.topic, document=document)

    def judge(self, member, doc_id: str, values: tuple):
        """Record as the earlier version did: change the judgement and add an event."""
        state, relevance, active_ms = values
        at = AT + timedelta(minutes=self.model("JudgementEvent").objects.count())
        reason = "broken" if state == "cannot_judge" else ""
        verdict = {"state": state, "relevance": relevance, "reason": reason, "guidelines_version": None}
        judgement = self.model("Judgement").objects.filter(task=self.tasks[doc_id], member=member).first()
        past = (judgement.state, judgement.relevance) if judgement else ("", None)
        judgement = judgement or self.model("Judgement")(task=self.tasks[doc_id], member=member)
        for name, value in {**verdict, "judged_at": at, "active_ms": judgement.active_ms + active_ms}.items():
            setattr(judgement, name, value)
        judgement.save()
        changes = {"before_state": past[0], "before_relevance": past[1], "at": at, "active_ms": active_ms}
        origin = {"source": "page", "client_id": uuid.uuid4()}
        self.create("JudgementEvent", judgement=judgement, member=member, **verdict, **changes, **origin)


def test_judgements_are_kept(migrated, db):
    for model, rows in migrated.rows.items():
        assert list(model.objects.order_by("pk").values(*rows[0])) == rows


def test_texts_of_documents_are_kept(migrated, db):
    contents = DocumentContent.objects.filter(document__doc_id__in="abcde")
    assert list(contents.values_list("text", "sanitised", "sha256")) == [
        ("Text.", None, content_hash("", "text", "Text.", None))
    ] * len("abcde")
    added = DocumentContent.objects.create(text="", sha256="")  # its key comes after those of the migrated rows
    assert added.pk > max(contents.values_list("pk", flat=True))


def test_new_columns_are_filled(migrated, db):
    assignments = Assignment.objects.all()
    assert assignments.values("public_id").distinct().count() == assignments.count() == 10
    assert set(assignments.values_list("topic__query_id", flat=True)) == {"1"}
    assert states("assessor-1") == {"a": "judged", "b": "judged", "c": "later", "d": "undone", "e": ""}
    assert states("bob") == {"a": "cannot_judge", "b": "", "c": "", "d": "", "e": ""}
    assert {task.document.doc_id: task.draw for task in Task.objects.all()} == {
        doc_id: draw(7, "1", doc_id) for doc_id in "abcde"
    }
    counted = Judgement.objects.filter(member__name="assessor-1").values_list("task__document__doc_id", "version")
    assert dict(counted) == {doc_id: len(judgements) for doc_id, judgements in JUDGEMENTS.items()}
    of_b = JudgementEvent.objects.filter(judgement__task__document__doc_id="b").order_by("at")
    assert list(of_b.values_list("version", flat=True)) == [1, 2, 3]


def states(name: str) -> dict[str, str]:
    rows = Assignment.objects.filter(member__name=name)
    return dict(rows.values_list("task__document__doc_id", "state"))


def test_document_texts_are_not_read(migrated):
    """A collection may have gigabytes of texts. The rows are filled in more than one batch."""
    assert migrated.filling
    assert not [statement for statement in migrated.filling if '"text"' in statement]
    assert migrated.filled == (10, {doc_id: draw(7, "1", doc_id) for doc_id in "abcde"})


def test_ledger_matches_the_judgements(migrated, db):
    assert ledger_size() == (5, 8)
    assert list(ledger_problems()) == []


def test_earlier_events_are_chained_with_unknown_displays(migrated, db):
    events = JudgementEvent.objects.filter(member__name="assessor-1").order_by("pk")
    assert list(events.values_list("position", flat=True)) == [1, 2, 3, 4, 5, 6, 7]
    assert not JudgementEvent.objects.exclude(document_hash=None, topic_hash=None, scale_hash=None).exists()
    checkpoint = Checkpoint.objects.get()
    assert (checkpoint.reason, checkpoint.events) == ("migration", 8)


def test_triggers_and_constraints_exist(migrated, db):
    for statement, words in {
        "UPDATE assess_judgement SET relevance = 7 WHERE relevance = 1": "judgement_on_scale",
        "UPDATE assess_judgementevent SET comment = 'changed'": "append-only ledger",
        "DELETE FROM assess_judgementevent": "append-only ledger",
        "DELETE FROM assess_judgement": "append-only ledger",
    }.items():
        with pytest.raises(IntegrityError, match=words), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_judging_continues(migrated, db):
    ada = Member.objects.get(name="assessor-1")
    ((topic, progress),) = topics_with_progress(ada)
    assert (progress.total, progress.judged, progress.later) == (5, 2, 1)
    first, *_ = worklist.upcoming(ada, topic)
    record_judgement(ada, uuid.UUID(first.task), JudgementInput("judged", 0), uuid.uuid4(), actor=ada.user)
    assert list(ledger_problems()) == []


def test_migrating_back_and_forth_leaves_the_same_triggers(migrated):
    newest, before, again = migrated.triggers
    assert len(newest) >= 5
    assert not newest & {name for name in before if "ledger" in name}
    assert again == newest


def triggers() -> set[str]:
    """Return the names of the triggers."""
    sqlite = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    postgresql = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(postgresql if connection.vendor == "postgresql" else sqlite)
        return {name for (name,) in cursor.fetchall()}


def test_models_need_no_further_migration():
    call_command("makemigrations", "assess", check=True, dry_run=True, verbosity=0)
