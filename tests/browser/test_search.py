"""A searcher finds documents that no run retrieved, and judges them by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from assess.models import Judgement, SearchedTask
from assess.pools.tasks import pooled_tasks
from tests.assess.search.found import add_searcher, searchable_collection
from tests.browser.axe import problems
from tests.browser.judging_page import settle
from tests.browser.test_keyboard_only import tab_to

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def ada():
    return add_searcher(searchable_collection())


@pytest.fixture
def home(sign_in, ada):
    return sign_in(ada)


def test_results_are_judged_by_keyboard_one_after_the_other(page: Page, home, ada):
    before = pooled_tasks(ada.collection).count()
    page.goto(f"{home}/judge/")
    tab_to(page, "nav a[href*='search']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/judge/search/")
    tab_to(page, ".search-topics a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#query")
    tab_to(page, "#query")
    page.keyboard.type("mill OR brook")
    page.keyboard.press("Enter")
    expect(page.locator(".results li")).to_have_count(3)
    assert problems(page) == []
    tab_to(page, "#result-1 button")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator("#review")).to_contain_text("from a search")
    page.keyboard.press("1")
    expect(page.locator("#result-2 button")).to_be_focused()
    expect(page.locator("#result-1")).to_contain_text("You judged: 1")
    page.keyboard.press("Enter")
    settle(page)
    page.keyboard.press("0")
    expect(page.locator("#result-3 button")).to_be_focused()
    assert sorted(Judgement.objects.values_list("relevance", flat=True)) == [0, 1]
    assert pooled_tasks(ada.collection).count() == before + 2
    assert set(SearchedTask.objects.values_list("search__query", flat=True)) == {"mill OR brook"}


def test_pages_of_search_have_no_problems(page: Page, home, ada):
    page.goto(f"{home}/judge/search/")
    assert problems(page) == []
    page.click(".search-topics a")
    page.click("summary")
    assert problems(page) == []
    page.fill("#query", '"mill')
    page.click("form[role=search] button")
    expect(page.locator(".refusal[role=alert]")).to_contain_text("quotation mark")
    assert problems(page) == []
    page.fill("#query", "mill")
    page.click("form[role=search] button")
    page.click("#result-1 button")
    settle(page)
    assert problems(page) == []
    page.click("#keep")
    expect(page.locator("#result-1")).to_contain_text("Opened")


def test_researchers_page_has_no_problems(page: Page, sign_in, ada, join):
    olga = join(ada.collection, "olga", "owner")
    page.goto(f"{sign_in(olga)}/search/")
    expect(page.locator("#index")).to_contain_text("The index is complete")
    assert problems(page) == []
