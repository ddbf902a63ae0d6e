"""With text at twice its size, documents can be read and judged on desktop and phone."""

import pytest
from playwright.sync_api import Page, expect

from assess.judging.worklist import topics_with_progress
from assess.models import Judgement
from assess.pools.assign import assign
from tests.browser.judging_page import saved, settle
from tests.factories import set_content, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TOPIC = {"alpha": {"1": [f"doc{n}" for n in range(6)]}}
DESK, PHONE = (1280, 800), (390, 844)
ARTICLE = """() => {
    const { top, bottom, height } = document.getElementById("document").getBoundingClientRect();
    return { share: height / innerHeight, seen: (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight };
}"""


@pytest.fixture
def open_at(page: Page, sign_in, join):
    """A function that opens the judging page with a screen size and a text size."""
    collection = small_collection(TOPIC, grades=["0=none", "1=some", "2=much", "3=all of it"], depth=6)
    collection.ask_confidence = True
    collection.passages = "optional"
    collection.save()
    ada = join(collection, "ada")
    assign(collection, judges=1)
    set_content(collection.documents.all(), text="A line of a text that is long enough to be scrolled.\n" * 200)

    def open_at(screen, text_size: int) -> Page:
        ada.user.text_size = text_size
        ada.user.save()
        page.set_viewport_size({"width": screen[0], "height": screen[1]})
        topic, _ = topics_with_progress(ada)[0]
        page.goto(f"{sign_in(ada)}/judge/{topic.pk}/")
        settle(page)
        return page

    return open_at


@pytest.mark.parametrize("screen", [DESK, PHONE, (768, 1024)])
@pytest.mark.parametrize("text_size", [140, 200])
def test_document_has_at_least_two_fifths_of_the_screen(open_at, screen, text_size):
    page = open_at(screen, text_size)
    assert page.evaluate(ARTICLE)["share"] >= 0.4
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#document").scroll_into_view_if_needed()
    assert page.evaluate("document.getElementById('document').scrollHeight > innerHeight")  # it scrolls in place


@pytest.mark.parametrize("screen", [DESK, PHONE])
def test_next_document_and_save_state_are_visible(open_at, screen):
    page = open_at(screen, 200)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator(".grades button").nth(1).click()
    settle(page)
    saved(page)
    assert Judgement.objects.get().relevance == 1
    assert page.evaluate(ARTICLE)["seen"] >= 0.4
    expect(page.locator("#doc-title")).to_be_in_viewport()
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("screen", [DESK, PHONE])
def test_page_does_not_scroll_at_normal_text_size(open_at, screen):
    page = open_at(screen, 100)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(ARTICLE)["share"] >= 0.3
