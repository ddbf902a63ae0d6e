"""The page of the documents: how many have a text, their sources, and the search by doc_id."""

import pytest

import pooling
from assess.models import Document, DocumentContent, ImportRecord, Role
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.import_record import SourceFile
from tests.factories import write_documents
from tests.html import compact

URL = "/c/small/texts/"


@pytest.fixture
def owner(collection, join, signed_in):
    Document.objects.update(content=None)
    ImportRecord.objects.all().delete()
    return signed_in(join(collection, "olga", Role.OWNER))


def import_texts(collection, folder, names: list[str]) -> None:
    path = write_documents(folder, names)
    documents = pooling.read_documents(path)
    import_documents(collection, documents, DocumentOptions(keep_all=True), files=[SourceFile(path, path.name)])


def text(response) -> str:
    assert response.status_code == 200
    return compact(response.content.decode())


def doc_ids(page: str) -> list[str]:
    table = page.partition('data-table="texts"')[2].partition("</table>")[0]
    return [part.partition("</span>")[0] for part in table.split('<span class="name">')[1:]]


def test_without_texts_the_page_leads_to_the_import(owner):
    page = text(owner.get(URL))
    assert "No document has a text yet." in page
    assert 'href="/c/small/import/">Import documents</a>' in page
    assert 'href="/c/small/missing.txt"' in page
    assert "Where the texts come from" not in page


def test_page_counts_texts_and_names_their_sources(owner, collection, tmp_path):
    import_texts(collection, tmp_path, ["a", "b", "unpooled"])
    page = text(owner.get(URL))
    pooled = Document.objects.filter(collection=collection, content=None).count()
    assert f"3 documents have a text. {pooled} pooled documents have none." in page
    assert "documents.jsonl" in page
    assert "Title a" in page
    assert "Text of a." in page


def test_search_is_by_the_beginning_of_a_doc_id(owner, collection, tmp_path):
    import_texts(collection, tmp_path, ["ab%", "abc", "b1"])
    assert doc_ids(text(owner.get(URL, {"q": " ab "}))) == ["ab%", "abc"]
    assert doc_ids(text(owner.get(URL, {"q": "ab%"}))) == ["ab%"]
    assert "No document was found." in text(owner.get(URL, {"q": "nothing"}))


def test_missing_texts_are_listed_with_their_topics(owner, collection, tmp_path):
    import_texts(collection, tmp_path, ["a", "unpooled"])
    page = text(owner.get(URL, {"missing": "1"}))
    assert "b" in doc_ids(page)
    assert not {"a", "unpooled"} & set(doc_ids(page))
    task = collection.documents.get(doc_id="b").tasks.first()
    assert f'href="/c/small/documents/{task.pk}/"' in page


def test_another_collection_is_not_shown(owner, collection):
    other = type(collection).objects.create(slug="other", name="Other")
    content = DocumentContent.objects.create(title="Foreign", text="Foreign", sha256="0" * 64)
    Document.objects.create(collection=other, doc_id="foreign", content=content)
    assert "oreign" not in text(owner.get(URL))


def test_page_is_bounded(owner, collection, django_assert_max_num_queries, django_assert_num_queries):
    owner.get(URL)
    with django_assert_max_num_queries(10) as few:
        owner.get(URL)
    Document.objects.bulk_create(Document(collection=collection, doc_id=f"m{number:03}") for number in range(60))
    with django_assert_num_queries(len(few)):
        page = text(owner.get(URL))
    assert len(doc_ids(page)) == 25
    assert "The first 25 in the order of doc_id." in page
