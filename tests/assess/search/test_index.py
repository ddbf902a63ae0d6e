"""Indexing: complete or marked incomplete, resumed, replaced and deleted."""

import pytest
from django.db import connection

from assess.deletion import delete_collection
from assess.documents.contents import delete_documents
from assess.errors import Refused
from assess.jobs import queue
from assess.jobs.run import run
from assess.models import JobState, SearchIndex
from assess.search import index
from assess.search.engines import engine
from assess.search.index import index_documents, ready_index, start_indexing
from assess.search.tables import checked
from tests.assess.command_output import output_of
from tests.assess.search.found import add_documents, add_searcher, found, searchable_collection
from tests.factories import SMALL_RUNS, remove_content, small_collection

pytestmark = pytest.mark.database(slow=True)


def index_tables() -> set[str]:
    """The names of all indexes in the database."""
    names = {name for name in connection.introspection.table_names() if name.startswith("assess_search_")}
    return {name for name in names if name.count("_") == 2}


def test_job_indexes_all_documents_with_a_text(db):
    collection = small_collection(SMALL_RUNS)
    add_documents(collection)
    remove_content(collection.documents.filter(doc_id="a"))
    job = start_indexing(collection, None)
    run(job.pk, 1)
    job.refresh_from_db()
    expected = collection.documents.count() - 1
    assert (job.state, job.result) == (JobState.DONE, {"documents": expected, "is_complete": True})
    assert ready_index(collection).is_complete


def test_collection_without_texts_is_not_indexed(db):
    collection = small_collection(SMALL_RUNS)
    remove_content(collection.documents.all())
    with pytest.raises(Refused, match="no documents with a text"):
        start_indexing(collection, None)


def test_imported_and_deleted_documents_make_the_index_incomplete(db):
    collection = searchable_collection()
    add_documents(collection, {"new": ("", "a new mill")})
    assert not ready_index(collection).is_complete
    index_documents(collection)
    assert ready_index(collection).is_complete
    delete_documents(collection.documents.filter(doc_id="new"))
    assert not ready_index(collection).is_complete


def test_old_index_is_used_until_the_new_one_is_complete(db, monkeypatch):
    ada = add_searcher(searchable_collection())
    add_documents(ada.collection, {"new": ("", "a new mill")})
    monkeypatch.setattr(index, "_replace", lambda _: (_ for _ in ()).throw(Refused("stopped")))
    with pytest.raises(Refused):
        index_documents(ada.collection)
    assert set(found(ada, "mill")) == {"mill", "windmill"}


def test_interrupted_indexing_continues_where_it_stopped(db, monkeypatch):
    collection = searchable_collection()
    monkeypatch.setattr(index, "BATCH", 2)
    added = []
    add = index._add

    def stop_after_two(row, batch):
        if len(added) == 2:
            raise Refused("stopped")
        add(row, batch)
        added.append([document.doc_id for document in batch])

    monkeypatch.setattr(index, "_add", stop_after_two)
    with pytest.raises(Refused):
        index_documents(collection)
    first, added[:] = list(added), []
    monkeypatch.setattr(index, "_add", lambda row, batch: (add(row, batch), added.append(len(batch))))
    assert index_documents(collection).documents == collection.documents.count()
    assert sum(added) == collection.documents.count() - sum(map(len, first))


def test_indexing_begins_again_if_documents_came_meanwhile(db, monkeypatch):
    collection = searchable_collection()
    monkeypatch.setattr(index, "_replace", lambda _: (_ for _ in ()).throw(Refused("stopped")))
    with pytest.raises(Refused):
        index_documents(collection)
    monkeypatch.undo()
    pooled = collection.documents.get(doc_id="a")  # a lower key than the last one that is indexed
    remove_content(collection.documents.filter(pk=pooled.pk))
    add_documents(collection, {"a": ("", "a mill that came late")})
    index_documents(collection)
    assert "a" in found(add_searcher(collection), "late")


def test_documents_that_come_during_the_last_step_are_reported(db, monkeypatch):
    collection = searchable_collection()
    replace = index._replace
    monkeypatch.setattr(
        index, "_replace", lambda row: (add_documents(collection, {"new": ("", "late")}), replace(row))[1]
    )
    assert not index_documents(collection).is_complete


def test_second_job_waits_for_the_first(db):
    collection = searchable_collection()
    start_indexing(collection, None)
    with pytest.raises(queue.AlreadyRunning):
        start_indexing(collection, None)


def test_only_one_table_is_left(db):
    collection = searchable_collection()
    index_documents(collection)
    assert index_tables() == {SearchIndex.objects.get().table}


def test_deleted_collection_has_no_index(db):
    collection = searchable_collection()
    delete_collection(collection.slug, collection.slug)
    assert index_tables() == set()
    assert not SearchIndex.objects.exists()


def test_missing_table_is_no_index(db):
    """A backup of PostgreSQL does not contain it."""
    collection = searchable_collection()
    engine().drop(SearchIndex.objects.get().table)
    assert ready_index(collection) is None
    assert index_documents(collection).is_complete


def test_other_names_never_become_part_of_a_statement():
    for name in ("assess_user", "assess_search_1; DROP TABLE assess_user", "assess_search_0123456789abcdef "):
        with pytest.raises(ValueError, match="not the name"):
            checked(name)


@pytest.mark.in_ci
def test_document_with_a_million_words_can_be_indexed(db):
    collection = small_collection(SMALL_RUNS)
    words = " ".join(f"wörd{number}" for number in range(200_000))
    add_documents(collection, {"long": ("first", f"{words} last"), "wide": ("", "x" * 300 + " " + "ab " * 400_000)})
    index_documents(collection)
    ada = add_searcher(collection)
    assert found(ada, "first word10") == ["long"]
    assert found(ada, "last") == []  # behind the first 250,000 bytes
    assert found(ada, "ab xx*") == ["wide"]


def test_commands_index_and_permit(db, join):
    collection = small_collection(SMALL_RUNS)
    bob = join(collection, "bob")
    lines = output_of("index_documents", "--collection", collection.slug)
    assert lines == [f"Indexed {collection.documents.count()} documents."]
    assert output_of("permit_search", "--collection", collection.slug, bob.name) == [f"May search: {bob.name}."]
    assert found(bob, '"text of a"') == ["a"]
    assert output_of("permit_search", "--collection", collection.slug) == ["May search: nobody."]
