"""The database keeps the ledger append-only; only a permit allows the erasure of a person."""

import uuid

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import timezone

from assess.models import ErasurePermit, Judgement, JudgementEvent, Member
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import tables

pytestmark = pytest.mark.database

EVENTS, JUDGEMENTS = "assess_judgementevent", "assess_judgement"
OF_EVENTS = "assess_marginalanswer, assess_assistance"  # the tables that refer to events
JUDGED = b"assessor,query_id,doc_id,relevance\nada,1,a,1\nada,1,b,0\nbob,1,a,0\n"
COLUMNS = [field.column for field in JudgementEvent._meta.concrete_fields]


def replacing(**cells: str) -> str:
    """Return SQLite's REPLACE with copies of all events, which deletes conflicting rows."""
    copied = ", ".join(cells.get(name, name) for name in COLUMNS)
    return f"INSERT OR REPLACE INTO {EVENTS} ({', '.join(COLUMNS)}) SELECT {copied} FROM {EVENTS}"


# Statements of each database that delete without DELETE.
DELETING_STATEMENTS = {
    "sqlite": [
        replacing(relevance="1 - relevance"),
        replacing(id="id + 100", client_id="NULL"),
        replacing(id="id + 100", version="version + 1"),
        f"UPDATE OR REPLACE {EVENTS} SET id = 1",
    ],
    "postgresql": [
        f"TRUNCATE {EVENTS}, {OF_EVENTS}",
        f"TRUNCATE {JUDGEMENTS} CASCADE",
        f"TRUNCATE {JUDGEMENTS}, {EVENTS}, {OF_EVENTS}",
        "TRUNCATE assess_member CASCADE",
    ],
}


@pytest.fixture
def judged(collection):
    """Two judgements of ada and one of bob, each with its event."""
    import_judgements(collection, JUDGED)
    return collection


@pytest.fixture
def ada(judged):
    return judged.members.get(name="ada")


def sql(statement: str, *values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def assert_refused(write) -> None:
    """Assert that the ledger refuses, and that no table changes."""
    before = tables()
    with pytest.raises(IntegrityError, match="append-only ledger"), transaction.atomic():
        write()
    assert tables() == before


def add_event(member: Member, **fields) -> None:
    """Add a second event to the member's first judgement."""
    required = {"state": "later", "source": "page", "version": 2, "at": timezone.now()}
    JudgementEvent.objects.create(judgement=member.judgements.first(), member=member, **required, **fields)


def settle_references() -> str:
    """PostgreSQL truncates no table whose constraints are deferred to the end of the transaction."""
    return "SET CONSTRAINTS ALL IMMEDIATE" if connection.vendor == "postgresql" else "SELECT 1"


def whose(model) -> list[str]:
    return sorted(model.objects.values_list("member__name", flat=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", [field.attname for field in JudgementEvent._meta.concrete_fields])
def test_no_column_of_an_event_can_be_changed(judged, name):
    assert_refused(lambda: sql(f"UPDATE {EVENTS} SET {name} = {name}"))


def test_event_cannot_be_changed_or_deleted_from_python(judged):
    event = JudgementEvent.objects.first()
    event.relevance = 0
    assert_refused(event.save)
    assert_refused(event.delete)
    assert_refused(JudgementEvent.objects.all().delete)
    assert_refused(lambda: JudgementEvent.objects.update(comment="changed"))
    assert_refused(lambda: JudgementEvent.objects.bulk_update([event], ["relevance"]))


def test_judgement_can_be_changed_but_not_deleted(judged):
    Judgement.objects.update(comment="changed")
    assert_refused(lambda: sql(f"DELETE FROM {JUDGEMENTS}"))
    assert_refused(lambda: Judgement.objects.all()._raw_delete("default"))


@pytest.mark.parametrize("statement", DELETING_STATEMENTS[connection.vendor])
def test_no_event_is_deleted_by_other_statements(judged, statement):
    add_event(judged.members.get(name="ada"), client_id=uuid.uuid4())
    sql(settle_references())
    assert_refused(lambda: sql(statement))


@pytest.mark.parametrize("statement", DELETING_STATEMENTS[connection.vendor])
def test_permit_of_one_member_does_not_allow_other_statements(judged, statement):
    add_event(judged.members.get(name="ada"), client_id=uuid.uuid4())
    ErasurePermit.objects.create(member=judged.members.get(name="bob"))
    sql(settle_references())
    assert_refused(lambda: sql(statement))


def test_ledger_accepts_new_events(ada):
    add_event(ada)
    assert JudgementEvent.objects.count() == 4


def test_permit_allows_deleting_the_events_of_one_member(ada):
    with transaction.atomic():
        permit = ErasurePermit.objects.create(member=ada)
        assert_refused(lambda: sql(f"DELETE FROM {EVENTS}"))  # bob's are among them
        ada.events.all().delete()
        ada.judgements.all().delete()
        permit.delete()
    assert whose(JudgementEvent) == whose(Judgement) == ["bob"]
    assert_refused(JudgementEvent.objects.all().delete)
    assert_refused(lambda: sql(f"DELETE FROM {JUDGEMENTS}"))


def test_permit_of_another_member_allows_nothing(ada):
    ErasurePermit.objects.create(member=Member.objects.get(name="bob"))
    assert_refused(ada.events.all().delete)
    assert_refused(lambda: ada.judgements.all()._raw_delete("default"))


def test_permit_without_member_allows_deleting_all_events(judged):
    ErasurePermit.objects.create()
    JudgementEvent.objects.all().delete()
    Judgement.objects.all().delete()
    assert whose(JudgementEvent) == whose(Judgement) == []


def test_no_permit_allows_changing_an_event(ada):
    ErasurePermit.objects.create(member=ada)
    ErasurePermit.objects.create()
    assert_refused(lambda: ada.events.update(relevance=0))


def test_failed_erasure_leaves_all_events_and_no_permit(ada):
    @transaction.atomic
    def erase():
        ErasurePermit.objects.create(member=ada)
        ada.events.all().delete()
        raise RuntimeError

    before = tables()
    with pytest.raises(RuntimeError):
        erase()
    assert tables() == before
    assert_refused(ada.events.all().delete)


@pytest.mark.django_db(transaction=True)
def test_database_with_judgements_cannot_be_flushed(judged, allow_table_flush):
    before = tables()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", allow_table_flush)
        with pytest.raises(CommandError) as refusal:
            call_command("flush", interactive=False, verbosity=0)
    assert "append-only" in str(refusal.value.__cause__)
    assert tables() == before


@pytest.mark.django_db(transaction=True)
def test_tests_without_a_transaction_begin_with_empty_tables():
    assert [name for name, rows in tables().items() if rows] == []
