"""The audit log: what is recorded, who sees it, how it is exported, and that nothing can change it."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from assess import audit
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.errors import Refused
from assess.models import Action, AuditEvent, ErasurePermit, Role, User
from assess.people import erasure
from assess.people.audit import COLUMNS, audit_csv, audit_page, delete_old_events, events_of
from assess.people.owner_link import create_link, use_link
from assess.teaching import exercises
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal, tables
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

LOG = "assess_auditevent"
NAMES = [field.column for field in AuditEvent._meta.concrete_fields]
SIGN_IN = "/account/sign-in/"
PASSWORD = "right and long"
DELETING_STATEMENTS = {
    "sqlite": [f"INSERT OR REPLACE INTO {LOG} SELECT * FROM {LOG}", f"UPDATE OR REPLACE {LOG} SET id = 1"],
    "postgresql": [f"TRUNCATE {LOG}", f"TRUNCATE {LOG} CASCADE"],
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def entries(db):
    for number in range(3):
        audit.record(Action.LINK_CREATED, subject=str(number))


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def assert_refused(write) -> None:
    """Assert that the log refuses, and that no table changes."""
    before = tables()
    with pytest.raises(IntegrityError, match="append-only audit log"), transaction.atomic():
        write()
    assert tables() == before


def actions() -> list[str]:
    return list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))


def last() -> AuditEvent:
    return AuditEvent.objects.order_by("pk").last()


# ---- append-only


@pytest.mark.parametrize("name", NAMES)
def test_no_column_can_be_changed(entries, name):
    assert_refused(lambda: sql(f"UPDATE {LOG} SET {name} = {name}"))


@pytest.mark.parametrize("statement", [f"DELETE FROM {LOG}", *DELETING_STATEMENTS[connection.vendor]])
def test_no_entry_can_be_deleted(entries, statement):
    assert_refused(lambda: sql(statement))


def test_entries_cannot_be_changed_or_deleted_from_python(entries):
    event = last()
    event.subject = "changed"
    assert_refused(event.save)
    assert_refused(event.delete)
    assert_refused(AuditEvent.objects.all().delete)


def test_permit_to_erase_a_member_does_not_open_the_log(entries, collection, join):
    ErasurePermit.objects.create(member=join(collection, "bob"))
    assert_refused(lambda: sql(f"DELETE FROM {LOG}"))


def test_no_permit_allows_changing_an_entry(entries):
    ErasurePermit.objects.create()
    assert_refused(lambda: sql(f"UPDATE {LOG} SET subject = 'changed'"))


def test_only_entries_past_the_retention_are_deleted(entries, settings):
    at = timezone.now() - timedelta(days=settings.AUDIT_DAYS, seconds=1)
    AuditEvent.objects.create(at=at, action=Action.LINK_CREATED, subject="old")
    assert delete_old_events() == 1
    assert set(AuditEvent.objects.values_list("subject", flat=True)) == {"0", "1", "2"}
    assert not ErasurePermit.objects.exists()
    assert_refused(lambda: sql(f"DELETE FROM {LOG}"))


# ---- sign-ins


def sign_in(client, name: str, password: str = PASSWORD, address: str = "10.1.2.3") -> int:
    return client.post(SIGN_IN, {"username": name, "password": password}, REMOTE_ADDR=address).status_code


def test_sign_in_is_recorded_without_an_address(client, ada):
    assert sign_in(client, "ada") == 302
    event = last()
    assert (event.action, event.actor, event.person, event.address_hash) == ("signed_in", ada, None, "")


def test_failed_sign_in_names_the_account_and_hashes_the_address(client, ada):
    sign_in(client, "ada", "wrong")
    sign_in(client, "ada", "wrong", "10.1.2.4")
    first, second = AuditEvent.objects.order_by("pk")
    assert (first.action, first.actor, first.person) == ("sign_in_failed", None, ada)
    assert len(first.address_hash) == 32
    assert first.address_hash != second.address_hash
    assert "10.1.2" not in str(tables()["AuditEvent"])


def test_unknown_name_is_not_stored_since_it_may_be_a_password(client, ada):
    sign_in(client, "my secret password", "wrong")
    assert last().person is None
    assert "secret" not in str(tables()["AuditEvent"])
    assert audit_page(AuditEvent.objects.all()).rows[0].person == "unknown name"


def test_attempt_that_locks_is_recorded_once_and_later_ones_are_not(client, ada):
    statuses = [sign_in(client, "ada", f"wrong {number}") for number in range(14)]
    assert statuses[10:] == [429] * 4
    assert actions() == ["sign_in_failed"] * 10 + ["locked_out"]
    assert last().person == ada


def test_program_that_tries_many_names_adds_few_entries(client):
    for number in range(15):
        sign_in(client, f"name {number}", "wrong")
    assert len(actions()) == 10


def test_student_who_joins_is_not_recorded(client):
    exercise = pasted_exercise(make_instructor())
    before = actions()
    client.post(reverse("join:nickname", args=[exercise.code]), {"nickname": "Ann"})
    assert exercise.seats.exists()
    assert actions() == before


# ---- other actions


def test_collection_members_and_exports_are_recorded(ada):
    collection = create_collection("tea", "Tea")
    add_member(collection, "ada", Role.OWNER)
    add_member(collection, "bob", Role.ASSESSOR, actor=ada)
    audit.record_export(collection, "judgements", ada)
    rows = list(events_of(collection).order_by("pk"))
    assert [row.action for row in rows] == ["collection_created", "member_added", "member_added", "exported"]
    assert [row.collection_slug for row in rows] == ["tea"] * 4
    assert [(row.actor, row.person and row.person.username) for row in rows[1:]] == [
        (None, "ada"),
        (ada, "bob"),
        (ada, None),
    ]
    assert rows[2].details == {"role": "assessor"}


def test_refused_member_is_not_recorded(collection, join):
    join(collection, "bob")
    before = actions()
    with pytest.raises(Refused):
        add_member(collection, "bob", Role.ASSESSOR)
    assert actions() == before


def test_entry_of_a_gold_does_not_name_the_judge(collection, tmp_path):
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\nZelda,1,a,1\n")
    output_of("export_qrels", "--collection", "small", "--gold", "judge:Zelda", "--out", tmp_path / "out")
    assert last().subject == "qrels, judge"
    assert "Zelda" not in str(tables()["AuditEvent"])


def test_export_that_is_refused_or_not_written_is_not_recorded(collection, tmp_path):
    refusal("export_qrels", "--collection", "small", "--gold", "majority")
    refusal("export_judgements", "--collection", "small", "--out", tmp_path / "missing" / "out")
    output_of("export_judgements", "--collection", "small", "--out", tmp_path / "out")
    assert (last().action, last().actor, last().subject) == ("exported", None, "judgements")


def test_owner_link_is_recorded_when_created_and_when_used(ada):
    use_link(create_link(), lambda: ada)
    assert actions() == ["link_created", "link_used"]
    assert last().actor == ada


def test_erasure_is_recorded_with_counts_and_no_name():
    exercise = pasted_exercise(make_instructor())
    seat, *_ = join_all(exercise, "Annabella", "Bob")
    slug = exercise.collection.slug
    erasure.erase([seat.member], "asked for")
    event = last()
    assert (event.action, event.collection_slug, event.subject) == ("members_erased", slug, "asked for")
    assert event.details == {"members": 1, "judgements": 0, "events": 0}
    exercises.erase(exercise, actor=exercise.instructor)
    assert (last().action, last().actor.username, last().collection_slug) == ("members_erased", "iris", slug)
    assert "Annabella" not in str(tables()["AuditEvent"])


def test_failed_change_leaves_no_entry(collection, join, monkeypatch):
    member = join(collection, "bob")
    before = actions()
    monkeypatch.setattr(erasure, "_erase_users", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erasure.erase([member], "asked for")
    assert actions() == before


# ---- who sees what


def test_entries_of_one_collection_and_all(collection, join):
    join(create_collection("other", "Other"), "olga")
    join(collection, "olga")
    audit.record(Action.LINK_CREATED)
    assert set(events_of(collection).values_list("collection_slug", flat=True)) == {"small"}
    assert events_of(None).count() == AuditEvent.objects.count()


def test_deleted_user_becomes_a_number_without_changing_the_entry(ada):
    audit.record(Action.EXPORTED, actor=ada, person=ada)
    before, key = tables()["AuditEvent"], ada.pk
    ada.delete()
    (row,) = audit_page(AuditEvent.objects.all()).rows
    assert (row.actor, row.person) == (f"erased person {key}", f"erased person {key}")
    assert tables()["AuditEvent"] == before


def test_new_collection_with_the_slug_of_a_deleted_one_has_its_own_log():
    first = create_collection("tea", "Tea")
    first.delete()
    second = create_collection("tea", "Tea")
    assert events_of(second).count() == 1
    assert AuditEvent.objects.filter(collection_slug="tea").count() == 2


def test_pages_follow_each_other(entries, monkeypatch):
    monkeypatch.setattr("assess.people.audit.PAGE_SIZE", 2)
    first = audit_page(AuditEvent.objects.all())
    assert [row.event.subject for row in first.rows] == ["2", "1"]
    second = audit_page(AuditEvent.objects.all(), older=str(first.older))
    assert [row.event.subject for row in second.rows] == ["0"]
    assert second.older is None


def test_unknown_action_of_a_later_version_is_shown_as_it_is():
    AuditEvent.objects.create(action="teleported")
    assert audit_page(AuditEvent.objects.all()).rows[0].action == "teleported"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "teleported"}, "There is no action 'teleported'. The actions are signed_in, "),
        ({"older": "x"}, "must begin at the number of an entry, not at 'x'"),
        ({"older": "9" * 30}, "must begin at the number of an entry"),
        ({"older": "²"}, "must begin at the number of an entry"),
    ],
)
def test_invalid_filter_is_refused(entries, arguments, words):
    with pytest.raises(Refused, match=words):
        audit_page(AuditEvent.objects.all(), **arguments)


def test_csv_has_no_formulas(ada):
    User.objects.filter(pk=ada.pk).update(username="=1+1")
    audit.record(Action.EXPORTED, actor=ada, subject="@sum", details={"a": 1, "b": "x"})
    header, row = csv.reader(io.StringIO("".join(audit_csv(AuditEvent.objects.all())), newline=""))
    assert tuple(header) == COLUMNS
    cells = dict(zip(header, row, strict=True))
    assert cells["actor"] == "'=1+1"
    assert cells["subject"] == "'@sum"
    assert cells["details"] == "a: 1, b: x"
    assert cells["at"].endswith("Z")


def test_number_of_queries_does_not_grow_with_entries(ada, entries, django_assert_num_queries):
    with django_assert_num_queries(1):
        audit_page(AuditEvent.objects.all())
