"""The agreement pages in a browser: filters apply at once, tables sort, and 33 judges fit on three screens."""

import re

import pytest
from playwright.sync_api import expect

from assess.models import Role
from tests.browser.axe import problems
from tests.llmjudge import llmjudge_collection

pytestmark = pytest.mark.slow

SCREEN = 900
EVERY = 60  # of 4,423 documents every n-th; with enough data, the length of the page does not depend on them


@pytest.fixture
def address(db, join, sign_in, settings):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 1, 1
    collection = llmjudge_collection(every=EVERY)
    return f"{sign_in(join(collection, 'rita', Role.RESEARCHER))}/agreement/"


def test_filters_apply_at_once_and_33_judges_fit_on_three_screens(page, address):
    page.set_viewport_size({"width": 1440, "height": SCREEN})
    for query in ("", "?rel=all"):
        page.goto(f"{address}{query}")
        assert page.evaluate("document.documentElement.scrollHeight") <= 3 * SCREEN
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    page.locator(".segments").get_by_text("models", exact=True).click()
    expect(page.locator(".tag").first).to_have_text("33 judges")
    expect(page).to_have_url(re.compile("rel=all.*kind=model"))
    table = page.locator('[data-table="reference"]')
    table.get_by_role("button", name="recall").click()
    shown = [float(text.split()[0]) for text in table.locator("tbody td:last-child").all_inner_texts()]
    assert shown == sorted(shown)
    page.get_by_label("Reference").select_option("majority")
    expect(page.get_by_role("heading", name="Each judge against majority of all judges")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("link", name="Topics").click()
    expect(page).to_have_url(re.compile(r"agreement/topics/\?.*kind=model"))
