"""Kinds of tampering that verify_ledger detects (docs/ledger.md has the table), on both databases.

Each is done by somebody who can write to the database and disables the triggers meanwhile.
"""

import hashlib
import io
import json
import uuid
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from assess.collections.guidelines import publish_guidelines
from assess.collections.members import add_member
from assess.judging.chain_format import FIELDS, Key, event_hash
from assess.judging.checkpoints import create_checkpoint
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import Assignment, Checkpoint, Judgement, JudgementEvent, Member, Role, Task, Tombstone
from assess.people.erasure import erase
from assess.pools.assign import assign
from tests.assess.command_output import output_of, refusal
from tests.factories import set_content

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def ada(collection, join):
    """An assessor with three judgements, the first of them revised, and with a comment."""
    ada = join(collection, "ada")
    publish_guidelines(collection, "Read it all.")
    assign(collection, judges=1)
    first, second, third, *_ = ada.assignments.order_by("pk").values_list("public_id", flat=True)
    for task, grade in ((first, 0), (second, 1), (first, 1), (third, 0)):
        judgement_input = JudgementInput("judged", grade, comment="Why not?", guidelines_version=1)
        record_judgement(ada, task, judgement_input, uuid.uuid4(), actor=ada.user)
    return ada


@contextmanager
def without_triggers():
    """Disable all triggers, and enable them again."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE assess_judgementevent DISABLE TRIGGER USER")
            cursor.execute("ALTER TABLE assess_judgement DISABLE TRIGGER USER")
            yield cursor
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE assess_judgementevent ENABLE TRIGGER USER")
            cursor.execute("ALTER TABLE assess_judgement ENABLE TRIGGER USER")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield cursor
        for _, definition in triggers:
            cursor.execute(definition)


def run(statement: str, *values) -> None:
    with without_triggers() as cursor:
        cursor.execute(statement, values)


def event(position: int) -> JudgementEvent:
    return JudgementEvent.objects.get(position=position)


# ---- the kinds


def trigger_dropped(_: Member) -> None:
    on_table = " ON assess_judgementevent" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER ledger_delete{on_table}")


def trigger_replaced(_: Member) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION ledger_deleted() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RETURN OLD; END $$"
            )
            return
        cursor.execute("DROP TRIGGER ledger_delete")
        cursor.execute("CREATE TRIGGER ledger_delete BEFORE DELETE ON assess_judgementevent BEGIN SELECT 1; END")


def judgement_changed(_: Member) -> None:
    run("UPDATE assess_judgement SET relevance = 0 WHERE id = %s", event(2).judgement_id)


def grade_changed_consistently(_: Member) -> None:
    """The last event of a judgement, and the judgement with it."""
    run("UPDATE assess_judgementevent SET relevance = 0 WHERE position = 2")
    run("UPDATE assess_judgement SET relevance = 0 WHERE id = %s", event(2).judgement_id)


def time_changed(_: Member) -> None:
    run("UPDATE assess_judgementevent SET at = %s WHERE position = 4", "2026-01-01 00:00:00+00:00")
    run("UPDATE assess_judgement SET judged_at = %s WHERE id = %s", "2026-01-01 00:00:00+00:00", event(4).judgement_id)


def actor_changed(ada: Member) -> None:
    run("UPDATE assess_judgementevent SET actor_id = NULL WHERE position = 2")


def comment_changed(_: Member) -> None:
    run("UPDATE assess_judgementevent SET comment = 'Because.' WHERE position = 2")
    run("UPDATE assess_judgement SET comment = 'Because.' WHERE id = %s", event(2).judgement_id)


def comment_deleted_without_tombstone(_: Member) -> None:
    run("UPDATE assess_judgementevent SET comment = '', comment_salt = NULL WHERE position = 2")
    run("UPDATE assess_judgement SET comment = '' WHERE id = %s", event(2).judgement_id)


def judgement_moved_to_another_document(ada: Member) -> None:
    unjudged = ada.assignments.filter(state="").order_by("pk").first()
    run("UPDATE assess_assignment SET state = '' WHERE task_id = %s", event(4).judgement.task_id)
    run("UPDATE assess_assignment SET state = 'judged' WHERE id = %s", unjudged.pk)
    run("UPDATE assess_judgement SET task_id = %s WHERE id = %s", unjudged.task_id, event(4).judgement_id)


def row_deleted(_: Member) -> None:
    """A whole judgement with its only event, and its assignment's state: nothing else refers to it."""
    delete_judgement(event(2).judgement)


def row_deleted_with_tombstone(ada: Member) -> None:
    delete_judgement(event(2).judgement)
    Tombstone.objects.create(
        collection_slug=ada.collection.slug, members=0, judgements=1, events=1, reason="requested by the person"
    )


def last_row_deleted(ada: Member) -> None:
    """The ledger is truncated. A checkpoint was saved before."""
    create_checkpoint(ada.collection, "test")
    delete_judgement(event(4).judgement)


def chain_deleted(ada: Member) -> None:
    """All judgements of an assessor, without a tombstone. A checkpoint was saved before."""
    create_checkpoint(ada.collection, "test")
    for judgement in Judgement.objects.all():
        delete_judgement(judgement)


def document_changed(ada: Member) -> None:
    set_content(ada.collection.documents.filter(pk=event(2).judgement.task.document_id), text="Another text.")


def sanitised_text_changed(ada: Member) -> None:
    run("UPDATE assess_documentcontent SET sanitised = 'x' WHERE title = %s", f"Title {doc_id(2)}")


def topic_changed(ada: Member) -> None:
    ada.collection.topics.filter(query_id="1").update(narrative="Something else.")


def guidelines_changed(ada: Member) -> None:
    ada.collection.guidelines.update(text="Read nothing.")


def grade_renamed(ada: Member) -> None:
    ada.collection.grades.filter(value=1).update(name="Maybe")


def checkpoint_changed(ada: Member) -> None:
    checkpoint = create_checkpoint(ada.collection, "test")
    [member, length, head], *_ = checkpoint.chains
    Checkpoint.objects.update(chains=[[member, length - 1, head]])


def checkpoint_count_changed(ada: Member) -> None:
    create_checkpoint(ada.collection, "test")
    Checkpoint.objects.update(events=F("events") + 1)


def trigger_added(_: Member) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE TRIGGER later BEFORE INSERT ON assess_judgementevent FOR EACH ROW "
                "EXECUTE FUNCTION ledger_deleted()"
            )
            return
        cursor.execute("CREATE TRIGGER later BEFORE INSERT ON assess_judgementevent BEGIN SELECT 1; END")


def unique_index_dropped(_: Member) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX chain_position_once")


def accounts_exchanged(ada: Member) -> None:
    bob, _ = add_member(ada.collection, "bob", Role.ASSESSOR)
    account, other = ada.user_id, bob.user_id
    Member.objects.filter(pk__in=[ada.pk, bob.pk]).update(user=None)
    Member.objects.filter(pk=ada.pk).update(user=other)
    Member.objects.filter(pk=bob.pk).update(user=account)


def assignment_deleted(ada: Member) -> None:
    ada.assignments.filter(task=event(4).judgement.task_id).delete()


def wanted_changed(ada: Member) -> None:
    Task.objects.filter(pk=event(4).judgement.task_id).update(wanted=3)


def doc_id(position: int) -> str:
    return event(position).judgement.task.document.doc_id


def delete_judgement(judgement: Judgement) -> None:
    run("DELETE FROM assess_judgementevent WHERE judgement_id = %s", judgement.pk)
    run("DELETE FROM assess_judgement WHERE id = %s", judgement.pk)
    Assignment.objects.filter(task=judgement.task_id, member=judgement.member_id).update(state="")


@dataclass
class Kind:
    tamper: Callable[[Member], None]
    sentence: str


KINDS = [
    Kind(trigger_dropped, "the trigger ledger_delete is missing or disabled"),
    Kind(trigger_replaced, "the trigger ledger_delete was changed"),
    Kind(judgement_changed, "relevance is 0, but according to the ledger it is 1"),
    Kind(grade_changed_consistently, "it was changed after it was recorded"),
    Kind(time_changed, "it was changed after it was recorded"),
    Kind(actor_changed, "it was changed after it was recorded"),
    Kind(comment_changed, "its comment was changed"),
    Kind(comment_deleted_without_tombstone, "1 comment deleted from the ledger, but its tombstones record 0"),
    Kind(judgement_moved_to_another_document, "it was changed after it was recorded"),
    Kind(row_deleted, "The chain of 'assessor-1' has no event at position 2"),
    Kind(row_deleted_with_tombstone, "The chain of 'assessor-1' has no event at position 2"),
    Kind(last_row_deleted, "the chain of 'assessor-1' had 4 events, and the last 1 are missing"),
    Kind(chain_deleted, "the chain of 'assessor-1' had 4 events, and is missing without a tombstone"),
    Kind(document_changed, "was changed after 1 judgement had been recorded with another text"),
    Kind(sanitised_text_changed, "its text does not match the hash of its import"),
    Kind(topic_changed, "Topic '1' was changed after"),
    Kind(guidelines_changed, "Guidelines 1 of small were changed after 4 judgements"),
    Kind(grade_renamed, "The scale of small was changed after 4 judgements"),
    Kind(checkpoint_changed, "it was changed"),
    Kind(checkpoint_count_changed, "it was changed"),
    Kind(trigger_added, "The trigger later was added to the database."),
    Kind(unique_index_dropped, "the constraint chain_position_once of assess_judgementevent is missing"),
    Kind(accounts_exchanged, "but judgements of 'assessor-1' are by 'ada'"),
    Kind(assignment_deleted, "it has no assignment"),
    Kind(wanted_changed, "small has tasks that want other numbers of judges than its rule, no claims"),
]


@pytest.mark.in_ci
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.tamper.__name__)
def test_tampering_is_detected(ada, kind):
    assert list(ledger_problems()) == []
    kind.tamper(ada)
    problems = list(ledger_problems())
    assert any(kind.sentence in problem for problem in problems), problems
    assert any(kind.sentence in line for line in failed_verification())


def failed_verification(*words: str) -> list[str]:
    """Return what verify_ledger prints before it exits with 1."""
    out = io.StringIO()
    with pytest.raises(CommandError, match="difference"):
        call_command("verify_ledger", *words, stdout=out)
    return out.getvalue().splitlines()


def rewrite_consistently(ada: Member) -> None:
    """Change a grade, and compute all following hashes and the checkpoints again, as the code does."""
    grade_changed_consistently(ada)
    previous = None
    for each in JudgementEvent.objects.order_by("position").select_related("judgement__task__topic"):
        task = each.judgement.task
        key = Key(ada.pk, task.topic.query_id, task.document.doc_id, each.judgement.repeat)
        previous = event_hash(previous, each.position, key, [getattr(each, name) for name in FIELDS])
        run("UPDATE assess_judgementevent SET hash = %s WHERE id = %s", previous, each.pk)
    Checkpoint.objects.all().delete()
    create_checkpoint(ada.collection, "test")


def test_consistently_rewritten_chain_needs_a_head_from_outside(ada):
    head = output_of("checkpoint", "--collection", "small")[0].split()[-1]
    assert output_of("verify_ledger", "--head", head)[-1].endswith("no differences.")
    rewrite_consistently(ada)
    assert list(ledger_problems()) == []
    assert failed_verification("--head", head) == [
        f"There is no checkpoint {head}: it was deleted or changed, or it belongs to another database."
    ]


def test_head_stays_valid_while_judging_continues(ada):
    head = output_of("checkpoint", "--collection", "small")[0].split()[-1]
    task = ada.assignments.filter(state="").order_by("pk").first()
    record_judgement(ada, task.public_id, JudgementInput("judged", 1), uuid.uuid4(), actor=ada.user)
    assert output_of("verify_ledger", "--head", head[:12]) == [
        f"Nothing was changed up to checkpoint {head}: 4 events.",
        "Checked 4 judgements and 5 ledger events: no differences.",
    ]


def test_head_finds_a_truncated_ledger(ada):
    head = output_of("checkpoint", "--collection", "small")[0].split()[-1]
    delete_judgement(event(4).judgement)
    assert any("the last 1 are missing" in line for line in failed_verification("--head", head))


@pytest.mark.parametrize("head", ["", "xyz", "12345", "g" * 64])
def test_invalid_head_is_refused(collection, head):
    assert refusal("verify_ledger", "--head", head) == (
        f"{head!r} is not the hash of a checkpoint: enter its first 8 to 64 hexadecimal digits."
    )


def test_erased_chain_leaves_a_tombstone_that_checkpoints_accept(ada, join):
    checkpoint = create_checkpoint(ada.collection, "test")
    erase([ada], "requested by the person")
    assert list(ledger_problems()) == []
    assert Tombstone.objects.get().chains == checkpoint.chains


def test_tombstone_of_another_chain_is_reported(ada):
    create_checkpoint(ada.collection, "test")
    erase([ada], "requested by the person")
    Tombstone.objects.update(chains=[[ada.pk, 4, "00" * 32]])
    assert any("its tombstone describes another chain" in problem for problem in ledger_problems())


def test_hash_of_an_event_follows_the_specification(ada):
    """Computed here from the docstring of assess.judging.chain, without its code."""
    first = event(1)
    task = first.judgement.task
    assert first.comment_hash == hashlib.sha256(bytes(first.comment_salt) + b"Why not?").digest()
    row = [1, "", 1, ada.pk, task.topic.query_id, task.document.doc_id, 0, 1, None, "", None, "judged", 0, ""]
    row += [bytes(first.comment_hash).hex(), None, [], 0, 0, None, "", 1, None, "page", str(first.client_id)]
    row += [ada.user_id, *(f"{at:%Y-%m-%dT%H:%M:%S.%f}+00:00" for at in (first.at, first.recorded_at))]
    document = json.dumps([f"Title {task.document.doc_id}", "text", f"Text of {task.document.doc_id}.", None])
    topic = json.dumps([task.topic.query_id, task.topic.title, task.topic.description, task.topic.narrative])
    scale = json.dumps([text for grade in ada.collection.grades.all() for text in (str(grade.value), grade.name, "")])
    compact = [text.replace('", "', '","') for text in (topic, scale)]
    row += [hashlib.sha256(text.encode()).hexdigest() for text in (document, *compact, "Read it all.")]
    assert bytes(first.hash) == hashlib.sha256(json.dumps(row).replace(", ", ",").encode()).digest()
