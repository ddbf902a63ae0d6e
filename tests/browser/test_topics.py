"""From one topic to the next: the end of a topic, one continuous queue, and postponed documents."""

import re

import pytest
from playwright.sync_api import expect

from assess.judging.worklist import topics_with_progress
from assess.models import Judgement
from assess.pools.assign import assign
from tests.browser.judging_page import eventually, press, saved, settle
from tests.factories import small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TWO_TOPICS = {"alpha": {"1": ["a", "b", "c"], "2": ["x", "y"]}}


@pytest.fixture
def start(page, sign_in, join):
    """A function that opens the page of the first of two topics."""

    def start(**rules):
        collection = small_collection(TWO_TOPICS, depth=3)
        for name, value in {"order": "fixed", **rules}.items():
            setattr(collection, name, value)
        collection.save()
        ada = join(collection, "ada")
        assign(collection, judges=1)
        topic, _ = topics_with_progress(ada)[0]
        page.goto(f"{sign_in(ada)}/judge/{topic.pk}/")
        settle(page)
        return page

    return start


def shown(page, doc_id: str):
    """Expect a document, and wait until it can be judged: a postponed one comes from the server a moment later."""
    expect(page.locator("#doc-meta")).to_have_text(doc_id)
    settle(page)


def test_enter_continues_with_the_next_topic_at_the_end_of_one(start):
    page = start()
    press(page, "1", "x")
    page.keyboard.press("Enter")  # the first reason
    settle(page)
    press(page, "0")
    end = page.locator("#finished")
    expect(end.get_by_role("heading")).to_have_text("This topic is done")
    expect(end).to_contain_text(re.compile(r"You judged 2 documents in this topic, and could not\s+judge 1"))
    expect(end).to_contain_text(re.compile(r"3 documents are done, 2 to\s+go"))
    expect(page.get_by_role("link", name="Next topic: second need")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("second need")
    settle(page)
    press(page, "1", "1")
    expect(page.get_by_role("link", name="My topics").last).to_be_focused()


def test_feedback_leads_back_to_the_next_topic(start):
    page = start()
    press(page, "1", "1", "1")
    page.locator("#finished input[value='3']").check()
    page.click("form.topic-feedback button")
    expect(page.locator("#finished .messages")).to_have_text("Thank you. Your answer is saved.")
    expect(page.get_by_role("link", name="Next topic: second need")).to_be_focused()


def test_postponed_documents_are_announced_and_do_not_cycle(start):
    page = start()
    press(page, "l", "1", "l")
    shown(page, "a")
    expect(page.locator("#notice")).to_have_text(
        "All other documents of this topic are judged. Now 2 postponed documents come."
    )
    expect(page.locator("#doc-returned")).to_have_text("You postponed this document.")
    press(page, "l")
    shown(page, "c")
    press(page, "l")
    only_postponed = page.get_by_role("heading", name="Only postponed documents are left in this topic")
    expect(only_postponed).to_be_visible()
    press(page, "u", "1")  # undo shows the last document again
    expect(only_postponed).to_be_visible()
    page.get_by_role("link", name="Judge the postponed documents now").click()
    settle(page)
    shown(page, "a")
    press(page, "0")
    expect(page.locator("#finished h2")).to_have_text("This topic is done")


def test_continuous_queue_crosses_topics_and_says_so(start):
    page = start(continuous=True)
    press(page, "1", "l", "1")
    expect(page.get_by_role("heading", level=1)).to_have_text("second need")
    expect(page.locator("#topic-id")).to_have_text("Topic 2")
    expect(page.locator("#notice")).to_have_text("New topic: second need.")
    expect(page.locator("#announce")).to_contain_text("New topic: second need. Next document: Title x")
    expect(page.locator("#progress-topic")).to_have_text("0 of 2 in this topic, 0 postponed")
    assert page.title().startswith("second need")
    press(page, "1", "u", "u")  # undo crosses topics too
    shown(page, "c")
    expect(page.get_by_role("heading", level=1)).to_have_text("first need")
    press(page, "0", "1", "1")
    shown(page, "b")  # postponed documents come after all topics
    expect(page.locator("#notice")).to_contain_text("New topic: first need.")
    expect(page.locator("#doc-returned")).to_be_visible()
    press(page, "1")
    expect(page.locator("#finished h2")).to_have_text("All documents are judged")
    saved(page)
    expect(page.locator("#progress-all")).to_have_text("5 of 5 in total")
    assert set(Judgement.objects.values_list("state", flat=True)) == {"judged"}


def test_continuous_queue_survives_a_reload_without_a_connection(start, context):
    page = start(continuous=True)
    context.set_offline(True)
    press(page, "1", "1", "1", "0")
    expect(page.locator("#progress-all")).to_have_text("4 of 5 in total")
    context.set_offline(False)
    saved(page)
    eventually(page, Judgement.objects.count, 4)
    page.reload()
    settle(page)
    shown(page, "y")
    expect(page.get_by_role("heading", level=1)).to_have_text("second need")
