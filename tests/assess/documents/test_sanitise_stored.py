"""HTML that an earlier version imported: displayed within a limit, and sanitised by a command."""

import pytest

from assess.documents import display
from assess.documents.contents import content_hash
from assess.documents.display import displayed
from assess.documents.sanitiser import VERSION, sanitise
from assess.documents.sanitiser_process import SanitiserProcess
from assess.judging.worklist import topics_with_progress, upcoming
from assess.models import Document, DocumentContent
from assess.pools.assign import assign
from assess.search.index import index_documents, ready_index
from tests.assess.command_output import output_of
from tests.assess.documents.test_sanitiser_process import SLOW

PAGE = "<p onclick=x>Green <b>tea</b>."
SLOW_PAGE = f"{SLOW}<p>Green tea."


@pytest.fixture
def earlier(collection):
    """Documents as an earlier version stored them: two of HTML, one of which cannot be sanitised; the others plain."""
    for doc_id, text in (("a", PAGE), ("b", SLOW_PAGE)):
        content = Document.objects.get(doc_id=doc_id).content
        content.text, content.format = text, "html"
        content.save()
    return collection


def stored(doc_id: str) -> DocumentContent:
    return Document.objects.get(doc_id=doc_id).content


@pytest.mark.soak
def test_command_stores_what_is_displayed(earlier):
    assert output_of("sanitise_documents") == [
        "b is shown without markup, because its HTML is too complex.",
        "Sanitised 2 documents.",
    ]
    assert (stored("a").sanitised, stored("a").sanitiser_version) == (sanitise(PAGE), VERSION)
    assert stored("b").sanitised == "<p>Green tea.</p>"
    assert stored("a").text == PAGE
    assert stored("a").sha256 == content_hash("Title a", "html", PAGE, sanitise(PAGE))
    assert stored("d").sanitised is None
    assert output_of("sanitise_documents") == ["Sanitised 0 documents."]


def test_documents_are_displayed_before_the_command_has_run(earlier, join):
    ada = join(earlier, "ada")
    assign(earlier, judges=1)
    topic, _ = topics_with_progress(ada)[0]
    texts = {card.doc_id: card.text for card in upcoming(ada, topic)}
    assert texts["a"] == sanitise(PAGE)
    assert texts["d"] == "Text of d."


@pytest.mark.slow
def test_slow_document_is_displayed_without_markup(monkeypatch):
    with SanitiserProcess(seconds=0.1) as process:
        monkeypatch.setattr(display, "_process", process)
        assert displayed(SLOW_PAGE, "html", None) == "<p>Green tea.</p>"
        process.sanitise([PAGE])
        assert displayed(PAGE, "html", None) == sanitise(PAGE)


@pytest.mark.soak
def test_command_marks_the_search_index_as_incomplete(earlier):
    index_documents(earlier)
    assert ready_index(earlier).is_complete
    output_of("sanitise_documents")
    assert not ready_index(earlier).is_complete
    index_documents(earlier)
    output_of("sanitise_documents")  # nothing is left to sanitise
    assert ready_index(earlier).is_complete
