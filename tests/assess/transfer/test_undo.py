"""An import is undone until something depends on it."""

import uuid

import pytest

import pooling
from assess.collections import runfiles
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, AuditEvent, Document, DocumentContent, ImportRecord, Role, Run, Task, Topic
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from assess.transfer.undo import obstacles, undo_import
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics

pytestmark = pytest.mark.django_db
DELTA = {"delta": {"1": ["a", "q"]}}


def last() -> int:
    return ImportRecord.objects.latest("pk").pk


def undo(collection, record=None, user=None):
    return undo_import(collection, record or last(), user)


def unchanged(before, after) -> set[str]:
    return {name for name in after if after[name] != before[name]} - {"ImportRecord", "AuditEvent"}


def record_of(collection, kind) -> int:
    return collection.imports.filter(kind=kind).first().pk


def test_new_topics_are_removed(collection, tmp_path):
    before = tables()
    (tmp_path / "more.tsv").write_text("7\tseven\n1\tfirst need\tWhat the first user wants.\tOnly the thing itself.\n")
    import_topics(collection, tmp_path / "more.tsv")
    assert undo(collection).removed == 1
    assert unchanged(before, tables()) == set()


def test_changed_topics_get_their_texts_back(collection, tmp_path):
    Task.objects.all().delete()
    before = list(Topic.objects.values_list("title", "description", "narrative"))
    (tmp_path / "topics.tsv").write_text("1\tother\n2\tanother\n")
    import_topics(collection, tmp_path / "topics.tsv")
    first = record_of(collection, "topics")
    with pytest.raises(Refused, match=f"Import {first} has changed topics since"):
        undo(collection, collection.imports.filter(kind="topics").last().pk)
    assert undo(collection, first).removed == 0
    assert list(Topic.objects.values_list("title", "description", "narrative")) == before


def test_topics_with_a_pool_stay(collection):
    with pytest.raises(Refused, match="Documents are pooled for its topics"):
        undo(collection, record_of(collection, "topics"))


def test_changed_topics_with_a_pool_stay_changed(collection, tmp_path):
    (tmp_path / "topics.tsv").write_text("1\tother\n")
    import_topics(collection, tmp_path / "topics.tsv")
    with pytest.raises(Refused, match="Documents are pooled for its topics"):
        undo(collection)


def test_runs_are_removed_until_a_pool_uses_them(collection, tmp_path):
    before = tables()
    import_runs(collection, write_runs(tmp_path, DELTA))
    key = last()
    undo(collection, key)
    assert unchanged(before, tables()) == set()
    import_runs(collection, write_runs(tmp_path, DELTA))
    build_pool(collection, depth=1)
    with pytest.raises(Refused, match="A pool was built from its runs"):
        undo(collection)
    assert Run.objects.filter(system="delta").exists()


def test_file_of_an_undone_run_can_be_imported_again(collection, tmp_path):
    paths = write_runs(tmp_path, DELTA)
    import_runs(collection, paths)
    undo(collection)
    import_runs(collection, paths)
    assert len(runfiles.load(Run.objects.get(system="delta"))) == 2


def test_texts_of_pooled_documents_are_removed_until_one_is_judged(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    key = record_of(collection, "documents")
    assign(collection, judges=1)
    assignment = ada.assignments.first()
    record_judgement(ada, assignment.public_id, JudgementInput("judged", 1), uuid.uuid4(), actor=ada.user)
    before = tables()
    with pytest.raises(Refused, match="Some of its documents have judgements"):
        undo(collection, key)
    assert tables() == before


def test_texts_of_pooled_documents_are_removed(collection):
    count = DocumentContent.objects.count()
    assert undo(collection, record_of(collection, "documents")).removed == count > 0
    assert not DocumentContent.objects.exists()
    assert Document.objects.filter(tasks__isnull=False).exists()


def test_documents_outside_the_pool_disappear(collection, tmp_path):
    before = tables()
    documents = pooling.read_documents(write_documents(tmp_path, ["unpooled"]))
    import_documents(collection, documents, DocumentOptions(keep_all=True))
    assert Document.objects.filter(doc_id="unpooled").exists()
    undo(collection)
    assert unchanged(before, tables()) == set()


def test_judgements_stay(collection):
    import_judgements(collection, b"1 0 a 1\n", "nist")
    before = tables()
    with pytest.raises(Refused, match="Judgements are never deleted"):
        undo(collection)
    assert tables() == before


def test_import_is_undone_once(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, DELTA))
    undo(collection)
    with pytest.raises(Refused, match="It is undone already"):
        undo(collection)


def test_import_of_another_collection_is_not_found(collection, tmp_path):
    from assess.collections.create import create_collection

    other = create_collection("other", "Other")
    import_topics(other, write_topics(tmp_path))
    with pytest.raises(Refused, match="has no import"):
        undo(collection)
    assert other.topics.count() == 2


def test_undo_is_in_the_audit_log(collection, join, tmp_path):
    olga = join(collection, "olga", Role.OWNER)
    import_runs(collection, write_runs(tmp_path, DELTA))
    undo(collection, user=olga.user.pk)
    event = AuditEvent.objects.get(action=Action.IMPORT_UNDONE)
    assert (event.actor, event.subject, event.details["removed"]) == (olga.user, "runs", 1)
    assert ImportRecord.objects.latest("pk").undone_by == olga.user


def test_number_of_queries_does_not_grow(collection, tmp_path, django_assert_num_queries):
    for name in ("delta", "epsilon", "zeta"):
        import_runs(collection, write_runs(tmp_path, {name: SMALL_RUNS["alpha"]})[:1])
    with django_assert_num_queries(8):
        obstacles(collection, list(collection.imports.all()[:1]))
    with django_assert_num_queries(9):
        obstacles(collection, list(collection.imports.all()))


def test_command_lists_and_undoes_imports(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, DELTA))
    listed = output_of("undo_import", "--collection", "small")
    assert len(listed) == 4
    assert listed[0].endswith("1 new runs from delta.run.")
    assert listed[-1].endswith("Documents are pooled for its topics.")
    assert output_of("undo_import", "--collection", "small", str(last())) == [f"Undid import {last()}: removed 1 runs."]
    assert "undone already" in refusal("undo_import", "--collection", "small", last())
