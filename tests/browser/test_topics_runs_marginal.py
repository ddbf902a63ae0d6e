"""The pages Topics, Runs and Marginal relevance: with the keyboard alone, on a desktop and a phone, and with axe."""

import pytest
from playwright.sync_api import Page, expect

from assess.collections.run_groups import groups_by_system
from assess.collections.topic_sets import sets_by_topic
from assess.models import Collection
from tests.assess.judging.asking import asking_collection, join_judges, judge_all
from tests.browser.axe import problems

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SCREENS = {"desktop": (1280, 850), "phone": (390, 800)}
MOST_TABS = 80


@pytest.fixture
def collection(join) -> Collection:
    collection = asking_collection()
    judge_all(*join_judges(collection, join))
    return collection


@pytest.fixture
def address(collection, join, sign_in) -> str:
    return sign_in(join(collection, "olga", role="owner"))


@pytest.fixture(params=SCREENS)
def screen(request, page) -> Page:
    width, height = SCREENS[request.param]
    page.set_viewport_size({"width": width, "height": height})
    return page


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus, which must then be visible."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        focused = page.evaluate_handle("document.activeElement").as_element()
        if focused.evaluate("(element, selector) => element.matches(selector)", selector):
            expect(page.locator(":focus-visible")).to_have_count(1)
            return
    raise AssertionError(f"{selector} cannot be reached with Tab on {page.url}")


def check(page: Page) -> None:
    """Check the page on all screens, and go back to the present one."""
    size = page.viewport_size
    assert problems(page) == []
    page.set_viewport_size(size)


def test_topics_are_put_into_a_set(screen, address, collection):
    screen.goto(f"{address}/topics/")
    check(screen)
    tab_to(screen, "textarea")
    screen.keyboard.type("2")
    tab_to(screen, "select")
    screen.keyboard.type("test")
    tab_to(screen, "button.main")
    screen.keyboard.press("Enter")
    expect(screen.locator("main")).to_contain_text("test set: 1")
    assert sets_by_topic(collection) == {"2": "test"}
    tab_to(screen, "input[name=topic][value='1']")
    screen.keyboard.press("Space")
    tab_to(screen, "details.download > summary")
    screen.keyboard.press("Enter")
    tab_to(screen, "a[href$='topics.csv']")
    check(screen)


def test_runs_are_grouped(screen, address, collection):
    screen.goto(f"{address}/runs/")
    check(screen)
    tab_to(screen, "input[name=name]")
    screen.keyboard.type("dense")
    tab_to(screen, "input[name=system]")
    screen.keyboard.press("Space")
    screen.keyboard.press("Enter")  # in a checkbox, Enter sends the form
    expect(screen.locator("main")).to_contain_text("Compare the groups")
    assert groups_by_system(collection) == {"alpha": "dense"}
    check(screen)


def test_marginal_relevance_is_limited_to_a_set_and_leads_to_documents(screen, address, collection):
    screen.goto(f"{address}/marginal/")
    check(screen)
    tab_to(screen, "a[href*='judge_a=ada']")
    screen.keyboard.press("Enter")
    expect(screen.locator("main")).to_contain_text("3 documents of")
    screen.goto(f"{address}/topics/")
    tab_to(screen, "input[name=topic][value='1']")
    screen.keyboard.press("Space")
    screen.locator("select").select_option("development")
    screen.locator("button.main").click()
    screen.goto(f"{address}/marginal/")
    tab_to(screen, "select#set")
    screen.keyboard.type("only the dev")
    expect(screen.locator("[data-topic-set]")).to_have_text("development set: 1 topic")
    check(screen)
