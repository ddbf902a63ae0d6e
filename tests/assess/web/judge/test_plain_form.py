"""The judging page as a plain form: a refusal keeps the values, and passages are entered as text."""

import re
import uuid

import pytest

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Document, Judgement, Passages
from assess.pools.assign import assign
from assess.web.judge.forms import JudgementForm
from tests.assess.web.judge.test_judging_page import form_of, page_of
from tests.factories import remove_content, set_content
from tests.html import compact


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def cards(ada):
    topic, _ = topics_with_progress(ada)[0]
    return worklist.upcoming(ada, topic)


def ask_for_passages(
    collection, rule=Passages.REQUIRED, text="One line of it.\nThe deciding\nwords. Another.", **fields
):
    collection.passages = rule
    collection.save()
    if text is None:
        remove_content(Document.objects.all())
    else:
        set_content(Document.objects.all(), text=text, **fields)


def test_refusal_shows_the_same_document_with_the_submitted_values(http, ada, collection):
    collection.ask_confidence = True
    collection.save()
    named = cards(ada)[-1]
    action, hidden = form_of(http.get(f"{page_of(ada)}?task={named.task}").content.decode())
    assert named.task in action
    refused = http.post(action, hidden | {"relevance": "7", "comment": "Line one\r\nand two", "confidence": "3"})
    html = compact(refused.content.decode())
    assert refused.status_code == 400
    assert "Grade 7 is not on the scale" in html
    assert form_of(html)[0] == action
    assert named.title in re.search(r'<h2 id="doc-title"[^>]*>(.*?)</h2>', html)[1]
    assert re.search(r"<textarea id=\"comment\"[^>]*>Line one\nand two</textarea>", html)
    assert re.search(r'name="confidence" value="3" checked', html)
    again, hidden = form_of(html)
    http.post(again, hidden | {"relevance": "1"})
    assert str(Assignment.objects.get(state="judged").public_id) == named.task


def test_refusal_keeps_grade_and_passage(http, ada, collection):
    ask_for_passages(collection)
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    html = compact(http.post(action, hidden | {"relevance": "1", "passage_text": "not <there>"}).content.decode())
    assert re.search(r'value="1" class="[^"]*" aria-pressed="true"', html)
    assert re.search(r"<textarea id=\"passage-text\"[^>]*>not &lt;there&gt;</textarea>", html)


def test_document_that_needs_no_judgement_is_not_shown_again(http, ada, collection, monkeypatch):
    from assess.pools.slots import NotNeeded
    from assess.web.judge import views

    def not_needed(*_, **__):
        raise NotNeeded("It has its judges.")

    named = cards(ada)[-1]
    action, hidden = form_of(http.get(f"{page_of(ada)}?task={named.task}").content.decode())
    monkeypatch.setattr(views, "record_judgement", not_needed)
    answer = http.post(action, hidden | {"relevance": "1", "comment": "of that one"})
    assert answer.status_code == 409
    assert form_of(answer.content.decode())[0] != action
    assert "of that one" not in answer.content.decode()


@pytest.mark.parametrize(("rule", "there"), [("off", False), ("optional", True), ("required", True)])
def test_plain_form_asks_for_a_passage_if_the_collection_does(http, ada, collection, rule, there):
    ask_for_passages(collection, rule)
    html = compact(http.get(page_of(ada)).content.decode())
    assert ("passage_text" in html) is there
    assert all(
        "passage_text" in part for part in re.findall(r"<noscript>(.*?)</noscript>", html) if "<textarea" in part
    )


def test_required_passage_is_entered_as_text(http, ada, collection):
    ask_for_passages(collection)
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    without = http.post(action, hidden | {"relevance": "1", "passage_text": ""})
    assert (without.status_code, "Mark the passage" in without.content.decode()) == (400, True)
    answer = http.post(action, hidden | {"relevance": "1", "passage_text": " The deciding\r\nwords. "})
    assert answer.status_code == 302
    [[start, end]] = Judgement.objects.get().passages
    assert Document.objects.first().content.text[start:end] == "The deciding\nwords."
    assert (
        http.post(action, hidden | {"relevance": "1", "passage_text": "The deciding words."}).status_code == 302
    )  # sent again
    assert Judgement.objects.get().version == 1


def test_passage_copied_across_html_blocks_is_found(http, ada, collection):
    ask_for_passages(
        collection, text="<script>x</script><h2>Tea &amp; more</h2><p>It <b>is</b> here.</p>", format="html"
    )
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    assert http.post(action, hidden | {"relevance": "1", "passage_text": "& more\r\n\r\nIt is"}).status_code == 302
    [[start, end]] = Judgement.objects.get().passages
    assert "Tea & moreIt is here."[start:end] == "& moreIt is"


@pytest.mark.parametrize("text", ["Something else.", None])
def test_text_that_is_not_in_the_document_is_refused(http, ada, collection, text):
    ask_for_passages(collection, text=text)
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    answer = http.post(action, hidden | {"relevance": "1", "passage_text": "The deciding <words>"})
    assert answer.status_code == 400
    assert "The document does not contain the passage “The deciding &lt;words&gt;”;" in answer.content.decode()
    assert not Judgement.objects.exists()


def test_earlier_passages_are_kept_and_overlapping_ones_merged(http, ada, collection):
    ask_for_passages(collection)
    for words in ("deciding words", "words. Another", "One"):
        address = f"{page_of(ada)}?task={task}" if (task := first_judged(ada)) else page_of(ada)
        action, hidden = form_of(http.get(address).content.decode())
        assert http.post(action, hidden | {"relevance": "1", "passage_text": words}).status_code == 302
    text = Document.objects.first().content.text
    passages = [text[start:end] for start, end in Judgement.objects.get().passages]
    assert passages == ["One", "deciding\nwords. Another"]
    action, hidden = form_of(http.get(f"{page_of(ada)}?task={first_judged(ada)}").content.decode())
    http.post(action, hidden | {"relevance": "1", "comment": "only this is new", "passage_text": ""})
    assert len(Judgement.objects.get().passages) == 2


def first_judged(ada):
    return ada.assignments.filter(state="judged").values_list("public_id", flat=True).first()


def test_task_of_somebody_else_is_not_searched(http, ada, collection):
    ask_for_passages(collection)
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    elsewhere = action.replace(re.search(r"[0-9a-f-]{36}", action)[0], str(uuid.uuid4()))
    assert http.post(elsewhere, hidden | {"relevance": "1", "passage_text": "One"}).status_code == 404


def test_refilled_values_contain_only_submitted_values():
    assert JudgementForm({"state": "judged", "comment": "kept"}).refilled_values() == {
        "relevance": None,
        "reason": "",
        "comment": "kept",
        "confidence": None,
    }
    assert "relevance" not in JudgementForm({"relevance": "high"}).refilled_values()
