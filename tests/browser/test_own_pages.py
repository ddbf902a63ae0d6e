"""The assessor's own pages: settings apply to every page, and everything works by keyboard."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Judgement, TopicFeedback
from assess.pools.assign import assign
from tests.browser.judging_page import settle
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def ada(join):
    collection = small_collection(SMALL_RUNS, grades=["0=none", "1=some", "2=much"])
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def home(sign_in, ada):
    """The address of the collection, with ada signed in."""
    return sign_in(ada)


def computed(page: Page, selector: str, name: str) -> str:
    return page.eval_on_selector(selector, f"element => getComputedStyle(element).{name}")


def test_text_size_and_theme_apply_to_the_judging_page(page: Page, home, live_server, ada):
    topic, _ = topics_with_progress(ada)[0]
    page.emulate_media(color_scheme="light")
    page.goto(f"{home}/judge/{topic.pk}/")
    before = float(computed(page, "#doc-title", "fontSize").removesuffix("px"))
    paper = computed(page, "body", "backgroundColor")
    page.click("header a:has-text('ada')")
    page.select_option("select[name=theme]", "dark")
    page.fill("input[name=text_size]", "150")
    page.click("main button:has-text('Save')")
    expect(page.locator(".messages")).to_have_text("Your settings are saved.")
    page.goto(f"{home}/judge/{topic.pk}/")
    assert float(computed(page, "#doc-title", "fontSize").removesuffix("px")) == pytest.approx(1.5 * before)
    assert computed(page, "body", "backgroundColor") != paper


def test_judgement_is_found_and_changed_by_keyboard(page: Page, home, ada):
    topic, _ = topics_with_progress(ada)[0]
    for card in worklist.upcoming(ada, topic)[:3]:
        record_judgement(ada, card.task, JudgementInput("judged", 0, comment=f"first {card.title}"), uuid.uuid4())
    wanted = Judgement.objects.order_by("judged_at").first()
    title = wanted.task.document.content.title
    page.goto(f"{home}/judge/judgements/")
    page.focus("input[type=search]")
    page.keyboard.type(f"first {title}")
    page.keyboard.press("Enter")
    expect(page.locator(".judgement-list li")).to_have_count(1)
    page.get_by_role("link", name=f"Judge again: {title}").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#doc-title")).to_have_text(title)
    settle(page)
    with page.expect_response("**/judge/task/*/"):
        page.keyboard.press("2")
    wanted.refresh_from_db()
    assert (wanted.relevance, wanted.version) == (2, 2)


def test_topic_feedback_by_keyboard(page: Page, home, ada):
    topic, _ = topics_with_progress(ada)[0]
    for card in worklist.upcoming(ada, topic):
        record_judgement(ada, card.task, JudgementInput("judged", 0), uuid.uuid4())
    page.goto(f"{home}/judge/{topic.pk}/")
    page.get_by_role("radio", name="4 difficult").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("12 meanings")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("Your answer is saved.")
    answer = TopicFeedback.objects.get()
    assert (answer.difficulty, answer.comment) == (4, "12 meanings")


def test_pages_do_not_scroll_sideways_with_large_text(page: Page, home, live_server, ada):
    topic, _ = topics_with_progress(ada)[0]
    card = worklist.upcoming(ada, topic)[0]
    record_judgement(ada, card.task, JudgementInput("judged", 0, comment="long" * 50), uuid.uuid4())
    ada.user.text_size = 250
    ada.user.save()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for path in (f"{home}/judge/judgements/", f"{home}/judge/recorded/", f"{live_server.url}/account/settings/"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
