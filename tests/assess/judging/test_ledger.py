"""The ledger is append-only, and the database itself sees to it; one door is there for a person's erasure."""

import uuid

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import timezone

from assess.models import ErasurePermit, Judgement, JudgementEvent, Member
from assess.transfer.judgement_import import import_judgements
from tests.assess.command_output import tables

EVENTS, JUDGEMENTS = "assess_judgementevent", "assess_judgement"
JUDGED = b"assessor,query_id,doc_id,relevance\nada,1,a,1\nada,1,b,0\nbob,1,a,0\n"
COLUMNS = [field.column for field in JudgementEvent._meta.concrete_fields]


def replacing(**cells: str) -> str:
    """SQLite's REPLACE with copies of all lines, which deletes what is in their way."""
    copied = ", ".join(cells.get(name, name) for name in COLUMNS)
    return f"INSERT OR REPLACE INTO {EVENTS} ({', '.join(COLUMNS)}) SELECT {copied} FROM {EVENTS}"


# What deletes without the word DELETE, in each database's own way.
BY_THE_WAY = {
    "sqlite": [
        replacing(relevance="1 - relevance"),
        replacing(id="id + 100", client_id="NULL"),
        replacing(id="id + 100", version="version + 1"),
        f"UPDATE OR REPLACE {EVENTS} SET id = 1",
    ],
    "postgresql": [
        f"TRUNCATE {EVENTS}",
        f"TRUNCATE {JUDGEMENTS} CASCADE",
        f"TRUNCATE {JUDGEMENTS}, {EVENTS}",
        "TRUNCATE assess_member CASCADE",
    ],
}


@pytest.fixture
def judged(collection):
    """Two judgements of ada and one of bob, each with its line."""
    import_judgements(collection, JUDGED)
    return collection


@pytest.fixture
def ada(judged):
    return judged.members.get(name="ada")


def sql(statement: str, *values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def refused(deed) -> None:
    """The ledger refuses, and every table is as it was."""
    before = tables()
    with pytest.raises(IntegrityError, match="append-only ledger"), transaction.atomic():
        deed()
    assert tables() == before


def add_line(member: Member, **fields) -> None:
    """A second line to the member's first judgement."""
    said = {"state": "later", "source": "page", "version": 2, "at": timezone.now()}
    JudgementEvent.objects.create(judgement=member.judgements.first(), member=member, **said, **fields)


def settle_references() -> str:
    """PostgreSQL empties no table whose references wait for the end of the transaction."""
    return "SET CONSTRAINTS ALL IMMEDIATE" if connection.vendor == "postgresql" else "SELECT 1"


def whose(model) -> list[str]:
    return sorted(model.objects.values_list("member__name", flat=True))


@pytest.mark.parametrize("name", [field.attname for field in JudgementEvent._meta.concrete_fields])
def test_no_column_of_a_line_is_ever_changed(judged, name):
    refused(lambda: sql(f"UPDATE {EVENTS} SET {name} = {name}"))


def test_a_line_is_neither_changed_nor_deleted_from_python(judged):
    line = JudgementEvent.objects.first()
    line.relevance = 0
    refused(line.save)
    refused(line.delete)
    refused(JudgementEvent.objects.all().delete)
    refused(lambda: JudgementEvent.objects.update(comment="never said"))
    refused(lambda: JudgementEvent.objects.bulk_update([line], ["relevance"]))


def test_a_judgement_is_changed_but_never_deleted(judged):
    Judgement.objects.update(comment="a change that has its line elsewhere")
    refused(lambda: sql(f"DELETE FROM {JUDGEMENTS}"))
    refused(lambda: Judgement.objects.all()._raw_delete("default"))


@pytest.mark.parametrize("statement", BY_THE_WAY[connection.vendor])
def test_no_line_goes_by_the_way(judged, statement):
    add_line(judged.members.get(name="ada"), client_id=uuid.uuid4())
    sql(settle_references())
    refused(lambda: sql(statement))


@pytest.mark.parametrize("statement", BY_THE_WAY[connection.vendor])
def test_nor_by_one_persons_door(judged, statement):
    add_line(judged.members.get(name="ada"), client_id=uuid.uuid4())
    ErasurePermit.objects.create(member=judged.members.get(name="bob"))
    sql(settle_references())
    refused(lambda: sql(statement))


def test_the_ledger_takes_new_lines(ada):
    add_line(ada)
    assert JudgementEvent.objects.count() == 4


def test_the_door_lets_one_persons_lines_go_and_closes(ada):
    with transaction.atomic():
        door = ErasurePermit.objects.create(member=ada)
        refused(lambda: sql(f"DELETE FROM {EVENTS}"))  # bob's are among them
        ada.events.all().delete()
        ada.judgements.all().delete()
        door.delete()
    assert whose(JudgementEvent) == whose(Judgement) == ["bob"]
    refused(JudgementEvent.objects.all().delete)
    refused(lambda: sql(f"DELETE FROM {JUDGEMENTS}"))


def test_nobody_goes_through_the_door_of_somebody_else(ada):
    ErasurePermit.objects.create(member=Member.objects.get(name="bob"))
    refused(ada.events.all().delete)
    refused(lambda: ada.judgements.all()._raw_delete("default"))


def test_the_wide_door_lets_everybodys_lines_go(judged):
    ErasurePermit.objects.create()
    JudgementEvent.objects.all().delete()
    Judgement.objects.all().delete()
    assert whose(JudgementEvent) == whose(Judgement) == []


def test_no_door_lets_a_line_be_changed(ada):
    ErasurePermit.objects.create(member=ada)
    ErasurePermit.objects.create()
    refused(lambda: ada.events.update(relevance=0))


def test_an_erasure_that_fails_leaves_all_lines_and_no_door(ada):
    @transaction.atomic
    def erase():
        ErasurePermit.objects.create(member=ada)
        ada.events.all().delete()
        raise RuntimeError

    before = tables()
    with pytest.raises(RuntimeError):
        erase()
    assert tables() == before
    refused(ada.events.all().delete)


@pytest.mark.django_db(transaction=True)
def test_a_database_with_judgements_is_not_flushed(judged, allow_table_flush):
    before = tables()
    with pytest.MonkeyPatch.context() as as_in_life:
        as_in_life.setattr(BaseDatabaseOperations, "execute_sql_flush", allow_table_flush)
        with pytest.raises(CommandError) as refusal:
            call_command("flush", interactive=False, verbosity=0)
    assert "append-only ledger" in str(refusal.value.__cause__)
    assert tables() == before


@pytest.mark.django_db(transaction=True)
def test_tests_without_a_transaction_begin_with_empty_tables():
    assert [name for name, rows in tables().items() if rows] == []
