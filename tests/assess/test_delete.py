"""Deleting a collection removes everything of it and nothing else, once its judgements are exported."""

import os
import signal
import uuid

import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection
from django.utils import timezone

from assess import deletion as delete
from assess.collections.archive import archive_collection
from assess.collections.guidelines import publish_guidelines
from assess.deletion import (
    UNUSED_AFTER,
    Losses,
    check_deletable,
    delete_collection,
    delete_unused_run_files,
    is_exported,
    losses_of,
)
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.feedback import save_feedback
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.lib import long_work
from assess.models import AuditEvent, Collection, DocumentContent, Judgement, Member, Role, Run, Tombstone
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from assess.transfer.exports import record_export
from assess.transfer.judgements import import_judgements
from tests.assess.classroom import add_instructor, create_exercise
from tests.assess.command_output import output_of, refusal
from tests.assess.pools.learning.whole import begin, whole_collection
from tests.factories import SMALL_RUNS, set_content, small_collection
from tests.processes import run_in_processes

pytestmark = [pytest.mark.slow, pytest.mark.alone]

STAY = {"AuditEvent", "Tombstone", "User", "Session"}


def judge_one(member, grade=1):
    for topic, _ in topics_with_progress(member):
        for card in worklist.upcoming(member, topic)[:1]:
            record_judgement(
                member, card.task, JudgementInput("judged", grade, comment="Good."), uuid.uuid4(), actor=member.user
            )
            return


@pytest.fixture
def full(collection, join):
    """A collection with something in every table, and its judgements exported."""
    publish_guidelines(collection, "Read it all.")
    set_content(collection.documents.filter(doc_id__in=["a", "b"]), title="", text="one and the same text")
    find_pairs(collection)
    assert accept_threshold(collection, 0.5) == 1
    join(collection, "olga", Role.OWNER)
    ada = join(collection, "ada")
    assign(collection, judges=1)
    begin_adaptive_order(collection, "move_to_front")
    judge_one(ada)
    save_feedback(ada, collection.topics.first(), 3, "Hard.", earlier=True)
    import_judgements(collection, b"1 0 a 1\n2 0 other 0\n", assessor="model")
    collection.jobs.create(kind="build_pool")
    record_export(collection, "judgements")
    return collection


def row_counts() -> dict[str, int]:
    models = apps.get_app_config("assess").get_models()
    return {model.__name__: model.objects.count() for model in models if model.__name__ not in STAY}


def test_everything_of_the_collection_is_deleted_and_nothing_else(full):
    small_collection(SMALL_RUNS, "other")  # the same documents and run files
    counts = row_counts()
    other = Collection.objects.get(slug="other")
    theirs = losses_of(other)
    result = delete_collection("small", "small")
    assert result.losses == Losses(2, 1, 0, 2, 8, 3, 8, 7, 3, 3)
    assert losses_of(other) == theirs
    left = row_counts()
    assert left["Collection"] == 1
    assert left["DocumentContent"] == counts["DocumentContent"] / 2
    only_in_small = {"Member", "Guidelines", "Judgement", "JudgementEvent", "Assignment", "TopicFeedback", "Checkpoint"}
    only_in_small |= {"Job", "ImportedFile", "ImportedJudge", "JudgementImport", "AdaptiveOrder", "ErasurePermit"}
    assert {name: left[name] for name in only_in_small} == dict.fromkeys(only_in_small, 0)
    if connection.vendor == "sqlite":
        connection.check_constraints()


def test_collection_with_a_learner_is_deleted(db, join):
    whole = whole_collection()
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    begin(whole)
    assert worklist.upcoming(Member.objects.get(pk=ada.pk), topic)
    delete_collection("whole", "whole")
    left = row_counts()
    assert [left[name] for name in ("LearnerModel", "Proposal", "Task", "Document", "Topic")] == [0] * 5
    if connection.vendor == "sqlite":
        connection.check_constraints()


def test_deletion_is_audited_and_leaves_a_tombstone(full):
    olga = full.members.get(user__username="olga").user
    key = full.pk
    delete_collection("small", "small", olga)
    event = AuditEvent.objects.get(action="collection_deleted")
    assert (event.actor, event.collection_id, event.collection_slug) == (olga, key, "small")
    assert (event.details["judgements"], event.details["documents"]) == (3, 8)
    tombstone = Tombstone.objects.get()
    assert (tombstone.collection_slug, tombstone.judgements, tombstone.events) == ("small", 3, 3)
    assert list(ledger_problems()) == []


def test_people_keep_their_accounts(full, django_user_model):
    delete_collection("small", "small")
    assert set(django_user_model.objects.values_list("username", flat=True)) == {"olga", "ada"}


def test_judgements_must_be_exported_first(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    check_deletable(collection)  # nothing to lose yet
    judge_one(ada)
    with pytest.raises(Refused, match="small has judgements that were not exported since the last change"):
        delete_collection("small", "small")
    record_export(collection, "qrels, majority")
    assert not is_exported(collection)  # a gold is not all judgements
    record_export(collection, "judgements")
    assert is_exported(collection)
    judge_one(ada, 0)
    assert not is_exported(collection)
    with pytest.raises(Refused):
        delete_collection("small", "small")
    assert Judgement.objects.count() == 2


def test_judgement_during_the_deletion_stops_it(full, monkeypatch):
    ada = full.members.get(user__username="ada")
    checks = []

    def check_then_judge(collection):
        check_deletable(collection)
        if not checks:
            checks.append(judge_one(ada, 0))

    monkeypatch.setattr(delete, "check_deletable", check_then_judge)
    with pytest.raises(Refused, match="not exported"):
        delete_collection("small", "small")
    assert Judgement.objects.count() == 4


@pytest.mark.parametrize("confirmation", ["", "Small", "small ", "other"])
def test_wrong_confirmation_deletes_nothing(collection, confirmation):
    with pytest.raises(Refused, match="To delete this collection, type small, not"):
        delete_collection("small", confirmation)
    assert Collection.objects.exists()


def test_missing_collection_is_refused(db):
    with pytest.raises(Refused, match="There is no collection 'small'"):
        delete_collection("small", "small")


def test_collection_of_an_exercise_is_refused(collection):
    exercise = create_exercise(collection, add_instructor(collection))
    slug = exercise.collection.slug
    with pytest.raises(Refused, match=f"belongs to the exercise {exercise.code}"):
        delete_collection(slug, slug)


@pytest.mark.django_db(transaction=True)
def test_interruption_before_the_commit_changes_nothing(full, monkeypatch):
    def fail() -> None:
        raise IntegrityError("killed")

    counts = row_counts()
    monkeypatch.setattr(delete, "about_to_save", fail)
    with pytest.raises(IntegrityError):
        delete_collection("small", "small")
    assert row_counts() == counts


def test_interruption_after_the_commit_leaves_only_unused_contents(full, monkeypatch):
    monkeypatch.setattr(delete, "delete_contents", lambda _: None)
    delete_collection("small", "small")
    assert not Collection.objects.exists()
    assert DocumentContent.objects.filter(document=None).count() == DocumentContent.objects.count() == 7


def age(seconds: float) -> None:
    for path in settings.RUNS_DIR.iterdir():
        os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def test_run_files_that_no_run_uses_are_deleted_after_a_day(collection):
    run = collection.runs.get(system="alpha")
    Run.objects.exclude(pk=run.pk).delete()
    assert delete_unused_run_files() == 0  # an import may have just written them
    age(UNUSED_AFTER.total_seconds() + 60)
    assert delete_unused_run_files() == 2
    assert [path.stem for path in settings.RUNS_DIR.iterdir()] == [run.file_checksum]


def test_command_prints_the_losses_and_deletes_after_confirmation(full):
    assert output_of("delete_collection", "small") == [
        "This would delete small with 2 people, 1 imported judge, 0 invitations, 2 topics, 8 documents, 3 runs, "
        "8 tasks, 7 assignments, 3 judgements, 3 ledger events.",
        "To delete it, run delete_collection small --confirm small.",
    ]
    assert "type small, not 'smal'" in refusal("delete_collection", "small", "--confirm", "smal")
    assert output_of("delete_collection", "small", "--confirm", "small")[0].startswith("Deleted small with 2 people")
    assert not Collection.objects.exists()
    assert "There is no collection 'small'" in refusal("delete_collection", "small")


class KillAt:
    """Kills the process when the deletion reaches a stage; "saved" is just before the commit."""

    def __init__(self, stage: str):
        self.stage = stage

    def report(self, stage, *_):
        if stage == self.stage:
            os.kill(os.getpid(), signal.SIGKILL)

    def save(self):
        self.report("saved")


def delete_and_die(stage: str) -> None:
    with long_work.watched_by(KillAt(stage)):
        delete_collection("small", "small")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", ["Deleting judgements", "Deleting tasks", "Deleting documents", "saved"])
def test_killed_deletion_changes_nothing_and_can_be_repeated(full, stage):
    counts = row_counts()
    (ended,) = run_in_processes(lambda: delete_and_die(stage))
    assert ended.signal == signal.SIGKILL
    assert row_counts() == counts
    delete_collection("small", "small")
    assert not Collection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_deletion_killed_after_the_commit_leaves_contents_for_the_purge(full, monkeypatch):
    monkeypatch.setattr(delete, "delete_contents", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    (ended,) = run_in_processes(lambda: delete_and_die(""))
    assert ended.signal == signal.SIGKILL
    assert not Collection.objects.exists()
    assert DocumentContent.objects.count() == 7
    DocumentContent.objects.update(imported_at=timezone.now() - 2 * UNUSED_AFTER)
    assert "Texts of interrupted imports: 7 deleted." in output_of("purge")


def test_archived_collection_can_be_deleted(full):
    archive_collection(full)
    delete_collection("small", "small")
    assert not Collection.objects.exists()
