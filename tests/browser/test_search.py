"""A searcher finds documents that no run retrieved, and judges them by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from assess.collections.topic_sets import set_topics
from assess.models import Judgement, SearchedTask
from assess.pools.tasks import pooled_tasks
from tests.assess.pools.learning.whole import begin, whole_collection
from tests.assess.search.found import add_searcher, judge, open_document, searchable_collection
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


def test_researchers_pages_have_no_problems(page: Page, sign_in, ada, join):
    """The overview with its opened documents, the report, the documents behind its counts, and a document's page."""
    for query, doc_id in (('"text of a"', "a"), ("mill", "mill"), ("wind*", "windmill")):
        _, assignment = open_document(ada, query, doc_id)
        judge(ada, assignment)
    set_topics(ada.collection, ["1"], "test")
    root = sign_in(join(ada.collection, "olga", "owner"))
    page.goto(f"{root}/search/")
    expect(page.locator("#index")).to_contain_text("The index is complete")
    page.locator("#searches summary").first.click()
    expect(page.get_by_role("link", name="windmill")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("link", name="What searching added").click()
    expect(page.locator(".hero")).to_contain_text("Searching found 2 of 3 known relevant documents")
    assert problems(page) == []
    page.get_by_role("row", name="ada").get_by_role("link").nth(3).click()
    expect(page.locator("tbody tr")).to_have_count(2)
    assert problems(page) == []
    page.get_by_role("link", name="windmill").click()
    expect(page.locator("#provenance")).to_contain_text("ada found it with the search")
    assert problems(page) == []


def test_searched_words_are_highlighted_on_the_judging_page(page: Page, home):
    page.goto(f"{home}/judge/search/")
    page.click(".search-topics a")
    page.fill("#query", "mill")
    page.click("form[role=search] button")
    page.click("#result-1 button")
    settle(page)
    expect(page.locator("#highlight-count")).to_contain_text("1 highlight")


def test_page_with_the_learners_table_has_no_problems(page: Page, sign_in, join):
    collection = whole_collection()
    begin(collection)
    page.goto(f"{sign_in(join(collection, 'olga', 'owner'))}/judging/")
    expect(page.get_by_role("heading", name="Continuous active learning")).to_be_visible()
    assert problems(page) == []
