"""The page of a judged document: keys walk through the list, and passages are marked in HTML."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Role, User
from assess.pools.assign import assign
from tests.factories import set_content

PASSAGES = """() => {
  const view = document.querySelector("#doc-body iframe").contentWindow;
  return [...(view.CSS.highlights.get("passage") ?? [])].map((span) => {
    const range = span.startContainer.ownerDocument.createRange();
    range.setStart(span.startContainer, span.startOffset);
    range.setEnd(span.endContainer, span.endOffset);
    return range.toString();
  });
}"""


@pytest.fixture
def documents(transactional_db, collection, join, sign_in):
    """The address of the list; an assessor marked a passage in two HTML documents of topic 2."""
    set_content(collection.documents.all(), text="<p>The <b>quick</b> fox \U0001f98a jumps.</p>", format="html")
    ann = join(collection, "ann")
    assign(collection, judges=1)
    for assignment in ann.assignments.filter(topic__query_id="2").order_by("task__document__doc_id")[:2]:
        judgement = JudgementInput("judged", 1, passages=[[4, 13], [16, 21]])
        record_judgement(ann, assignment.public_id, judgement, uuid.uuid4(), actor=ann.user)
    return f"{sign_in(join(collection, 'olga', Role.OWNER))}/documents/"


def open_first(page, documents):
    """Open the first document, and wait until the page's script has put its text into its own frame."""
    page.goto(f"{documents}?order=topic")
    page.get_by_role("link", name="Title x").click()
    expect(page.locator("#doc-body iframe")).to_have_attribute("sandbox", "allow-same-origin")


def test_keys_walk_through_the_list(page, documents):
    open_first(page, documents)
    heading = page.get_by_role("heading", level=1)
    page.get_by_label("Measure").fill("")
    page.get_by_label("Measure").press("j")  # not in a text field
    expect(page.get_by_label("Measure")).to_have_value("j")
    page.get_by_label("Measure").blur()
    page.keyboard.press("k")  # there is no previous document
    expect(heading).to_have_text("Title x")
    page.keyboard.press("j")
    expect(heading).to_have_text("Title y")
    expect(page.locator("#doc-body iframe")).to_have_attribute("sandbox", "allow-same-origin")
    page.keyboard.press("ArrowLeft")
    expect(heading).to_have_text("Title x")


def test_a_choice_keeps_focus_and_scroll(page, documents):
    page.set_viewport_size({"width": 1360, "height": 300})
    page.goto(documents)
    page.get_by_label("Order").focus()
    page.evaluate("scrollTo(0, 60)")
    page.get_by_label("Order").select_option("topic")
    expect(page).to_have_url(re.compile(r"order=topic"))
    expect(page.get_by_label("Order")).to_have_value("topic")
    expect(page.get_by_label("Order")).to_be_focused()
    assert page.evaluate("scrollY") == 60


def test_letters_can_be_turned_off(page, documents):
    User.objects.update(keys_on=False)
    open_first(page, documents)
    page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_have_text("Title x")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_have_text("Title y")


def test_passages_are_marked_in_html(page, documents):
    open_first(page, documents)
    page.wait_for_function(f"() => ({PASSAGES})().length == 2")
    assert page.evaluate(PASSAGES) == ["quick fox", "jumps"]
    page.frame_locator("#doc-body iframe").locator("p").click()
    page.keyboard.press("j")  # also within the frame
    expect(page.get_by_role("heading", level=1)).to_have_text("Title y")
