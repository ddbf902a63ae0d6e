"""Contents of documents: written first, connected later, and deleted with their documents."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assess.documents.contents import (
    connect_contents,
    content_hash,
    delete_documents,
    delete_unused_contents,
    new_content,
    write_contents,
)
from assess.documents.sanitiser import VERSION
from assess.models import DocumentContent
from tests.factories import remove_content


def write(*texts: str) -> list[int]:
    return write_contents([new_content(text) for text in texts])


def test_hash_covers_title_format_text_and_sanitised_text():
    known = content_hash("Tea", "html", "<p>é", "<p>é</p>")
    # printf '["Tea", "html", "<p>\\u00e9", "<p>\\u00e9</p>"]' | sha256sum
    assert known == "823d5b039407a9bd76570b75ccc115279877be97ab79c0da961f4571ed818c1f"
    others = [("", "html", "<p>é", "<p>é</p>"), ("Tea", "text", "<p>é", "<p>é</p>"), ("Tea", "html", "", "<p>é</p>")]
    assert known not in {content_hash(*other) for other in [*others, ("Tea", "html", "<p>é", None)]}


def test_sanitised_content_has_the_version_of_the_sanitiser():
    assert new_content("a").sanitiser_version is None
    assert new_content("<p>a", text_format="html", sanitised="<p>a</p>").sanitiser_version == VERSION


def test_only_documents_without_content_get_one(collection):
    remove_content(collection.documents.filter(doc_id="a"))
    kept = collection.documents.get(doc_id="b").content_id
    first, second, third = write("one", "two", "three")
    assert connect_contents(collection, {"a": first, "b": second, "new": third}, create=False) == ["a"]
    assert dict(collection.documents.filter(doc_id__in="ab").values_list("doc_id", "content")) == {
        "a": first,
        "b": kept,
    }
    assert connect_contents(collection, {"b": second, "new": third}, create=True) == ["new"]
    assert collection.documents.get(doc_id="new").content.text == "three"


def test_documents_are_deleted_with_their_contents(collection):
    before = DocumentContent.objects.count()
    documents = collection.documents.filter(doc_id="a")
    collection.documents.filter(doc_id="a").first().tasks.all().delete()
    delete_documents(documents)
    assert DocumentContent.objects.count() == before - 1


def test_contents_of_interrupted_imports_are_deleted_after_a_day(collection):
    used = DocumentContent.objects.count()
    old, _ = write("old", "new")
    DocumentContent.objects.filter(pk=old).update(imported_at=timezone.now() - timedelta(hours=25))
    assert delete_unused_contents() == 1
    assert delete_unused_contents() == 0
    assert DocumentContent.objects.count() == used + 1


@pytest.mark.django_db
def test_nothing_to_delete():
    assert delete_unused_contents() == 0
