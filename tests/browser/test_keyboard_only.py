"""A whole topic by keyboard, from sign-in to topic feedback; and the panels have no axe violations."""

import pytest
from playwright.sync_api import expect

from assess.models import TopicFeedback
from assess.pools.assign import assign
from tests.browser.axe import problems
from tests.browser.judging_page import grades, press, saved, settle
from tests.factories import small_collection

pytestmark = pytest.mark.django_db(transaction=True)

MOST_TABS = 40


@pytest.fixture
def eve(join):
    """An assessor with four documents of one topic."""
    collection = small_collection({"alpha": {"1": ["a", "b", "c", "d"]}}, depth=4)
    eve = join(collection, "eve")
    assign(collection, judges=1)
    eve.user.set_password("a long password")
    eve.user.save()
    return eve


def tab_to(page, wanted: str):
    """Press Tab until the element is focused."""
    for _ in range(MOST_TABS):
        if page.evaluate("wanted => document.activeElement?.matches(wanted) ?? false", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by Tab from {page.url}")


def test_topic_by_keyboard_from_sign_in_to_feedback(page, live_server, eve):
    page.goto(f"{live_server.url}/c/{eve.collection.slug}/judge/")
    tab_to(page, "#id_username")
    page.keyboard.type("eve")
    tab_to(page, "#id_password")
    page.keyboard.type("a long password")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("My topics")
    tab_to(page, "a.main")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator("#document")).to_be_focused()
    press(page, "1", "u", "0", "c")
    page.keyboard.type("hard to tell")
    press(page, "Escape", "1", "x")
    tab_to(page, "button[value=language]")
    page.keyboard.press("Enter")
    settle(page)
    tab_to(page, "button[name=relevance][value='1']")  # a button judges like a key
    page.keyboard.press("Enter")
    expect(page.locator("#finished form.topic-feedback")).to_be_visible()
    saved(page)
    assert sorted(str(grade) for grade in grades().values()) == ["0", "1", "1", "None"]
    tab_to(page, "#finished input[type=radio]")
    for difficulty in (2, 3, 4):
        page.keyboard.press("ArrowDown")
        expect(page.locator(f"#finished input[value='{difficulty}']")).to_be_checked()
    tab_to(page, "#feedback-comment")
    page.keyboard.type("one was Welsh")
    tab_to(page, "form.topic-feedback button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?end=1")
    assert TopicFeedback.objects.values_list("difficulty", "comment").get() == (4, "one was Welsh")


@pytest.mark.soak
def test_panels_have_no_axe_violations(page, sign_in, eve, context):
    page.goto(f"{sign_in(eve)}/judge/")
    page.click("text=Start judging")
    settle(page)
    drop = {"error": "This document has all its judgements by now.", "wait": False, "drop": True}
    page.route("**/judge/task/*/", lambda route: route.fulfill(status=409, json=drop), times=1)
    press(page, "1")
    expect(page.locator("#messages p")).to_be_visible()
    cookies = context.cookies()
    context.clear_cookies(name="sessionid")
    press(page, "1")
    expect(page.locator("#sign-in")).to_be_visible()
    assert problems(page) == []
    context.add_cookies(cookies)
    saved(page)
    press(page, "1", "0")
    expect(page.locator("#finished")).to_be_visible()
    assert problems(page) == []
