"""Statements that are composed once: they find and save what Django's own would, whatever the values."""

import threading
import uuid
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import DateTimeField, Exists, F, OuterRef, UUIDField
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from assess.lib.prepared import Composed, Given, Insert, Update
from assess.models import Assignment, Judgement, JudgementEvent, Member, Task, Topic
from tests.assess.claiming import fresh, open_pool, say, upcoming

BY_NAME = Composed(
    lambda: (
        Member.objects.select_related("collection")
        .filter(user__username=Given("name"), collection__slug=Given("slug"))
        .annotate(erase_on=F("collection__exercise__erase_on"))
    )
)
HOSTILE = "x'; DROP TABLE assess_member; --%s\\"


@pytest.fixture
def ada(join):
    return join(open_pool(2), "ada")


def everything(instance) -> dict:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


# ---- asking


def test_it_finds_what_the_queryset_finds(ada):
    (found,) = BY_NAME.rows(name="ada", slug="open")
    assert everything(found) == everything(fresh(ada))
    assert everything(found.collection) == everything(fresh(ada).collection)
    assert found.erase_on is None
    assert found._state.adding is False


def test_every_asking_has_values_of_its_own(ada, join):
    bob = join(ada.collection, "bob")
    assert [BY_NAME.first(name=name, slug="open") for name in ("ada", "bob", "eve", "ada")] == [ada, bob, None, ada]
    assert BY_NAME.rows(name="ada", slug="elsewhere") == []


@pytest.mark.parametrize("name", [HOSTILE, "", "%", "ada' OR '1'='1", "\N{SNOWMAN}"])
def test_a_value_is_never_read_as_sql(ada, name):
    assert BY_NAME.rows(name=name, slug="open") == []
    assert Member.objects.filter(user__username="ada").exists()


def test_a_value_takes_its_fields_form(ada):
    (task,) = upcoming(ada, limit=1)
    asked = Composed(
        lambda: Assignment.objects.filter(
            public_id__in=[Given("task", UUIDField()), Given("other", UUIDField())],
            claimed_until__lt=Given("then", DateTimeField()),
        ).values_list("public_id", "claimed_until")
    )
    at = {"task": uuid.UUID(task), "other": uuid.uuid4()}
    ((public_id, until),) = asked.rows(**at, then=timezone.now() + timedelta(days=1))
    assert (str(public_id), until) == (task, Assignment.objects.get().claimed_until)
    assert asked.rows(**at, then=timezone.now()) == []


def test_rows_come_as_tuples_as_dicts_or_flat(ada):
    def asked(form, *columns, **how):
        queryset = Topic.objects.filter(collection=Given("collection"), query_id="1")
        return Composed(lambda: getattr(queryset, form)(*columns, **how)).rows(collection=ada.collection_id)

    topic = Topic.objects.get(query_id="1")
    has_tasks = Exists(Task.objects.filter(topic=OuterRef("pk"), taken=Given("taken")))
    assert asked("values_list", "query_id", "pk") == [("1", topic.pk)]
    assert asked("values_list", "pk", flat=True) == [topic.pk]
    assert asked("values", "pk", name=F("query_id")) == [{"pk": topic.pk, "name": "1"}]
    inner = Composed(lambda: Topic.objects.filter(has_tasks).values_list("pk", flat=True))
    assert (inner.rows(taken=0), inner.rows(taken=7)) == ([topic.pk], [])


def test_it_composes_once_and_sends_one_query_each_time(ada, django_assert_num_queries):
    asked = Composed(lambda: Topic.objects.filter(pk=Given("pk")))
    spy = patch.object(SQLCompiler, "as_sql", autospec=True, side_effect=SQLCompiler.as_sql)
    with spy as composing, django_assert_num_queries(5):
        for pk in range(5):
            asked.rows(pk=pk)
    assert composing.call_count == 1


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_on_its_own_connection(join):
    ada = join(open_pool(2), "ada")
    found = []

    def ask():
        found.append(BY_NAME.first(name="ada", slug="open").pk)
        connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ada.pk] * 4


def test_a_value_that_is_missing_is_an_error(ada):
    with pytest.raises(KeyError, match="slug"):
        BY_NAME.rows(name="ada")


# ---- saving


def copies(ada) -> tuple[Judgement, JudgementEvent]:
    """What the page saved of a judgement, to be saved again after it was deleted."""
    (task,) = upcoming(ada, limit=1)
    event = say(ada, task, comment=HOSTILE, passages=[[0, 4], [6, 9]], confidence=2, highlights=True, active_ms=5)
    return event.judgement, event


def test_a_row_is_what_save_would_have_saved(ada):
    judgement, event = copies(ada)
    for instance in (judgement, event):
        kept = type(instance).objects.get(pk=instance.pk)
        assert everything(kept) == everything(instance)
        assert (instance._state.adding, instance._state.db) == (False, "default")
    assert (judgement.comment, judgement.passages) == (HOSTILE, [[0, 4], [6, 9]])


def test_columns_filled_at_saving_are_filled(ada):
    before = timezone.now()
    _, event = copies(ada)
    assert before <= JudgementEvent.objects.get().recorded_at == event.recorded_at <= timezone.now()


def test_what_the_database_refuses_leaves_nothing(ada):
    judgement, _ = copies(ada)
    twin = Judgement(**{name: value for name, value in everything(judgement).items() if name != "id"})
    with pytest.raises(IntegrityError), transaction.atomic():
        Insert(Judgement)(twin)
    assert twin.pk is None
    assert Judgement.objects.count() == 1


def test_an_update_writes_its_own_fields_and_no_others(ada):
    first, second = Assignment.objects.filter(public_id__in=upcoming(ada, limit=2)).order_by("pk")
    first.state, first.claimed_until, first.position = "later", None, 99
    Update(Assignment, "state", "claimed_until")(first)
    kept = Assignment.objects.get(pk=first.pk)
    assert (kept.state, kept.claimed_until) == ("later", None)
    assert kept.position != 99
    assert everything(Assignment.objects.get(pk=second.pk)) == everything(second)


def test_saving_is_one_query_and_composes_nothing(ada):
    judgement, _ = copies(ada)
    twin = Judgement(**everything(judgement) | {"id": None, "repeat": 1})
    insert = Insert(Judgement)
    with patch.object(SQLCompiler, "as_sql") as composing, connection.execute_wrapper(counted := Counted()):
        insert(twin)
    assert (counted.number, composing.call_count) == (1, 0)


class Counted:
    number = 0

    def __call__(self, execute, *arguments):
        self.number += 1
        return execute(*arguments)
