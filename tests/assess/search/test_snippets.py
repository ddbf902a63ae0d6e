"""The passage of a result: what is marked, and the limits that hostile queries and documents meet."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.search import snippets
from assess.search.find import results_page, search
from assess.search.grammar import parse, phrases_in
from assess.search.index import index_documents
from assess.search.snippets import MOST_COMPARED, MOST_MATCHES, SEARCHED, marked_snippet, matches
from tests.assess.search.found import add_documents, add_searcher, first_topic, searchable_collection

pytestmark = pytest.mark.database(slow=True)


def phrases(query: str):
    return list(phrases_in(parse(query)))


def marked_words(text: str, query: str) -> list[str]:
    return [part for part, is_marked in marked_snippet(text, "text", phrases(query)) if is_marked]


@pytest.fixture
def compared(monkeypatch):
    """The phrases that were compared with words of a text."""
    calls = []
    is_phrase = snippets._is_phrase
    monkeypatch.setattr(snippets, "_is_phrase", lambda *arguments: calls.append(1) or is_phrase(*arguments))
    return calls


def test_phrases_and_beginnings_of_words_are_marked():
    assert marked_words("The water mill and the brook.", '"water mill" bro*') == ["water mill", "brook"]
    assert marked_words("mill mill mill", '"mill mill"') == ["mill mill", " mill"]


def test_repeated_phrases_are_compared_once(compared):
    text = "a " * 100
    marked_snippet(text, "text", phrases('"a a" ' * 25))
    repeated = len(compared)
    compared.clear()
    marked_snippet(text, "text", phrases('"a a"'))
    assert repeated == len(compared) > 0


def test_search_ends_after_enough_matches(compared):
    found = matches("a " * 25_000, phrases('"a a"'))
    assert len(found) == MOST_MATCHES
    assert len(compared) <= MOST_MATCHES + 1


def test_search_ends_after_enough_comparisons(compared):
    """Each of 25 phrases begins with the words of the text, and none is in it."""
    query = " ".join(f'"a b{number}"' for number in range(25))
    assert matches("a " * 25_000, phrases(query)) == []
    assert MOST_COMPARED <= len(compared) < MOST_COMPARED + 25


def test_words_behind_the_beginning_are_not_marked():
    assert marked_words(f"{'x ' * (SEARCHED // 2 - 2)}mill", "mill") == ["mill"]
    assert marked_words(f"{'x ' * (SEARCHED // 2)}mill", "mill") == []


def test_results_read_only_the_beginning_of_texts(db):
    ada = add_searcher(searchable_collection())
    add_documents(ada.collection, {"long": ("", "lake " * 100_000)})
    index_documents(ada.collection)
    recorded = search(ada, first_topic(ada.collection), "lake")
    with CaptureQueriesContext(connection) as queries:
        (row,) = results_page(recorded, 1)
    assert row.doc_id == "long"
    (statement,) = [query["sql"] for query in queries if "assess_documentcontent" in query["sql"]]
    assert statement.upper().count("SUBSTR") == 2
