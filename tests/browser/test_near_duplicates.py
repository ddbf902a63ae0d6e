"""Near-duplicates: judged in a row or with one judgement, and the researcher's pages about them."""

import pytest
from playwright.sync_api import Page, expect

from assess.models import Role
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold
from assess.pools.assign import assign
from assess.transfer.judgements import import_judgements
from tests.assess.near_duplicates.grouped import grouped_collection, judged
from tests.browser.axe import problems
from tests.browser.judging_page import eventually, grades, press, saved, settle
from tests.factories import set_content

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TEXT = "the cat sat on the mat and looked at the dog in the garden"


@pytest.fixture
def open_page(page, sign_in, join):
    """A function that opens the judging page of an assessor with the documents a to h under a rule."""

    def open_page(rule: str, *groups: str):
        ada = join(grouped_collection(*groups, rule=rule), "ada")
        assign(ada.collection, judges=1)
        address = sign_in(ada)
        page.goto(f"{address}/judge/")
        page.click("text=Start judging")
        settle(page)
        return ada, address

    return open_page


def shown(page: Page) -> str:
    return page.locator("#doc-title").inner_text()


def test_one_judgement_applies_to_all_and_undo_brings_all_back(page, open_page):
    ada, address = open_page("once", "acg")
    press(page, "1")
    expect(page.locator("#notice")).to_have_text("Also applied to 2 near-duplicates.")
    saved(page)
    assert grades() == {"a": 1, "c": 1, "g": 1}
    assert shown(page) == "Title b"
    expect(page.locator("#progress-topic")).to_contain_text("3 of 8")
    press(page, "u")
    expect(page.locator("#notice")).to_have_text("Also undone for 2 near-duplicates.")
    saved(page)
    assert {state for state, *_ in judged(ada).values()} == {"undone"}
    assert shown(page) == "Title a"
    expect(page.locator("#progress-topic")).to_contain_text("0 of 8")
    press(page, "0", "1", "1", "1", "1", "1")
    saved(page)
    expect(page.locator("#finished")).to_be_visible()
    assert grades() == {"a": 0, "c": 0, "g": 0, "b": 1, "d": 1, "e": 1, "f": 1, "h": 1}

    page.goto(f"{address}/judge/judgements/")
    expect(page.get_by_text("by group: you judged a near-duplicate")).to_have_count(2)
    assert problems(page) == []
    page.get_by_role("link", name="Judge again: Title c").click()
    settle(page)
    press(page, "1")
    expect(page.locator("h1")).to_have_text("My judgements")
    eventually(page, lambda: judged(ada)["c"], ("judged", 1, "key"))
    assert (judged(ada)["a"], judged(ada)["g"]) == (("judged", 0, "key"), ("judged", 0, "group"))
    expect(page.get_by_text("by group: you judged a near-duplicate")).to_have_count(1)


def test_postponed_document_leaves_its_near_duplicates_to_judge(page, open_page):
    ada, _ = open_page("once", "ab")
    press(page, "l", "1", "1", "1", "1", "1", "1")
    expect(page.locator("#doc-title")).to_have_text("Title b")
    press(page, "1")
    expect(page.locator("#notice")).to_have_text("Also applied to 1 near-duplicate.")
    saved(page)
    expect(page.locator("#finished")).to_be_visible()
    assert judged(ada)["a"] == ("judged", 1, "group")


def test_documents_of_a_group_follow_each_other(page, open_page):
    open_page("together", "acg", "bh")
    order = []
    for _ in range(8):
        order.append(shown(page).removeprefix("Title "))
        press(page, "1")
    saved(page)
    assert "".join(order) == "acgbhdef"
    expect(page.locator("#notice")).to_have_text("")


@pytest.mark.parametrize("width", [1_280, 360])
def test_pages_about_near_duplicates_have_no_axe_violations(page, sign_in, join, width):
    collection = grouped_collection(rule="apart")
    for doc_id, text in {"a": TEXT, "b": TEXT, "c": f"{TEXT} today"}.items():
        set_content(collection.documents.filter(doc_id=doc_id), text=text)
    find_pairs(collection)
    accept_threshold(collection, 0.7)
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n", assessor="ann")
    page.set_viewport_size({"width": width, "height": 800})
    address = sign_in(join(collection, "olga", Role.OWNER))
    for path in ("near-duplicates/", "near-duplicates/?threshold=nonsense", "near-duplicates/inconsistent/"):
        page.goto(f"{address}/{path}")
        assert problems(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
    expect(page.locator("main")).to_contain_text("Different grades by ann.")
