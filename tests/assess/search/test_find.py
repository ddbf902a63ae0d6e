"""What searches find, on the database of the site."""

import pytest

from assess.errors import Refused
from assess.models import Search
from assess.search import find
from assess.search.find import results_page, search
from assess.search.index import index_documents
from assess.search.snippets import marked_snippet
from tests.assess.search.found import add_documents, add_searcher, first_topic, found, searchable_collection
from tests.factories import set_content

pytestmark = pytest.mark.database(slow=True)


@pytest.fixture
def ada(db):
    return add_searcher(searchable_collection())


@pytest.mark.parametrize(
    ("query", "doc_ids"),
    [
        ("mill", {"mill", "windmill"}),
        ("MILL Brook", {"mill", "windmill"}),
        ("mill OR season", {"mill", "windmill", "brook"}),
        ("water -wind", {"mill", "brook"}),
        ("water NOT (wind OR hill)", {"mill"}),
        ('"water mill"', {"mill"}),
        ('"mill water"', set()),
        ('"water mill the"', set()),  # no phrase contains the end of a title and the beginning of the text
        ("windmill*", {"windmill"}),
        ("wind*", {"windmill"}),
        ("title:mill", {"mill"}),
        ("title:brook -text:mill", {"brook"}),
        ("muhle cafe", {"café"}),
        ("Mühle", {"café"}),
        ("東京", {"tokyo"}),
        ("京東", set()),
        ("nothing", set()),
    ],
)
def test_found_documents(ada, query, doc_ids):
    assert set(found(ada, query)) == doc_ids


def test_titles_count_more(ada):
    assert found(ada, "brook")[0] == "brook"


def test_search_is_recorded_with_its_results(ada):
    made = search(ada, first_topic(ada.collection), "mill brook")
    stored = Search.objects.get()
    assert (stored.member, stored.query, stored.matched, len(stored.documents)) == (ada, "mill brook", 2, 2)
    assert stored == made
    assert stored.was_complete


def test_refused_query_is_not_recorded(ada):
    with pytest.raises(Refused, match="has no second one"):
        search(ada, first_topic(ada.collection), '"mill')
    assert not Search.objects.exists()


def test_results_have_snippets_with_marked_words(ada):
    made = search(ada, first_topic(ada.collection), '"water mill" OR bro*')
    rows = {row.doc_id: row for row in results_page(made, 1)}
    assert rows["mill"].title == [("The ", False), ("water mill", True)]
    assert rows["mill"].snippet[:3] == [
        ("The ", False),
        ("brook", True),
        (" that gave the mill its name had run dry.", False),
    ]
    assert [row.rank for row in results_page(made, 1)] == [1, 2, 3]


def test_snippet_is_the_passage_with_the_words(ada):
    text = f"{'Nothing here. ' * 500}The brook and the mill. {'Nothing there. ' * 500}"
    set_content(ada.collection.documents.filter(doc_id="mill"), text=text, title="Long")
    index_documents(ada.collection)
    made = search(ada, first_topic(ada.collection), "title:long mill")
    (row,) = results_page(made, 1)
    assert [text for text, is_marked in row.snippet if is_marked] == ["mill"]
    assert sum(len(text) for text, _ in row.snippet) < 320


def test_markup_is_text_in_snippets(ada):
    documents = ada.collection.documents.filter(doc_id="mill")
    set_content(documents, text="<p>The <b>mill</b> &amp; the <script>alert(1)</script>brook</p>", format="html")
    content = documents.get().content
    marked = marked_snippet(content.sanitised, content.format, [])
    assert "".join(text for text, _ in marked) == "The mill & the brook"


def test_documents_of_other_collections_are_not_found(ada):
    other = add_searcher(searchable_collection("other"), "bob")
    assert set(found(other, "mill")) == set(found(ada, "mill"))
    assert not set(other.collection.documents.values_list("pk")) & set(ada.collection.documents.values_list("pk"))
    made = search(other, first_topic(other.collection), "mill")
    assert set(made.documents) <= set(other.collection.documents.values_list("pk", flat=True))


def test_hidden_doc_ids_are_not_shown(ada):
    ada.collection.hide_doc_ids = True
    made = search(ada, first_topic(ada.collection), "mill")
    assert {row.doc_id for row in results_page(made, 1)} == {""}


def test_deleted_documents_are_left_out(ada):
    ada.collection.documents.filter(doc_id="mill").delete()
    assert found(ada, "mill") == ["windmill"]


@pytest.mark.slow
def test_search_that_takes_too_long_is_refused(ada, monkeypatch):
    add_documents(ada.collection, {f"x{number}": ("", "word " * 50 + str(number)) for number in range(2_000)})
    index_documents(ada.collection)
    monkeypatch.setattr(find, "SECONDS", 0.001)
    with pytest.raises(Refused, match="takes too long"):
        search(ada, first_topic(ada.collection), " OR ".join(["word", "wor*", "wo*"] * 5))
    monkeypatch.setattr(find, "SECONDS", 5)
    assert found(ada, "brook dry") == ["mill"]


def test_long_lists_have_pages(ada):
    add_documents(ada.collection, {f"x{number}": ("", f"lake {number}") for number in range(205)})
    index_documents(ada.collection)
    made = search(ada, first_topic(ada.collection), "lake")
    assert (made.matched, len(made.documents), find.page_count(made)) == (205, 200, 10)
    assert [row.rank for row in results_page(made, 10)] == list(range(181, 201))
